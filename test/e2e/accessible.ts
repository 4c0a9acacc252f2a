// What must hold of the panel in each of its key states, for people who use a keyboard or a screen reader, and in every
// theme. The states are posted to the panel (test/vscode/standIns/scenes.ts).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import { playScene } from '../vscode/stage.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { frameOf, mark, walk } from './tabWalk.ts';

export const states = [
  'firstRun',
  'conversation',
  'permissions',
  'permissionHook',
  'permissionRun',
  'permissionLong',
  'question',
  'changes',
  'completing',
  'find',
  'branches',
];
export const more = [
  'attached',
  'queue',
  'failed',
  'notSaved',
  'signInFailed',
  'summary',
  'picture',
  'editing',
  'incognito',
  'folders',
];
/** Which colours they have on the ground of an editor is looked at too. */
const inEditor = ['conversation', 'permissions', 'question', 'changes'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What VS Code itself is the cause of, and why. There is nothing. */
const exceptions: { readonly [rule: string]: string } = {};

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function violations(
  frame: Frame,
  rules: 'all' | 'colours',
  ground: 'sideBar' | 'editor' = 'sideBar',
): Promise<readonly string[]> {
  // As text: the page's own policy lets no script in, and what is evaluated from outside is not of the page.
  await frame.evaluate(`typeof axe === 'undefined' && (() => { ${axe} })()`);
  // The page is clear; what shows through it is what it stands in.
  const behind = `var(--vscode-${ground}-background)`;
  await frame.evaluate(colour => void (document.documentElement.style.background = colour), behind);
  const only = rules === 'all' ? '' : `runOnly: ['color-contrast'], `;
  const found = await frame.evaluate<readonly Violation[]>(
    `axe.run(document, { ${only}resultTypes: ['violations'], iframes: false }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ id }) => !(id in exceptions))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary}`),
    );
}

export async function keepsRules(window: Workbench, name: string, rules: 'all' | 'colours'): Promise<void> {
  await playScene(window, name);
  assert.deepEqual(await violations(await frameOf(window), rules), []);
  if (!inEditor.includes(name)) return;
  assert.deepEqual(await violations(await frameOf(window), 'colours', 'editor'), [], 'in an editor');
}

export async function walksThrough(window: Workbench, name: string): Promise<void> {
  await playScene(window, name);
  const frame = await frameOf(window);
  const wanted = await mark(frame);
  assert.ok(wanted.length > 4, `${wanted.length} actions`);
  await frame.locator(`[data-stop="${wanted[0]?.id}"]`).first().focus();
  // A focus that a script gave is shown as one of the keyboard only after a key.
  await window.page.keyboard.press('Tab');
  await window.page.keyboard.press('Shift+Tab');
  const there = await walk(window, frame, 'Tab');
  await frame
    .locator(`[data-stop="${wanted.at(-1)?.id}"]`)
    .first()
    .focus();
  const back = await walk(window, frame, 'Shift+Tab');
  for (const stops of [there, back]) {
    const reached = new Set(stops.map(({ id }) => id));
    const missed = wanted.filter(({ id }) => !reached.has(id)).map(one => one.name);
    assert.deepEqual(missed, [], `not reached; these were: ${stops.map(one => one.name).join(', ')}`);
    assert.deepEqual(
      stops.filter(({ trouble }) => trouble !== '').map(one => `${one.name}: ${one.trouble}`),
      [],
    );
  }
}
