// The little there is of a test runner inside an extension host, the same in the server and on the desktop: node's own
// is not meant to live in a process that it did not start. Cases run one after the other in the order of their files.
// It promises a line of JSON for every case as soon as it ended, in the file that THROUGHLINE_HOST_RESULTS names;
// test/host/host.test.ts makes tests of them, and also the bundle, which holds every `*.test.ts` of this folder.

import { appendFileSync } from 'node:fs';

export type Result = { name: string; milliseconds: number; error?: string };

const cases: { name: string; body: () => Promise<void> | void }[] = [];
const patience = 60_000;

export function test(name: string, body: () => Promise<void> | void): void {
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
    const error = await attempt(body);
    failed += error === undefined ? 0 : 1;
    report({ name, milliseconds: performance.now() - started, error } satisfies Omit<Result, 'error'> & {
      error: unknown;
    });
  }
  if (failed > 0) {
    throw new Error(`${failed} of ${cases.length} cases failed.`);
  }
}

async function attempt(body: () => Promise<void> | void): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${patience / 1000} s.`)), patience);
  });
  try {
    await Promise.race([body(), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}
