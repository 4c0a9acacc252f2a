// The agent of a conversation and what it knows of it: the program, its sessions that are bound to this conversation, the
// one in use, and from them what the next prompt will find. Promises: nothing here sends a prompt; what was found ahead is
// let go wherever it is not for this head and this agent any more.

import type { AgentRef, Message, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { AgentPlace, AgentProgram } from '../agents.ts';
import type { SessionHistory, StoredSession } from '../history/history.ts';
import type { Clock } from '../ports.ts';
import { Approach, type ApproachPorts } from './approach.ts';
import type { Binding } from './binding.ts';
import { continuityAhead, type Climb } from './ladder.ts';
import { Listening } from './listening.ts';
import { bindingsIn } from './opening.ts';

export interface KnowledgePorts extends Pick<ApproachPorts, 'hold' | 'ask'> {
  readonly session: SessionId;
  readonly history: Pick<SessionHistory, 'alive' | 'writer'>;
  readonly clock: Clock;
  readonly place: (cwd: string | null) => AgentPlace;
  readonly path: () => readonly Message[];
  readonly contextWindow: () => number | null;
  /** The next prompt begins a fork that a person asked for. */
  readonly fork: () => boolean;
  readonly isNamed: () => boolean;
  readonly show: (event: TranscriptEvent) => void;
  readonly save: (facts: readonly Fact[]) => void;
  /** The agent's session that was in use is gone with its agent. */
  readonly onGone: () => void;
}

export class Knowledge {
  readonly approach: Approach;
  readonly listening: Listening;
  private current: AgentProgram;
  private folder: string | null;
  private bindings: readonly Binding[];
  private alive: ReadonlySet<string> = new Set();
  private readonly ports: KnowledgePorts;

  constructor(
    ports: KnowledgePorts,
    program: AgentProgram,
    stored: StoredSession | undefined,
    folder: string | null = null,
  ) {
    this.ports = ports;
    this.current = program;
    this.folder = stored ? stored.cwd : folder;
    this.bindings = stored ? bindingsIn(stored) : [];
    const { session, clock, show, save, hold, ask, isNamed } = ports;
    this.listening = new Listening(
      { session, agent: () => this.current.ref.id, isNamed, show, save, onGone: () => this.gone() },
      stored?.options ?? [],
    );
    this.approach = new Approach({
      clock,
      hold,
      ask,
      show: continuity => show({ type: 'continuityChanged', continuity }),
      onFound: found => this.listening.to(found),
    });
  }

  get program(): AgentProgram {
    return this.current;
  }

  get agent(): AgentRef {
    return this.current.ref;
  }

  get place(): AgentPlace {
    return this.ports.place(this.folder);
  }

  /** Asks the agent now what it remembers, unless that is not wanted any more when it is known who lives. */
  async prepare(isWanted: () => boolean): Promise<void> {
    const way = await this.wayNow();
    const asksFirst = (await way.program.asksFirst?.()) ?? false;
    if (isWanted()) this.approach.prepare(way, asksFirst);
  }

  setProgram(program: AgentProgram): void {
    this.leave();
    this.current = program;
  }

  /** Of one that is about to begin. */
  setFolder(folder: string): void {
    this.leave();
    this.folder = folder;
  }

  /** What history says is bound. */
  learn(stored: StoredSession): void {
    this.bindings = bindingsIn(stored);
  }

  bound(binding: Binding): void {
    const isSame = (one: Binding) => one.agentSession === binding.agentSession && one.agent === binding.agent;
    this.bindings = [binding, ...this.bindings.filter(one => !isSame(one))];
  }

  /** Nothing is found ahead, and no session is listened to. */
  leave(): void {
    this.approach.forget();
    this.listening.to(null);
  }

  /** What its agents left running here ends. */
  endTerminals(): void {
    for (const session of this.listening.used) session.endTerminals();
  }

  /** Ends its sessions at the agents, with all that runs in them: those with these ids, or all. Waits for no agent. */
  closeSessions(ids?: ReadonlySet<string>): void {
    const meant = [...this.listening.used].filter(({ id }) => ids?.has(id) ?? true);
    if (this.listening.session && meant.includes(this.listening.session)) this.leave();
    for (const session of meant) {
      this.listening.used.delete(session);
      void session.close();
    }
  }

  private gone(): void {
    this.approach.forget();
    this.ports.onGone();
  }

  /** What can be said of the next prompt without asking the agent. */
  ahead(): Transcript['continuity'] {
    return continuityAhead(this.way());
  }

  /** With the windows that live now. */
  async wayNow(): Promise<Climb> {
    this.alive = await this.ports.history.alive().catch(() => this.alive);
    return this.way();
  }

  private way(): Climb {
    const { history, path, contextWindow, fork } = this.ports;
    return {
      program: this.current,
      place: this.place,
      path: path(),
      bindings: this.bindings,
      live: this.listening.session,
      writer: history.writer,
      alive: this.alive,
      fork: fork(),
      contextWindow: contextWindow(),
    };
  }
}
