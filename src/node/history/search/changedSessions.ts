// In which sessions files were changed, read from the journal when somebody first asks for it. Promises: the files of a
// session are read again only when there is more in them; what cannot be read just now changed nothing.

import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { readFitting } from '../../../core/history/fittingFacts.ts';
import type { Block, SessionId } from '../../../model/message.ts';
import type { Fact } from '../../../model/record.ts';
import { segmentSizes, type SegmentSize } from './journalSizes.ts';
import { withFile } from '../journal/segmentName.ts';

const lineFeed = 10;
/** Stands in a line only as what it is: in a text, the quotes would be escaped. */
const ofChanges = Buffer.from('"kind":"changes"');

export class ChangedSessions {
  private readonly known = new Map<SessionId, { readonly files: string; readonly changed: boolean }>();
  private readonly journal: string;

  constructor(journal: string) {
    this.journal = journal;
  }

  /** To be asked for the sessions of one search: the folder is listed at most once for all of them. */
  now(): (session: SessionId) => boolean {
    let segments: ReturnType<typeof segmentSizes> | null = null;
    return session => {
      segments ??= segmentSizes(this.journal);
      return this.has(session, segments.get(session) ?? []);
    };
  }

  private has(session: SessionId, segments: readonly SegmentSize[]): boolean {
    const files = segments.map(({ name, size }) => `${name} ${size}`).join();
    const before = this.known.get(session);
    if (before?.files === files) return before.changed;
    const changed = segments.some(({ name }) => this.isIn(name));
    this.known.set(session, { files, changed });
    return changed;
  }

  private isIn(segment: string): boolean {
    try {
      const bytes = withFile(this.journal, segment, file => readFileSync(file));
      for (let at = bytes.indexOf(ofChanges); at >= 0; at = bytes.indexOf(ofChanges, at + 1)) {
        const from = bytes.lastIndexOf(lineFeed, at) + 1;
        const end = bytes.indexOf(lineFeed, at) + 1;
        if (end === 0) return false;
        for (const piece of readFitting(bytes.subarray(from, end), crc32)) {
          if (piece.kind === 'record' && piece.record.facts.some(changesFiles)) return true;
        }
        at = end - 1;
      }
    } catch {
      // Joined with others meanwhile, or not readable: the next search lists the folder anew.
    }
    return false;
  }
}

function changesFiles(fact: Fact): boolean {
  const blocks: readonly Block[] =
    fact.type === 'message' ? fact.message.blocks : fact.type === 'block' ? [fact.block] : [];
  return blocks.some(block => block.kind === 'changes' && block.files.length > 0);
}
