// How much of a conversation's path a panel has: its end at first, and before that a portion each time that it asks. Promises:
// wherever that stands, what the panel has is the end of what the host has; what is asked for twice is given once; a very
// long text or output comes to it bit by bit, or from an editor.

import type { MessageId } from '../../model/message.ts';
import { firstGiven, firstOfPortion, given, givenBlock, portionOf } from '../../model/portions.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { IntentOf } from '../../model/intent.ts';

export class GivenPath {
  /** The place in the path of the first message that the panel has; infinite between two conversations. */
  private first = Infinity;
  private readonly post: (event: TranscriptEvent) => void;

  constructor(post: (event: TranscriptEvent) => void) {
    this.post = post;
  }

  /** The panel has nothing, or what this is from. */
  begin(first = Infinity): void {
    this.first = first;
  }

  /** As a snapshot has it; what the panel was given already it keeps. `wanted` is the message that it looks at. */
  snapshot(whole: Transcript, wanted?: MessageId): Transcript {
    const { earlier = 0 } = whole;
    this.first = Math.max(earlier, Math.min(this.first, firstFor(whole, wanted)));
    const messages = given(whole.messages.slice(this.first - earlier));
    return { ...whole, messages, ...(this.first > 0 && { earlier: this.first }) };
  }

  /** Of another path as much as of the one before, from its end at least what goes out at once. */
  event(event: TranscriptEvent): TranscriptEvent {
    if (event.type === 'blockSet') return { ...event, block: givenBlock(event.block, false) };
    if (event.type !== 'pathChanged') return event;
    this.first = Math.min(this.first, firstGiven(event.messages.length));
    const messages = given(event.messages.slice(this.first));
    return { ...event, messages, ...(this.first > 0 && { earlier: this.first }) };
  }

  /** The panel has as much of this text and wants more. */
  text({ messages }: Transcript, { message, block: at, offset }: IntentOf<'wantText'>): void {
    const block = messages.find(({ id }) => id === message)?.blocks[at];
    if ((block?.kind !== 'text' && block?.kind !== 'thought') || offset >= block.text.length) return;
    this.post({ type: 'textAppended', message, at, offset, text: portionOf(block.text, offset) });
  }

  /** The panel wants what is before this place, and has what comes after it. */
  earlier(whole: Transcript, before: number): void {
    // What is asked for twice is given once; a path that came meanwhile may have brought more than was known here.
    if (before > this.first || !this.hasAny) return;
    this.first = before;
    this.give(whole, firstOfPortion(before));
  }

  /** The panel has this message and what comes after it. */
  upTo(whole: Transcript, message: MessageId): void {
    this.give(whole, firstFor(whole, message));
  }

  letGo({ messages }: Transcript, first: number): void {
    this.first = Math.max(this.first, Math.min(first, firstGiven(messages.length)));
  }

  /** Before its snapshot a panel has nothing that something could come before. */
  private get hasAny(): boolean {
    return this.first !== Infinity;
  }

  private give({ messages: all }: Transcript, first: number): void {
    while (this.hasAny && first < this.first) {
      const before = this.first;
      this.first = Math.max(first, firstOfPortion(before));
      this.post({ type: 'earlierRead', first: this.first, messages: given(all.slice(this.first, before)) });
    }
  }
}

/** Of what this message is shown with. */
function firstFor({ messages, earlier = 0 }: Transcript, wanted: MessageId | undefined): number {
  const place = wanted === undefined ? -1 : messages.findIndex(({ id }) => id === wanted);
  return firstGiven(earlier + messages.length, place < 0 ? -1 : earlier + place);
}
