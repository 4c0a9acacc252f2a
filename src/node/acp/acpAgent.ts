// An agent program that runs, with the sessions that it has open. Promises: an update for a session that is just being
// opened waits until it is; a session that is loaded or resumed is known before the agent is asked, so that nothing of a
// replay is taken for something new; what the agent asks for a session that nobody has is refused.

import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import {
  AgentError,
  type AgentAbilities,
  type AgentDeath,
  type AgentPlace,
  type AgentSession,
  type LoadedSession,
  type RunningAgent,
} from '../../core/agents.ts';
import type { Clock } from '../../core/ports.ts';
import { AcpSession } from './acpSession.ts';
import type { ClientHandlers } from './clientHandlers.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';
import { greeting, handshakeOf, type ClientInfo, type Handshake } from './handshake.ts';
import { OpenSessions } from './openSessions.ts';
import { Peer } from './peer.ts';
import { outcomeOf } from './permission.ts';
import type { Patience } from './quiet.ts';
import type { Transport } from './transport.ts';

/** Some agents send most of a replay after they answered that it is loaded. */
const afterLoad: Patience = { quiet: 80, most: 5000 };

export interface AcpAgentOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  readonly handlers: ClientHandlers;
  /** On top of what the handlers say. */
  readonly capabilities: ClientCapabilities;
  /** Where an agent works that was given no folder: the protocol wants one. */
  readonly homeFolder: string;
  readonly newPermissionId: () => string;
  readonly onWarning: (words: string) => void;
  readonly onBusy: (busy: boolean) => void;
}

export class AcpAgent implements RunningAgent {
  readonly ended: Promise<AgentDeath>;
  private readonly options: AcpAgentOptions;
  private readonly peer: Peer;
  private readonly sessions = new OpenSessions();
  private handshake: Handshake | null = null;

  constructor(transport: Transport, options: AcpAgentOptions) {
    this.options = options;
    const { name, handlers, clock, onBusy } = options;
    this.peer = new Peer(name, transport, handlers, clock, {
      onUpdate: (id, update) => this.sessions.update(id, update),
      onQuestion: request => this.sessions.get(request.sessionId)?.takeQuestion(request),
      answer: async (request, withdrawn) =>
        (await this.sessions.get(request.sessionId)?.answer(request, withdrawn)) ?? outcomeOf(request, null),
      onBusy,
    });
    this.ended = this.peer.ended;
  }

  get abilities(): AgentAbilities {
    return this.agreed.abilities;
  }

  /** The first exchange; nothing else may be asked before it. */
  async greet(signal: AbortSignal): Promise<Handshake> {
    const { clientInfo, handlers, capabilities, name } = this.options;
    const answer = await this.peer.request('initialize', greeting(clientInfo, handlers, capabilities), signal);
    this.handshake = handshakeOf(answer, name);
    return this.handshake;
  }

  /** Nothing is lost when it is stopped: what its sessions know it finds again, or is told anyway. */
  get mayForget(): boolean {
    const { abilities, takesPath } = this.agreed;
    return takesPath || abilities.load || abilities.resume || !this.sessions.all.some(one => one.wasPrompted);
  }

  onDidEnd(listener: (death: AgentDeath) => void): () => void {
    let listens = true;
    void this.ended.then(death => {
      if (listens) listener(death);
    });
    return () => {
      listens = false;
    };
  }

  session(id: string): AgentSession | undefined {
    const session = this.sessions.get(id);
    return session?.isOpen ? session : undefined;
  }

  newSession(place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    return this.openUnknown('session/new', {}, place, true, signal);
  }

  async forkSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    this.expect('fork', 'copy what it knows');
    return this.openUnknown('session/fork', { sessionId: id }, place, false, signal);
  }

  async resumeSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    this.expect('resume', 'go on with an earlier session');
    return this.session(id) ?? (await this.openKnown('session/resume', id, place, null, signal)).session;
  }

  async loadSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<LoadedSession> {
    this.expect('load', 'load an earlier session');
    return this.openKnown('session/load', id, place, afterLoad, signal);
  }

  async authenticate(method: string, signal: AbortSignal): Promise<void> {
    const known = this.abilities.authMethods.find(({ id }) => id === method);
    if (known?.kind === 'terminal')
      throw new AgentError('invalid', `To sign in to ${this.options.name}, its own command line is needed.`);
    await this.peer.request('authenticate', { methodId: method }, signal);
  }

  stop(): Promise<void> {
    return this.peer.stop();
  }

  private get agreed(): Handshake {
    if (!this.handshake) throw new Error('The agent was not greeted.');
    return this.handshake;
  }

  private async openUnknown(
    method: string,
    params: object,
    place: AgentPlace,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<AgentSession> {
    const done = this.sessions.expectOne();
    try {
      const answer = await this.ask(method, params, place, signal);
      const id = textOf(answer['sessionId']);
      if (id === undefined || id === '')
        throw new AgentError('other', `${this.options.name} opened a session and did not say which.`);
      const session = this.newAcpSession(id, fresh);
      session.opened(answer);
      this.sessions.catchUp(session);
      return session;
    } finally {
      done();
    }
  }

  /** Whatever is said before it is open, and until then is quiet, was said before. */
  private async openKnown(
    method: string,
    id: string,
    place: AgentPlace,
    patience: Patience | null,
    signal: AbortSignal,
  ): Promise<LoadedSession> {
    if (this.sessions.get(id)) throw new AgentError('invalid', 'This session of the agent is open already.');
    const session = this.newAcpSession(id, false);
    const replay = session.beginReplay();
    try {
      const answer = await this.ask(method, { sessionId: id }, place, signal);
      session.opened(answer);
      if (patience) await replay.quiet.come(this.options.clock, patience, signal);
      if (signal.aborted) throw new AgentError('cancelled', 'It was cancelled.');
    } catch (cause) {
      this.sessions.remove(session);
      throw cause;
    }
    session.endReplay();
    return { session, replayedPrompts: replay.prompts };
  }

  private newAcpSession(id: string, fresh: boolean): AcpSession {
    const { name: agentName, clock, newPermissionId, onWarning } = this.options;
    const { abilities, takesPath } = this.agreed;
    const { peer } = this;
    const onClose = (closed: AcpSession) => this.sessions.remove(closed);
    const context = { agentName, abilities, takesPath, clock, newPermissionId, onWarning, peer, onClose };
    const session = new AcpSession(id, context, fresh);
    this.sessions.add(session);
    return session;
  }

  private async ask(method: string, params: object, place: AgentPlace, signal: AbortSignal): Promise<Fields> {
    const folders = {
      cwd: place.cwd ?? this.options.homeFolder,
      mcpServers: [],
      ...(this.agreed.moreFolders && place.alsoIn.length > 0 ? { additionalDirectories: place.alsoIn } : {}),
    };
    return fieldsOf(await this.peer.request(method, { ...params, ...folders }, signal)) ?? {};
  }

  private expect(ability: 'load' | 'resume' | 'fork', words: string): void {
    if (!this.abilities[ability]) throw new AgentError('not-supported', `${this.options.name} cannot ${words}.`);
  }
}
