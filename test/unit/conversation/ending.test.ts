// What a conversation's agents left running, when it goes to the trash or for ever: with a real agent that runs real
// commands, and across two windows.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { bindingOf } from '../../../src/core/conversation/binding.ts';
import { textOf } from '../../../src/model/message.ts';
import { redactNothing } from '../../../src/node/acp/errors.ts';
import { childProgram } from '../../../src/node/agentProgram.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { runs, shows, terminal, type Step } from '../../agents/plays.ts';
import { gone } from '../agents/terminalsStage.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { scriptedFile } from '../support/scriptedProgram.ts';
import { converse, settled, stage } from './stage.ts';

const patience = { timeout: 60_000 };
const onPosix = { ...patience, skip: process.platform === 'win32' ? 'there are no process groups on Windows' : false };

/** Throws where there is no such process. */
const isRunning = (pid: number) => process.kill(pid, 0);

/** A conversation in which the agent left a command running after its turn, for each of the branches. */
async function leftRunning(t: TestContext, flags: readonly string[] = []) {
  const work = join(realpathSync(temporaryFolder(t)), 'work');
  mkdirSync(work);
  const log = join(temporaryFolder(t), 'log');
  const program = childProgram(
    {
      ref: { id: 'scripted', name: 'Scripted' },
      line: () =>
        Promise.resolve({ command: process.execPath, args: [scriptedFile, ...flags], env: { SCRIPTED_LOG: log } }),
      inTerminal: () => Promise.reject(new Error('no terminal')),
      idleAfter: 60_000,
      onWarning: words => t.diagnostic(words),
    },
    {
      clock: systemClock,
      clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
      homeFolder: work,
      newId: ids.message,
      folders: () => [work],
      own: [],
      editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
      mcpServers: () => Promise.resolve([]),
      redact: redactNothing,
    },
  );
  t.after(() => program.stop());
  const history = await openTestHistory(temporaryFolder(t));
  const conversation = converse(history, program, systemClock, { id: ids.session() });
  const say = async (steps: readonly Step[], parent?: string | null) => {
    const options = parent === undefined ? {} : { parent };
    assert.deepEqual(await conversation.send(`play: ${JSON.stringify(steps)}`, options), { sent: true });
    await settled(conversation);
    return textOf(conversation.transcript.messages.at(-1) ?? assert.fail());
  };
  /** Its process id. */
  const run = async (name: string, parent?: string | null) => {
    const file = join(work, name);
    const script = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    await say([runs(script), shows()], parent);
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await delay(5);
    return Number(readFileSync(file, 'utf8'));
  };
  return { conversation, history, program, say, run, log };
}

test('[H32] a session that goes to the trash ends what its agents left running, on all branches', onPosix, async t => {
  const { conversation, say, run } = await leftRunning(t);
  // The second is of another agent session.
  const pids = [await run('one'), await run('two', null)];
  assert.equal(new Set(pids).size, 2);
  assert.ok(pids.every(isRunning));
  await conversation.setTrashed(true);
  assert.ok(await gone(pids, 5000));
  // The agent has its memory and its terminal, so that a restored session goes on as it was.
  await conversation.setTrashed(false);
  assert.match(await say([terminal('wait_for_exit')]), /"signal":"SIGTERM"/);
});

test('[H119] what goes to the trash in another window ends what runs here, also between turns', patience, async t => {
  const { history, agent, conversation, ended, folder, clock } = await stage(t);
  history.onDidAppend(change => void conversation.follow(change));
  await conversation.send('first');
  const turn = await agent.nextTurn();
  turn.end({ reason: 'end_turn' });
  await ended();
  const other = await openTestHistory(folder);
  const stored = (await other.open(conversation.session)) ?? assert.fail();
  const second = converse(other, new ScriptedAgent(), clock, { stored });
  assert.deepEqual(agent.ended, []);
  await second.setTrashed(true);
  while (!conversation.transcript.trashed || agent.ended.length === 0) await delay(5);
  assert.deepEqual(agent.ended, [`terminals of ${turn.agentSession}`]);
});

for (const [what, flags] of [
  ['that can close sessions', ['--close']],
  ['that cannot', []],
] as const)
  test(`[H118] closing its sessions ends what an agent ${what} left running, and forgets them`, onPosix, async t => {
    const { conversation, history, program, run } = await leftRunning(t, flags);
    const pids = [await run('one'), await run('two', null)];
    const [first, second] = ((await history.open(conversation.session))?.bindings ?? [])
      .map(value => bindingOf(value)?.agentSession ?? assert.fail())
      .toReversed();
    const agent = await program.start(AbortSignal.timeout(20_000));
    conversation.closeSessions(new Set([first ?? assert.fail()]));
    assert.ok(await gone(pids.slice(0, 1), 5000));
    assert.ok(pids.slice(1).every(isRunning));
    assert.equal(agent.session(first ?? ''), undefined);
    assert.notEqual(agent.session(second ?? ''), undefined);
    conversation.closeSessions();
    assert.ok(await gone(pids.slice(1), 5000));
    assert.equal(agent.session(second ?? ''), undefined);
  });
