// Appends records of one session to segments that only this process writes: `<session>~<writer>.<k>.seg`.
// Promises: when `append` returns, the record is on the disk under its own name. After a short write or any error the
// segment is left alone for ever and the record goes to the next one; when that fails too, the error is thrown and
// nothing was acknowledged. It never retries a sync on the same file: the kernel may have dropped the pages.

import { closeSync, constants, fdatasyncSync, fstatSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Encode } from '../../core/history/codec.ts';
import { historyErrorOf } from '../../core/history/historyError.ts';
import type { Place } from '../../core/history/projection.ts';
import { recordVersion, type Fact, type JournalRecord } from '../../model/record.ts';
import { syncFolder } from './syncFolder.ts';

interface OpenSegment {
  readonly name: string;
  readonly file: string;
  readonly fd: number;
  readonly inode: number;
  size: number;
}

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

  append(facts: readonly Fact[], h: string): { readonly record: JournalRecord; readonly place: Place } {
    const record: JournalRecord = { v: recordVersion, w: this.writer, n: this.n, h, facts };
    const bytes = this.encode(record);
    let place: Place;
    try {
      place = this.write(bytes, record.n);
    } catch {
      // The next segment is the retry; its error is the one that counts, for it says how things stand now.
      this.abandon();
      try {
        place = this.write(bytes, record.n);
      } catch (cause) {
        this.abandon();
        throw historyErrorOf(cause);
      }
    }
    return { record, place };
  }

  close(): void {
    if (this.segment) closeSync(this.segment.fd);
    this.segment = null;
  }

  private write(bytes: Uint8Array, n: number): Place {
    const segment = (this.segment ??= this.create());
    let written: number;
    try {
      written = writeSync(segment.fd, bytes);
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
    fdatasyncSync(segment.fd);
    // A folder that was moved away or removed would take the record with it, unseen.
    const { ino, size } = statSync(segment.file);
    if (ino !== segment.inode) throw Object.assign(new Error('renamed'), { code: 'ENOENT' });
    // Something else wrote to it: the record may stand behind bytes without a line end.
    if (size !== segment.size + bytes.length) throw Object.assign(new Error('changed'), { code: 'EIO' });
    const offset = segment.size;
    segment.size += bytes.length;
    return { segment: segment.name, offset, length: bytes.length };
  }

  private create(): OpenSegment {
    const name = `${this.session}~${this.writer}.${this.k}.seg`;
    const file = join(this.folder, name);
    const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND, 0o600);
    try {
      syncFolder(dirname(file));
    } catch (cause) {
      closeSync(fd);
      throw cause;
    }
    return { name, file, fd, inode: fstatSync(fd).ino, size: 0 };
  }

  private abandon(): void {
    const { segment } = this;
    this.segment = null;
    this.k++;
    if (!segment) return;
    try {
      closeSync(segment.fd);
    } catch {
      // The file is left as it is; that its descriptor cannot be closed changes nothing for its reader.
    }
  }
}
