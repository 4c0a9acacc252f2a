// The files of what is too long for a record, or is no text: `blobs/<session>/<sha256>`. Promises: what `keep` returns is
// on the disk under its name; what `read` returns has the hash that was asked for. Which content goes here is core's.

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BlobRef, SessionId } from '../../../model/message.ts';
import { isMissing } from './segmentName.ts';
import { syncFolder, writeAtomicSync } from '../../atomicWrite.ts';

const mostTries = 5;

export class BlobFiles {
  readonly folder: string;
  private readonly writer: string;
  /** Files that were just written: the next look at them, which makes sure that they are there, need not read them. */
  private readonly sound = new Set<string>();

  constructor(folder: string, writer: string) {
    this.folder = join(folder, 'blobs');
    this.writer = writer;
  }

  keep(session: SessionId, content: string | Uint8Array): { readonly ref: BlobRef; readonly isNew: boolean } {
    const sum = createHash('sha256');
    let size = 0;
    for (const part of bytesOf(content)) {
      sum.update(part);
      size += part.length;
    }
    const ref = { sha256: sum.digest('hex'), size };
    const file = this.file(session, ref);
    const isNew = !this.has(session, ref);
    // What was there before may be damaged by now, and this is the moment when somebody still has the content.
    if (!isNew && (this.sound.delete(file) || isSound(file, ref))) return { ref, isNew };
    for (let tries = 1; ; tries++) {
      try {
        this.write(file, bytesOf(content));
        break;
      } catch (cause) {
        // Another window erases the session, and took the folder away: whether it may be written there is asked later.
        if (!isMissing(cause) || tries === mostTries) throw cause;
      }
    }
    this.sound.add(file);
    return { ref, isNew };
  }

  private write(file: string, parts: Iterable<Uint8Array>): void {
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeAtomicSync(file, `${file}.${this.writer}.unfinished`, parts);
    for (const one of [this.folder, dirname(this.folder)]) syncFolder(one);
  }

  has(session: SessionId, ref: BlobRef): boolean {
    return statSync(this.file(session, ref), { throwIfNoEntry: false })?.size === ref.size;
  }

  /** Null where the file is gone, cannot be read or is not what it was. */
  read(session: SessionId, ref: BlobRef): Uint8Array<ArrayBuffer> | null {
    try {
      const bytes = readFileSync(this.file(session, ref));
      if (createHash('sha256').update(bytes).digest('hex') !== ref.sha256) return null;
      return new Uint8Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    } catch {
      // Gone or not readable: who asked says what that means.
      return null;
    }
  }

  text(session: SessionId, ref: BlobRef): string | null {
    const bytes = this.read(session, ref);
    return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  remove(session: SessionId, ref: BlobRef): void {
    rmSync(this.file(session, ref), { force: true });
  }

  private file(session: SessionId, { sha256 }: BlobRef): string {
    // It comes from a file, and becomes a path.
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('This is no hash.');
    return join(this.folder, session, sha256);
  }
}

const encoder = new TextEncoder();
const partLength = 256 * 1024;

/** Whether the file holds what its name says. It is read in parts, since nobody wants its content. */
function isSound(file: string, ref: BlobRef): boolean {
  try {
    const fd = openSync(file, 'r');
    try {
      const sum = createHash('sha256');
      const part = new Uint8Array(partLength);
      for (let count = -1; count !== 0;) {
        count = readSync(fd, part);
        sum.update(part.subarray(0, count));
      }
      return sum.digest('hex') === ref.sha256;
    } finally {
      closeSync(fd);
    }
  } catch {
    // It is written again.
    return false;
  }
}

/** A text in parts, each of which is valid until the next: as one buffer, many of them stay in memory for a while. */
function* bytesOf(content: string | Uint8Array): Generator<Uint8Array> {
  if (typeof content !== 'string') return yield content;
  const buffer = new Uint8Array(partLength);
  for (let at = 0; at < content.length;) {
    // No character of UTF-16 becomes more than three bytes, so that none is cut but by the end of what is encoded.
    const isPair = /[\ud800-\udbff]/.test(content.charAt(at + partLength / 4 - 1));
    const end = at + partLength / 4 - (isPair ? 1 : 0);
    const { written } = encoder.encodeInto(content.slice(at, end), buffer);
    yield buffer.subarray(0, written);
    at = end;
  }
}
