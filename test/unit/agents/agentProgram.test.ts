// An agent as a window has it: a real process with files, terminals and questions behind the guard and the person.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { AllowRules } from '../../../src/core/conversation/allowRules.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { textOf } from '../../../src/model/message.ts';
import { redactNothing } from '../../../src/node/acp/errors.ts';
import { childProgram } from '../../../src/node/agentProgram.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { converse, settled } from '../conversation/stage.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { scriptedFile } from '../support/scriptedProgram.ts';

const patience = { timeout: 60_000 };

async function scene(t: TestContext) {
  const work = join(realpathSync(temporaryFolder(t)), 'work');
  mkdirSync(work);
  writeFileSync(join(work, '.env'), 'TOKEN=canary\n');
  const warnings: string[] = [];
  const window = {
    clock: systemClock,
    clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
    homeFolder: work,
    newId: ids.message,
    folders: () => [work],
    own: [],
    editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
    mcpServers: () => Promise.resolve([]),
    redact: redactNothing,
  };
  const program = childProgram(
    {
      ref: { id: 'scripted', name: 'Scripted' },
      line: () => Promise.resolve({ command: process.execPath, args: [scriptedFile], env: {} }),
      inTerminal: () => Promise.reject(new Error('no terminal')),
      idleAfter: 60_000,
      onWarning: words => warnings.push(words),
    },
    window,
  );
  t.after(() => program.stop());
  const everything: AllowRules = {
    all: () => [{ agent: 'scripted', tool: 'read', command: null, words: 'allow reading files' }],
    add() {},
  };
  const history = await openTestHistory(temporaryFolder(t));
  const clock = new FixedClock();
  const conversation = converse(history, program, clock, { id: ids.session() }, { rules: everything });
  return { work, history, conversation, warnings };
}

function calls(...list: readonly { readonly method: string; readonly params: object }[]): string {
  return `play: ${JSON.stringify(list.map(call => ({ call })))}`;
}

function asked(conversation: Conversation): Promise<Conversation['transcript']['permissions'][number]> {
  const first = () => conversation.transcript.permissions[0];
  return new Promise(resolve => {
    const look = () => {
      const found = first();
      if (found) resolve(found);
      return found !== undefined;
    };
    if (look()) return;
    const stop = conversation.onDidChange(() => {
      if (look()) stop();
    });
  });
}

test(
  '[F1] a person is asked about a secret each time, whatever their rules, and the answer is in history',
  patience,
  async t => {
    const { work, history, conversation } = await scene(t);
    const path = join(work, '.env');
    const read = { method: 'fs/read_text_file', params: { path } };
    for (const [choice, expected] of [
      ['reject', /did not allow/],
      ['allow', /TOKEN=canary/],
    ] as const) {
      assert.deepEqual(await conversation.send(calls(read)), { sent: true });
      const permission = await asked(conversation);
      assert.ok(permission.why);
      assert.equal(permission.rule, undefined);
      assert.equal(conversation.answerPermission(permission.id, choice), true);
      await settled(conversation);
      const answer = (await history.open(conversation.session))?.path.at(-1) ?? assert.fail();
      assert.match(textOf(answer), expected);
      const [call] = answer.blocks;
      assert.ok(call?.kind === 'toolCall');
      assert.equal(call.permission?.allowed, choice === 'allow');
      assert.equal(call.status, choice === 'allow' ? 'completed' : 'failed');
    }
  },
);

test('[F1] what would be written to a secret stands in the question and not in history', patience, async t => {
  const { work, history, conversation } = await scene(t);
  const write = { method: 'fs/write_text_file', params: { path: join(work, '.env'), content: 'TOKEN=other' } };
  await conversation.send(calls(write));
  const permission = await asked(conversation);
  assert.match(JSON.stringify(permission.output), /TOKEN=other/);
  conversation.answerPermission(permission.id, 'reject');
  await settled(conversation);
  const answer = (await history.open(conversation.session))?.path.at(-1) ?? assert.fail();
  assert.equal(answer.blocks[0]?.kind, 'toolCall');
  assert.doesNotMatch(JSON.stringify(answer), /TOKEN=other/);
  assert.equal(readFileSync(join(work, '.env'), 'utf8'), 'TOKEN=canary\n');
});

test(
  '[A10] what an agent of a window runs in a terminal works in its folder, and a file elsewhere is not given',
  patience,
  async t => {
    const { work, conversation, warnings } = await scene(t);
    const write = { method: 'fs/write_text_file', params: { path: join(work, 'made.txt'), content: 'made\n' } };
    const outside = { method: 'fs/read_text_file', params: { path: join(work, '../elsewhere.txt') } };
    const run = {
      method: 'terminal/create',
      params: { command: process.execPath, args: ['-p', 'process.cwd()'] },
    };
    const wait = { method: 'terminal/wait_for_exit', params: { terminalId: '$terminal' } };
    const output = { method: 'terminal/output', params: { terminalId: '$terminal' } };
    await conversation.send(calls(write, outside, run, wait, output));
    await settled(conversation);
    const words = textOf(conversation.transcript.messages[1] ?? assert.fail());
    assert.equal(readFileSync(join(work, 'made.txt'), 'utf8'), 'made\n');
    assert.match(words, /is not given/);
    assert.ok(words.includes(work), words);
    assert.deepEqual(warnings, []);
  },
);
