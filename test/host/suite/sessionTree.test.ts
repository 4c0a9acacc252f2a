// The tree of sessions inside VS Code, over a real history in a folder of its own: which rows there are, what they keep,
// and what is drawn again.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import { treeFilter } from '../../../src/host/sessions/sessionFilter.ts';
import { SessionList } from '../../../src/host/history/sessionList.ts';
import { SessionTree, type SessionTreePorts } from '../../../src/host/sessions/sessionTree.ts';
import type { SessionNode } from '../../../src/host/sessions/sessionTreeModel.ts';
import type { Fact } from '../../../src/model/record.ts';
import { openHistory, type OpenedHistory } from '../../../src/node/history/history.ts';
import { test } from './index.ts';
import { until } from './scratch.ts';

const now = new Date(2026, 10, 18, 12).getTime();
const agent = { id: 'one', name: 'One' };

async function withHistory(run: (history: OpenedHistory) => Promise<void>): Promise<void> {
  const extension = vscode.extensions.getExtension('throughline.throughline');
  assert.ok(extension);
  const dist = join(extension.extensionPath, 'dist');
  const folder = mkdtempSync(join(tmpdir(), 'throughline-tree-'));
  const files = { workerFile: join(dist, 'history.js'), wasmFile: join(dist, 'sql-wasm.wasm') };
  const history = await openHistory({ folder, writer: 'writer22', ...files });
  try {
    await run(history);
  } finally {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function treeOf(
  history: Pick<OpenedHistory, 'sessions' | 'tree'> & Partial<OpenedHistory>,
  more: Partial<SessionTreePorts> = {},
) {
  const tree = new SessionTree({
    list: new SessionList(of => history.sessions(of && { ids: of })),
    totals: async session => (await history.fields?.(session))?.totals,
    branches: session => history.tree(session),
    doing: () => 'nothing',
    folderOf: () => null,
    clock: { now: () => now, after: (_milliseconds, later) => (setImmediate(later), () => {}) },
    onFailure: assert.ifError,
    ...more,
  });
  const drawn: (SessionNode | undefined)[] = [];
  tree.onDidChangeTreeData(node => drawn.push(node));
  return { tree, drawn };
}

function said(session: string, id: string, parent: string | null, text: string, created = now): Fact {
  const blocks = [{ kind: 'text', mime: 'text/markdown', text }] as const;
  const end = { reason: 'end_turn', at: created } as const;
  return { type: 'message', session, message: { id, parent, role: 'user', created, blocks, end } };
}

function begun(session: string, created = now): readonly Fact[] {
  const first: Fact = { type: 'session', session, created, agent };
  const title: Fact = { type: 'set', session, name: 'title', value: `Title ${session}` };
  return [first, title, said(session, `${session}1`, null, 'first', created)];
}

const labelsOf = async (tree: SessionTree, node?: SessionNode) =>
  (await tree.getChildren(node)).map(child => tree.getTreeItem(child).label);

test('[H30] groups, rows and their tooltips are those of the history, and a row stays itself', () =>
  withHistory(async history => {
    for (const id of ['aaa', 'bbb', 'ccc']) await history.append(id, begun(id));
    await history.append('aaa', [{ type: 'set', session: 'aaa', name: 'pinned', value: true }]);
    await history.trash('ccc');
    const { tree, drawn } = treeOf(history);
    const groups = await tree.getChildren();
    const items = groups.map(group => tree.getTreeItem(group));
    assert.deepEqual(
      items.map(({ id, collapsibleState }) => [id, collapsibleState]),
      [
        ['group:Pinned', vscode.TreeItemCollapsibleState.Expanded],
        ['group:Today', vscode.TreeItemCollapsibleState.Expanded],
        ['group:Trash', vscode.TreeItemCollapsibleState.Collapsed],
      ],
    );
    const [row] = await tree.getChildren(groups[1]);
    assert.ok(row);
    const item = tree.getTreeItem(row);
    assert.deepEqual([item.id, item.label, item.description], ['bbb', 'Title bbb', 'now · One']);
    assert.equal(item.tooltip, undefined, 'it is asked for late');
    const { tooltip } = await tree.resolveTreeItem(item, row);
    assert.match(typeof tooltip === 'string' ? tooltip : '', /^Title bbb\nOne\nCreated .*\n.*\n1 message$/);
    assert.deepEqual(tree.getParent(row), groups[1]);

    await history.append('bbb', [{ type: 'set', session: 'bbb', name: 'givenTitle', value: 'Another' }]);
    tree.refresh('bbb');
    await until('the row is drawn again', () => drawn.length > 0);
    assert.deepEqual(drawn, [row], 'and no other');
    assert.equal(drawn[0], row, 'VS Code knows it by the very object');
    assert.equal(tree.getTreeItem(row).label, 'Another');

    await history.append('bbb', [{ type: 'set', session: 'bbb', name: 'archived', value: true }]);
    tree.refresh('bbb');
    await until('the groups are drawn again', () => drawn.length > 1);
    assert.deepEqual(await labelsOf(tree), ['Pinned', 'Trash', 'Archived']);
  }));

test('[H31] branches are read when their session is unfolded, and one branch is nothing to unfold', () =>
  withHistory(async history => {
    await history.append('aaa', begun('aaa'));
    await history.append('aaa', [
      said('aaa', 'aaa2', 'aaa1', 'left', now + 1),
      said('aaa', 'aaa3', 'aaa1', 'right', now + 2),
    ]);
    await history.append('bbb', begun('bbb', now - 1));
    await history.append('bbb', [said('bbb', 'bbb2', 'bbb1', 'two'), said('bbb', 'bbb3', 'bbb2', 'three')]);
    await history.append('aaa', [{ type: 'set', session: 'aaa', name: 'name', of: 'aaa3', value: 'The right way' }]);
    const read: string[] = [];
    const { tree, drawn } = treeOf(history, {
      branches: session => {
        read.push(session);
        return history.tree(session);
      },
    });
    const [today] = await tree.getChildren();
    const [forked, line] = await tree.getChildren(today);
    assert.ok(forked && line);
    const folds = (node: SessionNode) => tree.getTreeItem(node).collapsibleState;
    assert.equal(folds(forked), vscode.TreeItemCollapsibleState.Collapsed);
    assert.deepEqual(read, [], 'nothing is read to draw a row');
    assert.deepEqual(await labelsOf(tree, forked), ['The right way', 'left']);
    const [branch] = await tree.getChildren(forked);
    assert.deepEqual(branch, { kind: 'branch', session: 'aaa', from: 'aaa3', leaf: 'aaa3' });
    assert.deepEqual(tree.getTreeItem(branch as SessionNode).command?.arguments, [branch]);
    assert.equal(folds(line), vscode.TreeItemCollapsibleState.None);
    assert.deepEqual(read, ['aaa']);
    await history.trash('aaa', { message: 'aaa2', subtree: false });
    tree.refresh('aaa');
    await until('its branches are asked for again', () => drawn.includes(forked));
    const [deleted, ...rest] = await tree.getChildren(forked);
    assert.ok(deleted && rest.length === 0, 'one line, and what was deleted');
    const row = tree.getTreeItem(deleted);
    assert.deepEqual([row.label, row.contextValue, row.command], ['left', 'trashedBranch', undefined]);
    await history.erase('aaa', { message: 'aaa2', subtree: true });
    drawn.length = 0;
    tree.refresh('aaa');
    await until('its branches are asked for once more', () => drawn.length > 0);
    assert.deepEqual(await tree.getChildren(forked), []);
    assert.equal(folds(forked), vscode.TreeItemCollapsibleState.None);
  }));

test('[H79] ways are nested, keep their row while they go on, and traces stand under their session', () =>
  withHistory(async history => {
    await history.append('aaa', begun('aaa'));
    const trace = said('aaa', 'sub1', 'aaa1', 'read it all', now + 9);
    await history.append('aaa', [
      said('aaa', 'left', 'aaa1', 'left', now + 1),
      said('aaa', 'left1', 'left', 'left, once', now + 2),
      said('aaa', 'left2', 'left', 'left, twice', now + 3),
      said('aaa', 'right', 'aaa1', 'right', now + 4),
      ...(trace.type === 'message' ? [{ ...trace, message: { ...trace.message, label: 'subagent:reader:1' } }] : []),
    ]);
    await history.append('bbb', begun('bbb', now - 1));
    const beside = said('bbb', 'sub2', 'bbb1', 'alone', now);
    if (beside.type === 'message') {
      await history.append('bbb', [{ ...beside, message: { ...beside.message, label: 'subagent:x:1' } }]);
    }
    const { tree, drawn } = treeOf(history);
    const [today] = await tree.getChildren();
    const [session, other] = await tree.getChildren(today);
    assert.ok(session && other);
    assert.deepEqual(await labelsOf(tree, session), ['right', 'left', 'Subagent reader 1']);
    assert.deepEqual(await labelsOf(tree, other), ['Subagent x 1'], 'also where there is one branch');
    const [right, left, reader] = await tree.getChildren(session);
    assert.ok(right && left && reader);
    assert.equal(tree.getTreeItem(left).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.deepEqual(await labelsOf(tree, left), ['left, twice', 'left, once']);
    assert.deepEqual(tree.getParent(right), session);
    assert.deepEqual(tree.getTreeItem(reader).description, 'now · 1 message');
    const { id } = tree.getTreeItem(right);
    await history.append('aaa', [said('aaa', 'right1', 'right', 'right, and on', now + 5)]);
    tree.refresh('aaa');
    await until('it is drawn again', () => drawn.includes(session));
    const [grown] = await tree.getChildren(session);
    assert.ok(grown?.kind === 'branch');
    assert.deepEqual(
      [tree.getTreeItem(grown).id, grown.leaf, tree.getTreeItem(grown).label],
      [id, 'right1', 'right, and on'],
    );
  }));

test('[H81] a filter leaves what fits, with the branches on which it was said, through refreshes', () =>
  withHistory(async history => {
    await history.append('aaa', begun('aaa'));
    await history.append('aaa', [
      said('aaa', 'left', 'aaa1', 'a marmalade sandwich', now + 1),
      said('aaa', 'right', 'aaa1', 'a cucumber sandwich', now + 2),
    ]);
    await history.append('bbb', begun('bbb', now - 1));
    await history.append('ccc', begun('ccc', now - 2));
    await history.append('ccc', [{ type: 'set', session: 'ccc', name: 'givenTitle', value: 'All about marmalade' }]);
    await history.append('ddd', begun('ddd', now - 3));
    await history.append('ddd', [
      said('ddd', 'ddd2', 'ddd1', 'marmalade', now - 2),
      { type: 'set', session: 'ddd', name: 'trashed', value: true },
    ]);
    const { tree, drawn } = treeOf(history);
    const sessions = async () => {
      const groups = await tree.getChildren();
      const rows = await Promise.all(groups.map(group => tree.getChildren(group)));
      return rows.flat().map(node => (node.kind === 'session' ? node.session : node.kind));
    };
    const ports = { history: () => Promise.resolve(history), clock: { now: () => now, after: () => () => {} } };
    assert.deepEqual(await sessions(), ['aaa', 'bbb', 'ccc', 'ddd']);
    await tree.setFilter(treeFilter('marmal', ports));
    assert.deepEqual(drawn, [undefined]);
    assert.deepEqual(await sessions(), ['aaa', 'ccc'], 'in what was said, and in a title; not in the trash');
    assert.deepEqual(tree.counts, { shown: 2, all: 4 });
    const [today] = await tree.getChildren();
    const [aaa] = await tree.getChildren(today);
    assert.deepEqual(await labelsOf(tree, aaa), ['a marmalade sandwich']);
    await tree.setFilter(treeFilter('marmalade with:trash', ports));
    assert.deepEqual(await sessions(), ['aaa', 'ccc', 'ddd']);

    await history.append('bbb', [said('bbb', 'bbb2', 'bbb1', 'more marmalade', now + 5)]);
    await history.append('ccc', [{ type: 'set', session: 'ccc', name: 'givenTitle', value: 'About jam' }]);
    drawn.length = 0;
    tree.refresh('bbb');
    tree.refresh('ccc');
    await until('it is drawn again', () => drawn.length > 0);
    assert.deepEqual((await sessions()).toSorted(), ['aaa', 'bbb', 'ddd']);
    assert.deepEqual((await tree.nodeOf(['ccc']))?.kind, 'session', 'what is asked for by name is shown');
    assert.equal(tree.filter, null);
    for (const text of ['agent:one', 'agent:nobody', 'label:x', '(*:"', 'after:2999-01-01']) {
      await tree.setFilter(treeFilter(text, ports));
      assert.equal((await sessions()).length > 0, text === 'agent:one', text);
    }
    await tree.setFilter(null);
    assert.equal((await sessions()).length, 4);
  }));

test('[H30] a group shows two hundred at first, and two hundred more each time', async () => {
  const summaries = Array.from({ length: 1000 }, (_, at) => summary(`s${at}`, now - at));
  const { tree, drawn } = treeOf({
    sessions: () => Promise.resolve(summaries),
    tree: () => assert.fail('no row needs it'),
  });
  const [today] = await tree.getChildren();
  assert.ok(today);
  const shown = await tree.getChildren(today);
  assert.equal(shown.length, 201);
  const more = tree.getTreeItem(shown[200] as SessionNode);
  assert.deepEqual([more.label, more.description], ['Show more…', '800 more']);
  tree.showMore(String(more.command?.arguments?.[0]));
  assert.deepEqual(drawn, [today]);
  assert.equal((await tree.getChildren(today)).length, 401);
});

test('[H30] however much happens, the sessions are listed once in a while', async () => {
  let lists = 0;
  let time = now;
  const waiting: (() => void)[] = [];
  const delays: number[] = [];
  const { tree } = treeOf(
    { sessions: () => Promise.resolve((lists++, [summary('a', now)])), tree: () => Promise.resolve([]) },
    {
      clock: {
        now: () => time,
        after: (milliseconds, later) => {
          delays.push(milliseconds);
          waiting.push(later);
          return () => {};
        },
      },
    },
  );
  tree.refresh('a');
  assert.deepEqual([lists, waiting.length], [0, 0], 'nothing is read before somebody looks');
  await tree.getChildren();
  for (let n = 0; n < 100; n++) tree.refresh('a');
  assert.equal(waiting.length, 1);
  waiting.pop()?.();
  await until('it was listed', () => lists === 2);
  await new Promise(resolve => setImmediate(resolve));
  time += 100;
  for (let n = 0; n < 100; n++) tree.refresh('a');
  assert.deepEqual([waiting.length, delays], [1, [0, 150]]);
});

function summary(id: string, active: number): SessionSummary {
  const none = { model: null, mode: null, cwd: null, key: null, origin: null, expires: null };
  const flags = { trashed: false, archived: false, pinned: false };
  return {
    id,
    title: id,
    agent,
    ...none,
    ...flags,
    created: active,
    active,
    messages: 2,
    labels: [],
    forked: false,
    metadata: {},
  };
}
