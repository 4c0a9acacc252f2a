// Signing in to an agent at its command line, in a real terminal.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentErrorIn } from '../../../src/core/agentError.ts';
import { inTerminal } from '../../../src/host/agents/signInTerminal.ts';
import type { CommandLine } from '../../../src/node/acp/commandLine.ts';
import { test } from './index.ts';
import { until, withScratch } from './scratch.ts';

const never = new AbortController().signal;
const odd = ['two words', '"quoted"', '$HOME', '; exit 9', ''];

function script(folder: string, code: string, env: { readonly [name: string]: string } = {}): CommandLine {
  return {
    command: process.execPath,
    args: ['-e', code, '--', ...odd],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd: folder,
  };
}

async function failureOf(signingIn: Promise<void>): Promise<string> {
  const error = agentErrorIn(
    await signingIn.then(
      () => null,
      (cause: unknown) => cause,
    ),
  );
  return `${error?.code}: ${error?.message}`;
}

test('[H14] the command gets its arguments and its environment as they are, and a good end is a success', () =>
  withScratch(async folder => {
    const code = `require('fs').writeFileSync('said', JSON.stringify([process.argv.slice(1), process.env]))`;
    await inTerminal('Scripted', script(folder, code, { GIVEN: 'yes' }), never);
    const [args, env] = JSON.parse(readFileSync(join(folder, 'said'), 'utf8')) as [
      string[],
      { [name: string]: string },
    ];
    assert.deepEqual(args, odd);
    assert.equal(env['GIVEN'], 'yes');
    assert.equal(env['HOME'], undefined, 'nothing but what was given');
    assert.ok(env['TERM']);
  }));

test('[H14] another end is a failure in words, and the terminal is named after the agent', () =>
  withScratch(async folder => {
    const failure = failureOf(inTerminal('Scripted', script(folder, 'process.exit(3)'), never));
    assert.ok(vscode.window.terminals.some(({ name }) => name === 'Sign in: Scripted'));
    assert.equal(
      await failure,
      'sign-in: Scripted is not signed in: the program in the terminal ended with exit code 3.',
    );
    const missing = { ...script(folder, ''), command: join(folder, 'missing') };
    assert.match(await failureOf(inTerminal('Scripted', missing, never)), /^sign-in: Scripted is not signed in/);
  }));

test('[H14] a sign-in that nobody waits for is ended', () =>
  withScratch(async folder => {
    const code = `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)`;
    const abort = new AbortController();
    const failure = failureOf(inTerminal('Scripted', script(folder, code), abort.signal));
    const file = join(folder, 'pid');
    await until('the program runs', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
    abort.abort();
    assert.equal(await failure, 'cancelled: The sign-in was cancelled.');
    await until('the program is gone', () => !isAlive(Number(readFileSync(file, 'utf8'))));
    assert.equal(
      await failureOf(inTerminal('Scripted', script(folder, code), abort.signal)),
      'cancelled: The sign-in was cancelled.',
    );
    assert.deepEqual(
      vscode.window.terminals.filter(({ name }) => name === 'Sign in: Scripted'),
      [],
    );
  }));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
