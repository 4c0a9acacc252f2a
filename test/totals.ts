// A reporter for `node --test` that says nothing but what the whole run came to, as one line of JSON, for test/run.ts
// to add up over its layers. The counts are node's own.

import type { TestEvent } from 'node:test/reporters';

export const kinds = ['tests', 'suites', 'passed', 'failed', 'cancelled', 'skipped', 'todo'] as const;
export type Totals = Record<(typeof kinds)[number], number>;

export default async function* totals(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // Every file has a summary too. That of the run names no file.
    if (event.type === 'test:summary' && event.data.file === undefined) {
      yield `${JSON.stringify(event.data.counts)}\n`;
    }
  }
}
