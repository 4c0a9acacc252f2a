// How commands of an agent end when somebody else does: the agent, its session, the program that has both.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { never } from '../support/scriptedProgram.ts';
import { runs, shows } from '../../agents/plays.ts';
import { deafFamily, gone, pidsIn, shownIn, stage, until, type Stage } from './terminalsStage.ts';

const onPosix = { skip: process.platform === 'win32' ? 'there are no process groups on Windows' : false };
const owner = fileURLToPath(new URL('../../agents/terminalOwner.ts', import.meta.url));

const ends: readonly (readonly [what: string, end: (stage: Stage, terminalId: string) => Promise<unknown>])[] = [
  ['is stopped', ({ program }) => program.stop()],
  ['releases the terminal', ({ ask }, terminalId) => ask('release', { terminalId })],
  ['has its session closed', ({ session }) => session.close()],
  ['has its session deleted', ({ agent, session }) => agent.deleteSession(session.id, never)],
  ['has the terminals of its session ended', async ({ session }) => session.endTerminals()],
  ['is given up by its client', async ({ terminals }) => terminals.close()],
];

test('[A11] no command outlives its agent, its session or its terminal by five seconds', onPosix, async t => {
  for (const [what, end] of ends)
    await t.test(`an agent that ${what}`, async inner => {
      const at = await stage(inner, {}, ['--delete']);
      const terminalId = await at.start(deafFamily);
      const { output = '' } = await until(
        () => at.ask('output', { terminalId }),
        answer => pidsIn(answer.output ?? '').length === 2,
      );
      await end(at, terminalId);
      assert.ok(await gone(pidsIn(output), 5000));
    });
});

test('[A11] what an ended terminal printed is still answered, and its session goes on', onPosix, async t => {
  const at = await stage(t);
  const terminalId = await at.start(`console.log('ready'); setInterval(() => {}, 1000)`);
  await until(
    () => at.ask('output', { terminalId }),
    ({ output }) => output === 'ready\n',
  );
  at.session.endTerminals();
  assert.deepEqual(await at.ask('wait_for_exit', { terminalId }), { exitCode: null, signal: 'SIGTERM' });
  assert.equal((await at.ask('output', { terminalId })).output, 'ready\n');
  assert.deepEqual(await at.ask('release', { terminalId }), {});
  assert.equal(typeof (await at.start('0')), 'string');
});

test('[A11] no command outlives an agent that dies in the middle of it', onPosix, async t => {
  const { run } = await stage(t);
  const die = new AbortController();
  let pids: readonly number[] = [];
  const steps = [{ onCancel: [{ exit: 3 }] }, runs(deafFamily), shows(), { wait: 60_000 }];
  const { answer, updates } = await run(steps, die.signal, update => {
    pids = shownIn(update).flatMap(({ output }) => pidsIn(output));
    if (pids.length === 2) setImmediate(() => die.abort());
  });
  assert.equal(answer.agreed, false);
  assert.ok(updates.length > 0);
  assert.equal(pids.length, 2);
  assert.ok(await gone(pids, 5000));
});

test('[A11] SIGKILL to the owner of an agent ends what runs for the agent', onPosix, async t => {
  const child = spawn(process.execPath, [owner], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  await new Promise<void>(resolve =>
    child.stdout.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
      if (pidsIn(printed).length === 2) resolve();
    }),
  );
  child.kill('SIGKILL');
  assert.ok(await gone(pidsIn(printed), 5000));
});
