// The bytes of an agent's standard output as messages, and a tap on messages. Promises: a line that is no message, or is
// over 32 MiB, is passed over with a warning and harms nothing after it; of a line that is too long nothing is kept; a
// flood does not starve the event loop. The SDK's own reader answers noise with an error message to the agent, and ends
// the connection at a long line.

import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { Readable, Writable } from 'node:stream';
import { Breath, nextTurn } from './breath.ts';
import { fieldsOf } from './fields.ts';

export const longestLine = 32 * 1024 * 1024;
const newline = 10;
/** An agent that logs to its standard output would warn for ever. */
const mostWarnings = 20;

export type OnWarning = (words: string) => void;

export function messageStream(stdin: Writable, stdout: Readable, onWarning: OnWarning): Stream {
  return { readable: messagesOf(stdout, onWarning), writable: messagesTo(stdin) };
}

function messagesOf(stdout: Readable, onWarning: OnWarning): ReadableStream<AnyMessage> {
  const chunks = stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const lines = new Lines(limited(onWarning));
  const breath = new Breath();
  return new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (let found = 0; found === 0;) {
          // A pipe that breaks is one that ended: what became of the program is told elsewhere.
          const { value, done } = await chunks.next().catch(() => ({ value: undefined, done: true }));
          for (const message of done || !value ? lines.end() : lines.of(value)) {
            controller.enqueue(message);
            found++;
          }
          if (done) return controller.close();
          if (breath.isDue) await breath.breathe();
        }
      },
      async cancel() {
        await chunks.return?.().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/** Puts lines together from pieces, and makes messages of them. */
class Lines {
  private readonly onWarning: OnWarning;
  private pending: Buffer[] = [];
  private length = 0;
  private tooLong = false;

  constructor(onWarning: OnWarning) {
    this.onWarning = onWarning;
  }

  *of(chunk: Buffer): Generator<AnyMessage> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.add(chunk.subarray(start, end));
      start = end + 1;
      yield* this.take();
    }
    this.add(chunk.subarray(start));
  }

  *end(): Generator<AnyMessage> {
    yield* this.take();
  }

  private add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > longestLine) {
      this.tooLong = true;
      this.pending = [];
    } else if (piece.length > 0) this.pending.push(piece);
  }

  private *take(): Generator<AnyMessage> {
    const bytes = this.pending.length === 1 ? this.pending[0] : Buffer.concat(this.pending);
    const { tooLong, length } = this;
    this.pending = [];
    this.length = 0;
    this.tooLong = false;
    if (tooLong) this.onWarning(`A line of ${length} bytes was passed over.`);
    const line = bytes?.toString('utf8').trim() ?? '';
    if (tooLong || line === '') return;
    try {
      const message: unknown = JSON.parse(line);
      if (isMessage(message)) yield message as AnyMessage;
      else this.onWarning(noiseWords(line));
    } catch {
      this.onWarning(noiseWords(line));
    }
  }
}

/** Some log in JSON to where only messages belong. */
function isMessage(value: unknown): boolean {
  const fields = fieldsOf(value);
  return typeof fields?.['method'] === 'string' || fields?.['result'] !== undefined || fields?.['error'] !== undefined;
}

function messagesTo(stdin: Writable): WritableStream<AnyMessage> {
  return new WritableStream<AnyMessage>({
    write: message =>
      new Promise((resolve, reject) => {
        stdin.write(lineOf(message), cause => (cause ? reject(cause) : resolve()));
      }),
  });
}

/** Programs that read lines with Node.js' own reader end one at these two as well; escaped, they are the same JSON. */
function lineOf(message: AnyMessage): string {
  return `${JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

/**
 * The messages as `take` gives them back, without those for which it gives null. It is shown each in wire order and before
 * anything that comes after it; after a response, not before that was dealt with. `take` must not throw.
 */
export function tapped(
  messages: ReadableStream<AnyMessage>,
  take: (message: AnyMessage) => AnyMessage | null,
): ReadableStream<AnyMessage> {
  const reader = messages.getReader();
  const breath = new Breath();
  let isAfterResponse = false;
  return new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        if (isAfterResponse) await nextTurn();
        isAfterResponse = false;
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return controller.close();
          if (breath.isDue) await breath.breathe();
          const taken = take(value);
          if (!taken) continue;
          isAfterResponse = !('method' in taken);
          return controller.enqueue(taken);
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function limited(onWarning: OnWarning): OnWarning {
  let count = 0;
  return words => {
    count++;
    if (count <= mostWarnings) onWarning(words);
    if (count === mostWarnings) onWarning('There is more of this, which is passed over in silence.');
  };
}

/** What stands in it may have been said in a conversation, and warnings go to a log. */
function noiseWords(line: string): string {
  return `A line that is no message was passed over: ${Buffer.byteLength(line)} bytes.`;
}
