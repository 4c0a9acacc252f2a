// What agents keep of sessions that are deleted here: found by what is bound, offered where the agent can delete, and deleted
// with a real process at the other end; and the words before and after.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { AgentProgram } from '../../../src/core/agents.ts';
import { bindingFact } from '../../../src/core/conversation/binding.ts';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import {
  boundIn,
  copiesAmong,
  copiesOf,
  copiesOfOne,
  deleteAt,
  type AgentCopy,
} from '../../../src/host/sessions/agentCopies.ts';
import {
  branchErasedWords,
  branchEraseQuestion,
  eraseQuestion,
  erasedWords,
  restoredWords,
} from '../../../src/host/sessions/deletingWords.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { here, scripted } from '../support/scriptedProgram.ts';

const one = { id: 'a', title: 'One', messages: 2 } as SessionSummary;
const running = { deleteSession: () => Promise.resolve() };
const can: AgentCopy = { name: 'Can', sessions: [{ id: 'x', of: 'a' }], running };
const cannot: AgentCopy = { name: 'Cannot', sessions: [{ id: 'y', of: 'a' }], running: null };

test('[H118] the question offers to delete at the agent only where one can, and says who may keep a copy', () => {
  assert.equal(eraseQuestion([one]).deleting, null);
  assert.doesNotMatch(eraseQuestion([one]).detail.join('\n'), /copy/);
  const both = eraseQuestion([one], [can, cannot]);
  assert.equal(both.deleting, 'Delete Here and at Can');
  assert.match(both.detail.join('\n'), /Can can delete the copy[^]*Cannot may keep a copy[^]*cannot be undone\.$/);
  assert.equal(eraseQuestion([one], [cannot]).deleting, null);
});

test('[H118] what became of the copy is said apart from what became of the session', () => {
  assert.equal(erasedWords([one], 0), 'Deleted “One” permanently.');
  assert.equal(erasedWords([one], 0, [can]), 'Deleted “One” permanently, and Can deleted its copy.');
  assert.equal(
    erasedWords([one], 0, [can], ['Can: no such session']),
    'Deleted “One” permanently. Not everything could be deleted at the agent. Can: no such session',
  );
});

test('[H118] the same is offered and said of a branch', () => {
  const gone = { label: 'left', messages: 2, branches: 1, wasStopped: false };
  assert.equal(branchEraseQuestion(gone).deleting, null);
  const both = branchEraseQuestion(gone, [can, cannot]);
  assert.equal(both.deleting, 'Delete Here and at Can');
  assert.match(both.detail.join('\n'), /Can can delete the copy[^]*Cannot may keep a copy[^]*cannot be undone\.$/);
  assert.equal(branchErasedWords(gone, 0, [can]), 'Deleted the branch “left” permanently, and Can deleted its copy.');
  assert.equal(
    branchErasedWords(gone, 0, [can], ['Can: no such session']),
    'Deleted the branch “left” permanently. Not everything could be deleted at the agent. Can: no such session',
  );
});

test('[H118] of a branch, only the agent sessions that know messages of it are meant', () => {
  const bound = (agentSession: string, from: string | null, head: string | null) => ({
    agent: 'scripted',
    agentSession,
    from,
    head,
    dirty: head === null,
    cwd: null,
    owner: 'w',
  });
  const rows = [
    bound('of the branch', null, 'b2'),
    bound('told of the branch', 'b1', null),
    bound('of another branch', null, 'c1'),
    bound('of what both go on from', null, 'a1'),
    bound('of nothing yet', null, null),
    'no binding',
  ];
  const branch = new Set(['b1', 'b2']);
  assert.deepEqual(boundIn(rows, branch), rows.slice(0, 2));
  assert.deepEqual(boundIn(rows, new Set()), []);
});

test('[H118] all agents are asked at once, and one that does not answer in time offers nothing', async () => {
  const rest = { from: null, head: null, dirty: false, cwd: null, owner: 'w' };
  const bindings = ['one', 'two'].map(agent => ({ agent, agentSession: `at ${agent}`, ...rest }));
  let asked = 0;
  const both = Promise.withResolvers<void>();
  const signals = new Set<AbortSignal>();
  const program = (id: string) => ({
    ref: { id, name: id },
    about: null,
    takesPath: false,
    async start(signal: AbortSignal): Promise<never> {
      signals.add(signal);
      if (++asked === 2) both.resolve();
      await both.promise;
      throw new Error('It does not answer.');
    },
    signIn: () => Promise.reject(new Error('no')),
    stop: () => Promise.resolve(),
  });
  const copies = await copiesOfOne({ id: 'a', bindings }, id => Promise.resolve(program(id)));
  assert.deepEqual(
    copies.map(({ name, running: by }) => [name, by]),
    [
      ['one', null],
      ['two', null],
    ],
  );
  assert.equal(signals.size, 1, 'they have one time together');
});

test('[H119] what was restored while the question stood is said to stay', () => {
  assert.equal(restoredWords(1), '1 session was restored meanwhile and stays.');
  assert.equal(restoredWords(2), '2 sessions were restored meanwhile and stay.');
});

test('[H118] the copies of some sessions are found, and only those of the chosen are deleted', async t => {
  const home = temporaryFolder(t);
  const program = scripted(t, { flags: ['--delete'], env: { SCRIPTED_HOME: home } });
  const history = await openTestHistory(temporaryFolder(t));
  const agent = await program.start(AbortSignal.timeout(20_000));
  const { ref } = program;
  const begun: string[] = [];
  for (const title of ['gone', 'kept', 'none']) {
    const session = ids.session();
    await history.append(session, [sessionFact(session), userFact(session, ids.message(), null, title)]);
    begun.push(session);
    if (title === 'none') continue;
    const { id: agentSession } = await agent.newSession(here, AbortSignal.timeout(20_000));
    const rest = { from: null, head: null, dirty: false, cwd: null, owner: history.writer };
    await history.append(session, [bindingFact(session, { agent: ref.id, agentSession, ...rest })]);
  }
  const sessions = await history.sessions();
  const get = (id: string): Promise<AgentProgram> =>
    id === ref.id ? Promise.resolve(program) : Promise.reject(new Error('There is no such agent.'));
  const copies = await copiesOf(sessions, [ref.id, 'gone'], history, get);
  assert.deepEqual(
    copies.map(({ name, sessions: kept, running: by }) => [name, kept.length, by !== null]),
    [[ref.name, 2, true]],
  );
  const chosen = sessions.filter(({ id }) => id === begun[0]);
  assert.equal(readdirSync(home).length, 2);
  assert.deepEqual(await deleteAt(copiesAmong(copies, chosen)), []);
  assert.equal(readdirSync(home).length, 1);
  assert.equal(readdirSync(home)[0], `${copies[0]?.sessions.find(({ of }) => of === begun[1])?.id}.json`);
  const unreachable = await copiesOf(sessions, [ref.id], history, () => Promise.reject(new Error('no')));
  assert.deepEqual(
    unreachable.map(({ running: by }) => by),
    [null],
  );
});

test('[H118] of an agent that cannot delete it is known that it may keep a copy', async t => {
  const program = scripted(t, {});
  const bindings = [
    { agent: program.ref.id, agentSession: 'x', from: null, head: null, dirty: false, cwd: null, owner: 'w' },
  ];
  const copies = await copiesOfOne({ id: 'a', bindings }, () => Promise.resolve(program));
  assert.deepEqual(copies, [{ name: program.ref.name, sessions: [{ id: 'x', of: 'a' }], running: null }]);
});

test('[H118] one that refuses is told with why, and the others are deleted all the same', async () => {
  const deleted: string[] = [];
  const refusing = {
    deleteSession: (id: string) =>
      id === 'x' ? Promise.reject(new Error('It is locked.')) : Promise.resolve(void deleted.push(id)),
  };
  const kept = [
    { id: 'x', of: 'a' },
    { id: 'y', of: 'b' },
  ];
  assert.deepEqual(await deleteAt([{ name: 'Can', sessions: kept, running: refusing }]), ['Can: It is locked.']);
  assert.deepEqual(deleted, ['y']);
});
