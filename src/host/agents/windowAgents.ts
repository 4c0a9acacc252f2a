// The agents of this window with all that they may reach: what is found on the machine, the models here, secrets, rules and
// the servers that a person set. It makes them; each is a file of its own.

import { homedir } from 'node:os';
import { EventEmitter, lm, type Event, type ExtensionContext } from 'vscode';
import type { History } from '../../core/history/history.ts';
import type { OpenEditors } from '../../core/files.ts';
import { systemClock } from '../../node/clock.ts';
import { knownAgents } from '../../agent/knownAgents.ts';
import { once } from '../once.ts';
import { fromPerson } from '../personSettings.ts';
import type { Report } from '../report.ts';
import { workspaceFolders } from '../windowPlace.ts';
import { Agents } from './agents.ts';
import { builtInFor } from './builtIn.ts';
import type { EntryGate } from './entryGate.ts';
import { FoundAgents } from './foundAgents.ts';
import type { LocalModels } from './localModels.ts';
import { WorkspaceRules } from './rules.ts';
import type { Secrets } from './secrets.ts';

export interface WindowAgentsPorts {
  readonly context: ExtensionContext;
  readonly report: Report;
  readonly secrets: Secrets;
  readonly gate: EntryGate;
  readonly history: () => Promise<History>;
  readonly editors: OpenEditors;
  /** Folders of ours, which no agent may read or write. */
  readonly own: readonly string[];
  readonly newId: () => string;
}

export interface WindowAgents {
  readonly agents: Agents;
  readonly found: FoundAgents;
  readonly local: () => Promise<LocalModels>;
  readonly rules: WorkspaceRules;
  /** There are models now that new sessions begin with. */
  readonly onDidGetModels: Event<void>;
}

/** Those who provide models of VS Code’s own are started for it, and may take their time. */
const patience = 2000;

export function createWindowAgents({
  context,
  report,
  secrets,
  gate,
  history,
  editors,
  own,
  newId,
}: WindowAgentsPorts): WindowAgents {
  const { workspaceState, globalState } = context;
  const warn = (words: string) => report.warn(words);
  const mcp = once(async () => {
    const { McpSetting } = await import('./mcpSetting.ts');
    return new McpSetting({ read: () => fromPerson('mcpServers'), secrets, gate, warn });
  });
  const rules = new WorkspaceRules({
    state: workspaceState,
    now: systemClock.now,
    onFailure: cause => report.warn('The allow rules could not be kept.', cause),
  });
  const found = new FoundAgents({
    known: knownAgents,
    env: process.env,
    platform: process.platform,
    folders: workspaceFolders,
  });
  const models = new EventEmitter<void>();
  const local = once(async () => {
    const { localModelsHere } = await import('./localModelsHere.ts');
    const made = localModelsHere(globalState);
    made.onDidAgree(() => models.fire());
    return made;
  });
  const agents = new Agents({
    builtIn: builtInFor({ folders: workspaceFolders, newId, secrets, gate, report, history, local }),
    modelsHere: async () => (await Promise.all([editorHasModels(), local().then(one => one.look())])).includes(true),
    found,
    chosen: {
      get: () => workspaceState.get<string>('agent'),
      set: async id => workspaceState.update('agent', id),
    },
    window: {
      clock: systemClock,
      clientInfo: { name: 'throughline', title: 'Throughline', version: String(context.extension.packageJSON.version) },
      homeFolder: homedir(),
      newId,
      folders: workspaceFolders,
      own,
      editors,
      mcpServers: async () => (await mcp()).servers(),
      redact: text => secrets.remove(text),
      isAsking: gate.isAsking,
    },
    report,
    secrets,
    gate,
    serversAskFirst: async () => (await mcp()).asksFirst(),
  });
  return { agents, found, local, rules, onDidGetModels: models.event };
}

/**
 * Whether VS Code has models of its own, from other extensions. It asks for none: that needs the person's word, which they
 * give when the first message is sent.
 */
async function editorHasModels(): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly unknown[]>(resolve => {
    timer = setTimeout(() => resolve([]), patience);
  });
  try {
    return (await Promise.race([lm.selectChatModels(), late])).length > 0;
  } catch {
    // Whoever provides them is in trouble: then there are none now.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
