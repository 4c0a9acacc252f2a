// One connection to an agent: requests out, updates and questions in. Promises: updates are given on in wire order, each
// before anything that came after it; every request ends with an answer, or with an AgentError, also when the agent dies
// or nobody waits any more; a request that the agent may not make now (`turnRule.ts`) is refused as it arrives and reaches
// no handler. The SDK would validate updates into silence and let responses overtake them, so `session/update` is taken
// from the stream before the SDK sees it.

import {
  client,
  methods,
  type AnyMessage,
  type ClientConnection,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { AgentError } from '../../core/agentError.ts';
import type { AgentDeath } from '../../core/agents.ts';
import type { Clock } from '../../core/ports.ts';
import { addHandlers, type ClientHandlers, type TurnOf } from './clientHandlers.ts';
import { agentErrorOf, endedError, type Redact } from './errors.ts';
import { fieldsOf, textOf } from './fields.ts';
import { permissionRequestOf, type PermissionRequest } from './permission.ts';
import { atMost } from './quiet.ts';
import type { Transport } from './transport.ts';
import { refusal, refusalOf, type Standing } from './turnRule.ts';
import { tapped } from './wire.ts';

/** How long the last words of an agent that is gone may take on their way. */
const lastWordsTime = 1000;

/** What the SDK is given in the place of a request that is refused. */
const refusedMethod = '_throughline/refused';

export interface PeerEvents {
  readonly onUpdate: (sessionId: string, update: unknown) => void;
  readonly standing: (sessionId: string) => Standing;
  readonly turn: TurnOf;
  /** In its place among the updates; the answer is asked for a moment later. */
  readonly onQuestion: (request: PermissionRequest) => void;
  readonly answer: (request: PermissionRequest, withdrawn: AbortSignal) => Promise<RequestPermissionResponse>;
  readonly redact: Redact;
  /** Whether any request is under way. */
  readonly onBusy: (busy: boolean) => void;
}

export class Peer {
  /** Resolved when the agent is gone, whoever ended it. */
  readonly ended: Promise<AgentDeath>;
  readonly redact: Redact;
  private readonly name: string;
  private readonly transport: Transport;
  private readonly events: PeerEvents;
  private readonly clock: Clock;
  private readonly connection: ClientConnection;
  private underWay = 0;
  private stopping = false;

  constructor(name: string, transport: Transport, handlers: ClientHandlers, clock: Clock, events: PeerEvents) {
    this.name = name;
    this.redact = events.redact;
    this.clock = clock;
    this.transport = transport;
    this.events = events;
    const { readable, writable } = transport.stream;
    this.connection = addHandlers(client({ name: 'throughline' }), handlers, events.turn)
      // Read by hand: the SDK would refuse the whole question for a choice of a kind that it does not know.
      .onRequest(methods.client.session.requestPermission, permissionRequestOf, ({ params, signal }) =>
        events.answer(params, signal),
      )
      .onRequest(
        refusedMethod,
        params => textOf(params) ?? '',
        ({ params: words }) => Promise.reject(refusal(words)),
      )
      .connect({ readable: tapped(readable, message => this.take(message)), writable });
    this.ended = this.end();
  }

  async request(method: string, params: object, signal: AbortSignal | null): Promise<unknown> {
    if (signal?.aborted) throw new AgentError('cancelled', 'It was cancelled.');
    if (this.underWay++ === 0) this.events.onBusy(true);
    const options = signal ? { cancellationSignal: signal, stopWaitingOnCancel: true } : {};
    try {
      return await this.connection.agent.request<unknown, object>(method, params, options);
    } catch (cause) {
      if (signal?.aborted) throw new AgentError('cancelled', 'It was cancelled.');
      if (this.connection.signal.aborted) throw endedError(this.name, await this.ended);
      throw agentErrorOf(cause, this.redact);
    } finally {
      if (--this.underWay === 0) this.events.onBusy(false);
    }
  }

  notify(method: string, params: object): void {
    this.connection.agent.notify(method, params).catch(() => {
      // The agent is gone, which its requests are told.
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.transport.close();
    await this.ended;
  }

  /** What the SDK is to see of it; null is nothing. */
  private take(message: AnyMessage): AnyMessage | null {
    const { id, method, params } = fieldsOf(message) ?? {};
    if (typeof method !== 'string') return message;
    const { sessionId, update } = fieldsOf(params) ?? {};
    if (method === methods.client.session.update) {
      if (typeof sessionId === 'string') this.events.onUpdate(sessionId, update);
      return null;
    }
    if (id === undefined) return message;
    const words = this.refusalOf(method, textOf(sessionId) ?? null);
    if (words !== null)
      return { jsonrpc: '2.0', id: id as string | number | null, method: refusedMethod, params: words };
    if (method === methods.client.session.requestPermission) this.events.onQuestion(permissionRequestOf(params));
    return message;
  }

  private refusalOf(method: string, sessionId: string | null): string | null {
    // A question about the agent as a whole names no session.
    if (method === methods.client.elicitation.create && sessionId === null) return null;
    return refusalOf(method, sessionId ?? '', this.events.standing(sessionId ?? ''));
  }

  private async end(): Promise<AgentDeath> {
    // An agent that only closes its pipe is of no use any more, and one that is gone answers nothing.
    void this.connection.closed.then(() => this.transport.close());
    const how = await this.transport.ended;
    const unexpected = !this.stopping;
    if (unexpected) await atMost(this.clock, lastWordsTime, this.connection.closed);
    this.connection.close();
    return { ...how, unexpected };
  }
}
