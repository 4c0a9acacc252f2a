// Proves that a run of tests comes to its end whatever its files do: real runs of `node --test`, with files that never end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { endStuck } from '../stuck.ts';
import '../vscode/leashed.ts';
import { temporaryFolder } from '../vscode/places.ts';

const limits = { longest: 3000, grace: 1000, lookEvery: 200 };
const passes = `import { test } from 'node:test';\ntest('it passes', () => {});\n`;

const rows: { what: string; file: string; says: RegExp[]; passed: number }[] = [
  {
    what: 'a file that goes round in its JavaScript',
    file: `${passes}test('it turns', () => { for (;;) roundAndRound(); });\nfunction roundAndRound() {}`,
    says: [/did not end in 3 s: .*odd\.test\.mjs/, /It runs:\n +(roundAndRound|\(nameless\)) .*odd\.test\.mjs:[34]/],
    passed: 1,
  },
  {
    what: 'a file that holds something open',
    file: `${passes}setInterval(() => {}, 1000);`,
    says: [/did not end in 3 s: .*odd\.test\.mjs/, /It holds open: .*Timeout/],
    passed: 2,
  },
  {
    what: 'a file whose thread waits where JavaScript does not run',
    file: `${passes}process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`,
    says: [/did not end in 3 s: .*odd\.test\.mjs/, /Threads:\n +MainThread: S .*futex/],
    passed: 2,
  },
  {
    what: 'a file that leaves something behind with its pipes',
    file: `${passes}import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: true }).unref();
      await new Promise(resolve => setTimeout(resolve, 1000));`,
    says: [/left behind what it had started: .*odd\.test\.mjs\n.*setInterval/],
    passed: 2,
  },
];

for (const { what, file, says, passed } of rows)
  test(
    `[L7] a run of tests ends, and says why: ${what}`,
    { skip: process.platform === 'win32' ? 'there is no list of processes on Windows' : false },
    async () => {
      const folder = temporaryFolder('stuck');
      writeFileSync(join(folder, 'odd.test.mjs'), file);
      writeFileSync(join(folder, 'plain.test.mjs'), passes);
      const child = spawn(
        process.execPath,
        ['--test', '--test-reporter=tap', '--test-concurrency=1', 'odd.test.mjs', 'plain.test.mjs'],
        { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
      );
      const over = new AbortController();
      const said: string[] = [];
      const watching = endStuck(child.pid ?? 0, over.signal, limits, words => said.push(words));
      const printed = await text(child.stdout);
      over.abort();
      await watching;
      for (const words of says) assert.match(said.join('\n'), words);
      assert.equal(said.length, 1, said.join('\n'));
      assert.equal(printed.match(/^ok .*it passes/gm)?.length, passed, printed);
    },
  );
