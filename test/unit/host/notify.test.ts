// Each function of src/host/notify cleans every text that it hands to VS Code: none of them, and no field, is left out.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { TreeItem, TreeView, Uri, WebviewPanel, WebviewView } from 'vscode';
import { handed, window } from '../support/recordedVscode.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { ask, showError, showInfo, showWarning } = await import('../../../src/host/notify/messages.ts');
const { askForFiles, askForText, askWhereToSave } = await import('../../../src/host/notify/inputs.ts');
const { Picker, pickOne, pickSeveral } = await import('../../../src/host/notify/pickers.ts');
const { showProgress } = await import('../../../src/host/notify/progress.ts');
const { createStatusItem } = await import('../../../src/host/notify/statusItem.ts');
const titles = await import('../../../src/host/notify/titles.ts');
const trees = await import('../../../src/host/notify/treeItems.ts');

const evil = 'a [b](command:c)\n$(d) \u202e\u200b e';
const row = { label: evil, description: evil, detail: evil };
const shown = () => window.createStatusBarItem();
const uri = {} as Uri;
const tree = {
  label: evil,
  description: evil,
  tooltip: [evil],
  spoken: evil,
};

/** How many texts from outside each of them shows. */
const uses: { readonly [name: string]: readonly [texts: number, use: () => unknown] } = {
  showInfo: [2, () => showInfo(evil, evil)],
  showWarning: [2, () => showWarning(evil, evil)],
  showError: [2, () => showError(evil, evil)],
  ask: [3, () => ask({ severity: 'warning', text: evil, detail: [evil], buttons: [evil] })],
  askForText: [4, () => askForText({ title: evil, prompt: evil, placeHolder: evil, validate: () => evil })],
  askForFiles: [2, () => askForFiles({ title: evil, openLabel: evil })],
  askWhereToSave: [1, () => askWhereToSave({ title: evil })],
  pickOne: [5, () => pickOne([row], { title: evil, placeHolder: evil })],
  pickSeveral: [5, () => pickSeveral([row], { title: evil, placeHolder: evil })],
  Picker: [5, () => new Picker().set({ title: evil, placeholder: evil, rows: [row] })],
  showProgress: [2, () => showProgress({ title: evil }, report => Promise.resolve(report({ message: evil })))],
  createStatusItem: [
    3,
    () =>
      createStatusItem('id', 'name', 'command').show({
        icon: 'bell-dot',
        text: evil,
        tooltip: [evil],
        spoken: evil,
        isWarning: false,
      }),
  ],
  createTreeItem: [4, () => trees.createTreeItem({ id: 'id', ...tree })],
  setTooltip: [1, () => trees.setTooltip(shown() as TreeItem, [evil])],
  setViewMessage: [1, () => trees.setViewMessage(shown() as TreeView<unknown>, evil)],
  setViewBadge: [1, () => trees.setViewBadge(shown() as TreeView<unknown>, 1, evil)],
  createPanel: [1, () => titles.createPanel('type', evil, 1)],
  setPanelTitle: [1, () => titles.setPanelTitle(shown() as WebviewPanel, evil)],
  setViewDescription: [1, () => titles.setViewDescription(shown() as WebviewView, evil)],
  openTerminal: [1, () => titles.openTerminal({ name: evil })],
  showDiff: [1, () => titles.showDiff(uri, uri, evil)],
  showChanges: [1, () => titles.showChanges(evil, [])],
};

for (const [name, [texts, use]] of Object.entries(uses))
  test(`[H124] ${name} shows every text as text`, async () => {
    handed.length = 0;
    await use();
    const found = stringsIn(handed).filter(text => text.includes('command:c'));
    assert.equal(found.length, texts, JSON.stringify(handed));
    for (const text of found) assert.doesNotMatch(text.replace('$(bell-dot)', ''), /\]\(|\$\(|[\n\u202e\u200b]/);
  });

test('[H124] every function that shows a text is tested here', async () => {
  const files = ['messages', 'inputs', 'pickers', 'progress', 'statusItem', 'titles', 'treeItems'];
  const names = await Promise.all(
    files.map(async file => Object.keys((await import(`../../../src/host/notify/${file}.ts`)) as object)),
  );
  // It shows no text.
  const quiet = ['showViewProgress'];
  assert.deepEqual(names.flat().toSorted(), [...Object.keys(uses), ...quiet].toSorted());
});

/** Without what a row or a button carries along for who asked. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => (key === 'row' || key === 'button' ? [] : stringsIn(inside)));
}
