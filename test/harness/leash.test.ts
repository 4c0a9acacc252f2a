// Proves the leash: real runs, each with a real server and mostly a real browser, are killed half way, at every place
// where a person or a machine may hit them, and five seconds later nothing of them is left: no process, no folder.
// How the leash does it is in ../leash.mjs.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { processesOf } from '../leash.mjs';
import { processOf, processes } from '../processes.mjs';
import type { Process } from '../processes.mjs';
import '../vscode/leashed.ts';
import { repository, temporaryFolder } from '../vscode/places.ts';

type Tree = {
  args: string[];
  folder: () => string;
  /** What has to run before the kill comes: each of these is found in the command of a process of the run. */
  up: RegExp[];
};

const serverAndBrowser = [/server-main\.js/, /--type=renderer/, /extensionHost/];

const trees: Record<string, Tree> = {
  'npm start': {
    args: ['start'],
    folder: () => repository,
    up: [/start\.ts/, /server-main\.js (?!.*install-extension)/],
  },
  'npm test': { args: ['test', '--', 'host'], folder: () => repository, up: serverAndBrowser },
  'npm test, while it installs': { args: ['test'], folder: freshClone, up: [/npm(-cli\.js)?.? install\b/] },
};

const rows: { tree: string; victim: RegExp }[] = [
  { tree: 'npm start', victim: /^npm start/ },
  { tree: 'npm start', victim: /bootstrap\.mjs/ },
  { tree: 'npm start', victim: /start\.ts/ },
  { tree: 'npm test', victim: /^npm test/ },
  { tree: 'npm test', victim: /bootstrap\.mjs/ },
  { tree: 'npm test', victim: /run\.ts/ },
  { tree: 'npm test', victim: / --test / },
  { tree: 'npm test, while it installs', victim: /^npm test/ },
  { tree: 'npm test, while it installs', victim: /bootstrap\.mjs/ },
];

for (const { tree, victim } of rows) {
  const options = { timeout: 90_000, skip: process.platform === 'win32' ? 'the leash is not on Windows' : false };
  test(`[L5] ${tree}: nothing is left 5 s after SIGKILL to ${victim.source}`, options, async () => {
    const { args, folder, up } = trees[tree] ?? assert.fail(tree);
    const temporary = temporaryFolder('row');
    const child = spawn('npm', args, { cwd: folder(), stdio: ['ignore', 'pipe', 'pipe'], env: environment(temporary) });
    let printed = '';
    child.stdout.on('data', data => (printed += String(data)));
    child.stderr.on('data', data => (printed += String(data)));
    const members = (): Process[] => membersOf(child.pid ?? 0, temporary);
    try {
      while (!up.every(command => members().some(one => command.test(one.command)))) {
        assert.equal(child.exitCode, null, `the run ended before it was killed:\n${printed}`);
        await delay(50);
      }
      const seen = members();
      const hit = seen.find(one => victim.test(one.command) && !/^\S*sh -c/.test(one.command));
      assert.ok(hit, `nobody fits ${victim.source}:\n${listing(seen)}`);
      process.kill(hit.pid, 'SIGKILL');
      const left = (): Process[] => [...seen.filter(one => processOf(one.pid)?.start === one.start), ...members()];
      for (
        const end = Date.now() + 5000;
        Date.now() < end && (left().length > 0 || foldersOfRuns(temporary).length > 0);
      ) {
        await delay(100);
      }
      assert.equal(listing(left()), '', 'these are still alive');
      assert.deepEqual(foldersOfRuns(temporary), [], 'the folder of the run is still there');
    } finally {
      for (const { pid } of members()) {
        process.kill(pid, 'SIGKILL');
      }
    }
  });
}

test('[L5] a run that ends by itself leaves nothing and keeps its exit code', { timeout: 30_000 }, async () => {
  const temporary = temporaryFolder('row');
  const child = spawn('npm', ['test', '--', 'no-such-layer'], { cwd: repository, env: environment(temporary) });
  const code = await new Promise(resolve => child.once('close', resolve));
  assert.equal(code, 2);
  for (const end = Date.now() + 5000; foldersOfRuns(temporary).length > 0 && Date.now() < end;) {
    await delay(20);
  }
  assert.deepEqual(foldersOfRuns(temporary), []);
  assert.equal(listing(processesOf(temporary)), '');
});

/** The mark of a run is the path of its temp folder, so that all runs inside `temporary` are found by it. */
function environment(temporary: string): NodeJS.ProcessEnv {
  return { ...process.env, TMPDIR: temporary, THROUGHLINE_SERVER: '1', NODE_TEST_CONTEXT: undefined };
}

/** Those that carry the mark of a run, and those above it that do not: npm, its shell, bootstrap.mjs, the leash. */
function membersOf(npm: number, temporary: string): Process[] {
  const found = new Map(processesOf(temporary).map(one => [one.pid, one]));
  const all = processes();
  for (let pids = [npm]; pids.length > 0;) {
    const layer = all.filter(one => pids.includes(one.pid) || pids.includes(one.parent));
    pids = layer.filter(one => !found.has(one.pid)).map(one => one.pid);
    for (const one of layer) {
      found.set(one.pid, one);
    }
  }
  return [...found.values()];
}

/** npm itself leaves a cache there. */
function foldersOfRuns(temporary: string): string[] {
  return readdirSync(temporary).filter(name => name.startsWith('tl-'));
}

function listing(list: Process[]): string {
  return list.map(({ pid, command }) => `${pid} ${command.slice(0, 150)}`).join('\n');
}

/** As much of a fresh clone as is needed to install the packages. */
function freshClone(): string {
  const clone = temporaryFolder('clone');
  mkdirSync(join(clone, 'test'));
  for (const file of [
    'package.json',
    'package-lock.json',
    'test/bootstrap.mjs',
    'test/leash.mjs',
    'test/processes.mjs',
  ]) {
    cpSync(join(repository, file), join(clone, file));
  }
  assert.ok(!existsSync(join(clone, 'node_modules')));
  return clone;
}
