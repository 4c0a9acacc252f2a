// The built-in agents, each at the other end of a stream in this process: the scout, and the one that talks to models. A
// bundle of its own, loaded when one of them is first talked to. Promises: keys come from the secrets when a request is made;
// a restricted workspace is only read, and has only the scout.

import { env, lm, workspace, type Disposable } from 'vscode';
import { allModels, withLimit, type ModelInfo } from '../../agent/loop/model.ts';
import { endpointsIn } from '../../agent/models/endpoints.ts';
import { endpointSource } from '../../agent/models/endpointSource.ts';
import { aboutModels, aboutScout, modelsRef, scoutRef } from '../../agent/refs.ts';
import { scoutSource } from '../../agent/scout/scoutModel.ts';
import { serveBuiltInAgent, type BuiltInAgentPorts } from '../../agent/serve.ts';
import { modelTools, scoutTools } from '../../agent/tools/tools.ts';
import type { History } from '../../core/history/history.ts';
import { memoryStreams } from '../../node/acp/memoryStream.ts';
import { memoryTransport, type Transport } from '../../node/acp/transport.ts';
import { systemClock } from '../../node/clock.ts';
import { lookupWith } from '../../node/files/lookup/lookup.ts';
import { ripgrepIn } from '../../node/files/lookup/ripgrep.ts';
import { diskFiles } from '../../node/files/search.ts';
import { httpClient, httpLimits } from '../../node/http/client.ts';
import type { BlobRef, SessionId } from '../../model/message.ts';
import { fromPerson, newestKept } from '../personSettings.ts';
import type { Report } from '../report.ts';
import { editorTools } from './editorTools.ts';
import type { EntryGate } from './entryGate.ts';
import type { LocalModels } from './localModels.ts';
import { isOfVscode, vscodeModels } from './languageModels.ts';
import { originOf } from './secretDestination.ts';
import type { Secrets } from './secrets.ts';

export interface BuiltInWindow {
  readonly folders: () => readonly string[];
  readonly newId: () => string;
  readonly secrets: Pick<Secrets, 'resolve'>;
  readonly gate: Pick<EntryGate, 'refusal' | 'asksAbout'>;
  readonly report: Pick<Report, 'warn'>;
  readonly history: () => Promise<Pick<History, 'blob' | 'search'>>;
}

/** Answers of a model before the person is asked whether it goes on. */
const usualSteps = 50;

export function scoutTransport(of: BuiltInWindow): Transport {
  const scout = scoutTools({ ...toolPorts(of), files: diskFiles });
  const own = {
    ref: scoutRef,
    about: aboutScout,
    images: false,
    models: scoutSource,
    tools: () => scout,
  };
  return served({ ...common(of), ...own, usualModel: () => null });
}

/** Whether opening a session would ask the person about the servers whose models are listed then. */
export function modelsAskFirst({ gate }: Pick<BuiltInWindow, 'gate'>): Promise<boolean> {
  const listed = endpointsIn(fromPerson('models')).endpoints.filter(({ models }) => models.length === 0);
  return gate.asksAbout(listed.map(value => ({ kind: 'model', name: value.name, value })));
}

/** `local` are the models of this machine that the person agreed to. */
export function modelsTransport(of: BuiltInWindow, local: Pick<LocalModels, 'last' | 'onDidAgree'>): Transport {
  let told = '';
  const endpoints = endpointSource({
    endpoints() {
      const { endpoints, problems } = endpointsIn(fromPerson('models'));
      const words = problems.join(' ');
      if (words !== told && words !== '') of.report.warn(words);
      told = words;
      const more = local.last.filter(one => !endpoints.some(({ name }) => name === one.name));
      return [...endpoints, ...more];
    },
    resolve: (text, url, mayAsk) => of.secrets.resolve(text, originOf(url), mayAsk),
    async refusal(value, mayAsk) {
      // One of this machine is no entry of the settings, and the person agreed to its address.
      const isLocal = local.last.some(one => JSON.stringify(one) === JSON.stringify(value));
      return isLocal ? null : of.gate.refusal({ kind: 'model', name: value.name, value }, mayAsk);
    },
    http: { listing: httpClient(httpLimits.listing), prompt: httpClient(httpLimits.prompt) },
    now: systemClock.now,
    sdk: () => import('../../agent/models/sdkModel.ts'),
  });
  const models = withLimit(allModels([endpoints, vscodeModels]), () => {
    const limit = fromPerson('contextLimit');
    return typeof limit === 'number' && limit >= 4000 ? Math.floor(limit) : null;
  });
  const usualModel = () => {
    const chosen = fromPerson('model');
    return typeof chosen === 'string' && chosen !== '' ? chosen : null;
  };
  const own = modelTools(toolPorts(of));
  // Those of other extensions go with the models of VS Code, for which they were made.
  const tools = ({ id }: ModelInfo) => (isOfVscode(id) ? [...own, ...editorTools()] : own);
  return served(
    { ...common(of), ref: modelsRef, about: aboutModels, images: true, models, tools, usualModel },
    onChange => [...whenModelsChange(onChange), { dispose: local.onDidAgree(onChange) }],
  );
}

/** What was said in other sessions, so many places. */
const mostHits = 12;

function toolPorts({ history }: BuiltInWindow) {
  return {
    lookup: lookupWith(ripgrepIn(env.appRoot)),
    after: systemClock.after,
    async searchHistory(words: string) {
      const { hits, more, searched = null } = await (await history()).search(words, { limit: mostHits, count: true });
      const places = hits.map(({ title, role, snippet, created }) => {
        const who = role === null ? 'title' : role === 'user' ? 'the person' : 'an agent';
        return `“${title}”, ${new Date(created).toISOString().slice(0, 10)}, ${who}: ${snippet}`;
      });
      return { places, more, searched };
    },
  };
}

function common({ folders, newId, history }: BuiltInWindow) {
  return {
    folders,
    newId,
    blob: async (session: SessionId, ref: BlobRef) => (await history()).blob(session, ref),
    mayChange: () => workspace.isTrusted,
    after: systemClock.after,
    whenLong: () =>
      (fromPerson('longConversations') === 'summarise' ? 'summarise' : 'leaveOut') as 'summarise' | 'leaveOut',
    newestKept,
    steps() {
      const steps = fromPerson('steps');
      return typeof steps === 'number' && steps >= 1 ? Math.floor(steps) : usualSteps;
    },
  };
}

function served(
  ports: BuiltInAgentPorts,
  listen: (onChange: () => void) => readonly Disposable[] = () => [],
): Transport {
  const [ours, theirs] = memoryStreams();
  const end = serveBuiltInAgent(theirs, ports);
  const listening = listen(() => {
    end.modelsChanged().catch(() => {
      // The agent was stopped meanwhile, and has no sessions.
    });
  });
  return memoryTransport(ours, () => {
    for (const one of listening) one.dispose();
    end.close();
  });
}

function whenModelsChange(onChange: () => void): readonly Disposable[] {
  return [
    lm.onDidChangeChatModels(onChange),
    workspace.onDidChangeConfiguration(event => {
      const names = ['throughline.models', 'throughline.contextLimit', 'throughline.newestMessages'];
      if (names.some(name => event.affectsConfiguration(name))) onChange();
    }),
  ];
}
