// An agent whose turns are written by the test, step by step, behind the same port as every agent.

import type {
  AgentAbilities,
  AgentPlace,
  AgentProgram,
  AgentSession,
  AgentSessionChange,
  RunningAgent,
} from '../../../src/core/agents.ts';
import type { AgentAnswer, AgentPrompt, AgentUpdate, TurnDesk } from '../../../src/core/agentTurn.ts';
import type { AgentOption, Elicitation, ElicitationAnswer, Permission } from '../../../src/model/agentState.ts';

export interface ScriptedTurn {
  readonly prompt: AgentPrompt;
  /** The words that it was given, one part after the other. */
  readonly texts: readonly string[];
  readonly agentSession: string;
  readonly signal: AbortSignal;
  update(update: AgentUpdate): void;
  ask(permission: Permission, signal?: AbortSignal): Promise<string | null>;
  elicit(elicitation: Elicitation): Promise<ElicitationAnswer>;
  end(answer: Omit<AgentAnswer, 'agreed'>): void;
  fail(cause: Error): void;
}

/** Of an agent that can only begin sessions. */
export const noAbilities: AgentAbilities = {
  load: false,
  resume: false,
  fork: false,
  list: false,
  close: false,
  delete: false,
  images: false,
  audio: false,
  embedded: false,
  signOut: false,
  authMethods: [],
};

export class ScriptedAgent implements AgentProgram {
  readonly ref = { id: 'scripted', name: 'Scripted agent' };
  readonly about = null;
  readonly takesPath: boolean;
  private readonly started: ScriptedTurn[] = [];
  private readonly waiting: ((turn: ScriptedTurn) => void)[] = [];
  /** Where each of its sessions was begun. */
  readonly places: AgentPlace[] = [];
  private readonly sessions = new Map<string, AgentSession>();
  /** What its sessions were told to end, in that order. */
  readonly ended: string[] = [];
  /** Of its model. */
  readonly contextWindow: number | null = null;
  /** Of the sessions that begin from now on. */
  options: readonly AgentOption[] = [];
  private readonly listeners = new Set<(change: AgentSessionChange) => void>();

  constructor(takesPath = true) {
    this.takesPath = takesPath;
  }

  /** The next prompt that reaches the agent. */
  nextTurn(): Promise<ScriptedTurn> {
    const turn = this.started.shift();
    return turn ? Promise.resolve(turn) : new Promise(resolve => this.waiting.push(resolve));
  }

  /** What its sessions say of themselves, in a turn or between. */
  tell(change: AgentSessionChange): void {
    for (const listener of this.listeners) listener(change);
  }

  get unseen(): number {
    return this.started.length;
  }

  start(): Promise<RunningAgent> {
    const unable = () => Promise.reject(new Error('This agent can only begin sessions.'));
    return Promise.resolve({
      abilities: noAbilities,
      called: null,
      onDidEnd: () => () => {},
      session: id => this.sessions.get(id),
      newSession: place => Promise.resolve((this.places.push(place), this.newSession())),
      resumeSession: unable,
      loadSession: unable,
      forkSession: unable,
      listSessions: unable,
      deleteSession: unable,
      signOut: unable,
    });
  }

  signIn(): Promise<void> {
    return Promise.reject(new Error('It has no sign-in.'));
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  private newSession(): AgentSession {
    const id = `session${this.sessions.size + 1}`;
    const session: AgentSession = {
      id,
      options: this.options,
      commands: [],
      contextWindow: this.contextWindow,
      onDidChange: listener => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
      setOption: () => Promise.resolve(),
      prompt: (prompt, desk, signal) => this.take(id, prompt, desk, signal),
      endTerminals: () => void this.ended.push(`terminals of ${id}`),
      close: () => Promise.resolve(void this.ended.push(id)),
    };
    this.sessions.set(id, session);
    return session;
  }

  private take(id: string, prompt: AgentPrompt, desk: TurnDesk, signal: AbortSignal): Promise<AgentAnswer> {
    return new Promise((resolve, reject) => {
      const turn: ScriptedTurn = {
        prompt,
        texts: prompt.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])),
        agentSession: id,
        signal,
        update: desk.onUpdate,
        ask: (permission, asked = signal) => desk.ask(permission, asked),
        elicit: elicitation => desk.elicit(elicitation, signal),
        end: answer => resolve({ agreed: true, ...answer }),
        fail: reject,
      };
      const first = this.waiting.shift();
      if (first) first(turn);
      else this.started.push(turn);
    });
  }
}
