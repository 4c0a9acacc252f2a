// What an agent waits for a person to answer. Promises: nothing is answered by default or by time; an answer counts once,
// for the question that it names, and only if it fits that question; a cancel takes back what is open. The questions are
// here and not in a panel, so a panel that is closed and opened again shows them as they were.

interface Open<Question, Answer> {
  question: Question;
  readonly close: (answer: Answer | null) => void;
}

export interface PendingPorts<Question, Answer> {
  readonly fits: (question: Question, answer: Answer) => boolean;
  readonly onDidChange: (open: readonly Question[]) => void;
}

export class Pending<Question extends { readonly id: string }, Answer> {
  private readonly open = new Map<string, Open<Question, Answer>>();
  private readonly ports: PendingPorts<Question, Answer>;

  constructor(ports: PendingPorts<Question, Answer>) {
    this.ports = ports;
  }

  /** The person's answer; null where the signal came first. */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise(resolve => {
      const close = (answer: Answer | null) => {
        if (!this.open.delete(question.id)) return;
        signal.removeEventListener('abort', onAbort);
        this.tell();
        resolve(answer);
      };
      const onAbort = () => close(null);
      signal.addEventListener('abort', onAbort, { once: true });
      this.open.set(question.id, { question, close });
      this.tell();
    });
  }

  /** False where there is no such question (any more), or the answer is none of it. */
  answer(id: string, answer: Answer): boolean {
    const asked = this.open.get(id);
    if (!asked || !this.ports.fits(asked.question, answer)) return false;
    asked.close(answer);
    return true;
  }

  /** Something else is known of a question now; it stays the same question. */
  change(id: string, change: (question: Question) => Question): void {
    const asked = this.open.get(id);
    if (!asked) return;
    asked.question = change(asked.question);
    this.tell();
  }

  private tell(): void {
    this.ports.onDidChange([...this.open.values()].map(({ question }) => question));
  }
}
