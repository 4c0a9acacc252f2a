// Which rows the tree of sessions has and which of them are drawn again, and when the tree looks for changes, without
// VS Code and without a history.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TreeNode } from '../../../src/core/history/history.ts';
import { linesOf } from '../../../src/host/sessions/branchRows.ts';
import { RefreshLoop } from '../../../src/host/sessions/refreshLoop.ts';
import type { Group } from '../../../src/host/sessions/sessionRows.ts';
import { SessionTreeModel, type SessionNode, type Shown } from '../../../src/host/sessions/sessionTreeModel.ts';
import { FixedClock } from '../support/clock.ts';

type Sections = { readonly [group in Group]?: readonly string[] };

/** What is drawn of a session is its name; of those in `renamed` it is another. */
function shown(sections: Sections, renamed: readonly string[] = []): Shown {
  const ids = Object.values(sections).flat();
  return {
    sections: Object.entries(sections).map(([group, sessions]) => ({ group: group as Group, sessions })),
    summaries: new Map(),
    rows: new Map(ids.map(id => [id, renamed.includes(id) ? `new ${id}` : id])),
  };
}

function nameOf(node: SessionNode): string {
  switch (node.kind) {
    case 'group':
      return node.group;
    case 'session':
      return node.session;
    case 'branch':
      return `${node.from}–${node.leaf}`;
    case 'trace':
      return node.label;
    case 'more':
      return `more of ${node.of}`;
  }
}

const namesOf = (nodes: readonly SessionNode[]) => nodes.map(nameOf);

function node(id: string, parent: string | null, created: number, more: Partial<TreeNode> = {}): TreeNode {
  const none = { label: null, preview: '', trashed: false, name: null, note: null };
  return { id, parent, created, role: 'user', ...none, ...more };
}

const many = Array.from({ length: 201 }, (_, at) => `s${at}`);

const changes: readonly {
  readonly what: string;
  readonly before: Sections;
  readonly after: Sections;
  readonly renamed?: readonly string[];
  readonly unfolded?: readonly string[];
  readonly drawn: readonly string[] | 'all';
}[] = [
  { what: 'nothing changed', before: { Today: ['a', 'b'] }, after: { Today: ['a', 'b'] }, drawn: [] },
  { what: 'a row changed', before: { Today: ['a', 'b'] }, after: { Today: ['a', 'b'] }, renamed: ['b'], drawn: ['b'] },
  {
    what: 'a row that is not shown changed',
    before: { Today: many },
    after: { Today: many },
    renamed: ['s200'],
    drawn: [],
  },
  {
    what: 'another one is the first',
    before: { Pinned: ['p'], Today: ['a', 'b'] },
    after: { Pinned: ['p'], Today: ['b', 'a'] },
    renamed: ['p', 'b'],
    drawn: ['Today', 'p'],
  },
  { what: 'one is new', before: { Today: ['a'] }, after: { Today: ['b', 'a'] }, drawn: 'all' },
  { what: 'one is gone', before: { Today: ['a', 'b'] }, after: { Today: ['a'] }, drawn: 'all' },
  {
    what: 'one went to another group',
    before: { Pinned: ['p'], Today: ['a', 'b'] },
    after: { Pinned: ['p', 'b'], Today: ['a'] },
    drawn: 'all',
  },
  { what: 'a group is new', before: { Today: ['a'] }, after: { Pinned: ['p'], Today: ['a'] }, drawn: 'all' },
  {
    what: 'a session that is unfolded was touched',
    before: { Today: ['a', 'b'] },
    after: { Today: ['a', 'b'] },
    renamed: ['a', 'b'],
    unfolded: ['b'],
    drawn: ['a', 'b'],
  },
  {
    what: 'only the branches may have changed',
    before: { Today: ['a', 'b'] },
    after: { Today: ['a', 'b'] },
    unfolded: ['a'],
    drawn: ['a'],
  },
];

test('[H30] of what changed, only that is drawn again', async group => {
  for (const { what, before, after, renamed, unfolded = [], drawn } of changes) {
    await group.test(what, () => {
      const model = new SessionTreeModel();
      model.shown = shown(before);
      for (const session of unfolded) model.lines.set(session, linesOf([]));
      const found = model.update(shown(after, renamed), [...unfolded, 'another']);
      assert.deepEqual(found === 'all' ? found : namesOf(found), drawn);
      assert.equal(model.lines.size, 0, 'branches are read again');
    });
  }
});

test('[H30] a group has two hundred rows at first, and each row is the same object for ever', () => {
  const model = new SessionTreeModel();
  assert.deepEqual([model.groups(), model.counts], [[], { shown: 0, all: 0 }]);
  model.shown = shown({ Pinned: ['p'], Today: many });
  const [, today] = model.groups();
  assert.ok(today?.kind === 'group');
  const nodes = model.childrenOfGroup(today);
  assert.deepEqual([nodes.length, nodes.map(nameOf).at(-1), model.restOf('Today')], [201, 'more of Today', 1]);
  assert.equal(model.showMore('Today'), today);
  const all = model.childrenOfGroup(today);
  assert.deepEqual(namesOf(all), many);
  assert.equal(all[7], nodes[7]);
  assert.equal(model.parentOf(model.sessionNode('s7')), today);
  assert.equal(model.parentOf(model.sessionNode('gone')), undefined);
  assert.equal(model.counts.shown, 202);
});

const forked: readonly TreeNode[] = [
  node('root', null, 1),
  node('left', 'root', 2),
  node('left1', 'left', 3),
  node('left2', 'left', 4),
  node('right', 'root', 5),
  node('gone', 'root', 6, { trashed: true }),
  node('trace', 'root', 7, { label: 'subagent:reader:1' }),
];

const branches: readonly {
  readonly what: string;
  readonly nodes: readonly TreeNode[];
  readonly fitting?: readonly string[];
  /** The beginning of a branch; without one it is the session. */
  readonly from?: string;
  readonly rows: readonly string[];
}[] = [
  { what: 'one line', nodes: [node('a', null, 1), node('b', 'a', 2)], rows: [] },
  {
    what: 'forks, traces and what was deleted',
    nodes: forked,
    rows: ['right–right', 'left–left2', 'subagent:reader:1', 'gone–gone'],
  },
  { what: 'a fork in a branch', nodes: forked, from: 'left', rows: ['left2–left2', 'left1–left1'] },
  { what: 'a branch that does not fork', nodes: forked, from: 'right', rows: [] },
  { what: 'a branch that was deleted', nodes: forked, from: 'gone', rows: [] },
  { what: 'filtered for one branch', nodes: forked, fitting: ['left1'], rows: ['left–left2'] },
  { what: 'filtered, in a branch', nodes: forked, fitting: ['left1'], from: 'left', rows: ['left1–left1'] },
  {
    what: 'filtered for what a subagent said',
    nodes: forked,
    fitting: ['trace'],
    rows: ['right–right', 'left–left2', 'subagent:reader:1'],
  },
  {
    what: 'filtered for what was said before they part',
    nodes: forked,
    fitting: ['root'],
    rows: ['right–right', 'left–left2'],
  },
];

test('[H79] [H81] the rows below a session and a branch, of those that the filter leaves', async group => {
  for (const { what, nodes, fitting, from, rows } of branches) {
    await group.test(what, () => {
      const model = new SessionTreeModel();
      const lines = linesOf(nodes);
      model.lines.set('s', lines);
      if (fitting) model.fitting.set('s', new Set(fitting));
      const session = { kind: 'session', session: 's' } as const;
      const found =
        from === undefined
          ? model.childrenOfSession(session, lines)
          : model.childrenOfBranch({ kind: 'branch', session: 's', from, leaf: from }, lines);
      assert.deepEqual(namesOf(found), rows);
      for (const one of from === undefined ? found : []) assert.equal(model.parentOf(one), session);
    });
  }
});

test('[H79] the row of a branch stays the same while its way does, and is another one once it goes on', () => {
  const model = new SessionTreeModel();
  const session = { kind: 'session', session: 's' } as const;
  const [right, left] = model.childrenOfSession(session, linesOf(forked));
  const grown = model.childrenOfSession(session, linesOf([...forked, node('right1', 'right', 8)]));
  assert.deepEqual(namesOf(grown.slice(0, 2)), ['right–right1', 'left–left2']);
  assert.notEqual(grown[0], right);
  assert.equal(grown[1], left);
});

test('[H31] a session that had nothing below it is not unfolded until it changes', () => {
  const model = new SessionTreeModel();
  const summary = { id: 's', forked: true } as Parameters<typeof model.mayFork>[0];
  assert.equal(model.mayFork(summary), true);
  assert.deepEqual([model.markUnforked('s'), model.markUnforked('s'), model.mayFork(summary)], [true, false, false]);
  model.touch(['s']);
  assert.equal(model.mayFork(summary), true);
});

test('[H30] it looks at most four times a second, once at a time, and again after a change during a look', async () => {
  const clock = new FixedClock();
  const failures: unknown[] = [];
  const looks: (() => void)[] = [];
  const look = () => new Promise<void>((resolve, reject) => looks.push(looks.length === 1 ? reject : resolve));
  const loop = new RefreshLoop({ clock, look, onFailure: cause => failures.push(cause) });
  const lookEnds = async () => {
    looks.at(-1)?.();
    await new Promise(resolve => setImmediate(resolve));
  };
  for (let n = 0; n < 100; n++) loop.lookSoon();
  assert.deepEqual([clock.waiting, looks.length], [1, 0]);
  clock.advance(0);
  for (let n = 0; n < 100; n++) loop.lookSoon();
  assert.deepEqual([clock.waiting, looks.length], [0, 1]);
  clock.advance(100);
  await lookEnds();
  assert.equal(clock.waiting, 1, 'something changed during the look');
  clock.advance(149);
  assert.equal(looks.length, 1);
  clock.advance(1);
  assert.equal(looks.length, 2);
  await lookEnds();
  assert.deepEqual(
    [clock.waiting, failures.length],
    [0, 1],
    'a look that failed is the last one until something changes',
  );
  loop.lookSoon();
  loop.dispose();
  clock.advance(1000);
  assert.equal(looks.length, 2);
});
