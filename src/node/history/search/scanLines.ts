// Finds, in the lines of one session's journal, the messages that may hold a text. Promises: it gives every message that
// holds it in one of its blocks as it is now: also where a text that was streamed has it in two records, or where it lies
// in a file of its own. It may give more: what a block no longer says is in the journal still.

import { crc32 } from 'node:zlib';
import { textsOf } from '../../../core/history/blockTexts.ts';
import { lowered } from '../../../core/history/caseless.ts';
import { readFitting } from '../../../core/history/fittingFacts.ts';
import type { MessageId } from '../../../model/message.ts';
import type { Fact, JournalRecord, TextFact } from '../../../model/record.ts';
import type { BlobFiles } from '../journal/blobFiles.ts';
import type { Needle } from './needle.ts';

const lineFeed = 10;
/** These stand in a line only as what they are: in a text, the quotes would be escaped. */
const ofText = Buffer.from('"offset":');
const ofBlobs = Buffer.from('"blobs":[');

export class ScanLines {
  readonly found = new Set<MessageId>();
  private readonly session: string;
  private readonly needle: Needle;
  private readonly blobs: BlobFiles;
  /** The last few characters of each text that is streamed, where the next record goes on. */
  private readonly ends = new Map<string, { readonly at: number; readonly text: string }>();
  private readonly seenBlobs = new Map<string, boolean>();

  constructor(session: string, needle: Needle, blobs: BlobFiles) {
    this.session = session;
    this.needle = needle;
    this.blobs = blobs;
  }

  /** Whole lines. */
  add(lines: Buffer): void {
    const isSpecial = lines.includes(ofText) || lines.includes(ofBlobs);
    const mayHold = this.needle.mayBeIn(lines);
    if (!isSpecial && !mayHold) return;
    for (let from = 0; from < lines.length;) {
      const end = lines.indexOf(lineFeed, from) + 1;
      if (end === 0) return;
      const line = lines.subarray(from, end);
      from = end;
      const isHit = mayHold && this.needle.mayBeIn(line);
      if (!isHit && !(isSpecial && (line.includes(ofText) || line.includes(ofBlobs)))) continue;
      for (const piece of readFitting(line, crc32)) if (piece.kind === 'record') this.addRecord(piece.record, isHit);
    }
  }

  private addRecord(record: JournalRecord, isHit: boolean): void {
    for (const fact of record.facts) {
      if (fact.type === 'text') this.addEnd(fact);
      const message = messageOf(fact);
      if (isHit && message !== null && textsIn(fact).some(text => this.needle.isIn(text))) this.found.add(message);
    }
    for (const blob of record.blobs ?? []) {
      const fact = record.facts[Number(blob.at[0])];
      const message = fact ? messageOf(fact) : null;
      if (blob.as !== 'text' || message === null) continue;
      let holds = this.seenBlobs.get(blob.sha256);
      if (holds === undefined) {
        holds = this.needle.isIn(this.blobs.text(this.session, blob));
        this.seenBlobs.set(blob.sha256, holds);
      }
      if (holds) this.found.add(message);
    }
  }

  private addEnd({ message, at, offset, text }: TextFact): void {
    const longest = this.needle.text.length - 1;
    if (longest === 0 || typeof text !== 'string') return;
    const key = `${message} ${at}`;
    const end = this.ends.get(key);
    const joined = (end?.at === offset ? end.text : '') + lowered(text);
    // Where what comes before was not read just now, only the message as a whole can tell.
    if (this.needle.isIn(joined) || (offset > 0 && end?.at !== offset)) this.found.add(message);
    this.ends.set(key, { at: offset + text.length, text: joined.slice(-longest) });
  }
}

function messageOf(fact: Fact): MessageId | null {
  if (fact.type === 'message') return fact.message.id;
  return fact.type === 'block' || fact.type === 'text' ? fact.message : null;
}

function textsIn(fact: Fact): readonly unknown[] {
  if (fact.type === 'message') return fact.message.blocks.flatMap(textsOf);
  if (fact.type === 'block') return textsOf(fact.block);
  return fact.type === 'text' ? [fact.text] : [];
}
