// Copies segments of one session into joined files, without what was erased. Promises: at every moment, killed or not,
// each surviving record is in a file that readers know; a copied line is the same bytes; nothing erased is in what it
// makes; whoever was still writing to a source finds its name gone and writes that record again. Two that do this at
// the same time make the same records twice, which changes nothing. First `claim`, then `copyClaimed`, then
// `removeClaimed`: who is killed in between is followed by somebody who does it again.

import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { read, type Encode, type Piece } from '../../../core/history/codec.ts';
import { survivorOf, type Erasure } from '../../../core/history/erasure.ts';
import type { SessionId } from '../../../model/message.ts';
import { claimedName, isMissing, parseSegmentName, withFile } from '../journal/segmentName.ts';
import { readChunk } from '../journal/segmentReader.ts';
import { syncFolder } from '../../atomicWrite.ts';

export interface Copying {
  readonly journal: string;
  readonly session: SessionId;
  readonly claimed: readonly string[];
  readonly erasure: Erasure;
  readonly encode: Encode;
  /** The name of a joined file that nobody has. */
  readonly newName: () => string;
}

/** A joined file that grows longer than this is followed by another. */
const longestJoined = 64 * 1024 * 1024;
const chunkLength = 4 * 1024 * 1024;

/** Those of the segments that nobody has under their old name from here on: who had one open for writing finds out. */
export function claim(journal: string, segments: readonly string[]): readonly string[] {
  return segments.filter(segment => claimOne(journal, segment));
}

/**
 * Copies what is in claimed segments, each record once, and without what was erased; they stay as they are. True where
 * one grew meanwhile, by a writer that did not know yet: somebody may have read that from it, so it is copied too.
 */
export function copyClaimed({ journal, session, claimed, erasure, encode, newName }: Copying): boolean {
  const target = new Target(journal, newName);
  // A record that stood in two files, as after two windows joined the same ones, is one again.
  const seen = new Set<string>();
  const copied = claimed.map(segment => ({ segment, position: 0 }));
  let rounds = 0;
  try {
    // Not by their lengths: a writer may have room in one.
    for (let grown = true; grown; rounds++) {
      grown = false;
      for (const one of copied) {
        for (const { bytes, piece } of linesOf(journal, one.segment, one.position)) {
          grown = true;
          one.position = piece.offset + piece.length;
          if (piece.kind === 'newer' && !mentionsErased(bytes, session, erasure)) target.add(bytes);
          if (piece.kind !== 'record' || seen.has(piece.record.h)) continue;
          seen.add(piece.record.h);
          const survivor = survivorOf(piece.record, erasure);
          if (survivor === piece.record) target.add(bytes);
          else if (survivor) target.add(encode(survivor));
        }
      }
      target.close();
    }
  } catch (cause) {
    target.abandon();
    throw cause;
  }
  // The last one found nothing.
  return rounds > 2;
}

/** What was in them is elsewhere. */
export function removeClaimed(journal: string, claimed: readonly string[]): void {
  for (const segment of claimed) rmSync(join(journal, claimedName(segment)), { force: true });
  syncFolder(journal);
}

/** False where it is gone: another window was faster, and what it held is in that window's file. */
function claimOne(journal: string, segment: string): boolean {
  const file = join(journal, segment);
  try {
    renameSync(file, claimedName(file));
    return true;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    return statSync(claimedName(file), { throwIfNoEntry: false }) !== undefined;
  }
}

/** The whole lines of a segment with what they are; nothing where it went while it was about to be read. */
export function* linesOf(journal: string, segment: string, start = 0): Generator<Line> {
  const name = parseSegmentName(segment);
  const writer = name?.joined ? undefined : name?.writer;
  const fd = openIfThere(journal, segment);
  if (fd === null) return;
  try {
    const { size } = fstatSync(fd);
    for (let from = start, length = chunkLength; from < size;) {
      const { bytes: chunk, isEnd } = readChunk(fd, from, length, size);
      let next = from;
      for (const piece of read(chunk, crc32, from, writer)) {
        if (piece.kind === 'tail') continue;
        next = piece.offset + piece.length;
        yield { bytes: chunk.subarray(piece.offset - from, next - from), piece };
      }
      if (next === from && isEnd) return;
      // A record that is longer than what was read at once is read in a larger piece.
      length = next === from ? length * 2 : chunkLength;
      from = next;
    }
  } finally {
    closeSync(fd);
  }
}

export interface Line {
  readonly bytes: Uint8Array;
  readonly piece: Piece;
}

function openIfThere(journal: string, segment: string): number | null {
  try {
    return withFile(journal, segment, file => openSync(file, 'r'));
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

/** What cannot be understood cannot be filtered: where it names what was erased, it goes with it. */
function mentionsErased(bytes: Uint8Array, session: SessionId, erasure: Erasure): boolean {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return erasure.messagesOf(session).some(id => line.includes(id));
}

class Target {
  readonly made: string[] = [];
  private open: { readonly name: string; readonly fd: number; size: number } | null = null;
  private readonly journal: string;
  private readonly newName: () => string;

  constructor(journal: string, newName: () => string) {
    this.journal = journal;
    this.newName = newName;
  }

  add(bytes: Uint8Array): void {
    if (this.open && this.open.size > longestJoined) this.close();
    if (!this.open) {
      const name = this.newName();
      this.open = { name, fd: openSync(join(this.journal, `${name}.unfinished`), 'wx', 0o600), size: 0 };
    }
    for (let at = 0; at < bytes.length;) at += writeSync(this.open.fd, bytes, at);
    this.open.size += bytes.length;
  }

  /** From here on it is one of the journal's files. */
  close(): void {
    if (!this.open) return;
    const { name, fd } = this.open;
    fsyncSync(fd);
    closeSync(fd);
    this.open = null;
    renameSync(join(this.journal, `${name}.unfinished`), join(this.journal, name));
    syncFolder(this.journal);
    this.made.push(name);
  }

  abandon(): void {
    if (!this.open) return;
    closeSync(this.open.fd);
    rmSync(join(this.journal, `${this.open.name}.unfinished`), { force: true });
    this.open = null;
  }
}
