// What files held, on the disk under the hash of it, for as long as a turn may ask. Promises: what is given back has that
// hash; a folder that is deleted, full or not writable only means that contents are not kept; never more than `mostBytes`
// are. It is a cache of one process: what a killed one left is removed by the next.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { systemCodeOf } from '../../atomicWrite.ts';

const deflated = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw);
const inflated = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

export const largestKept = 4 * 1024 * 1024;
/** Each run takes a quarter of a megabyte for a moment, which many small files together do not save. */
const smallestDeflated = 32 * 1024;
const mostHeld = 64 * 1024 * 1024;

export interface KeptOptions {
  readonly store: string;
  readonly mostBytes: number;
  readonly onWarning: (words: string) => void;
}

interface KeptFile {
  readonly size: number;
  readonly isDeflated: boolean;
}

export class Kept {
  private readonly options: KeptOptions;
  private readonly folder: string;
  private readonly files = new Map<string, KeptFile>();
  /** What is put now stays in memory and is on no disk. */
  inMemory = false;
  private readonly held = new Map<string, Uint8Array>();
  private readonly refused = new Set<string>();
  /** Since the last sweep: whoever put them may not have said yet that they are needed. */
  private recent = new Set<string>();
  private readonly writing = new Set<string>();
  private total = 0;
  private heldBytes = 0;
  private opening: Promise<void> | null = null;
  private hasWarned = false;
  private isClosed = false;

  constructor(options: KeptOptions) {
    this.options = options;
    this.folder = join(options.store, `${process.pid}-${randomUUID().slice(0, 8)}`);
  }

  /** There is nothing more to do for it: it is there, or it cannot be. */
  isSettled(sha256: string): boolean {
    return this.files.has(sha256) || this.refused.has(sha256);
  }

  async put(sha256: string, bytes: Uint8Array): Promise<void> {
    this.recent.add(sha256);
    if (this.isClosed || this.isSettled(sha256)) return;
    const { inMemory } = this;
    try {
      if (!inMemory) await this.open();
      const small = bytes.length < smallestDeflated ? bytes : await deflated(bytes, { level: 1 });
      const isDeflated = small.length < bytes.length;
      const content = isDeflated ? small : bytes;
      if (this.isClosed || this.files.has(sha256)) return;
      if (this.total + content.length > this.options.mostBytes) {
        this.refuse(sha256, 'there is too much of it');
        return;
      }
      if (inMemory) {
        this.hold(sha256, content.slice(), isDeflated);
        return;
      }
      this.files.set(sha256, { size: content.length, isDeflated });
      this.total += content.length;
      this.writing.add(sha256);
      await this.write(sha256, content);
    } catch (cause) {
      this.forget(sha256);
      const code = systemCodeOf(cause);
      this.refuse(sha256, code === 'ENOSPC' ? 'the disk is full' : `the system says ${code || String(cause)}`);
    } finally {
      this.writing.delete(sha256);
    }
  }

  /** Null where it was not kept, or is gone. */
  async get(sha256: string): Promise<Uint8Array | null> {
    const file = this.files.get(sha256);
    if (!file) return null;
    try {
      const content = this.held.get(sha256) ?? (await readFile(join(this.folder, sha256)));
      const bytes = file.isDeflated ? await inflated(content, { maxOutputLength: largestKept }) : content;
      // A write that was cut off, or a file of that name that somebody else made.
      if (hashOf(bytes) === sha256) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    } catch {
      // Somebody emptied the cache, as everybody may.
    }
    this.forget(sha256);
    return null;
  }

  /** Removes what is not needed and was not put since the last sweep. */
  async sweep(needed: ReadonlySet<string>): Promise<void> {
    const recent = this.recent;
    this.recent = new Set();
    let isRoom = false;
    for (const sha256 of [...this.files.keys()]) {
      if (needed.has(sha256) || recent.has(sha256) || this.recent.has(sha256)) continue;
      const isHeld = this.held.has(sha256);
      this.forget(sha256);
      isRoom = true;
      if (isHeld) continue;
      await rm(join(this.folder, sha256), { force: true }).catch(() => {
        // It will be taken for gone, and goes with the folder at the latest.
      });
    }
    if (isRoom) this.refused.clear();
  }

  /** Notices what was deleted, so that what is still as it was is kept again. */
  async check(): Promise<void> {
    if (this.files.size === 0) return;
    const here = new Set(await readdir(this.folder).catch(() => []));
    for (const sha256 of [...this.files.keys()])
      if (!here.has(sha256) && !this.writing.has(sha256) && !this.held.has(sha256)) this.forget(sha256);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.files.clear();
    this.held.clear();
    await this.opening?.catch(() => {
      // Then there is nothing to remove.
    });
    await rm(this.folder, { recursive: true, force: true }).catch(() => {
      // The next process removes it.
    });
  }

  private async write(sha256: string, content: Uint8Array): Promise<void> {
    const file = join(this.folder, sha256);
    // Not atomic: what is torn has another hash, and this is a cache of one process.
    const write = () => writeFile(file, content, { mode: 0o600 });
    try {
      await write();
    } catch (cause) {
      if (this.isClosed || systemCodeOf(cause) !== 'ENOENT') throw cause;
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await write();
    }
  }

  private hold(sha256: string, content: Uint8Array, isDeflated: boolean): void {
    if (this.heldBytes + content.length > mostHeld) {
      this.refuse(sha256, 'there is too much of it for the memory');
      return;
    }
    this.files.set(sha256, { size: content.length, isDeflated });
    this.held.set(sha256, content);
    this.total += content.length;
    this.heldBytes += content.length;
  }

  private forget(sha256: string): void {
    this.total -= this.files.get(sha256)?.size ?? 0;
    this.heldBytes -= this.held.get(sha256)?.length ?? 0;
    this.files.delete(sha256);
    this.held.delete(sha256);
  }

  private refuse(sha256: string, why: string): void {
    this.refused.add(sha256);
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.options.onWarning(`Some changes can be shown but not undone: what the files held could not be kept (${why}).`);
  }

  private open(): Promise<void> {
    this.opening ??= this.makeFolder().catch((cause: unknown) => {
      this.opening = null;
      throw cause;
    });
    return this.opening;
  }

  private async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.options.store)) {
      const pid = Number(/^(\d+)-[0-9a-f]{8}$/.exec(name)?.[1] ?? NaN);
      if (!Number.isNaN(pid) && !runs(pid)) await rm(join(this.options.store, name), { recursive: true, force: true });
    }
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return systemCodeOf(cause) === 'EPERM';
  }
}
