// What the tree, the pickers and the messages of deleting say of sessions, without VS Code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionSummary, TreeNode } from '../../../src/core/history/history.ts';
import { branchRows, linesOf, traceRows, trashedRows, waysBelow } from '../../../src/host/sessions/branchRows.ts';
import {
  branchEraseQuestion,
  branchTrashedWords,
  eraseQuestion,
  erasedWords,
  failedWords,
  trashedWords,
} from '../../../src/host/sessions/deletingWords.ts';
import { hitRows, titleRows } from '../../../src/host/sessions/resumeRows.ts';
import { sectionsOf, sessionRow, tooltipOf } from '../../../src/host/sessions/sessionRows.ts';

const now = new Date(2026, 10, 18, 12).getTime();
const hour = 3_600_000;

function summary(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    title: `Title of ${id}`,
    agent: { id: 'one', name: 'One' },
    model: null,
    mode: null,
    cwd: null,
    key: null,
    origin: null,
    created: now - hour,
    active: now - hour,
    expires: null,
    messages: 2,
    trashed: false,
    archived: false,
    pinned: false,
    labels: [],
    forked: false,
    metadata: {},
    ...more,
  };
}

test('[H30] each session stands in one group, what was put away before what is pinned before its day', () => {
  const sessions = [
    summary('a'),
    summary('b', { active: now - 24 * hour }),
    summary('c', { active: now - 72 * hour }),
    summary('d', { active: now - 400 * hour }),
    summary('e', { pinned: true, active: now - 400 * hour }),
    summary('f', { archived: true, pinned: true }),
    summary('g', { trashed: true, archived: true, pinned: true }),
    summary('h'),
  ];
  assert.deepEqual(
    sectionsOf(sessions, now).map(({ group, sessions: ids }) => `${group}: ${ids.join(' ')}`),
    ['Pinned: e', 'Today: a h', 'Yesterday: b', 'Last 7 days: c', 'Older: d', 'Trash: g', 'Archived: f'],
  );
  assert.deepEqual(sectionsOf([], now), []);
});

test('[H30] a row says when, whose, and what the session is doing, and which menus fit', () => {
  const labelled = summary('a', { labels: ['work'], pinned: true });
  const rows = [
    [sessionRow(summary('a'), 'nothing', now), '1 h · One', 'comment-discussion', 'session'],
    [sessionRow(summary('a'), 'running', now), 'running · One', 'loading~spin', 'session'],
    [sessionRow(summary('a'), 'needsPerson', now), 'needs you · One', 'bell-dot', 'session'],
    [sessionRow(labelled, 'nothing', now), '1 h · One · #work', 'pinned', 'session.pinned'],
    [sessionRow(summary('a', { archived: true }), 'nothing', now), '1 h · One', 'archive', 'session.archived'],
    [sessionRow(summary('a', { trashed: true }), 'nothing', now), '1 h · One', 'trash', 'trashedSession'],
  ] as const;
  for (const [row, description, icon, context] of rows) {
    assert.deepEqual([row.description, row.icon.name, row.context], [description, icon, context]);
    assert.match(row.spoken, /^Title of a, /);
  }
  assert.equal(sessionRow(summary('a', { title: '' }), 'nothing', now).label, 'New session');
});

test('[H30] the tooltip says title, agent, model, times, messages and what it took', () => {
  const costs = [{ amount: 0.0042, currency: 'USD' }];
  const full = summary('a', { model: 'big', labels: ['x'] });
  const words = tooltipOf(full, { inputTokens: 12_000, outputTokens: 7, costs }).join('\n');
  for (const part of ['Title of a', 'One · big', 'Created ', 'Last active ', '2 messages · 12,000 tokens in, 7 out'])
    assert.ok(words.includes(part), `${part} in ${words}`);
  assert.match(words, /0\.0042 USD\nLabels: x$/);
  assert.doesNotMatch(tooltipOf(summary('a')).join('\n'), /tokens|Labels/);
});

function node(id: string, parent: string | null, created: number, more: Partial<TreeNode> = {}): TreeNode {
  const role = more.role ?? 'user';
  return { id, parent, created, label: null, preview: '', trashed: false, name: null, note: null, ...more, role };
}

test('[H31] branches are called by their name or their last prompt, newest first; one branch is none', () => {
  const line = [node('a', null, 1, { preview: 'first' }), node('b', 'a', 2, { role: 'assistant' })];
  assert.deepEqual(branchRows(linesOf(line)), []);
  const forked = [
    ...line,
    node('c', 'b', 3, { preview: 'go left' }),
    node('d', 'c', 4, { role: 'assistant' }),
    node('e', 'b', 5, { preview: 'go right' }),
    node('f', 'e', 6, { role: 'assistant', name: 'The right way', note: 'better' }),
    node('g', 'b', 7, { preview: 'in the trash', trashed: true }),
    node('h', 'a', 8, { role: 'assistant' }),
    node('s', 'b', 9, { label: 'subagent:x:1', preview: 'beside' }),
  ];
  assert.deepEqual(
    branchRows(linesOf(forked)).map(({ leaf, label, named }) => [leaf, label, named]),
    [
      ['h', 'first', false],
      ['f', 'The right way', true],
      ['d', 'go left', false],
    ],
  );
  const long = node('x', null, 1, { preview: `${'word '.repeat(15)}😀😀😀😀` });
  for (const { label } of branchRows(linesOf([long, node('y', null, 2)]))) assert.ok(label.isWellFormed(), label);
});

test('[H79] ways are nested where they fork, and what subagents did and what was deleted stand beside them', () => {
  const nodes = [
    node('a', null, 1, { preview: 'root' }),
    node('b', 'a', 2, { role: 'assistant' }),
    node('c', 'b', 3, { preview: 'left' }),
    node('d', 'c', 4, { role: 'assistant' }),
    node('e', 'd', 5, { preview: 'left, once' }),
    node('f', 'd', 6, { preview: 'left, twice', name: 'Twice' }),
    node('g', 'b', 7, { preview: 'right' }),
    node('h', 'b', 8, { preview: 'gone', trashed: true }),
    node('i', 'h', 9, { role: 'assistant', trashed: true }),
    node('j', 'h', 10, { preview: 'gone, and again', trashed: true }),
    node('s', 'b', 11, { label: 'subagent:reader:1' }),
    node('t', 's', 12, { label: 'subagent:reader:1', role: 'assistant' }),
    node('u', 'b', 13, { label: 'subagent:writer:2' }),
  ];
  const tree = linesOf(nodes);
  const shown = (rows: ReturnType<typeof waysBelow>) =>
    rows.map(({ from, leaf, label, forks }) => `${from}–${leaf} ${label}${forks ? ' …' : ''}`);
  assert.deepEqual(shown(waysBelow(tree, null)), ['g–g right', 'c–f left …']);
  assert.deepEqual(shown(waysBelow(tree, 'c')), ['f–f Twice', 'e–e left, once']);
  assert.deepEqual(shown(waysBelow(tree, 'g')), []);
  assert.deepEqual(shown(trashedRows(tree)), ['h–h gone …']);
  assert.deepEqual(
    branchRows(tree).map(({ from, leaf }) => [from, leaf]),
    [
      ['g', 'g'],
      ['f', 'f'],
      ['e', 'e'],
    ],
  );
  assert.deepEqual(
    traceRows(tree).map(({ label, messages, created }) => [label, messages, created]),
    [
      ['subagent:writer:2', 1, 13],
      ['subagent:reader:1', 2, 12],
    ],
  );
  const deep = Array.from({ length: 20_000 }, (_, at) => node(`m${at}`, at < 2 ? null : `m${at - 2 - (at % 2)}`, at));
  assert.equal(branchRows(linesOf(deep)).length, 10_001);
});

test('[H80] what goes with a branch is said before and after', () => {
  const one = { label: 'left', messages: 3, branches: 1, wasStopped: false };
  const two = { label: 'right', messages: 1, branches: 2, wasStopped: true };
  assert.equal(branchTrashedWords([one]), 'Moved the branch “left” (3 messages) to the trash.');
  assert.equal(
    branchTrashedWords([two]),
    'Stopped the answer and moved the branch “right” (1 message in 2 branches) to the trash.',
  );
  assert.match(branchTrashedWords([one, two]), /moved 2 branches \(4 messages in 3 branches\) to/);
  assert.match(branchEraseQuestion(two).detail.join('\n'), /^1 message in 2 branches, .*\nThis cannot be undone\.$/);
});

test('[H31] ten thousand branches are rows in one pass', () => {
  const nodes = Array.from({ length: 10_000 }, (_, at) => node(`m${at}`, 'root', at, { preview: `prompt ${at}` }));
  const rows = branchRows(linesOf([node('root', null, 0, { preview: 'root' }), ...nodes]));
  assert.deepEqual([rows.length, rows[0]?.label, rows.at(-1)?.label], [10_000, 'prompt 9999', 'prompt 0']);
});

test('[H32] what is asked before and said after deleting', () => {
  const three = ['a', 'b', 'c'].map(id => summary(id));
  const [a] = three;
  assert.ok(a);
  assert.equal(trashedWords([a], 0), 'Moved “Title of a” to the trash.');
  assert.equal(trashedWords(three, 0), 'Moved 3 sessions to the trash.');
  assert.equal(trashedWords([a], 1), 'Stopped the answer and moved “Title of a” to the trash.');
  const question = eraseQuestion(three);
  assert.equal(question.text, 'Delete 3 sessions permanently?');
  for (const part of ['• Title of a', '• Title of c', '6 messages', 'cannot be undone'])
    assert.ok(question.detail.join('\n').includes(part));
  assert.ok(eraseQuestion(Array.from({ length: 20 }, (_, at) => summary(`n${at}`))).detail.includes('… and 12 more'));
  assert.equal(eraseQuestion([a]).text, 'Delete “Title of a” permanently?');
  assert.equal(erasedWords(three, 0), 'Deleted 3 sessions permanently.');
  assert.match(erasedWords([a], 2), /2 files of it will be cleaned/);
  const failed = [{ title: 'Title of b', words: 'The disk is full.' }];
  assert.equal(failedWords('deleted', failed, 3), '“Title of b” could not be deleted. The disk is full.');
  assert.match(failedWords('deleted', [...failed, ...failed], 3), /^2 of 3 sessions could not/);
});

test('[H34] titles fit by every typed word, most recent first, and hits in what was said name their session', () => {
  const sessions = [
    summary('a', { title: 'Retry with a delay', active: now - 2 * hour }),
    summary('b', { title: 'Delay of the retry', active: now - hour }),
    summary('c', { title: 'Retry in the trash', trashed: true }),
  ];
  const ids = (typed: string) => titleRows(sessions, typed, now).map(({ session }) => session);
  assert.deepEqual([ids(''), ids('RETRY del'), ids('with'), ids('nothing')], [['b', 'a'], ['b', 'a'], ['a'], []]);
  const where = { agent: 'One', archived: false, trashed: false, dormant: false, branch: null, label: null };
  const hit = {
    session: 'a',
    title: 'T',
    role: 'user',
    where,
    block: 0,
    position: 0,
    created: now,
    marks: [],
  } as const;
  const rows = hitRows(
    [
      { ...hit, message: null, leaf: null, snippet: 'a title' },
      { ...hit, message: 'm', leaf: 'l', snippet: 'said here' },
    ],
    now,
  );
  assert.deepEqual(rows, [{ session: 'a', leaf: 'l', label: 'You', description: 'T · now', snippet: 'said here' }]);
});
