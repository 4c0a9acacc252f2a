// A reporter for `node --test` that writes a line of JSON for each test as it ends, so that a run can be stopped at the
// first failure.

import type { TestEvent } from 'node:test/reporters';

export interface Ended {
  readonly name: string;
  /** A file fails as a whole where it doesn't load, or its process dies. */
  readonly outcome: 'passed' | 'failed' | 'timed out' | 'file failed';
  /** What the file printed as an error, where it failed as a whole. */
  readonly printed?: string;
}

export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const printed = new Map<string, string>();
  for await (const { type, data } of events) {
    if (type === 'test:stderr') printed.set(data.file, (printed.get(data.file) ?? '') + data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, file = '' } = data;
    // A file in which no test ran passes as well.
    if (type === 'test:pass' && isWholeFile(name, file)) continue;
    // What was skipped has proved nothing.
    if (type === 'test:pass' && (data.skip !== undefined || data.todo !== undefined)) continue;
    const outcome = outcomeOf(type, data);
    const more = outcome === 'file failed' ? { printed: printed.get(file) ?? '' } : {};
    yield `${JSON.stringify({ name, outcome, ...more } satisfies Ended)}\n`;
  }
}

function outcomeOf(type: 'test:pass' | 'test:fail', data: TestEvent['data']): Ended['outcome'] {
  if (type === 'test:pass') return 'passed';
  const { name = '', file = '', details } = data as { name?: string; file?: string; details: { error: Error } };
  if (isWholeFile(name, file)) return 'file failed';
  const error: Error & { failureType?: unknown } = details.error;
  return error.failureType === 'testTimeoutFailure' ? 'timed out' : 'failed';
}

function isWholeFile(name: string, file: string): boolean {
  return file !== '' && file.endsWith(name);
}
