// The time from a prompt to the agent's answer, seen from the client: what the agent says meanwhile goes to the turn's
// desk, in its order; what it asks is asked there. Promises: after a cancel every question is answered at once, the open
// ones too, and updates are still taken; an update for a tool call of the turn before is not taken for one of this.

import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentUpdate, ToolCallChanges, TurnDesk } from '../../core/agentTurn.ts';
import type { FileWrite } from '../../core/files.ts';
import { outcomeOf, permissionOf, type PermissionRequest } from './permission.ts';
import { Quiet } from './quiet.ts';

export interface PromptTurnOptions {
  readonly desk: TurnDesk;
  readonly newPermissionId: () => string;
  readonly onTrouble: (cause: unknown) => void;
  /** The tool calls of the turn before. */
  readonly earlier: ReadonlySet<string>;
}

export class PromptTurn {
  readonly quiet = new Quiet();
  readonly over: Promise<void>;
  private readonly options: PromptTurnOptions;
  private readonly calls = new Map<string, ToolCallChanges>();
  /** Ends every open question: the person cancelled, or the turn is over. */
  private readonly noMoreQuestions = new AbortController();
  private closed = false;
  private finishWaiting: () => void = () => {};

  constructor(options: PromptTurnOptions) {
    this.options = options;
    this.over = new Promise(resolve => (this.finishWaiting = resolve));
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

  async ask(request: PermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse> {
    if (request.choices.length === 0) return outcomeOf(request, null);
    const known = request.callId === null ? request.changes : this.calls.get(request.callId);
    const permission = permissionOf(this.options.newPermissionId(), request, known ?? request.changes);
    return outcomeOf(request, await this.askPerson(desk => desk.ask, permission, withdrawn));
  }

  /** Null where nobody answered: it was withdrawn, the turn is over or was cancelled, or the asking itself failed. */
  async askPerson<Question, Answer>(
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

  wrote(write: FileWrite): void {
    this.options.desk.onWrite(write);
  }

  stopAsking(): void {
    this.noMoreQuestions.abort();
  }

  /** The turn was answered: what still comes is nobody's, and the next one waits until it is over. */
  close(): void {
    this.closed = true;
    this.stopAsking();
  }

  finish(): void {
    this.stopAsking();
    this.finishWaiting();
  }
}
