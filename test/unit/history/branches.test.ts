// Branches as everything outside sees them: `new Tree(await history.tree(session))` for what hangs where, and the
// history for paths, heads, the trash and back.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { History, TreeNode } from '../../../src/core/history/history.ts';
import { Tree } from '../../../src/core/history/tree.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { answerFact, sessionFact, setFact, userFact } from '../support/facts.ts';
import { openTestHistory, temporaryFolder } from '../support/history.ts';
import { refused, until } from '../support/refused.ts';

const session = 'session22222';
const patience = { timeout: 60_000 };

/**
 * Ids as they are read, in the order of their age:
 *
 *     a ─ b ─ c ─ d          e is the newest leaf of the conversation; s1 and s2 are a subagent's, beside b
 *     │   └ (s1 ─ s2)
 *     └ f ─ g
 *       └ h ─ e
 */
const rows: readonly (readonly [id: string, parent: string | null, label?: string])[] = [
  ['a', null],
  ['b', 'a'],
  ['c', 'b'],
  ['s1', 'b', 'subagent:look:1'],
  ['s2', 's1', 'subagent:look:1'],
  ['d', 'c'],
  ['f', 'a'],
  ['g', 'f'],
  ['h', 'f'],
  ['e', 'h'],
];

async function grown(t: TestContext): Promise<{ readonly history: OpenedHistory; readonly folder: string }> {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  await history.append(session, [sessionFact(session)]);
  for (const [at, [id, parent, label]] of rows.entries()) {
    const created = 2000 + at;
    const fact = label === undefined ? userFact(session, id, parent, `text ${id}`, created) : null;
    await history.append(session, [fact ?? answerFact(session, id, parent, { created, label: label ?? '' })]);
  }
  return { history, folder };
}

async function treeOf(history: History): Promise<Tree<TreeNode>> {
  return new Tree(await history.tree(session));
}

function idsOf(found: readonly { readonly id: string }[]): string {
  return found.map(({ id }) => id).join(' ');
}

test('[J30] children, leaves, paths and partings are those of the tree', async t => {
  const { history, folder } = await grown(t);
  for (const window of [history, await openTestHistory(folder)]) {
    assert.equal(idsOf(await window.tree(session)), idsOf(rows.map(([id]) => ({ id }))), 'oldest first');
    const tree = await treeOf(window);
    const children = { a: 'b f', b: 'c s1', c: 'd', d: '', f: 'g h', h: 'e', s1: 's2', nobody: '' };
    for (const [id, expected] of Object.entries(children)) assert.equal(idsOf(tree.children(id)), expected, id);
    assert.equal(idsOf(tree.children(null)), 'a');
    assert.equal(idsOf(tree.leaves()), 'e g d');
    assert.equal(tree.subtree('b').join(' '), 'b c s1 d s2');
    assert.deepEqual([tree.leafBelow('a'), tree.leafBelow('b'), tree.leafBelow('g')], ['e', 'd', 'g']);
    assert.deepEqual([tree.lastLeafBelow('a'), tree.lastLeafBelow('b'), tree.lastLeafBelow('g')], ['e', 'd', 'g']);
    const ways = [
      ['d', { b: ['b', 'f'] }, []],
      ['e', { f: ['b', 'f'], h: ['g', 'h'] }, []],
      ['f', { f: ['b', 'f'] }, ['g', 'h']],
      ['b', { b: ['b', 'f'] }, ['c']],
      [null, {}, ['a']],
    ] as const;
    for (const [id, beside, below] of ways) {
      assert.deepEqual(await window.branches(session, id), { beside, below }, `${id}`);
      if (id) assert.deepEqual((await window.open(session, id))?.branches, { beside, below }, id);
    }
    assert.equal(await window.branches(session, 'nobody'), undefined);
    const partings = [
      ['d', 'e', 'a'],
      ['g', 'e', 'f'],
      ['c', 'd', 'c'],
      ['d', 'd', 'd'],
      ['s2', 'd', 'b'],
      ['d', 'nobody', null],
    ] as const;
    for (const [one, other, expected] of partings) {
      assert.equal(tree.parting(one, other), expected, `${one} ${other}`);
      assert.equal(tree.parting(other, one), expected, `${other} ${one}`);
    }
    const paths = { a: 'a', d: 'a b c d', e: 'a f h e', g: 'a f g', s2: 'a b s1 s2' };
    for (const [id, expected] of Object.entries(paths)) {
      assert.equal(tree.pathTo(id).join(' '), expected);
      assert.equal(idsOf((await window.open(session, id))?.path ?? []), expected);
      assert.equal((await window.open(session, id))?.head, id);
    }
    assert.deepEqual(tree.pathTo('nobody'), []);
    await assert.rejects(window.open(session, 'nobody'), refused('no-message'));
  }
});

test('[J30] a branch has a name and a note, which are what they were last set to', async t => {
  const { history, folder } = await grown(t);
  await history.append(session, [
    setFact(session, 'name', 'first', { of: 'd' }),
    setFact(session, 'note', 'why', { of: 'd' }),
  ]);
  await history.append(session, [
    setFact(session, 'name', 'second', { of: 'd' }),
    setFact(session, 'name', 'x', { of: 'e' }),
  ]);
  await history.append(session, [setFact(session, 'name', null, { of: 'e' })]);
  for (const window of [history, await openTestHistory(folder)]) {
    const named = (await window.tree(session)).filter(({ name, note }) => name !== null || note !== null);
    assert.deepEqual(
      named.map(({ id, name, note }) => [id, name, note]),
      [['d', 'second', 'why']],
    );
  }
});

interface TrashRow {
  readonly what: string;
  readonly act: (history: History) => Promise<unknown>;
  readonly trashed: string;
  readonly leaves: string;
}

const subtree = (message: string) => ({ message, subtree: true });
const leaf = (message: string) => ({ message, subtree: false });

const trashRows: readonly TrashRow[] = [
  { what: 'a leaf', act: h => h.trash(session, leaf('d')), trashed: 'd', leaves: 'e g c' },
  { what: 'a leaf, as a subtree', act: h => h.trash(session, subtree('e')), trashed: 'e', leaves: 'h g d' },
  {
    what: 'a subtree, subagents with it',
    act: h => h.trash(session, subtree('b')),
    trashed: 'b c s1 s2 d',
    leaves: 'e g',
  },
  { what: 'all of it', act: h => h.trash(session, subtree('a')), trashed: 'a b c s1 s2 d f g h e', leaves: '' },
  { what: 'a subagent’s run', act: h => h.trash(session, subtree('s1')), trashed: 's1 s2', leaves: 'e g d' },
  { what: 'what is not there', act: h => h.trash(session, subtree('nobody')), trashed: '', leaves: 'e g d' },
  {
    what: 'there and back',
    act: async h => [await h.trash(session, subtree('f')), await h.restore(session, 'f')],
    trashed: '',
    leaves: 'e g d',
  },
  {
    what: 'a leaf, then the branch that it is on; the branch back',
    act: async h => [
      await h.trash(session, leaf('g')),
      await h.trash(session, subtree('f')),
      await h.restore(session, 'f'),
    ],
    trashed: 'g',
    leaves: 'e d',
  },
  {
    what: 'a branch, and one message of it back: what it answers comes with it',
    act: async h => [await h.trash(session, subtree('f')), await h.restore(session, 'h')],
    trashed: '',
    leaves: 'e g d',
  },
  {
    what: 'a branch and the one that it is on, and its leaf back',
    act: async h => [
      await h.trash(session, subtree('h')),
      await h.trash(session, subtree('a')),
      await h.restore(session, 'e'),
    ],
    trashed: '',
    leaves: 'e g d',
  },
  {
    what: 'restored what is not in it',
    act: async h => [await h.restore(session, 'd'), await h.restore(session, 'nobody')],
    trashed: '',
    leaves: 'e g d',
  },
];

test('[J30] a leaf or a subtree goes to the trash and back, and nothing else moves', patience, async t => {
  for (const { what, act, trashed, leaves } of trashRows) {
    const { history, folder } = await grown(t);
    const whole = await history.list({ session, order: 'oldest' });
    await act(history);
    for (const window of [history, await openTestHistory(folder)]) {
      const nodes = await window.tree(session);
      assert.equal(idsOf(nodes.filter(node => node.trashed)), trashed, what);
      const tree = await treeOf(window);
      assert.equal(idsOf(nodes.filter(({ id }) => tree.isTrashed(id))), trashed, what);
      assert.equal(idsOf(tree.leaves()), leaves, what);
      assert.deepEqual(await window.list({ session, order: 'oldest' }), whole, 'nothing is lost');
    }
  }
});

test('[J30] a message that was answered is refused unless its subtree is asked for, and nothing is written', async t => {
  const { history, folder } = await grown(t);
  const sizes = () => readdirSync(join(folder, 'journal')).map(name => statSync(join(folder, 'journal', name)).size);
  const before = sizes();
  // The children of c are shown; what answers s1 is a subagent's; what answers h may be in the trash already.
  for (const id of ['a', 'c', 's1']) await assert.rejects(history.trash(session, leaf(id)), refused('has-children'));
  await history.restore(session, 'd');
  assert.deepEqual(sizes(), before);
  await history.trash(session, leaf('e'));
  await assert.rejects(history.trash(session, leaf('h')), refused('has-children'));
  assert.equal(idsOf((await history.tree(session)).filter(({ trashed }) => trashed)), 'e');
});

test('[J30] nothing goes on from a message in the trash before it is restored', async t => {
  const { history } = await grown(t);
  await history.trash(session, subtree('b'));
  for (const parent of ['b', 'd']) {
    await assert.rejects(history.append(session, [userFact(session, 'next', parent, 'x')]), refused('trashed'), parent);
  }
  await history.restore(session, 'b');
  await history.append(session, [userFact(session, 'next', 'd', 'x')]);
  assert.equal(idsOf((await history.open(session, 'next'))?.path ?? []), 'a b c d next');
  // Said by another way, and later: the last word counts.
  await history.trash(session, subtree('f'));
  await history.append(session, [setFact(session, 'trashed', false, { of: 'f' })]);
  await history.append(session, [userFact(session, 'onward', 'g', 'x')]);
});

const headRows: readonly {
  readonly what: string;
  readonly act: (history: History) => Promise<unknown>;
  readonly head: string | null;
}[] = [
  { what: 'never set', act: async () => {}, head: 'e' },
  { what: 'set', act: h => set(h, 'd'), head: 'd' },
  { what: 'inside a path', act: h => set(h, 'b'), head: 'b' },
  { what: 'set twice', act: async h => [await set(h, 'd'), await set(h, 'g')], head: 'g' },
  { what: 'unknown', act: h => set(h, 'nobody'), head: 'e' },
  { what: 'null', act: h => set(h, null), head: 'e' },
  { what: 'a subagent’s', act: h => set(h, 's2'), head: 'b' },
  { what: 'in the trash', act: async h => [await set(h, 'd'), await h.trash(session, leaf('d'))], head: 'c' },
  { what: 'deep in the trash', act: async h => [await set(h, 'd'), await h.trash(session, subtree('b'))], head: 'a' },
  {
    what: 'back',
    act: async h => [await set(h, 'd'), await h.trash(session, subtree('b')), await h.restore(session, 'b')],
    head: 'd',
  },
  {
    what: 'unknown, the newest in the trash',
    act: async h => [await set(h, 'nobody'), await h.trash(session, subtree('h'))],
    head: 'g',
  },
  { what: 'all in the trash', act: async h => [await set(h, 'd'), await h.trash(session, subtree('a'))], head: null },
];

function set(history: History, head: string | null): Promise<void> {
  return history.append(session, [setFact(session, 'head', head)]);
}

test('[J30] a session opens at its head, or at what is left above it, or at its newest branch', patience, async t => {
  for (const { what, act, head } of headRows) {
    const { history, folder } = await grown(t);
    await act(history);
    for (const window of [history, await openTestHistory(folder)]) {
      const opened = await window.open(session);
      assert.equal(opened?.head, head, what);
      assert.deepEqual(
        opened.path.map(({ id }) => id),
        (await treeOf(window)).pathTo(head),
        what,
      );
    }
  }
});

test('[J30] of two heads that two windows set, the later one by the clock stands in both', patience, async t => {
  const { history: one, folder } = await grown(t);
  const two = await openTestHistory(folder);
  for (const [at, head] of ['d', 'g', 'e', 'b'].entries()) {
    const [writes, hears] = at % 2 === 0 ? [one, two] : [two, one];
    await set(writes, head);
    await until(async () => (await hears.open(session))?.head === head);
  }
  await Promise.all([set(one, 'd'), set(two, 'g')]);
  const heads = async () => Promise.all([one, two].map(async window => (await window.open(session))?.head));
  const third = (await (await openTestHistory(folder)).open(session))?.head;
  assert.ok(third === 'd' || third === 'g');
  await until(async () => (await heads()).every(head => head === third));
});

test('[J30] a branch in the trash of one window is in the trash of the other', patience, async t => {
  const { history: one, folder } = await grown(t);
  const two = await openTestHistory(folder);
  const trashed = async (history: History) => idsOf((await history.tree(session)).filter(node => node.trashed));
  await one.trash(session, subtree('h'));
  await until(async () => (await trashed(two)) === 'h e');
  await assert.rejects(two.append(session, [userFact(session, 'next', 'e', 'x')]), refused('trashed'));
  await two.restore(session, 'e');
  await until(async () => (await trashed(one)) === '');
});
