// What a running turn takes from the world: its agent's updates and questions, and the files that it changes. All of it
// goes into the mailbox; what the person answers goes back to whoever waits for it.

import type { Elicitation, ElicitationAnswer, Permission } from '../../model/agentState.ts';
import type { FileChange } from '../../model/changes.ts';
import type { TurnDesk } from '../agentTurn.ts';
import type { FileWatch, TurnFiles } from '../changes.ts';
import type { QuestionId, TurnId } from './effect.ts';
import type { Input } from './input.ts';

interface WatchedFiles {
  readonly files: TurnFiles | null;
  /** What has begun to be written. */
  readonly writing: Promise<void>[];
}

export class TurnEffects {
  private readonly watched = new Map<TurnId, WatchedFiles>();
  private readonly permissions = new Map<QuestionId, (choice: string | null) => void>();
  private readonly elicitations = new Map<QuestionId, (answer: ElicitationAnswer) => void>();
  private nextQuestion = 0;
  private readonly files: FileWatch | null;
  private readonly post: (input: Input) => void;

  constructor(files: FileWatch | null, post: (input: Input) => void) {
    this.files = files;
    this.post = post;
  }

  /** Throws where the files can't be watched. */
  begin(turn: TurnId, isPrompt: boolean, signal: AbortSignal): TurnDesk {
    const watched: WatchedFiles = { files: isPrompt ? this.watch(turn) : null, writing: [] };
    this.watched.set(turn, watched);
    return {
      onUpdate: update => this.post({ type: 'agentUpdated', turn, update }),
      ask: (permission, asked) => this.ask(turn, permission, AbortSignal.any([asked, signal])),
      elicit: (elicitation, asked) => this.elicit(turn, elicitation, AbortSignal.any([asked, signal])),
      onWrite: write => this.guard(turn, () => watched.files?.wrote(write)),
      onWriting: ended => void watched.writing.push(ended),
    };
  }

  told(turn: TurnId, paths: readonly string[]): void {
    this.guard(turn, () => this.watched.get(turn)?.files?.told(paths));
  }

  /** The changes of the turn, looked at a last time after what was being written. */
  async end(turn: TurnId): Promise<readonly FileChange[]> {
    const watched = this.watched.get(turn);
    this.watched.delete(turn);
    if (!watched) return [];
    try {
      await Promise.all(watched.writing);
      return (await watched.files?.end()) ?? [];
    } catch {
      // What can't be looked at is not shown as changed.
      return [];
    }
  }

  elicit(turn: TurnId | null, elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    if (signal.aborted) return Promise.resolve({ action: 'cancel' });
    const question = this.nextQuestion++;
    return this.wait(this.elicitations, question, signal, () =>
      this.post({ type: 'elicitationAsked', turn, question, elicitation }),
    );
  }

  answerPermission(question: QuestionId, choice: string | null): void {
    this.permissions.get(question)?.(choice);
  }

  answerElicitation(question: QuestionId, answer: ElicitationAnswer): void {
    this.elicitations.get(question)?.(answer);
  }

  private watch(turn: TurnId): TurnFiles | null {
    if (!this.files) return null;
    return this.files.begin({
      onChange: changes => this.post({ type: 'filesChanged', turn, changes }),
      onClash: path => this.post({ type: 'fileClashed', turn, path }),
    });
  }

  private ask(turn: TurnId, permission: Permission, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return Promise.resolve(null);
    const question = this.nextQuestion++;
    return this.wait(this.permissions, question, signal, () =>
      this.post({ type: 'permissionAsked', turn, question, permission }),
    );
  }

  /** Whoever asked waits for the answer; where they don't any more, the question is withdrawn. */
  private wait<Answer>(
    open: Map<QuestionId, (answer: Answer) => void>,
    question: QuestionId,
    signal: AbortSignal,
    ask: () => void,
  ): Promise<Answer> {
    return new Promise(resolve => {
      const withdraw = () => this.post({ type: 'questionWithdrawn', question });
      open.set(question, answer => {
        open.delete(question);
        signal.removeEventListener('abort', withdraw);
        resolve(answer);
      });
      signal.addEventListener('abort', withdraw, { once: true });
      ask();
    });
  }

  /** The agent that called could do nothing with what is thrown. */
  private guard(turn: TurnId, run: () => void): void {
    try {
      run();
    } catch (cause) {
      this.post({ type: 'turnBroke', turn, cause });
    }
  }
}
