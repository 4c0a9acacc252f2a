// What an agent plays back when one of its sessions is loaded. It is swallowed, because our own transcript wins, unless
// somebody brings the session into a history that does not know it; what it gives as the person's words is kept, to be
// compared. Agents mix their own words into those (the context of the
// session, "[Request interrupted by user]"): they are kept as they come.

import type { ReplayedPart } from '../../core/agents.ts';
import { Quiet } from './quiet.ts';
import type { News } from './sessionUpdate.ts';

export class Replay {
  readonly quiet = new Quiet();
  private readonly messages: string[] = [];
  private last: { readonly messageId: string | null } | null = null;
  private readonly onPart: ((part: ReplayedPart) => void) | undefined;

  constructor(onPart?: (part: ReplayedPart) => void) {
    this.onPart = onPart;
  }

  take(news: News): void {
    this.quiet.heard();
    if (news.type === 'user') this.onPart?.({ type: 'user', text: news.text, messageId: news.messageId });
    else if (news.type === 'update') this.onPart?.({ type: 'update', update: news.update });
    if (news.type === 'user') this.say(news.text, news.messageId);
    // News of the session come in between and end no message.
    else if (news.type === 'update') this.last = null;
  }

  get prompts(): readonly string[] {
    return this.messages;
  }

  private say(text: string, messageId: string | null): void {
    const at = this.messages.length - 1;
    if (this.last?.messageId === messageId) this.messages[at] += text;
    else this.messages.push(text);
    this.last = { messageId };
  }
}
