// An agent whose turns are written by the test, step by step, behind the same port as every agent.

import type { Agent, AgentAnswer, AgentRequest, AgentUpdate } from '../../../src/core/ports.ts';

export interface ScriptedTurn {
  readonly request: AgentRequest;
  readonly signal: AbortSignal;
  update(update: AgentUpdate): void;
  end(answer: AgentAnswer): void;
  fail(cause: Error): void;
}

export class ScriptedAgent implements Agent {
  readonly ref = { id: 'scripted', name: 'Scripted agent' };
  readonly about = null;
  readonly takesPath: boolean;
  private readonly started: ScriptedTurn[] = [];
  private readonly waiting: ((turn: ScriptedTurn) => void)[] = [];

  constructor(takesPath = true) {
    this.takesPath = takesPath;
  }

  /** The next prompt that reaches the agent. */
  nextTurn(): Promise<ScriptedTurn> {
    const turn = this.started.shift();
    return turn ? Promise.resolve(turn) : new Promise(resolve => this.waiting.push(resolve));
  }

  get unseen(): number {
    return this.started.length;
  }

  prompt(request: AgentRequest, onUpdate: (update: AgentUpdate) => void, signal: AbortSignal): Promise<AgentAnswer> {
    return new Promise((resolve, reject) => {
      const turn: ScriptedTurn = { request, signal, update: onUpdate, end: resolve, fail: reject };
      const first = this.waiting.shift();
      if (first) first(turn);
      else this.started.push(turn);
    });
  }
}
