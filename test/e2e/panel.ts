// What the end-to-end tests do in the panel, in a person's steps: ask, wait for the end, read what is there.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { parseSavedState, type SavedState } from '../../src/webview/vscodeApi.ts';
import { settleTime } from '../../src/webview/transcript/settled.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { out, vsixFile } from '../vscode/places.ts';
import { openWorkbench, type Window, type Workbench, type WorkbenchOptions } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';

/**
 * A VS Code with the packaged extension and a copy of the sample workspace, closed when the test is over. Of a test that fails
 * there are pictures of its windows in `out/failed`.
 */
export async function installed(
  t: TestContext,
  options: WorkbenchOptions = {},
  folder: string | null = copyOfSample(),
): Promise<Workbench> {
  assert.ok(existsSync(vsixFile), 'the extension is not packaged: `npm run package`');
  const workbench = await openWorkbench({ vsix: vsixFile, ...(folder === null ? {} : { folder }), ...options });
  t.afterEach(ended => pictureFailure(ended, workbench));
  t.after(async () => {
    await pictureFailure(t, workbench);
    await workbench.close();
  });
  return workbench;
}

async function pictureFailure(ended: TestContext, { page }: Workbench): Promise<void> {
  // The types of the tests' Node.js, which is newer than the one of the extension, would know both.
  const { passed, fullName } = ended as TestContext & { readonly passed: boolean; readonly fullName: string };
  if (passed) return;
  const name = fullName.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 150);
  for (const [at, one] of page.context().pages().entries()) {
    // A page that hangs must not keep the test from ending.
    await one.screenshot({ path: join(out, 'failed', `${name}-${at}.png`), timeout: 10_000 }).catch(() => undefined);
  }
}

export function composer(window: Window): Locator {
  return window.chat().getByRole('textbox', { name: 'Message' });
}

export function articles(window: Window): Locator {
  return window.chat().getByRole('article');
}

export function continuity(window: Window): Locator {
  return window.chat().getByLabel('Continuity');
}

export async function send(window: Window, words: string): Promise<void> {
  await composer(window).fill(words);
  // What VS Code tells stands in front of the button for a while; whoever has just written presses Enter then.
  if ((await window.page.locator('.notification-toast').count()) > 0) await composer(window).press('Enter');
  else await window.chat().getByRole('button', { name: 'Send', exact: true }).click();
}

/** Waits until what a person types goes there: VS Code and the page pass the focus on one after the other. */
export async function untilFocused(box: Locator): Promise<void> {
  const isFocused = () => box.evaluate(one => one === document.activeElement && document.hasFocus());
  for (const end = Date.now() + 20_000; !(await isFocused()); await setTimeout(20))
    assert.ok(Date.now() < end, 'it does not get the focus');
}

/** Waits until these words stand in it: what is kept comes a moment after the box. */
export async function shows(box: Locator, words: string): Promise<void> {
  for (const end = Date.now() + 20_000; (await box.inputValue()) !== words;) {
    assert.ok(Date.now() < end, `it shows “${await box.inputValue()}” and not “${words}”`);
    await box.page().waitForTimeout(20);
  }
}

/** Sends and waits until the answer has ended; gives the text of the answer. */
export async function ask(window: Window, question: string): Promise<string> {
  const before = await articles(window).count();
  await send(window, question);
  const answer = articles(window).nth(before + 1);
  await answer.waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  // Not `innerText`: it leaves out what the browser has not laid out yet.
  return (await answer.textContent()) ?? '';
}

/** What the panel has VS Code keep for its next page: a way to look, which sees what is saved from now on. */
export async function savedState(window: Window): Promise<() => Promise<SavedState | null>> {
  const body = window.chat().locator('body');
  await body.evaluate(() => {
    // VS Code's `setState` hands a closure what it was given, as JSON: there is no other place at which it can be seen.
    const stringify = JSON.stringify.bind(JSON);
    JSON.stringify = (value: unknown) => {
      if (typeof value === 'object' && value && 'session' in value && 'scroll' in value)
        Object.assign(globalThis, { savedState: value });
      return stringify(value);
    };
  });
  return () =>
    body
      .evaluate(() => (globalThis as { savedState?: unknown }).savedState)
      .then(saved => (saved === undefined ? null : parseSavedState(saved)));
}

/** Waits until the panel has saved that its conversation is not at its end. */
export async function untilScrollSaved(saved: () => Promise<SavedState | null>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await saved())?.scroll; await setTimeout(20))
    assert.ok(Date.now() < end, 'the panel has not saved where it is scrolled to');
}

/** Presses a button of the panel that has appeared by itself, as soon as such a button answers. */
export async function pressSettled(button: Locator): Promise<void> {
  await button.evaluate(
    (_, time) =>
      new Promise<void>(resolve => {
        // The panel counts from the frame in which the button is drawn, too.
        requestAnimationFrame(() => {
          const shown = performance.now();
          const look = () => (performance.now() - shown >= time ? resolve() : void requestAnimationFrame(look));
          look();
        });
      }),
    settleTime,
  );
  await button.click();
}

/** Opens the Sessions view where it isn't open, and returns its rows. */
export async function showSessions({ page }: Window): Promise<Locator> {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name: 'Throughline' });
  // A press on the tab of the view that is open closes the side bar.
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
  await page.locator('.part.sidebar .composite.title', { hasText: 'Throughline' }).waitFor();
  return page.locator('.part.sidebar .monaco-list-row');
}

/** Chooses a row of a list that VS Code shows. */
export async function pick(window: Window, label: string): Promise<void> {
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
}

/** Answers a box that VS Code shows, and waits until it is gone or asks the next. */
export async function type(window: Window, words: string): Promise<void> {
  const input = window.page.locator('.quick-input-widget input:visible');
  await input.fill(words);
  await input.press('Enter');
  await window.page.waitForFunction(typed => {
    const shown = document.querySelector<HTMLInputElement>('.quick-input-widget input');
    return !shown?.checkVisibility() || shown.value !== typed;
  }, words);
}

/** An entry of the menu of a row, which a press of the right button opens. */
export async function choose({ page }: Window, row: Locator, item: string): Promise<void> {
  const found = page.getByRole('menuitem', { name: item, exact: true });
  await row.click({ button: 'right' });
  await found.waitFor();
  // A menu that has just appeared does not answer: the press that opened it may end over it.
  await page.waitForTimeout(300);
  await found.click();
}

/** A browser has no dialog of a system: VS Code asks for the path. */
export async function choosePath({ page }: Window, path: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input:visible').first();
  const done = widget.getByRole('button', { name: /^(OK|Import|Save)$/ });
  await done.waitFor();
  // It fills in where it begins as soon as it knows that, over whatever was typed before.
  for (const end = Date.now() + 20_000; (await input.inputValue()) !== path || (await done.isDisabled());) {
    assert.ok(Date.now() < end, 'the dialog takes no path');
    await input.fill(path);
    await page.waitForTimeout(200);
  }
  // While it still looks at the folder it answers no press, and doesn't show that.
  for (const end = Date.now() + 20_000; await done.isVisible(); await page.waitForTimeout(200)) {
    assert.ok(Date.now() < end, 'the dialog stays open');
    if ((await input.inputValue().catch(() => '')) === path) await done.click({ timeout: 1000 }).catch(() => undefined);
  }
}

/** An agent that keeps its sessions in a folder, as the settings name it. */
export function scriptedAgent(...flags: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const agent = { command: process.execPath, args: [scriptedFile, ...flags], env: { SCRIPTED_HOME: home } };
  return { home, settings: { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: agent } } };
}
