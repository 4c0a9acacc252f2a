// The built-in agent on its end of an ACP stream. Promises: sessions, prompts and cancels as the protocol has them; the
// path of the conversation comes whole with every prompt in `_meta.throughline.path` (said in the handshake), so this
// agent keeps no memory of its own. What an answer says is the model's matter; the only one yet is the scout.

import { agent, methods, PROTOCOL_VERSION, RequestError, type Stream } from '@agentclientprotocol/sdk';
import type { Files } from '../core/ports.ts';
import type { Message } from '../model/message.ts';
import { scout } from './scout.ts';
import { aboutScout, scoutRef } from './scoutRef.ts';

export interface BuiltInAgentPorts {
  readonly files: Files;
  readonly newSessionId: () => string;
}

interface OpenSession {
  readonly cwd: string;
  abort: AbortController | null;
}

export function serveBuiltInAgent(stream: Stream, ports: BuiltInAgentPorts): { close(): void } {
  const sessions = new Map<string, OpenSession>();
  return agent({ name: scoutRef.id })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: scoutRef.id, title: scoutRef.name, version: '1' },
      agentCapabilities: { loadSession: false, _meta: { throughline: { path: true, about: aboutScout } } },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, ({ params }) => {
      const sessionId = ports.newSessionId();
      sessions.set(sessionId, { cwd: params.cwd, abort: null });
      return { sessionId };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort?.abort())
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params;
      const session = sessions.get(sessionId);
      if (!session) throw RequestError.resourceNotFound(sessionId);
      if (session.abort) throw RequestError.invalidRequest('A prompt of this session is still being answered.');
      const abort = new AbortController();
      session.abort = abort;
      try {
        const text = prompt.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
        const question = { text, folder: session.cwd, path: pathOf(params._meta), signal: abort.signal };
        for await (const update of scout(question, ports.files)) {
          if (abort.signal.aborted) break;
          await client.notify(methods.client.session.update, { sessionId, update });
        }
        return { stopReason: abort.signal.aborted ? 'cancelled' : 'end_turn' };
      } catch (cause) {
        if (abort.signal.aborted) return { stopReason: 'cancelled' };
        throw cause;
      } finally {
        session.abort = null;
      }
    })
    .connect(stream);
}

function pathOf(meta: unknown): readonly Message[] {
  const path = (meta as { throughline?: { path?: unknown } } | undefined)?.throughline?.path;
  return Array.isArray(path) ? (path as readonly Message[]) : [];
}
