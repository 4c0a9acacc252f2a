// The little there is of a test runner inside an extension host, the same in the server and on the desktop: node's own
// is not meant to live in a process that it did not start. Cases run one after the other in the order of their files.
// It promises a line of JSON for every case as soon as it ended, in the file that THROUGHLINE_HOST_RESULTS names, and that
// what a case left to be done after it is done before the next; test/host/host.test.ts makes tests of them, and also the
// bundle, which holds every `*.test.ts` of this folder.

import { appendFileSync } from 'node:fs';
import type { Case } from '../../unit/contract/runner.ts';
import type { Result } from '../result.ts';

type Body = (t: Case) => Promise<void> | void;

const cases: { name: string; body: Body }[] = [];
const patience = 60_000;

export function test(name: string, body: Body): void {
  cases.push({ name, body });
}

/** Called by VS Code. A rejection makes the exit code of the whole run. */
export async function run(): Promise<void> {
  const file = process.env.THROUGHLINE_HOST_RESULTS;
  if (!file) {
    throw new Error('THROUGHLINE_HOST_RESULTS is not set: this suite is run by test/host/host.test.ts.');
  }
  const report = (line: object): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  report({ planned: cases.length });
  let failed = 0;
  for (const { name, body } of cases) {
    const started = performance.now();
    const words: string[] = [];
    const error = await attempt(body, words);
    failed += error === undefined ? 0 : 1;
    const milliseconds = performance.now() - started;
    report({ name, milliseconds, words, ...(error === undefined ? {} : { error }) } satisfies Result);
  }
  if (failed > 0) {
    throw new Error(`${failed} of ${cases.length} cases failed.`);
  }
}

/** With all that it wanted done after it, also where it failed; the first error counts. */
async function attempt(body: Body, words: string[]): Promise<string | undefined> {
  const after: (() => void | Promise<void>)[] = [];
  const t: Case = { after: step => void after.push(step), diagnostic: said => void words.push(said) };
  let error = await outcome(() => body(t));
  for (const step of after) {
    const late = await outcome(step);
    error ??= late;
  }
  return error;
}

async function outcome(step: () => Promise<void> | void): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${patience / 1000} s.`)), patience);
  });
  try {
    await Promise.race([step(), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}
