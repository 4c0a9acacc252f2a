// A transcript to whose end text is added in many small pieces. They are put into the list of messages only where somebody
// reads it, because the list is copied then, and a conversation has thousands of messages.

import { joined } from '../../model/growing.ts';
import { reduce, type TextAppended, type Transcript, type TranscriptEvent } from '../../model/transcript.ts';

/** Never changes, as far as anybody can see. */
export class GrowingTranscript {
  private read: Transcript;
  /** What comes after `read`; once that is read, it is in there, and no text is left here. */
  private more: TextAppended | null;

  constructor(read: Transcript, more: TextAppended | null = null) {
    this.read = read;
    this.more = more;
  }

  get whole(): Transcript {
    const { more } = this;
    if (more !== null && more.text !== '') {
      // It was found to fit when it came.
      this.read = reduce(this.read, more) ?? this.read;
      this.more = nothingAfter(more);
    }
    return this.read;
  }

  /** Undefined where the event does not fit. */
  with(event: TranscriptEvent): GrowingTranscript | undefined {
    const { more } = this;
    if (more !== null && event.type === 'textAppended' && goesOn(more, event))
      return new GrowingTranscript(this.read, { ...more, text: joined(more.text, event.text) });
    const next = reduce(this.whole, event);
    if (!next) return undefined;
    return new GrowingTranscript(next, event.type === 'textAppended' ? nothingAfter(event) : null);
  }
}

function nothingAfter(text: TextAppended): TextAppended {
  return { ...text, offset: text.offset + text.text.length, text: '' };
}

function goesOn(before: TextAppended, next: TextAppended): boolean {
  return before.message === next.message && before.at === next.at && before.offset + before.text.length === next.offset;
}
