// Agents as processes of this machine: how they are started, what is told when they cannot be, and that none is left
// behind, whoever is killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AgentError } from '../../../src/core/agentError.ts';
import { openChild } from '../../../src/node/acp/childProcess.ts';
import { environmentFor, type CommandLine } from '../../../src/node/acp/commandLine.ts';
import { ownScript } from '../support/ownScript.ts';
import { redactNothing } from '../../../src/node/acp/errors.ts';
import { LastWords } from '../../../src/node/acp/lastWords.ts';
import { plainText } from '../../../src/node/acp/plainText.ts';
import { resolveOnWindows } from '../../../src/node/acp/windowsCommand.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { processes } from '../../processes.mjs';
import { temporaryFolder } from '../support/history.ts';
import { commandLine, here, never, play, scripted, scriptedFile } from '../support/scriptedProgram.ts';

const onPosix = { skip: process.platform === 'win32' ? 'there are no process groups on Windows' : false };
const owner = fileURLToPath(new URL('../../agents/owner.ts', import.meta.url));

function below(pid: number): readonly number[] {
  const all = processes();
  const found = [pid];
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one).map(child => child.pid));
  return found.slice(1);
}

async function gone(pids: readonly number[], within: number): Promise<boolean> {
  for (let waited = 0; waited < within; waited += 50) {
    const running = new Set(processes().map(({ pid }) => pid));
    if (!pids.some(pid => running.has(pid))) return true;
    await delay(50);
  }
  return false;
}

const unstartable: readonly (readonly [what: string, line: (folder: string) => Partial<CommandLine>, words: RegExp])[] =
  [
    ['no such program', () => ({ command: 'no-such-agent' }), /^“no-such-agent” was not found on this machine\.$/],
    ['no such folder', folder => ({ cwd: join(folder, 'none') }), /^The folder “.*none”.* does not exist\.$/],
    ['not a program', folder => ({ command: join(folder, 'text') }), /^“.*text” may not be run on this machine\.$/],
    ['an empty name', () => ({ command: '' }), /could not be started/],
  ];

test('[A6] what cannot be started is told in words', onPosix, async t => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'text'), 'no program');
  chmodSync(join(folder, 'text'), 0o644);
  for (const [what, line, words] of unstartable)
    await t.test(what, async () => {
      const started = openChild({ ...commandLine(), ...line(folder) }, systemClock, () => {});
      await assert.rejects(started, (cause: AgentError) => {
        assert.equal(cause.code, 'cannot-start');
        assert.match(cause.message, words);
        return true;
      });
    });
});

test('[A6] arguments arrive as they are: there is no shell', onPosix, async () => {
  const script = 'process.stderr.write(process.argv.slice(1).join("|"))';
  const args = ['-e', script, '$(touch x)', 'a b', '"', ';exit', '*'];
  const transport = await openChild({ ...commandLine(), command: process.execPath, args }, systemClock, () => {});
  assert.equal((await transport.ended).lastWords, '$(touch x)|a b|"|;exit|*');
});

const ends: readonly (readonly [flags: readonly string[], signal: string | null])[] = [
  [[], null],
  [['--deaf'], 'SIGKILL'],
  [['--deaf', '--child'], 'SIGKILL'],
];

test('[A6] an agent that does not want to end is ended, with what it started', onPosix, async t => {
  for (const [flags, signal] of ends)
    await t.test(flags.join(' ') || 'an agent that ends by itself', async inner => {
      const before = below(process.pid);
      const program = scripted(inner, { flags });
      const agent = await program.start(never);
      const started = below(process.pid).filter(pid => !before.includes(pid));
      assert.ok(started.length >= 2, 'the agent and its leash');
      const death = new Promise(resolve => agent.onDidEnd(resolve));
      await program.stop();
      assert.equal(((await death) as { signal: string | null }).signal, signal);
      assert.ok(await gone(started, 5000), 'nothing is left');
    });
});

test('[A6] what an agent started goes with it when it dies', onPosix, async t => {
  const before = below(process.pid);
  const agent = await scripted(t, { flags: ['--child'] }).start(never);
  const session = await agent.newSession(here, never);
  const started = below(process.pid).filter(pid => !before.includes(pid));
  assert.ok(started.length >= 3, 'the agent, what it started and its leash');
  await play(session, 'crash');
  assert.ok(await gone(started, 5000));
});

test('[A6] SIGKILL to the owner of an agent leaves nothing behind after five seconds', onPosix, async t => {
  const args = [owner, scriptedFile, '--deaf', '--child'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await new Promise(resolve => child.stdout.once('data', resolve));
  const started = below(child.pid ?? 0);
  assert.ok(started.length >= 3, `${started.length} processes`);
  child.kill('SIGKILL');
  assert.ok(await gone(started, 5000));
});

test('[A6] the last words are bounded, and nothing that a terminal would act on', () => {
  const words = new LastWords(redactNothing);
  for (let n = 0; n < 10_000; n++) words.add(Buffer.from(`line ${n}\n`));
  const lines = words.text().split('\n');
  assert.deepEqual([lines.length, lines.at(-1)], [40, 'line 9999']);
  words.add(Buffer.alloc(1_000_000, 'x'));
  assert.equal(words.text().length, 8192);
  // Sequences are no words: were they kept without a bound, the words before them would still be the last ones.
  for (let n = 0; n < 10_000; n++) words.add(Buffer.from('\u001b[0m'));
  assert.equal(words.text(), '');
});

test('[A6] however much an agent prints, only its end stays in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const words = new LastWords(redactNothing);
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  words.add(megabyte);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 64; n++) words.add(megabyte);
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < 16 * 1024 * 1024, `${grown} bytes`);
  assert.equal(words.text().length, 8192);
});

const printed: readonly (readonly [printed: string, text: string])[] = [
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007words', 'words'],
  ['\u001b]8;;https://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['10%\r50%\r100%\nnext', '100%\nnext'],
  ['a\r\nb', 'a\nb'],
  ['bell\u0007 back\u0008 c1\u009b2J', 'bell back c1'],
  ['\u001b', ''],
];

test('[A6] control sequences are no words', () => {
  for (const [raw, text] of printed) assert.equal(plainText(raw), text);
});

test('[A6] an environment is passed on without what belongs to the editor', () => {
  const base = {
    PATH: '/bin',
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_IPC_HOOK: 'x',
    NODE_OPTIONS: '--inspect',
    gone: undefined,
  };
  assert.deepEqual(environmentFor(base, { KEY: 'k' }), { PATH: '/bin', KEY: 'k' });
  assert.deepEqual(ownScript('/app/code', 'a.js', ['x'], { PATH: '/bin' }, '/'), {
    command: '/app/code',
    args: ['a.js', 'x'],
    env: { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/',
  });
});

const npm =
  'IF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n)\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\foo\\bin\\foo.js" %*\r\n';
const disk: { readonly [path: string]: string } = {
  'C:\\npm\\foo.cmd': npm,
  'C:\\npm\\node_modules\\foo\\bin\\foo.js': '',
  'C:\\pnpm\\bar.cmd':
    '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\..\\bar\\cli.mjs" %*\r\n) ELSE (\r\n  node  "%~dp0\\..\\bar\\cli.mjs" %*\r\n)',
  'C:\\bar\\cli.mjs': '',
  'C:\\pnpm\\node.exe': '',
  'C:\\npm\\native.cmd': '"%dp0%\\node_modules\\native\\bin\\native.exe" %*',
  'C:\\npm\\node_modules\\native\\bin\\native.exe': '',
  'C:\\npm\\broken.cmd': '"%_prog%"  "%dp0%\\node_modules\\gone.js" %*',
  'C:\\npm\\batch.bat': 'echo %*',
  'C:\\node\\node.exe': '',
  'C:\\tools\\agent.exe': '',
  'planted.exe': '',
  'relative\\planted.exe': '',
};

const commands: readonly (readonly [command: string, found: readonly [string, ...string[]] | null])[] = [
  ['foo', ['C:\\node\\node.exe', 'C:\\npm\\node_modules\\foo\\bin\\foo.js']],
  ['C:\\npm\\foo.cmd', ['C:\\node\\node.exe', 'C:\\npm\\node_modules\\foo\\bin\\foo.js']],
  ['bar', ['C:\\pnpm\\node.exe', 'C:\\bar\\cli.mjs']],
  ['native', ['C:\\npm\\node_modules\\native\\bin\\native.exe']],
  ['agent', ['C:\\tools\\agent.exe']],
  ['agent.exe', ['C:\\tools\\agent.exe']],
  ['C:\\tools\\agent', ['C:\\tools\\agent.exe']],
  ['broken', null],
  ['batch', null],
  ['nothing', null],
  ['.\\agent.exe', null],
  ['planted', null],
];

test('[A6] on Windows a command is what is behind its batch file, and never in the current folder', () => {
  const path = '.;C:\\npm;C:\\node;"C:\\pnpm";C:\\tools;relative';
  const isFile = (file: string) => file in disk;
  for (const [command, found] of commands) {
    const resolved = resolveOnWindows(command, path, { isFile, read: file => disk[file] ?? '' });
    assert.deepEqual(resolved ? [resolved.command, ...resolved.args] : null, found, command);
  }
});
