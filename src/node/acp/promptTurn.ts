// The time from a prompt to the agent's answer, seen from the client: what the agent says meanwhile goes to the turn's
// desk, in its order; what it asks is asked there. Promises: after a cancel every question is answered at once, the open
// ones too, nothing more is begun, and updates are still taken; an update for a tool call of the turn before is not taken
// for one of this.

import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentUpdate, ToolCallChanges, TurnDesk } from '../../core/agentTurn.ts';
import type { FileWrite } from '../../core/files.ts';
import type { Elicitation, ElicitationAnswer, Permission } from '../../model/agentState.ts';
import type { AgentTurn } from './agentDesk.ts';
import { outcomeOf, permissionOf, type PermissionRequest } from './permission.ts';
import { Quiet } from './quiet.ts';
import type { SessionTerminals } from './terminals/sessionTerminals.ts';
import { noTurn, refusal, turnStopped, type Standing } from './turnRule.ts';

export interface PromptTurnOptions {
  readonly desk: TurnDesk;
  readonly terminals: SessionTerminals;
  readonly newPermissionId: () => string;
  readonly onTrouble: (cause: unknown) => void;
  /** The tool calls of the turn before. */
  readonly earlier: ReadonlySet<string>;
}

export class PromptTurn implements AgentTurn {
  readonly quiet = new Quiet();
  readonly over: Promise<void>;
  private readonly options: PromptTurnOptions;
  private readonly calls = new Map<string, ToolCallChanges>();
  /** Ends every open question: the person cancelled, or the turn is over. */
  private readonly noMoreQuestions = new AbortController();
  /** Requests that came before the agent's answer and are not answered themselves. */
  private readonly underWay = new Set<Promise<unknown>>();
  private isStopped = false;
  private isAnswered = false;
  private closed = false;
  private finishWaiting: () => void = () => {};

  constructor(options: PromptTurnOptions) {
    this.options = options;
    this.over = new Promise(resolve => (this.finishWaiting = resolve));
  }

  get terminals(): SessionTerminals {
    return this.options.terminals;
  }

  /** For a request that arrives now. */
  get standing(): Standing['turn'] {
    if (this.closed || this.isAnswered) return 'none';
    return this.isStopped ? 'stopped' : 'running';
  }

  get canAsk(): boolean {
    return !this.noMoreQuestions.signal.aborted;
  }

  get callIds(): ReadonlySet<string> {
    return new Set(this.calls.keys());
  }

  /** False for one that belongs to the turn before. */
  take(update: AgentUpdate, begins: boolean): boolean {
    this.quiet.heard();
    if (this.closed) return false;
    if (update.type === 'toolCall') {
      const { callId, changes } = update;
      if (!begins && !this.calls.has(callId) && this.options.earlier.has(callId)) return false;
      this.calls.set(callId, { ...this.calls.get(callId), ...changes });
    }
    try {
      this.options.desk.onUpdate(update);
    } catch (cause) {
      this.options.onTrouble(cause);
    }
    return true;
  }

  /** An agent may ask before it told of the tool call, or without ever telling. */
  takeQuestion({ callId, changes }: PermissionRequest): void {
    if (callId !== null) this.take({ type: 'toolCall', callId, changes }, true);
  }

  async permit(request: PermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse> {
    if (request.choices.length === 0) return outcomeOf(request, null);
    const known = request.callId === null ? request.changes : this.calls.get(request.callId);
    const permission = permissionOf(this.options.newPermissionId(), request, known ?? request.changes);
    return outcomeOf(request, await this.ask(permission, withdrawn));
  }

  ask(permission: Permission, withdrawn: AbortSignal): Promise<string | null> {
    return this.askPerson(desk => desk.ask, permission, withdrawn);
  }

  async elicit(elicitation: Elicitation, withdrawn: AbortSignal): Promise<ElicitationAnswer> {
    return (await this.askPerson(desk => desk.elicit, elicitation, withdrawn)) ?? { action: 'cancel' };
  }

  say(update: AgentUpdate): void {
    this.take(update, false);
  }

  expectRunning(): void {
    if (this.isStopped) throw refusal(turnStopped);
    if (this.closed) throw refusal(noTurn);
  }

  async write(write: () => Promise<FileWrite>): Promise<void> {
    this.expectRunning();
    const { onWrite, onWriting } = this.options.desk;
    const written = write().then(onWrite);
    onWriting(written.catch(() => {}));
    await written;
  }

  /** The turn is not over before this is, unless it is stopped. */
  async during<Result>(run: () => Promise<Result>): Promise<Result> {
    const running = run();
    this.underWay.add(running);
    try {
      return await running;
    } finally {
      this.underWay.delete(running);
    }
  }

  /** Null where nobody answered: it was withdrawn, the turn is over or was cancelled, or the asking itself failed. */
  private async askPerson<Question, Answer>(
    way: (desk: TurnDesk) => (question: Question, signal: AbortSignal) => Promise<Answer>,
    question: Question,
    withdrawn: AbortSignal,
  ): Promise<Answer | null> {
    const signal = AbortSignal.any([withdrawn, this.noMoreQuestions.signal]);
    if (signal.aborted) return null;
    const nobody = new Promise<null>(resolve => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    try {
      return await Promise.race([way(this.options.desk)(question, signal), nobody]);
    } catch (cause) {
      this.options.onTrouble(cause);
      return null;
    }
  }

  /** The user pressed Stop, or the session was closed: questions are answered, and nothing more is begun. */
  stop(): void {
    this.isStopped = true;
    this.noMoreQuestions.abort();
  }

  /** Resolves when what the agent asked for before its answer is done. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  /** The agent answered the prompt: what it asks from now on is outside of the turn. */
  answered(): void {
    this.isAnswered = true;
    this.noMoreQuestions.abort();
  }

  /** What still comes is nobody's, and the next one waits until it is over. */
  close(): void {
    this.closed = true;
    this.noMoreQuestions.abort();
  }

  finish(): void {
    this.finishWaiting();
  }
}
