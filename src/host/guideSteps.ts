// The steps of the walkthrough that are done by doing them. Promises: each is told once in a window, when it was done here;
// that it was done before is VS Code's to remember.

import type { Conversation } from '../core/conversation/conversation.ts';

export class GuideSteps {
  private readonly done = new Set<string>();
  private readonly tell: (name: string) => void;

  constructor(tell: (name: string) => void) {
    this.tell = tell;
  }

  hear({ transcript: { messages, branches } }: Pick<Conversation, 'transcript'>): void {
    if (messages.length > 0) this.learn('hasAsked');
    if (Object.keys(branches.beside).length > 0) this.learn('hasBranched');
  }

  private learn(name: string): void {
    if (this.done.has(name)) return;
    this.done.add(name);
    this.tell(name);
  }
}
