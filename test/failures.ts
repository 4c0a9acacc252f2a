// A reporter for `node --test` that writes one line of JSON for each test that failed: its full name and the first line of
// its message. test/repeat.ts counts them over many runs.

import type { TestEvent } from 'node:test/reporters';

export interface Failure {
  /** The names of the tests around it, the outermost first, and its own. */
  readonly name: string;
  readonly message: string;
}

export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:fail') continue;
    // A test that failed only because one inside it did is not counted again.
    if (failureTypeOf(data.details.error) === 'subtestsFailed') continue;
    const around = names.slice(0, data.nesting);
    const failure: Failure = { name: [...around, data.name].join(' › '), message: messageOf(data.details.error) };
    yield `${JSON.stringify(failure)}\n`;
  }
}

function failureTypeOf(error: Error): unknown {
  return 'failureType' in error ? error.failureType : undefined;
}

function messageOf({ message, cause }: Error): string {
  const words = cause instanceof Error ? cause.message : message;
  return (
    words
      .split('\n')
      .find(line => line.trim() !== '')
      ?.trim() ?? words
  );
}
