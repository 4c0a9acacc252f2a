// An agent at the other end of an ACP stream, as the `Agent` port. Promises: updates reach the turn in wire order and
// whole, unknown kinds included, and all of them before the turn's answer; whatever goes wrong is an answer with words.
// The SDK would validate updates into silence and let responses overtake them, so `session/update` is taken from the
// stream before the SDK sees it.

import { client, methods, PROTOCOL_VERSION, type AnyMessage, type Stream } from '@agentclientprotocol/sdk';
import type { Agent, AgentAnswer, AgentRequest, AgentUpdate } from '../../core/ports.ts';
import type { AboutAgent, AgentRef, SessionId, StopReason } from '../../model/message.ts';
import { updateOf } from './updates.ts';

export interface ConnectedAgent extends Agent {
  close(): void;
}

export async function connectAgent(stream: Stream, ref: AgentRef): Promise<ConnectedAgent> {
  const running = new Map<string, (update: AgentUpdate) => void>();
  const readable = stream.readable.pipeThrough(
    new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        if (!('method' in message) || message.method !== methods.client.session.update) {
          controller.enqueue(message);
          return;
        }
        const params = message.params as { sessionId?: unknown; update?: unknown } | undefined;
        if (typeof params?.sessionId === 'string') running.get(params.sessionId)?.(updateOf(params.update));
      },
    }),
  );
  const connection = client({ name: 'throughline' }).connect({ readable, writable: stream.writable });
  const handshake = await connection.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
    clientInfo: { name: 'throughline', title: 'Throughline', version: '0.1.0' },
  });
  const ours = oursIn(handshake.agentCapabilities?._meta);
  const takesPath = ours['path'] === true;
  const sessions = new Map<SessionId, Promise<string>>();

  const sessionFor = (request: AgentRequest): Promise<string> => {
    const known = sessions.get(request.session);
    if (known) return known;
    const opened = connection.agent
      .request(methods.agent.session.new, { cwd: request.cwd ?? '', mcpServers: [] })
      .then(answer => answer.sessionId);
    sessions.set(request.session, opened);
    // A session that could not be opened is asked for again with the next prompt.
    opened.catch(() => sessions.delete(request.session));
    return opened;
  };

  return {
    ref,
    about: aboutOf(ours['about']),
    takesPath,
    async prompt(request, onUpdate, signal): Promise<AgentAnswer> {
      try {
        const sessionId = await sessionFor(request);
        if (signal.aborted) return { reason: 'cancelled' };
        running.set(sessionId, onUpdate);
        const onAbort = () =>
          void connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(ignoreClosed);
        signal.addEventListener('abort', onAbort, { once: true });
        try {
          const answer = await connection.agent.request(methods.agent.session.prompt, {
            sessionId,
            prompt: [{ type: 'text', text: request.text }],
            ...(takesPath ? { _meta: { throughline: { path: request.path } } } : {}),
          });
          return answerOf(answer.stopReason);
        } finally {
          signal.removeEventListener('abort', onAbort);
          running.delete(sessionId);
        }
      } catch (cause) {
        return { reason: 'failed', detail: cause instanceof Error ? cause.message : String(cause) };
      }
    },
    close: () => connection.close(),
  };
}

const stopReasons: readonly string[] = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

/** Responses are not validated by the SDK: an agent may answer anything. */
function answerOf(stopReason: unknown): AgentAnswer {
  if (typeof stopReason === 'string' && stopReasons.includes(stopReason)) return { reason: stopReason as StopReason };
  return {
    reason: 'failed',
    detail: `The agent ended with an answer that ACP does not know: ${JSON.stringify(stopReason)}`,
  };
}

/** What an agent that knows this product says of itself in the handshake. */
function oursIn(meta: unknown): { readonly [key: string]: unknown } {
  const ours = (meta as { readonly throughline?: unknown } | null | undefined)?.throughline;
  return typeof ours === 'object' && ours !== null ? (ours as { readonly [key: string]: unknown }) : {};
}

function aboutOf(value: unknown): AboutAgent | null {
  const about = value as { readonly words?: unknown; readonly examples?: unknown } | null | undefined;
  if (typeof about?.words !== 'string') return null;
  const examples = Array.isArray(about.examples) ? about.examples.filter(one => typeof one === 'string') : [];
  return { words: about.words, examples };
}

function ignoreClosed(): void {
  // The connection is closed, so there is nobody left to cancel.
}
