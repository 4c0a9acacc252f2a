// What an agent keeps itself: its list of sessions, deleting one, and who is signed in.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ListedSession, RunningAgent } from '../../../src/core/agents.ts';
import { listedOf } from '../../../src/node/acp/listed.ts';
import { temporaryFolder } from '../support/history.ts';
import { here, never, nobody, play, scripted } from '../support/scriptedProgram.ts';

async function all(agent: RunningAgent, cwd: string | null): Promise<readonly (readonly ListedSession[])[]> {
  const pages: (readonly ListedSession[])[] = [];
  let cursor: string | null = null;
  do {
    const { sessions, next } = await agent.listSessions(cwd, cursor, never);
    pages.push(sessions);
    cursor = next;
  } while (cursor !== null);
  return pages;
}

test('[A17] what it keeps is listed by pages, of one folder or of all, without what makes no sense', async t => {
  const agent = await scripted(t, { flags: ['--list', '--page=2'] }).start(never);
  const folder = temporaryFolder(t);
  const ids: string[] = [];
  for (const cwd of [here.cwd, folder, here.cwd]) ids.push((await agent.newSession({ cwd, alsoIn: [] }, never)).id);
  const pages = await all(agent, null);
  assert.deepEqual(
    pages.map(page => page.length),
    [2, 1],
  );
  assert.deepEqual(
    pages
      .flat()
      .map(({ id }) => id)
      .toSorted(),
    ids.toSorted(),
  );
  assert.deepEqual((await all(agent, folder)).flat(), [
    { id: ids[1], cwd: folder, title: `About ${ids[1]}`, updated: (await all(agent, folder)).flat()[0]?.updated },
  ]);
  const [first, second] = pages.flat();
  assert.equal(first?.title, `About ${first?.id}`);
  assert.ok(Math.abs((first?.updated ?? 0) - Date.now()) < 60_000);
  assert.deepEqual([second?.title, second?.updated], [null, null]);
  assert.deepEqual(await all(agent, '/nowhere'), [[]]);
});

const answers: readonly unknown[] = [undefined, null, 7, [], {}, { sessions: {}, nextCursor: '' }, { nextCursor: 7 }];

test('[A17] an answer that makes no sense is an empty list', () => {
  for (const answer of answers) assert.deepEqual(listedOf(answer), { sessions: [], next: null });
});

test('[A17] one that is deleted is gone, and so is one that was not there, however the agent says it', async group => {
  for (const flag of ['--gone=-32002', '--gone=-32001']) await group.test(flag, t => deleting(t, flag));
});

async function deleting(t: TestContext, flag: string): Promise<void> {
  const agent = await scripted(t, { flags: ['--list', '--delete', flag] }).start(never);
  const session = await agent.newSession(here, never);
  const other = await agent.newSession(here, never);
  await agent.deleteSession(session.id, never);
  await agent.deleteSession(session.id, never);
  await agent.deleteSession('never heard of', never);
  assert.deepEqual(
    (await all(agent, null)).flat().map(({ id }) => id),
    [other.id],
  );
  assert.equal(agent.session(session.id), undefined);
  assert.equal(agent.session(other.id), other);
  await assert.rejects(agent.loadSession(session.id, here, never), { code: 'not-found' });
}

test('[A17] one that cannot be deleted is said, and is still there', async t => {
  const agent = await scripted(t, { flags: ['--list', '--delete', '--gone=-32603'] }).start(never);
  const session = await agent.newSession(here, never);
  await assert.rejects(agent.deleteSession('never heard of', never), { code: 'other', message: /not found/ });
  assert.equal(agent.session(session.id), session);
});

test('[A17] a person who signed out must sign in again', async t => {
  const program = scripted(t, { flags: ['--auth', '--logout'] });
  const agent = await program.start(never);
  assert.equal(agent.abilities.signOut, true);
  await program.signIn('key', nobody, never);
  const session = await agent.newSession(here, never);
  await agent.signOut(never);
  await assert.rejects(agent.newSession(here, never), { code: 'sign-in' });
  assert.equal((await play(session, 'hello')).answer.needsSignIn, true);
  await program.signIn('key', nobody, never);
  assert.equal((await play(session, 'hello')).text, 'Hello, world.');
});

test('[A17] what it cannot do is refused by code, and not asked', async t => {
  const agent = await scripted(t).start(never);
  const refused = { name: 'AgentError', code: 'not-supported', message: /^Scripted cannot / };
  await assert.rejects(agent.listSessions(null, null, never), refused);
  await assert.rejects(agent.deleteSession('x', never), refused);
  await assert.rejects(agent.signOut(never), refused);
});
