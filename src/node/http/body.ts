// The body of a response, with a bound on its size, on the length of a line, and on the time between two of its parts.

import { HttpError } from '../../core/httpError.ts';

export interface BodyLimits {
  readonly mostBytes: number;
  /** Bytes without a line break; null for a body that isn't read by lines. */
  readonly longestLine: number | null;
  /** Milliseconds in which nothing comes while somebody reads. */
  readonly idleTime: number;
}

const newline = 10;

/** Ends with an HttpError at the first limit, and then closes the connection through `stop`. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  origin: string,
  { mostBytes, longestLine, idleTime }: BodyLimits,
  stop: AbortController,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let line = 0;
  const count = (part: Uint8Array): void => {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw tooLarge(origin, mostBytes);
    if (longestLine === null) return;
    const first = part.indexOf(newline);
    line += first === -1 ? part.byteLength : first;
    // A part is far shorter than a line may be, so a line that begins and ends in it isn't measured.
    const rest = first === -1 ? line : part.byteLength - 1 - part.lastIndexOf(newline);
    if (Math.max(line, rest) > longestLine) throw tooLarge(origin, longestLine);
    line = rest;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await within(reader.read(), idleTime, origin);
          if (done) return controller.close();
          count(value);
          controller.enqueue(value);
        } catch (cause) {
          stop.abort(cause);
          throw cause;
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function within<Value>(value: Promise<Value>, time: number, origin: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new HttpError('timeout', `${origin} sent nothing more for ${time / 1000} seconds.`));
    }, time);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}

function tooLarge(origin: string, most: number): HttpError {
  return new HttpError('too-large', `${origin} sent more than ${sizeOf(most)}, which isn’t read.`);
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.floor(bytes / 1024)} KB` : `${Math.floor(bytes / 1024 / 1024)} MB`;
}
