// What the lists of secrets and of rules show.

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { manageRules, ruleItems } from '../../../src/host/agents/manageRules.ts';
import { secretItems } from '../../../src/host/agents/manageSecrets.ts';
import { WorkspaceRules, type KeptRule } from '../../../src/host/agents/rules.ts';
import { test } from './index.ts';

const added = Date.UTC(2026, 0, 2, 12);
const rule = (command: string | null, words: string): KeptRule => ({
  agent: 'one',
  tool: 'read',
  command,
  words,
  added,
});
const named = (id: string) => id.toUpperCase();

test('[H13] each rule is one line with a way to take it back, and there is one for all', () => {
  const since = new Date(added).toLocaleDateString();
  const rows: readonly [words: string, shown: string][] = [
    ['allow reading files', 'allow reading files'],
    ['allow “a\r\nb”', 'allow “a ⏎ b”'],
    ['allow “\u202egnp.exe\u200b”', 'allow “\\u{202e}gnp.exe\\u{200b}”'],
  ];
  const items = ruleItems(
    rows.map(([words]) => rule(null, words)),
    named,
  );
  for (const [at, [, shown]] of rows.entries()) {
    const item = items[at];
    assert.deepEqual([item?.label, item?.description, item?.buttons?.length], ['ONE', `${shown} · since ${since}`, 1]);
  }
  const [fetching] = ruleItems([{ ...rule(null, 'allow fetching from the network'), tool: 'fetch' }], named);
  assert.match(fetching?.detail ?? '', /^No longer used/);
  assert.equal(items[0]?.detail, undefined);
  assert.equal(items.at(-2)?.kind, vscode.QuickPickItemKind.Separator);
  assert.equal(items.at(-1)?.all, true);
});

test('[H13] where there is no rule, words say so and nothing can be removed', () => {
  const items = ruleItems([], named);
  assert.equal(items.length, 1);
  assert.match(items[0]?.label ?? '', /^Nothing is always allowed/);
  assert.equal(items[0]?.buttons, undefined);
  assert.equal(items[0]?.all, undefined);
});

test('[H13] all rules are taken back from the list, which stays open and then says so', async () => {
  let kept: unknown;
  const state = {
    keys: () => [],
    get: () => kept,
    update: (_key: string, value: unknown) => Promise.resolve(void (kept = value)),
  } as vscode.Memento;
  const rules = new WorkspaceRules({ state, now: () => added, onFailure: assert.ifError });
  for (const command of ['a', 'b']) rules.add(rule(command, `allow “${command}”`));
  let isOpen = true;
  const closed = manageRules({ rules, agentName: named }).then(() => (isOpen = false));
  // Enter on a rule does nothing, so that whatever has the focus yet, only the last line has an effect.
  for (const end = Date.now() + 20_000; rules.all().length > 0 && Date.now() < end;) {
    assert.equal(rules.all().length, 2);
    await vscode.commands.executeCommand('workbench.action.quickOpenSelectPrevious');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  assert.deepEqual([rules.all(), kept, isOpen], [[], undefined, true]);
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await closed;
});

test('[H11] secrets are listed by name, with a way to delete each and to add one', () => {
  assert.deepEqual(
    secretItems(['A', 'B']).map(({ name }) => name),
    ['A', 'B', null],
  );
  assert.deepEqual(
    secretItems(['A', 'B']).map(({ buttons }) => buttons?.length),
    [1, 1, undefined],
  );
  assert.match(secretItems([])[0]?.detail ?? '', /No secrets yet/);
});
