// What the bench of the side bar measures inside a real extension host: activation beside that of an empty extension, the
// tree beside one that knows its rows by heart, the picker of the search beside the engine's own search. Promises: each
// variant runs in the same host, in turns; the tree, the picker and the history are the product's own. It writes its
// samples to the file that SIDEBAR_BENCH names, by name.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { searchPicker } from '../../../src/host/search/searchPicker.ts';
import { SessionList } from '../../../src/host/history/sessionList.ts';
import { SessionTree } from '../../../src/host/sessions/sessionTree.ts';
import type { SessionNode } from '../../../src/host/sessions/sessionTreeModel.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { openHistory, type OpenedHistory } from '../../../src/node/history/history.ts';
import { journalIn, type SidebarRun } from '../sidebarTerms.ts';

const rowsOfBare = 200;
const calm = 3000;
/** Longer than the tree waits between two looks. */
const apart = 320;

export async function run(): Promise<void> {
  const given = JSON.parse(process.env['SIDEBAR_BENCH'] ?? '') as SidebarRun;
  const samples: Record<string, number[]> = {};
  const add = (name: string, milliseconds: number) => void (samples[name] ??= []).push(milliseconds);
  await vscode.extensions.getExtension('bench.first')?.activate();
  // What else starts with a window is over then.
  await setTimeout(calm);
  const extensions = { ours: 'throughline.throughline', empty: 'bench.empty' };
  for (const name of given.oursFirst ? (['ours', 'empty'] as const) : (['empty', 'ours'] as const)) {
    const extension = vscode.extensions.getExtension(extensions[name]);
    assert.ok(extension && !extension.isActive, `${name} is not there, or active already`);
    const from = performance.now();
    await extension.activate();
    add(`activation ${name}`, performance.now() - from);
  }
  if (given.folder === null) {
    await vscode.commands.executeCommand('throughline.sessions.focus');
    await until('the history is open', () => journalIn(given.home) !== null);
  } else {
    const from = performance.now();
    const history = await openHistory({ folder: given.folder, writer: given.writer, ...engineFiles() });
    add('history opened', performance.now() - from);
    try {
      await measureTree(history, given, add);
      await measurePicker(history, given, add);
    } finally {
      await history.close();
    }
  }
  writeFileSync(given.results, JSON.stringify(samples));
}

function engineFiles() {
  const path = vscode.extensions.getExtension('throughline.throughline')?.extensionPath ?? '';
  return { workerFile: join(path, 'dist', 'history.js'), wasmFile: join(path, 'dist', 'sql-wasm.wasm') };
}

type Add = (name: string, milliseconds: number) => void;

async function measureTree(history: OpenedHistory, { oursFirst, rounds }: SidebarRun, add: Add): Promise<void> {
  const ours = new Asked(
    new SessionTree({
      list: new SessionList(async of => {
        const from = performance.now();
        const listed = await history.sessions(of && { ids: of });
        if (!of) add('sessions listed', performance.now() - from);
        return listed;
      }),
      totals: async session => (await history.fields(session))?.totals,
      branches: session => history.tree(session),
      doing: () => 'nothing',
      folderOf: () => null,
      clock: systemClock,
      onFailure: assert.ifError,
    }),
  );
  const bare = new Asked(new Bare());
  const views = {
    ours: () => vscode.window.createTreeView('bench.ours', { treeDataProvider: ours, showCollapseAll: true }),
    bare: () => vscode.window.createTreeView('bench.bare', { treeDataProvider: bare, showCollapseAll: true }),
  };
  await vscode.commands.executeCommand('workbench.view.extension.bench');
  const open: { ours?: vscode.TreeView<SessionNode>; bare?: vscode.TreeView<SessionNode> } = {};
  const firstOf = { ours: () => ours.first(), bare: () => bare.first() };
  for (const name of oursFirst ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
    const from = performance.now();
    const view = views[name]();
    open[name] = view;
    await vscode.commands.executeCommand(`bench.${name}.focus`);
    await view.reveal(await firstOf[name](), { select: false, focus: false });
    add(`paint ${name}`, performance.now() - from);
  }
  const node = await ours.first();
  assert.ok(node.kind === 'session' && open.ours && open.bare);
  const { session } = node;
  let appended = () => {};
  const stop = history.onDidAppend(one => {
    if (one.session === session) appended();
  });
  for (let round = 0; round < rounds; round++) {
    const refresh = {
      async ours() {
        const value = round % 2 === 0;
        const told = new Promise<void>(resolve => (appended = resolve));
        await history.append(session, [{ type: 'set', session, name: 'label', of: 'measured', value }]);
        await told;
        const from = performance.now();
        const drawn = ours.asked(node);
        (ours.of as SessionTree).refresh(session);
        await drawn;
        await open.ours?.reveal(node, { select: false, focus: false });
        add('refresh ours', performance.now() - from);
      },
      async bare() {
        const first = await bare.first();
        const from = performance.now();
        const drawn = bare.asked(first);
        (bare.of as Bare).changed.fire(first);
        await drawn;
        await open.bare?.reveal(first, { select: false, focus: false });
        add('refresh bare', performance.now() - from);
      },
    };
    for (const name of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      await refresh[name]();
      await setTimeout(apart);
    }
  }
  stop();
  open.ours.dispose();
  open.bare.dispose();
}

/** A tree that can be asked when VS Code has asked for one of its rows. */
class Asked implements vscode.TreeDataProvider<SessionNode> {
  readonly of: vscode.TreeDataProvider<SessionNode>;
  readonly onDidChangeTreeData: NonNullable<vscode.TreeDataProvider<SessionNode>['onDidChangeTreeData']>;
  private readonly waiting = new Map<SessionNode, () => void>();

  constructor(of: vscode.TreeDataProvider<SessionNode>) {
    this.of = of;
    assert.ok(of.onDidChangeTreeData);
    this.onDidChangeTreeData = of.onDidChangeTreeData;
  }

  asked(node: SessionNode): Promise<void> {
    return new Promise(resolve => this.waiting.set(node, resolve));
  }

  async first(): Promise<SessionNode> {
    const [group] = (await this.of.getChildren()) ?? [];
    const [first] = (await this.of.getChildren(group)) ?? [];
    assert.ok(first);
    return first;
  }

  getChildren(node?: SessionNode) {
    return this.of.getChildren(node);
  }

  getParent(node: SessionNode) {
    return this.of.getParent?.(node);
  }

  getTreeItem(node: SessionNode) {
    this.waiting.get(node)?.();
    this.waiting.delete(node);
    return this.of.getTreeItem(node);
  }
}

/** As many rows as a group of ours shows, with as much in them, and nothing behind them. */
class Bare implements vscode.TreeDataProvider<SessionNode> {
  readonly changed = new vscode.EventEmitter<SessionNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly group: SessionNode = { kind: 'group', group: 'Today' };
  private readonly rows = Array.from({ length: rowsOfBare }, (_, at): SessionNode => ({
    kind: 'session',
    session: `row${at}`,
  }));

  getChildren(node?: SessionNode): SessionNode[] {
    if (!node) return [this.group];
    return node === this.group ? this.rows : [];
  }

  getParent(node: SessionNode): SessionNode | undefined {
    return node === this.group ? undefined : this.group;
  }

  getTreeItem(node: SessionNode): vscode.TreeItem {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const isGroup = node === this.group;
    const item = new vscode.TreeItem(isGroup ? 'Today' : `A session of a person`, isGroup ? Expanded : None);
    item.id = node.kind === 'session' ? node.session : 'group';
    item.description = '1 h · Bench agent';
    item.iconPath = new vscode.ThemeIcon('comment-discussion');
    return item;
  }
}

/** What the picker asks VS Code for, with a hand on its keyboard and an eye on its rows. */
async function measurePicker(history: OpenedHistory, { rounds, words }: SidebarRun, add: Add): Promise<void> {
  const real = vscode.window.createQuickPick;
  let pick: vscode.QuickPick<vscode.QuickPickItem> | null = null;
  let onRows = (_items: readonly vscode.QuickPickItem[]) => {};
  let type = (_text: string) => {};
  // What the hand typed last: VS Code tells what it shows a moment later, and by then it may be an older text.
  let typed = '';
  const watched = () => {
    const made = real.call(vscode.window);
    pick = made;
    return new Proxy(made, {
      get(target, key) {
        if (key === 'onDidChangeValue') {
          return (listener: (value: string) => void) => {
            type = text => {
              typed = text;
              target.value = text;
              listener(text);
            };
            return new vscode.Disposable(() => {});
          };
        }
        if (key === 'value') return typed;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
      set(target, key, value) {
        if (key === 'items') onRows(value as readonly vscode.QuickPickItem[]);
        return Reflect.set(target, key, value, target);
      },
    });
  };
  Object.assign(vscode.window, { createQuickPick: watched });
  await history.search('first', { limit: 80, titles: 20 });
  const closed = searchPicker('', {
    list: () => history.sessions(),
    history: () => Promise.resolve(history),
    clock: systemClock,
    keys: { toSide: null },
    open: () => Promise.resolve(),
    failure: (_what, cause) => assert.ifError(cause),
  });
  await until('the picker is open', () => pick !== null);
  await setTimeout(300);
  for (let round = 0; round < rounds; round++) {
    const word = words[round % words.length] ?? '';
    const variants = {
      async picker() {
        const first = new Promise<void>(resolve => {
          onRows = items => {
            if (items.some(({ detail }) => detail !== undefined)) resolve();
          };
        });
        const from = performance.now();
        type(word);
        await first;
        add('picker ours', performance.now() - from);
        onRows = () => {};
        type('');
        await setTimeout(50);
      },
      async engine() {
        const from = performance.now();
        const { hits } = await history.search(word, { limit: 80, titles: 20, filter: {} });
        add('picker engine', performance.now() - from);
        assert.ok(hits.length > 0, word);
      },
    };
    for (const name of round % 2 === 0 ? (['picker', 'engine'] as const) : (['engine', 'picker'] as const)) {
      await variants[name]();
    }
  }
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await closed;
  Object.assign(vscode.window, { createQuickPick: real });
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !isSo();) {
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await setTimeout(20);
  }
}
