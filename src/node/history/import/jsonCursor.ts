// Goes through a JSON file by its bytes, so that a part of it can be skipped or read without the rest being in memory.
// Promises: it holds one chunk, however long a value is; what is read was measured before, so that nothing is parsed that
// takes much memory. What is skipped is not checked beyond its brackets and strings.

import { readSync } from 'node:fs';

/** What a value takes, before anything is made of it. */
export interface Span {
  readonly offset: number;
  readonly length: number;
  /** The byte with which it begins. */
  readonly first: number;
  /** At least as many as there are values in it. */
  readonly values: number;
  readonly depth: number;
}

/** The file isn't JSON from here on. */
export class NotJson extends Error {}

export const [quote, comma, colon, openArray, closeArray, openObject, closeObject] = Array.from('",:[]{}', character =>
  character.charCodeAt(0),
) as [number, number, number, number, number, number, number];
const backslash = 92;
const chunkLength = 256 * 1024;
const longestKey = 1024;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class JsonCursor {
  private readonly fd: number;
  private readonly chunk = Buffer.alloc(chunkLength);
  /** What doesn't fit into the chunk is read into this, again and again: freed memory is given back late. */
  private long = Buffer.alloc(0);
  /** Where the chunk lies in the file, how much of it is filled, and where in it the cursor is. */
  private start = 0;
  private filled = 0;
  private at = 0;

  constructor(fd: number) {
    this.fd = fd;
  }

  /** Where it is in the file. */
  get position(): number {
    return this.start + this.at;
  }

  seek(position: number): void {
    const at = position - this.start;
    if (at >= 0 && at <= this.filled) this.at = at;
    else [this.start, this.filled, this.at] = [position, 0, 0];
  }

  /** The value itself. Throws `NotJson`, and a TypeError for what is not text in UTF-8. */
  read(span: Span): unknown {
    const from = span.offset - this.start;
    const isHere = from >= 0 && from + span.length <= this.filled;
    const bytes = isHere ? this.chunk.subarray(from, from + span.length) : this.readLong(span);
    const text = decoder.decode(bytes);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new NotJson('', { cause });
    }
  }

  private readLong(span: Span): Buffer {
    if (this.long.length < span.length) this.long = Buffer.allocUnsafe(span.length);
    return readInto(this.long.subarray(0, span.length), this.fd, span.offset);
  }

  /** The next byte that is no space; -1 at the end of the file. */
  peek(): number {
    for (;;) {
      while (this.at < this.filled) {
        const byte = this.chunk[this.at] ?? 0;
        if (!isSpace(byte)) return byte;
        this.at++;
      }
      if (!this.fill()) return -1;
    }
  }

  take(expected: number): void {
    if (this.peek() !== expected) throw new NotJson();
    this.at++;
  }

  /** The keys of an object, one by one: its value is to be skipped or walked before the next is asked for. */
  *keys(): Generator<string> {
    this.take(openObject);
    for (let isFirst = true; this.peek() !== closeObject; isFirst = false) {
      if (!isFirst) this.take(comma);
      if (this.peek() !== quote) throw new NotJson();
      const key = this.skip();
      if (key.length > longestKey) throw new NotJson();
      const name = String(this.read(key));
      this.take(colon);
      yield name;
    }
    this.take(closeObject);
  }

  /** Yields before each element of an array, which is to be skipped or walked before the next. */
  *elements(): Generator<undefined> {
    this.take(openArray);
    for (let isFirst = true; this.peek() !== closeArray; isFirst = false) {
      if (!isFirst) this.take(comma);
      yield;
    }
    this.take(closeArray);
  }

  /** Goes behind the next value. */
  skip(): Span {
    const first = this.peek();
    const offset = this.position;
    let [values, depth, deepest] = [1, 0, 0];
    do {
      const byte = this.peek();
      switch (byte) {
        case -1:
          throw new NotJson();
        case quote:
          this.skipString();
          break;
        case openArray:
        case openObject:
          values++;
          deepest = Math.max(deepest, ++depth);
          this.at++;
          break;
        case closeArray:
        case closeObject:
          depth--;
          this.at++;
          break;
        case comma:
        case colon:
          if (depth === 0) throw new NotJson();
          values++;
          this.at++;
          break;
        default:
          this.skipWord();
      }
      if (depth < 0) throw new NotJson();
    } while (depth > 0);
    return { offset, length: this.position - offset, first, values, depth: deepest };
  }

  private skipString(): void {
    this.at++;
    for (let isEscaped = false; ;) {
      const { chunk, filled } = this;
      let at = this.at;
      for (; at < filled; at++) {
        if (isEscaped) isEscaped = false;
        else if (chunk[at] === backslash) isEscaped = true;
        else if (chunk[at] === quote) {
          this.at = at + 1;
          return;
        }
      }
      this.at = at;
      if (!this.fill()) throw new NotJson();
    }
  }

  /** A number, or one of the three words. */
  private skipWord(): void {
    do {
      while (this.at < this.filled) {
        if (endsWord(this.chunk[this.at] ?? 0)) return;
        this.at++;
      }
    } while (this.fill());
  }

  private fill(): boolean {
    this.start += this.filled;
    this.at = 0;
    this.filled = readSync(this.fd, this.chunk, 0, chunkLength, this.start);
    return this.filled > 0;
  }
}

/** The bytes of the value. Throws where the file became shorter. */
export function bytesOf(fd: number, { offset, length }: Pick<Span, 'offset' | 'length'>): Buffer {
  return readInto(Buffer.allocUnsafe(length), fd, offset);
}

function readInto(bytes: Buffer, fd: number, offset: number): Buffer {
  for (let filled = 0; filled < bytes.length;) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, offset + filled);
    if (count === 0) throw new NotJson();
    filled += count;
  }
  return bytes;
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function endsWord(byte: number): boolean {
  switch (byte) {
    case quote:
    case comma:
    case colon:
    case openArray:
    case closeArray:
    case openObject:
    case closeObject:
      return true;
    default:
      return isSpace(byte);
  }
}
