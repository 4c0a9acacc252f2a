// In which of several folders a session works: what folders are called, what a row says, and that a conversation begins and
// goes on where it was chosen, and nowhere else once something was said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentPlace } from '../../../src/core/agents.ts';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import { folderNameOf, folderNames } from '../../../src/host/folderNames.ts';
import { sessionRow } from '../../../src/host/sessions/sessionRows.ts';
import { converse, stage } from '../conversation/stage.ts';
import { FixedClock } from '../support/clock.ts';
import { ids } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';

const named = (paths: readonly string[]) => paths.map(path => ({ path, name: path.split('/').at(-1) ?? '' }));
const names: { readonly [what: string]: readonly [readonly string[], readonly string[]] } = {
  'by their own names': [
    ['/a/api', '/a/web'],
    ['api', 'web'],
  ],
  'with what they lie in, where two are called the same': [
    ['/one/api', '/two/api', '/two/web'],
    ['api (one)', 'api (two)', 'web'],
  ],
  'with all of the way there, where that is called the same too': [
    ['/x/src/api', '/y/src/api'],
    ['api (/x/src)', 'api (/y/src)'],
  ],
};
for (const [what, [paths, called]] of Object.entries(names))
  test(`[H116] folders are called ${what}`, () => {
    assert.deepEqual([...folderNames(named(paths)).values()], called);
  });

test('[H116] a folder is named where there are several, and where it is one of them', () => {
  const [one, two] = ['/a/api', '/a/web'] as const;
  const rows = [
    [one, [one, two], 'api'],
    [one, [one], null],
    ['/gone', [one, two], null],
    [null, [one, two], null],
  ] as const;
  for (const [cwd, folders, name] of rows) assert.equal(folderNameOf(cwd, named(folders)), name);
});

test('[H116] the row of a session says in which folder it works, for a screen reader too', () => {
  const summary = { id: 'a', title: 'A', agent: { id: 'one', name: 'One' }, active: 0, labels: ['work'] };
  const row = sessionRow(summary as unknown as SessionSummary, 'running', 0, 'api');
  assert.equal(row.description, 'running · api · One · #work');
  assert.equal(row.spoken, 'A, running, api, One, work');
});

const folders = ['/first', '/second', '/third'];
const place = (wanted: string | null): AgentPlace => {
  const cwd = folders.find(folder => folder === wanted) ?? '/first';
  return { cwd, alsoIn: folders.filter(folder => folder !== cwd) };
};

test('[H116] a session begins where it was chosen last, goes on there in the next window, and cannot be moved', async t => {
  const agent = new ScriptedAgent();
  const { conversation, history, ended } = await stage(t, agent, { place });
  assert.equal(conversation.cwd, '/first');
  assert.equal(conversation.setFolder('/second'), true);
  assert.equal(conversation.setFolder('/third'), true);
  await conversation.send('one');
  assert.equal(conversation.setFolder('/second'), false, 'not while a turn runs');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await ended();
  assert.equal(conversation.setFolder('/second'), false);
  assert.equal(conversation.cwd, '/third');
  assert.deepEqual(agent.places, [{ cwd: '/third', alsoIn: ['/first', '/second'] }]);
  const stored = await history.open(conversation.session);
  assert.equal(stored?.cwd, '/third');
  const next = new ScriptedAgent();
  const again = converse(history, next, new FixedClock(), { stored }, { place });
  await again.send('two');
  (await next.nextTurn()).end({ reason: 'end_turn' });
  assert.deepEqual(next.places, [{ cwd: '/third', alsoIn: ['/first', '/second'] }]);
  await again.leave();
});

test('[H116] what an agent was asked for ahead in another folder is not used', async t => {
  const agent = new ScriptedAgent();
  const { conversation, ended } = await stage(t, agent, { place });
  await conversation.prepare();
  conversation.setFolder('/second');
  await conversation.send('one');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await ended();
  assert.equal(agent.places.at(-1)?.cwd, '/second');
});

test('[H116] a folder that is gone from the window gives way to the first, and a new session may be given one', async t => {
  const { history, agent } = await stage(t);
  const gone = converse(history, agent, new FixedClock(), { id: ids.session(), cwd: '/gone' }, { place });
  assert.equal(gone.cwd, '/first');
  const given = converse(history, agent, new FixedClock(), { id: ids.session(), cwd: '/second' }, { place });
  assert.equal(given.cwd, '/second');
});
