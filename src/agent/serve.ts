// The built-in agent on its end of an ACP stream: sessions, what they are set to, prompts and cancels as the protocol has
// them. Promises: the path of the conversation comes whole with every prompt in `_meta.throughline.path` (said in the
// handshake), so this agent keeps no memory of its own; a cancel is answered at once. Which models there are is told by its
// source, and how one is talked to is the loop's matter.

import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type PromptRequest,
  type PromptResponse,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { AboutAgent, AgentRef } from '../model/message.ts';
import { answerPrompt, type AnsweringPorts, type Spent } from './answering.ts';
import type { ModelSource, ThinkingLevel } from './loop/model.ts';
import { troubleIn } from './loop/trouble.ts';
import { optionsIn, thinkingFrom } from './sessionOptions.ts';

export interface BuiltInAgentPorts extends Omit<AnsweringPorts, 'agent'> {
  readonly ref: AgentRef;
  readonly about: AboutAgent;
  readonly images: boolean;
  readonly models: ModelSource;
  /** The id of the model that a new session begins with; null for the first that there is. */
  readonly usualModel: () => string | null;
}

interface OpenSession {
  readonly folders: readonly string[];
  readonly spent: Spent;
  readonly client: AgentContext;
  model: string | null;
  /** As the person chose it, also while the model is one that cannot be told; null for what the model does by itself. */
  thinking: ThinkingLevel | null;
  /** The person was asked about servers when it was opened, and is not asked once more by the first prompt. */
  wasAsked: boolean;
  abort: AbortController | null;
}

export interface ServedAgent {
  close(): void;
  /** There are other models than before: sessions are told, and keep theirs where it is still there. */
  modelsChanged(): Promise<void>;
}

export function serveBuiltInAgent(stream: Stream, ports: BuiltInAgentPorts): ServedAgent {
  const sessions = new Map<string, OpenSession>();
  const closed = new AbortController();
  const { ref, about, images, models } = ports;

  const sessionOf = (id: string): OpenSession => {
    const session = sessions.get(id);
    if (!session) throw RequestError.resourceNotFound(id);
    return session;
  };
  const tellWindow = async (sessionId: string, { model, spent, client }: OpenSession) => {
    const info = (await models.list(closed.signal)).find(({ id }) => id === model);
    if (!info?.contextWindow) return;
    const update = { sessionUpdate: 'usage_update' as const, used: spent.context, size: info.contextWindow };
    await client.notify(methods.client.session.update, { sessionId, update });
  };

  const connection = agent({ name: ref.id })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: ref.id, title: ref.name, version: '1' },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: images, embeddedContext: true },
        sessionCapabilities: { close: {}, additionalDirectories: {} },
        _meta: { throughline: { path: true, about } },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const sessionId = ports.newId();
      const list = await models.list(closed.signal, true);
      const usual = ports.usualModel();
      const model = (list.find(({ id }) => id === usual) ?? list[0])?.id ?? null;
      const folders = [params.cwd, ...(params.additionalDirectories ?? [])];
      const session: OpenSession = {
        folders,
        spent: { cost: null, context: 0, system: '' },
        model,
        thinking: null,
        wasAsked: true,
        abort: null,
        client,
      };
      sessions.set(sessionId, session);
      await tellWindow(sessionId, session);
      return { sessionId, ...optionsIn(list, session) };
    })
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const session = sessionOf(params.sessionId);
      const list = await models.list(closed.signal);
      const { configId, value } = params;
      if (configId === 'thinking') {
        const info = list.find(({ id }) => id === session.model);
        session.thinking = thinkingFrom(info, value);
      } else {
        const chosen = list.find(({ id }) => id === value);
        if (configId !== 'model' || !chosen)
          throw RequestError.invalidParams(undefined, `There is no model “${String(value)}”.`);
        session.model = chosen.id;
        await tellWindow(params.sessionId, session);
      }
      return { configOptions: optionsIn(list, session).configOptions ?? [] };
    })
    .onRequest(methods.agent.session.close, ({ params }) => {
      sessions.get(params.sessionId)?.abort?.abort();
      sessions.delete(params.sessionId);
      return {};
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort?.abort())
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const session = sessionOf(params.sessionId);
      if (session.abort) throw RequestError.invalidRequest('A prompt of this session is still being answered.');
      const abort = new AbortController();
      session.abort = abort;
      const stopped = AbortSignal.any([abort.signal, closed.signal]);
      try {
        return await Promise.race([answer(params, client, session, stopped), cancelled(stopped)]);
      } catch (cause) {
        if (stopped.aborted) return { stopReason: 'cancelled' };
        const trouble = troubleIn(cause);
        throw trouble ? new RequestError(-32603, trouble.message) : cause;
      } finally {
        session.abort = null;
      }
    })
    .connect(stream);

  const answer = async (
    params: PromptRequest,
    client: AgentContext,
    session: OpenSession,
    signal: AbortSignal,
  ): Promise<PromptResponse> => {
    const { folders, model, thinking, spent } = session;
    // One that was not there when the session began may be there now.
    const id = model ?? (session.model = (await models.list(signal, !session.wasAsked))[0]?.id ?? null);
    session.wasAsked = false;
    return answerPrompt({ params, client, folders, model: id, thinking, spent, signal }, { ...ports, agent: ref });
  };

  return {
    close() {
      closed.abort();
      connection.close();
    },
    async modelsChanged() {
      const list = await models.list(closed.signal);
      for (const [sessionId, session] of sessions) {
        session.model = (list.find(({ id }) => id === session.model) ?? list[0])?.id ?? null;
        const { configOptions = [] } = optionsIn(list, session);
        const update = { sessionUpdate: 'config_option_update' as const, configOptions };
        await session.client.notify(methods.client.session.update, { sessionId, update });
        await tellWindow(sessionId, session);
      }
    },
  };
}

/** Whoever cancelled does not wait for a server, or for a file. */
function cancelled(signal: AbortSignal): Promise<PromptResponse> {
  return new Promise(resolve => {
    signal.addEventListener('abort', () => resolve({ stopReason: 'cancelled' }), { once: true });
  });
}
