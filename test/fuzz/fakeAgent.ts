// Agents that do what the moves say: they start, open sessions, die and hang. What their sessions were told is kept, so that
// a claim about what an agent remembers can be compared with what it heard.

import { AgentError } from '../../src/core/agentError.ts';
import type { AgentAbilities, AgentProgram, RunningAgent } from '../../src/core/agents.ts';
import { FakeSession, type FakeTurn, type Heard, type Kept } from './fakeSession.ts';

/** The files of one agent, which all of its processes share. */
export type AgentFiles = Map<string, Kept>;

export type CanResume = 'loads' | 'resumes' | 'both' | 'forgets' | 'forks';

export interface AgentManners {
  starts: 'at once' | 'later' | 'never';
  opens: 'at once' | 'later' | 'sign-in' | 'fails' | 'gone';
  /** What it does when a turn is stopped. */
  stops: 'agrees' | 'ignores' | 'ends';
  /** Whether it answers that a session is closed. */
  closes: boolean;
  signsIn: boolean;
}

export const goodManners: AgentManners = {
  starts: 'at once',
  opens: 'at once',
  stops: 'agrees',
  closes: true,
  signsIn: true,
};

const mostTurns = 12;

export interface AgentListener {
  /** A prompt has reached a session, which is about to answer it. */
  readonly onPrompt: (turn: FakeTurn, session: FakeSession) => void;
}

/** One agent in one window, with its process while that runs. */
export class FakeAgent implements AgentProgram {
  readonly ref;
  readonly about = null;
  readonly takesPath: boolean;
  readonly listener: AgentListener;
  readonly sessions = new Map<string, FakeSession>();
  /** The newest last. */
  readonly turns: FakeTurn[] = [];
  private readonly older: FakeTurn[] = [];
  manners: AgentManners = { ...goodManners };
  private readonly files: AgentFiles;
  private readonly can: CanResume;
  private running: RunningAgent | null = null;
  /** Until a move lets them go on. */
  private readonly held = new Set<() => void>();

  constructor(id: string, takesPath: boolean, can: CanResume, files: AgentFiles, listener: AgentListener) {
    this.ref = { id, name: `The ${id} agent` };
    this.takesPath = takesPath;
    this.can = can;
    this.files = files;
    this.listener = listener;
  }

  async start(signal: AbortSignal): Promise<RunningAgent> {
    if (this.running) return this.running;
    if (this.manners.starts === 'never') throw new AgentError('cannot-start', 'The agent cannot be started.');
    if (this.manners.starts === 'later') await this.goOn(signal);
    return (this.running ??= this.process());
  }

  signIn(): Promise<void> {
    if (!this.manners.signsIn) return Promise.reject(new AgentError('other', 'That did not work.'));
    this.manners.opens = 'at once';
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.die();
    return Promise.resolve();
  }

  /** What each of its sessions heard, whichever window's. */
  heardAll(): readonly Heard[] {
    return [...this.files.values()].map(({ heard }) => heard);
  }

  /** Those that are over for long say nothing more. */
  began(turn: FakeTurn): void {
    this.turns.push(turn);
    if (this.turns.length > mostTurns) this.older.push(...this.turns.splice(0, 1));
  }

  forget(): void {
    for (const turn of [...this.older, ...this.turns]) turn.forget();
  }

  get isHolding(): boolean {
    return this.held.size > 0;
  }

  /** Its newest session is used at its own command line, which only a replay can show. */
  goOnElsewhere(words: string): void {
    const kept = [...this.files.values()].at(-1);
    if (!kept || (this.can !== 'loads' && this.can !== 'both')) return;
    kept.heard.set(words, null);
    kept.prompts.push(words);
  }

  /** What waits for its start or for a session goes on. */
  letGo(): void {
    for (const goOn of [...this.held]) goOn();
  }

  die(): void {
    this.running = null;
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    for (const turn of this.turns) turn.end({ reason: 'failed', agreed: false, isGone: true });
    for (const session of sessions) session.tell({ type: 'gone' });
  }

  private goOn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.held.delete(goOn);
        reject(new AgentError('cancelled', 'It was stopped.'));
      };
      const goOn = () => {
        this.held.delete(goOn);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      if (signal.aborted) return onAbort();
      this.held.add(goOn);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  private async opening(signal: AbortSignal, isNew: boolean): Promise<void> {
    const { opens } = this.manners;
    if (opens === 'later') await this.goOn(signal);
    if (opens === 'sign-in') throw new AgentError('sign-in', 'Who are you?');
    if (opens === 'fails') throw new AgentError('other', 'It does not work.');
    if (opens === 'gone' && !isNew) throw new AgentError('not-found', 'There is no such session.');
  }

  private openKept(id: string, kept: Kept): FakeSession {
    const session = new FakeSession(this, id, kept);
    this.sessions.set(id, session);
    return session;
  }

  private openNew(from: Kept | null): FakeSession {
    const id = `${this.ref.id}${this.files.size}`;
    const kept: Kept = { heard: new Map(from?.heard), prompts: [...(from?.prompts ?? [])] };
    this.files.set(id, kept);
    return this.openKept(id, kept);
  }

  private async openOld(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly session: FakeSession; readonly kept: Kept }> {
    await this.opening(signal, false);
    const kept = this.files.get(id);
    if (!kept) throw new AgentError('not-found', 'There is no such session.');
    return { session: this.openKept(id, kept), kept };
  }

  private process(): RunningAgent {
    const unable = () => Promise.reject(new AgentError('not-supported', 'It cannot do that.'));
    return {
      abilities: abilitiesOf(this.can),
      called: null,
      onDidEnd: () => () => {},
      session: id => this.sessions.get(id),
      newSession: async (_place, signal) => {
        await this.opening(signal, true);
        return this.openNew(null);
      },
      resumeSession: async (id, _place, signal) => (await this.openOld(id, signal)).session,
      loadSession: async (id, _place, signal) => {
        const { session, kept } = await this.openOld(id, signal);
        return { session, replayedPrompts: [...kept.prompts] };
      },
      forkSession: async (id, _place, signal) => {
        await this.opening(signal, false);
        return this.openNew(this.files.get(id) ?? null);
      },
      listSessions: unable,
      deleteSession: unable,
      signOut: unable,
    };
  }
}

function abilitiesOf(can: CanResume): AgentAbilities {
  return {
    load: can === 'loads' || can === 'both',
    resume: can === 'resumes' || can === 'both' || can === 'forks',
    fork: can === 'forks',
    list: false,
    close: true,
    delete: false,
    images: true,
    audio: false,
    embedded: true,
    signOut: false,
    authMethods: [{ id: 'key', name: 'Key', description: '', kind: 'agent' }],
  };
}
