// Appends records of one session to segments that only this process writes: `<session>~<writer>.<k>.seg`.
// Promises: when `append` returns, the record is on the disk under its own name. After a short write or any error the
// segment is left alone for ever and the record goes to the next one; when that fails too, the error is thrown and
// nothing was acknowledged. What `permit` refuses is not written. It never retries a sync on the same file: the kernel may have dropped the pages.
// A segment that grows is given room ahead, in which the next records are written: a sync is twice as fast where the file
// keeps its length. The room goes when the segment rests.

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { roomByte, type Encode } from '../../../core/history/codec.ts';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import type { Place } from './recordPlace.ts';
import { recordVersion, type BlobPlace, type Fact, type JournalRecord } from '../../../model/record.ts';
import { isMissing } from './segmentName.ts';
import { syncFolder } from '../../atomicWrite.ts';

/** A segment with a longer file is left for the next one. */
const longestSegment = 64 * 1024 * 1024;

/**
 * Room for three records as they usually are, between these. A record that is much longer than usual goes beyond it: room
 * for all would be the whole journal written twice.
 */
const roomFor = 3;
const leastRoom = 4 * 1024;
const mostRoom = 64 * 1024;
/** So many of the newest records say what is usual. */
const usualOf = 16;
const room = new Uint8Array(mostRoom).fill(roomByte);

/** As many segments may lose their names to others before a record is given up. */
const mostNames = 10;

interface OpenSegment {
  readonly name: string;
  readonly file: string;
  /** Null while it rests: descriptors are few on some systems. */
  fd: number | null;
  readonly inode: number;
  /** Of what was written. */
  size: number;
  /** Of the file, with the room behind that. */
  length: number;
  /** Length of its records, the newest counting most. */
  usual: number;
}

/** Asked when a new segment is there and before anything is written to it; what it throws ends the append. */
export type Permit = () => void;

export class SegmentWriter {
  private segment: OpenSegment | null = null;
  private k = 0;
  private n = 0;
  private readonly folder: string;
  private readonly session: string;
  private readonly writer: string;
  private readonly encode: Encode;

  constructor(folder: string, session: string, writer: string, encode: Encode) {
    this.folder = folder;
    this.session = session;
    this.writer = writer;
    this.encode = encode;
  }

  /** Null, and nothing is written, where the record would be longer than `most` bytes. */
  append(
    facts: readonly Fact[],
    blobs: readonly BlobPlace[],
    h: string,
    permit: Permit,
    most: number,
    append?: number,
  ): { readonly record: JournalRecord; readonly place: Place } | null {
    const base = { v: recordVersion, w: this.writer, n: this.n, h, ...(append === undefined ? {} : { a: append }) };
    const record: JournalRecord = blobs.length > 0 ? { ...base, facts, blobs } : { ...base, facts };
    const bytes = this.encoded(record);
    if (bytes.length > most) return null;
    if (this.segment && this.segment.size > longestSegment) this.next();
    for (let tries = 1; ; tries++) {
      try {
        return { record, place: this.write(bytes, record.n, permit) };
      } catch (cause) {
        this.next();
        if (cause instanceof HistoryError) throw cause;
        // The next segment is the retry; its error is the one that counts, for it says how things stand now. One that
        // lost its name was joined with others, which may happen to the next one as well.
        if (tries >= (isMissing(cause) ? mostNames : 2)) throw historyErrorOf(cause);
      }
    }
  }

  /** Facts of which no record can be made, as those nested too deeply, are refused: it would fail again. */
  private encoded(record: JournalRecord): Uint8Array {
    try {
      return this.encode(record);
    } catch (cause) {
      throw new HistoryError('invalid', cause);
    }
  }

  /** Lets go of the file; the next record goes on in it where nobody took it meanwhile. */
  rest(): void {
    const { segment } = this;
    if (segment?.fd == null) return;
    try {
      if (segment.length > segment.size) ftruncateSync(segment.fd, segment.size);
      segment.length = segment.size;
    } catch {
      // The room stays, which costs nothing but room.
    }
    this.close(segment);
  }

  /** The next record goes to a new segment; this one is left as it is. Gives the number of a segment nobody has. */
  next(): number {
    try {
      // The file is left as it is, with its room: something of a record may stand there.
      if (this.segment) this.close(this.segment);
    } catch {
      // That its descriptor cannot be closed changes nothing for its reader.
    }
    this.segment = null;
    return this.k++;
  }

  private close(segment: OpenSegment): void {
    if (segment.fd === null) return;
    closeSync(segment.fd);
    segment.fd = null;
  }

  private write(bytes: Uint8Array, n: number, permit: Permit): Place {
    const segment = (this.segment ??= this.create(permit));
    const fd = (segment.fd ??= reopen(segment));
    let written: number;
    try {
      written = writeSync(fd, bytes, 0, bytes.length, segment.size);
    } catch (cause) {
      if (segment.size === 0) rmSync(segment.file, { force: true });
      throw cause;
    }
    if (written !== bytes.length) {
      // Nothing was ever acknowledged in it and no whole record is in it: it only takes room that is missing.
      if (segment.size === 0) rmSync(segment.file, { force: true });
      throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    }
    // Whatever comes next, a whole record may stand in the file under this number.
    this.n = n + 1;
    segment.usual += (bytes.length - segment.usual) / usualOf;
    makeRoom(fd, segment, segment.size + bytes.length);
    fdatasyncSync(fd);
    // A folder that was moved away or removed would take the record with it, unseen.
    const { ino, size } = statSync(segment.file);
    if (ino !== segment.inode) throw Object.assign(new Error('renamed'), { code: 'ENOENT' });
    // Something else cut it or wrote to it: the record may stand behind bytes without a line end.
    if (size !== segment.length) throw Object.assign(new Error('changed'), { code: 'EIO' });
    const offset = segment.size;
    segment.size += bytes.length;
    return { segment: segment.name, offset, length: bytes.length };
  }

  private create(permit: Permit): OpenSegment {
    const name = `${this.session}~${this.writer}.${this.k}.seg`;
    const file = join(this.folder, name);
    const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      syncFolder(dirname(file));
    } catch (cause) {
      closeSync(fd);
      throw cause;
    }
    try {
      // Whoever erases writes the tombstone first and lists the folder then: one of the two sees the other.
      permit();
    } catch (cause) {
      closeSync(fd);
      rmSync(file, { force: true });
      throw cause;
    }
    return { name, file, fd, inode: fstatSync(fd).ino, size: 0, length: 0, usual: 0 };
  }
}

/** Behind a record that was just written up to there. The first of a segment gets none: it may be the only one. */
function makeRoom(fd: number, segment: OpenSegment, end: number): void {
  if (end <= segment.length) return;
  segment.length = end;
  if (segment.size === 0) return;
  const wanted = Math.min(mostRoom, Math.max(leastRoom, Math.floor(roomFor * segment.usual)));
  try {
    segment.length += writeSync(fd, room, 0, wanted, end);
  } catch {
    // There is none to be had, as on a full disk: the record itself has its place, and whether the file is as long as it
    // should be is seen in a moment.
  }
}

function reopen({ file, inode, length }: OpenSegment): number {
  const fd = openSync(file, constants.O_WRONLY);
  const now = fstatSync(fd);
  if (now.ino === inode && now.size === length) return fd;
  closeSync(fd);
  throw Object.assign(new Error('changed'), { code: 'EIO' });
}
