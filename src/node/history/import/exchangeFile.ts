// Reads a file with sessions in parts, for the thread that does it (`exchangeThread.ts`). Promises: however large the file
// is and whatever is in it, one part of it is in memory at a time, beside the places of the others; what is given was
// checked by core; what can't be taken is refused in words.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { longestExchange, type ExchangedField, type ExchangedOutline } from '../../../core/exchange/exchange.ts';
import * as core from '../../../core/exchange/readExchange.ts';
import { takeOutTexts, type TakenText } from '../../../core/history/blobs.ts';
import type { Block, Message } from '../../../model/message.ts';
import { bytesOf, comma, JsonCursor, NotJson, openArray, openObject, quote, type Span } from './jsonCursor.ts';

export interface UnreadSession {
  readonly title: string;
  readonly words: string;
}

/** Some blocks of a message, the first time with the message itself. */
export interface MessagePart {
  /** Without blocks. */
  readonly message: Omit<Message, 'session'>;
  readonly blocks: readonly Block[];
  /** Taken out of the blocks. */
  readonly texts: readonly TakenText[];
  /** Of the blocks, in the file. */
  readonly length: number;
  /** Where the next part begins; null after the last. */
  readonly next: number | null;
}

interface OpenSession {
  /** Where each begins. */
  readonly messages: readonly number[];
  readonly blobs: ReadonlyMap<string, Span>;
}

/** In one part of a message, unless one block has more. */
export const partLength = 2 * 1024 * 1024;
const partValues = 250_000;
/** Of base64, read at once. */
const base64Chunk = 256 * 1024;

const about = ['id', 'created', 'agent', 'cwd', 'origin', 'systemPrompt'] as const;
const ofMessage: ReadonlySet<string> = new Set([
  ...['id', 'parent', 'role', 'created', 'agent', 'label', 'covers', 'leftOut', 'end'],
]);

export class ExchangeFile {
  private readonly fd: number;
  private readonly cursor: JsonCursor;
  private readonly now: number;
  private readonly sessions: Span[] = [];
  private open: OpenSession = { messages: [], blobs: new Map() };
  /** Where the message goes on of which a part was given last. */
  private rest: {
    readonly at: number;
    readonly from: number;
    readonly position: number;
    readonly message: Omit<Message, 'session'>;
  } | null = null;

  /** Throws Refused and what the system says. */
  constructor(file: string, now: number) {
    this.now = now;
    this.fd = openSync(file, 'r');
    this.cursor = new JsonCursor(this.fd);
    try {
      const { size } = fstatSync(this.fd);
      if (size > longestExchange) throw new core.Refused('It is larger than 256 MB, which no export of sessions is.');
      refusing(core.notJson, () => this.findSessions());
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  get count(): number {
    return this.sessions.length;
  }

  close(): void {
    closeSync(this.fd);
  }

  /** From then on it is the one of which messages and attachments are asked for. */
  session(number: number): ExchangedOutline | UnreadSession {
    let title = '';
    try {
      return refusing(core.malformed, () => {
        const span = this.sessions[number];
        if (span?.first !== openObject) throw new core.Refused('It is no session.');
        const spans = this.spansIn(span);
        const fields = this.fieldsIn(spans.get('fields'));
        title = core.titleOf(fields);
        const session = core.aboutSession(this.values(spans, about), this.now);
        const outlines = new core.Outlines();
        const messages = this.messagesIn(spans.get('messages'), outlines);
        const blobs = this.blobsIn(spans.get('blobs'));
        this.open = { messages, blobs };
        this.rest = null;
        const ids = outlines.checked();
        return {
          ...session,
          fields: fields.flatMap((field): readonly ExchangedField[] => core.fieldIn(field, ids)),
          messages: outlines.list,
          blobs: new Set(blobs.keys()),
        };
      });
    } catch (cause) {
      if (cause instanceof core.Refused) return { title: title || `Session ${number + 1}`, words: cause.message };
      throw cause;
    }
  }

  /** Of the message that stands there in the open session, the blocks from one on. Throws Refused. */
  message(at: number, from: number): MessagePart {
    return refusing(core.malformed, () => {
      const { rest } = this;
      const goesOn = rest?.at === at && rest.from === from;
      const part = new PartOfBlocks(from, goesOn ? from : 0);
      const read = (span: Span) => core.blockOf(this.value(span, 4), at);
      this.rest = null;
      let message: Omit<Message, 'session'>;
      if (rest && goesOn) {
        ({ message } = rest);
        this.cursor.seek(rest.position);
        for (;;) {
          part.add(this.cursor.skip(), read);
          if (part.next !== null || this.cursor.peek() !== comma) break;
          this.cursor.take(comma);
        }
      } else {
        const start = this.open.messages[at];
        if (start === undefined) throw core.notMessage(at);
        this.cursor.seek(start);
        message = this.readMessage(at, span => part.add(span, read));
      }
      if (part.next !== null) this.rest = { at, from: part.next, position: part.position, message };
      const { values: blocks, texts } = takeOutTexts(part.blocks);
      return { message, blocks, texts, length: part.length, next: part.next };
    });
  }

  /** Null where it isn't what its name says. */
  blob(hash: string): Uint8Array<ArrayBuffer> | null {
    const span = this.open.blobs.get(hash);
    if (!span) return null;
    const bytes = new Uint8Array(Math.ceil((span.length * 3) / 4));
    const sum = createHash('sha256');
    let size = 0;
    for (const part of this.decoded(span)) {
      bytes.set(part, size);
      sum.update(part);
      size += part.length;
    }
    return sum.digest('hex') === hash ? bytes.subarray(0, size) : null;
  }

  private findSessions(): void {
    const { cursor } = this;
    cursor.seek(this.mark());
    const first = cursor.peek();
    // Text in another encoding is not JSON either, and that it has one says more.
    if (first >= 0x80) throw new core.Refused(notText);
    if (first !== openObject) {
      if (first === openArray || first === quote || isWord(first)) throw new core.Refused(core.notExchange);
      throw new NotJson();
    }
    const said = new Map<string, unknown>();
    let hasSessions = false;
    for (const key of cursor.keys()) {
      if (key === 'sessions') {
        hasSessions = cursor.peek() === openArray;
        this.sessions.length = 0;
        if (hasSessions) this.findEach(cursor);
        else cursor.skip();
      } else {
        const span = cursor.skip();
        if (key !== 'format' && key !== 'version') continue;
        // A long one is none of these.
        said.set(key, span.length > 64 ? null : cursor.read(span));
      }
    }
    if (cursor.peek() !== -1) throw new NotJson();
    core.checkExchange(said.get('format'), said.get('version'), hasSessions);
  }

  private findEach(cursor: JsonCursor): void {
    for (const _ of cursor.elements()) {
      if (this.sessions.length === core.mostSessions)
        throw new core.Refused('There are more than 100,000 sessions in it.');
      this.sessions.push(cursor.skip());
    }
  }

  /** The length of a byte order mark. */
  private mark(): number {
    const { size } = fstatSync(this.fd);
    const isMarked = size >= 3 && bytesOf(this.fd, { offset: 0, length: 3 }).equals(Buffer.from('\ufeff'));
    return isMarked ? 3 : 0;
  }

  private spansIn({ offset }: Span): ReadonlyMap<string, Span> {
    const { cursor } = this;
    cursor.seek(offset);
    const spans = new Map<string, Span>();
    const known: ReadonlySet<string> = new Set([...about, 'fields', 'messages', 'blobs']);
    for (const key of cursor.keys()) {
      const span = cursor.skip();
      if (known.has(key)) spans.set(key, span);
    }
    return spans;
  }

  private values(spans: ReadonlyMap<string, Span>, names: readonly string[]): { readonly [key: string]: unknown } {
    const found = names.flatMap(name => {
      const span = spans.get(name);
      return span
        ? [[name, this.value(span, 1, name === 'systemPrompt' ? undefined : core.longestAbout)] as const]
        : [];
    });
    return Object.fromEntries(found);
  }

  private fieldsIn(span: Span | undefined): readonly unknown[] {
    if (span?.first !== openArray) throw new core.Refused(core.malformed);
    const { cursor } = this;
    cursor.seek(span.offset);
    const sizes = new core.FieldSizes();
    const fields: unknown[] = [];
    for (const _ of cursor.elements()) {
      const field = cursor.skip();
      sizes.add(field);
      fields.push(this.value(field, 2));
    }
    return fields;
  }

  /** Each message is checked to its end, and only where it stands is kept. */
  private messagesIn(span: Span | undefined, outlines: core.Outlines): readonly number[] {
    if (span?.first !== openArray) throw new core.Refused(core.malformed);
    const { cursor } = this;
    cursor.seek(span.offset);
    const starts: number[] = [];
    for (const _ of cursor.elements()) {
      const at = starts.push(cursor.position) - 1;
      const message = this.readMessage(at, block => void core.blockOf(this.value(block, 4), at));
      outlines.add({ id: message.id, parent: message.parent, at, hasEnded: message.end !== undefined });
    }
    return starts;
  }

  /** The one at which the cursor is. */
  private readMessage(at: number, visit: (block: Span) => void): Omit<Message, 'session'> {
    const { cursor } = this;
    if (cursor.peek() !== openObject) throw core.notMessage(at);
    const values: [string, unknown][] = [];
    let left = core.longestAbout;
    for (const key of cursor.keys()) {
      if (key === 'blocks' && cursor.peek() === openArray) {
        for (const _ of cursor.elements()) visit(cursor.skip());
        values.push([key, []]);
        continue;
      }
      const value = cursor.skip();
      if (!ofMessage.has(key)) continue;
      left -= value.length;
      if (left < 0) throw new core.Refused('A part of it is larger than 1 MB.');
      values.push([key, this.value(value, 3)]);
    }
    return core.messageOf(Object.fromEntries(values), at, this.now);
  }

  private blobsIn(span: Span | undefined): ReadonlyMap<string, Span> {
    const blobs = new Map<string, Span>();
    if (span?.first !== openObject) throw new core.Refused(core.malformed);
    const { cursor } = this;
    cursor.seek(span.offset);
    for (const hash of cursor.keys()) {
      const content = cursor.skip();
      if (!/^[0-9a-f]{64}$/.test(hash) || content.first !== quote)
        throw new core.Refused('One of its attachments is not written as an export is.');
      if (content.length > core.longestAttachment)
        throw new core.Refused('One of its attachments is larger than 48 MB.');
      const sum = createHash('sha256');
      for (const part of this.decoded(content)) sum.update(part);
      if (sum.digest('hex') !== hash) throw new core.Refused(core.changedAttachment);
      blobs.set(hash, content);
    }
    return blobs;
  }

  /** From base64, in parts. What is no base64 becomes bytes that don't have the hash. */
  private *decoded({ offset, length }: Span): Generator<Buffer> {
    let rest = '';
    for (let at = 1; at < length - 1; at += base64Chunk) {
      const chunk = bytesOf(this.fd, { offset: offset + at, length: Math.min(base64Chunk, length - 1 - at) });
      // Some programs write a slash with a backslash before it.
      const text = rest + chunk.toString('latin1').replaceAll(/[^A-Za-z0-9+/_-]/g, '');
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      yield Buffer.from(text.slice(0, whole), 'base64');
    }
    if (rest !== '') yield Buffer.from(rest, 'base64');
  }

  private value(span: Span, depth: number, longest?: number): unknown {
    core.mustBeSmall({ ...span, depth: span.depth + depth }, longest);
    return this.cursor.read(span);
  }
}

/** Takes blocks from one on for as long as there is room. */
class PartOfBlocks {
  readonly blocks: Block[] = [];
  next: number | null = null;
  position = 0;
  length = 0;
  private readonly from: number;
  private seen: number;
  private values = 0;

  /** `seen` are those before the first that comes. */
  constructor(from: number, seen: number) {
    this.from = from;
    this.seen = seen;
  }

  add(span: Span, read: (span: Span) => Block): void {
    const place = this.seen++;
    if (place < this.from || this.next !== null) return;
    const length = this.length + span.length;
    this.values += span.values;
    if (this.blocks.length === 0 || (length <= partLength && this.values <= partValues)) {
      this.length = length;
      this.blocks.push(read(span));
      return;
    }
    this.next = place;
    this.position = span.offset;
  }
}

const notText = 'It is not text in UTF-8.';

/** What isn't JSON, or no text, is refused in words, too. */
function refusing<Result>(words: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof NotJson) throw new core.Refused(words);
    if (cause instanceof TypeError && 'code' in cause && cause.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new core.Refused(notText);
    throw cause;
  }
}

/** A number, or `true`, `false` and `null`. */
function isWord(byte: number): boolean {
  return /[-0-9tfn]/.test(String.fromCharCode(byte));
}
