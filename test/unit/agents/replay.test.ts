// Sessions that an agent kept: loaded with a replay, resumed without, forked, and what each is refused with. The agent is
// ended in between: what it knows afterwards is what it says itself.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { AgentSessionChange, RunningAgent } from '../../../src/core/agents.ts';
import { temporaryFolder } from '../support/history.ts';
import { here, never, play, scripted } from '../support/scriptedProgram.ts';

interface Kept {
  readonly id: string;
  readonly again: (...flags: readonly string[]) => Promise<RunningAgent>;
  readonly log: () => readonly (readonly string[])[];
}

/** A session in which two things were said, of an agent that is gone. */
async function kept(t: TestContext): Promise<Kept> {
  const folder = temporaryFolder(t);
  const env = { SCRIPTED_HOME: join(folder, 'sessions'), SCRIPTED_LOG: join(folder, 'log') };
  const program = scripted(t, { env });
  const session = await (await program.start(never)).newSession(here, never);
  await play(session, 'say: one');
  await play(session, 'say: two');
  await program.stop();
  return {
    id: session.id,
    again: (...flags) => scripted(t, { flags, env }).start(never),
    log: () =>
      readFileSync(env.SCRIPTED_LOG, 'utf8')
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { readonly model: readonly string[] }).model),
  };
}

const context = '<session_context>today is a day</session_context>';
const replays: readonly (readonly [flag: string, prompts: readonly string[]])[] = [
  ['--replay=before', ['one', 'two']],
  ['--replay=ids', [context, 'one', 'two']],
  // Without ids nobody can tell where the context ends.
  ['--replay=after', [`${context}one`, 'two']],
  ['--replay=context', [`${context}one`, 'two', '[Request interrupted by user]']],
];

test('[A7] a replay is swallowed, also when it comes after the answer, and its prompts are given back', async t => {
  for (const [flag, prompts] of replays)
    await t.test(flag, async inner => {
      const { id, again, log } = await kept(inner);
      const agent = await again(flag);
      const { session, replayedPrompts } = await agent.loadSession(id, here, never);
      assert.deepEqual(replayedPrompts, prompts);
      const changes: AgentSessionChange[] = [];
      session.onDidChange(change => changes.push(change));
      const { updates } = await play(session, 'hello');
      assert.deepEqual(updates, [
        { type: 'text', text: 'Hello, ' },
        { type: 'text', text: 'world.' },
      ]);
      assert.deepEqual(changes, []);
      assert.deepEqual(log().at(-1)?.slice(0, 2), ['one', 'two']);
      assert.deepEqual(session.commands.length, 1);
      assert.equal(agent.session(id), session);
    });
});

test('[A7] a session is resumed and forked with what it knew', async t => {
  const { id, again, log } = await kept(t);
  const agent = await again('--resume', '--fork', '--options=config');
  const fork = await agent.forkSession(id, here, never);
  assert.notEqual(fork.id, id);
  assert.equal((await play(fork, 'say: three')).text, 'one\n---\ntwo\n---\nthree');
  const session = await agent.resumeSession(id, here, never);
  assert.equal(session.options.length, 1);
  assert.equal((await play(session, 'say: four')).text, 'one\n---\ntwo\n---\nfour');
  assert.deepEqual(log().at(-1), ['one', 'two', 'four']);
  assert.equal(await agent.resumeSession(id, here, never), session);
});

const refusals: readonly (readonly [what: string, flags: readonly string[], id: string | null, code: string])[] = [
  ['gone', [], 'no-such', 'not-found'],
  ['not said to be able', ['--no-load'], null, 'not-supported'],
  ['said to be able and is not', ['--load=not-supported'], null, 'not-supported'],
  ['not found though it is there', ['--load=not-found'], null, 'not-found'],
  ['too soon', ['--load=minute'], null, 'other'],
];

test('[A7] a load that is refused says how, and leaves no session behind', async t => {
  const { id, again } = await kept(t);
  for (const [what, flags, other, code] of refusals)
    await t.test(what, async () => {
      const agent = await again(...flags);
      await assert.rejects(agent.loadSession(other ?? id, here, never), { name: 'AgentError', code });
      assert.equal(agent.session(other ?? id), undefined);
    });
});

test('[A7] a resume of a session that is gone is refused by that name', async t => {
  const { again } = await kept(t);
  const agent = await again('--resume');
  await assert.rejects(agent.resumeSession('no-such', here, never), { code: 'not-found' });
  await assert.rejects(agent.forkSession('no-such', here, never), { code: 'not-supported' });
});

test('[A7] a load that is never answered ends with the signal, and the agent goes on', async t => {
  const { id, again } = await kept(t);
  const agent = await again('--load=hang');
  await assert.rejects(agent.loadSession(id, here, AbortSignal.timeout(100)), { code: 'cancelled' });
  assert.equal(agent.session(id), undefined);
  assert.equal((await play(await agent.newSession(here, never), 'hello')).text, 'Hello, world.');
});

test('[A7] a session that is open is not loaded over, and one that is being loaded is not there yet', async t => {
  const { id, again } = await kept(t);
  const agent = await again();
  const loading = agent.loadSession(id, here, never);
  assert.equal(agent.session(id), undefined);
  await assert.rejects(agent.loadSession(id, here, never), { code: 'invalid' });
  const { session } = await loading;
  await assert.rejects(agent.loadSession(id, here, never), { code: 'invalid' });
  assert.equal(agent.session(id), session);
});
