// An agent program that runs, with the sessions that it has open, and what can be asked of it besides opening them.
// Promises: nothing is asked of it that it did not say it can; what it asks for a session that nobody has is refused.

import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { AgentError, agentErrorIn } from '../../core/agentError.ts';
import type {
  AgentAbilities,
  AgentDeath,
  AgentPlace,
  AgentSession,
  AskPerson,
  ListedSessions,
  LoadedSession,
  ReplayedPart,
  RunningAgent,
} from '../../core/agents.ts';
import type { Clock } from '../../core/ports.ts';
import { SignInDesk } from './agentDesk.ts';
import type { ClientHandlers, HandlersFor } from './clientHandlers.ts';
import { kindOf, type Redact } from './errors.ts';
import { greeting, handshakeOf, type ClientInfo, type Handshake } from './handshake.ts';
import { listedOf } from './listed.ts';
import type { McpServer } from './mcpServers.ts';
import { OpenSessions } from './openSessions.ts';
import { Peer } from './peer.ts';
import { outcomeOf } from './permission.ts';
import { SessionOpening } from './sessionOpening.ts';
import type { Transport } from './transport.ts';

export interface AcpAgentOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  readonly handlers: HandlersFor;
  /** On top of what the handlers say. */
  readonly capabilities: ClientCapabilities;
  /** Where an agent works that was given no folder: the protocol wants one. */
  readonly homeFolder: string;
  /** Those that each session is opened with. */
  readonly mcpServers: () => Promise<readonly McpServer[]>;
  /** A person can be signed in at a terminal. */
  readonly signInTerminal: boolean;
  readonly newPermissionId: () => string;
  readonly onWarning: (words: string) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly redact: Redact;
}

export class AcpAgent implements RunningAgent {
  readonly ended: Promise<AgentDeath>;
  private readonly options: AcpAgentOptions;
  private readonly peer: Peer;
  private readonly sessions = new OpenSessions();
  private readonly desk: SignInDesk;
  private readonly handlers: ClientHandlers;
  private greeted: { readonly handshake: Handshake; readonly opening: SessionOpening } | null = null;

  constructor(transport: Transport, options: AcpAgentOptions) {
    this.options = options;
    const { name, clock, onBusy, onWarning } = options;
    this.desk = new SignInDesk(cause => onWarning(`The person could not be asked: ${kindOf(cause)}.`));
    this.handlers = options.handlers(this.desk);
    this.peer = new Peer(name, transport, this.handlers, clock, {
      onUpdate: (id, update) => this.sessions.update(id, update),
      standing: id => this.sessions.standing(id),
      turn: id => this.sessions.get(id)?.running ?? null,
      onQuestion: request => this.sessions.get(request.sessionId)?.takeQuestion(request),
      answer: async (request, withdrawn) =>
        (await this.sessions.get(request.sessionId)?.answer(request, withdrawn)) ?? outcomeOf(request, null),
      onBusy,
      redact: options.redact,
    });
    this.ended = this.peer.ended;
  }

  get abilities(): AgentAbilities {
    return this.known.handshake.abilities;
  }

  get called(): string | null {
    return this.known.handshake.called;
  }

  /** The first exchange; nothing else may be asked before it. */
  async greet(signal: AbortSignal): Promise<Handshake> {
    const { clientInfo, capabilities: more, signInTerminal, name } = this.options;
    const offer = { handlers: this.handlers, signInTerminal, more };
    const answer = await this.peer.request('initialize', greeting(clientInfo, offer), signal);
    const handshake = handshakeOf(answer, name);
    this.greeted = { handshake, opening: this.openingAfter(handshake) };
    return handshake;
  }

  /** Nothing is lost when it is stopped: what its sessions know it finds again, or is told anyway. */
  get mayForget(): boolean {
    const { abilities, takesPath } = this.known.handshake;
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
    return this.known.opening.begin(place, signal);
  }

  async forkSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    this.expect('fork', 'copy what it knows');
    return this.known.opening.fork(id, place, signal);
  }

  async resumeSession(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    this.expect('resume', 'go on with an earlier session');
    return this.session(id) ?? this.known.opening.resume(id, place, signal);
  }

  async loadSession(
    id: string,
    place: AgentPlace,
    signal: AbortSignal,
    onReplay?: (part: ReplayedPart) => void,
  ): Promise<LoadedSession> {
    this.expect('load', 'load an earlier session');
    return this.known.opening.load(id, place, signal, onReplay);
  }

  /** Not for a method of the kind `terminal`. */
  async authenticate(method: string, ask: AskPerson, signal: AbortSignal): Promise<void> {
    await this.desk.withAsker(ask, () => this.peer.request('authenticate', { methodId: method }, signal));
  }

  async signOut(signal: AbortSignal): Promise<void> {
    this.expect('signOut', 'sign a person out');
    await this.peer.request('logout', {}, signal);
  }

  async listSessions(cwd: string | null, cursor: string | null, signal: AbortSignal): Promise<ListedSessions> {
    this.expect('list', 'say which sessions it keeps');
    const params = { ...(cwd === null ? {} : { cwd }), ...(cursor === null ? {} : { cursor }) };
    return listedOf(await this.peer.request('session/list', params, signal));
  }

  async deleteSession(id: string, signal: AbortSignal): Promise<void> {
    this.expect('delete', 'delete what it keeps of a session');
    try {
      await this.peer.request('session/delete', { sessionId: id }, signal);
    } catch (cause) {
      if (agentErrorIn(cause)?.code !== 'not-found') throw cause;
    }
    this.sessions.get(id)?.end();
  }

  stop(): Promise<void> {
    return this.peer.stop();
  }

  private get known(): { readonly handshake: Handshake; readonly opening: SessionOpening } {
    if (!this.greeted) throw new Error('The agent was not greeted.');
    return this.greeted;
  }

  private openingAfter({ abilities, takesPath, moreFolders, mcp }: Handshake): SessionOpening {
    const { name: agentName, clock, newPermissionId, onWarning, homeFolder, mcpServers } = this.options;
    const { peer, sessions } = this;
    const context = { agentName, abilities, takesPath, clock, newPermissionId, onWarning, peer };
    return new SessionOpening({ context, sessions, homeFolder, moreFolders, mcp, mcpServers });
  }

  private expect(ability: 'load' | 'resume' | 'fork' | 'list' | 'delete' | 'signOut', words: string): void {
    if (!this.abilities[ability]) throw new AgentError('not-supported', `${this.options.name} cannot ${words}.`);
  }
}
