// Titles, branches, paths, errors and names of agents that are spelled as links and icons of VS Code's, in the installed
// extension: each is shown as the text that it is, wherever a person reads it, and a press on it does nothing.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import type { Window } from '../vscode/workbench.ts';
import { historyOf, tell } from '../e2e/otherWindow.ts';
import { articles, choose, composer, installed, pick, send, showSessions, type } from '../e2e/panel.ts';

const patience = { timeout: 300_000 };

/** Where VS Code reads it as a link, a press opens an editor with the name “Untitled-1”. */
const link = '[Press me](command:workbench.action.files.newUntitledFile)';
/** No icon of ours is a flame. */
const evil = `${link} $(flame)`;
const shown = /\[Press me\]\u2060?\(command:workbench\.action\.files\.newUntitledFile\)/;

test('[H124] text from outside makes no link, no command and no icon', patience, async t => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const node = (script: string) => ({ command: process.execPath, args: ['-e', script] });
  const agents = {
    Scripted: { command: process.execPath, args: [scriptedFile], env: { SCRIPTED_HOME: home } },
    Broken: node(`console.error(${JSON.stringify(evil)}); process.exit(3)`),
    [`Slow ${evil}`]: node('setInterval(() => {}, 60000)'),
  };
  const window = await installed(t, {
    settings: { 'throughline.agent': 'Scripted', 'throughline.agents': agents },
  });
  const { page } = window;
  await window.showChat();
  await composer(window).waitFor();
  const history = await historyOf(window.server.home);
  t.after(() => history.close());
  const other = ids.message();
  await tell(history, {
    prompts: [`Cleanup ${evil}`, `Plum ${evil}`],
    more: (id, [, answer = '']) => [
      userFact(id, other, answer, `Cherry ${evil}`, Date.now() - 1000),
      setFact(id, 'head', other),
    ],
  });
  const rows = await showSessions(window);
  const row = (words: string) => rows.filter({ hasText: words });
  const toast = (words: RegExp | string) => page.locator('.notification-toast', { hasText: words });

  await t.test('[H124] in the tree', async () => {
    await row('Cleanup').click();
    await articles(window).filter({ hasText: 'Cherry' }).first().waitFor();
    await row('Cleanup').locator('.monaco-tl-twistie').click();
    await row('Cherry').filter({ hasText: shown }).waitFor();
    await harmless(window);
  });

  await t.test('[H124] in a notification about a branch, whose own button works', async () => {
    await choose(window, row('Cherry'), 'Delete Branch');
    const moved = toast('Moved the branch “Cherry');
    await isText(window, moved.locator('.notification-list-item-message'), /”? \(1 message\) to the trash\./);
    await moved.getByRole('button', { name: 'Undo', exact: true }).click();
    await row('Cherry').filter({ hasText: 'deleted' }).waitFor({ state: 'detached' });
  });

  await t.test('[H124] in the prompt of an input box', async () => {
    await choose(window, row('Plum'), 'Note on Branch…');
    await isText(window, page.locator('.quick-input-message'), /in the list\. Leave it empty to remove it\./);
    await page.keyboard.press('Escape');
  });

  await t.test('[H124] in lists to choose from', async () => {
    for (const command of ['Throughline: Resume Session', 'Throughline: Export…', 'Throughline: Search History…']) {
      await window.runCommand(command);
      await page.locator('.quick-input-list .monaco-list-row', { hasText: shown }).first().waitFor();
      await harmless(window);
      await page.keyboard.press('Escape');
    }
  });

  await t.test('[H124] in the message above the tree', async () => {
    await window.runCommand('Throughline: Filter Sessions…');
    await type(window, link);
    await isText(window, page.locator('.tree-explorer-viewlet-tree-view .message'), shown);
    await window.runCommand('Throughline: Clear Filter');
    await row('Cleanup').waitFor();
  });

  await t.test('[H124] in the names of tabs', async () => {
    await window.runCommand('Throughline: Open in Editor');
    await page.locator('.tabs-container .tab', { hasText: shown }).waitFor();
    await window.runCommand('View: Show All Editors By Most Recently Used');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: shown }).first().waitFor();
    await harmless(window);
    await page.keyboard.press('Escape');
    await window.runCommand('View: Close All Editors');
  });

  await t.test('[H124] in a notification about a session, whose own button works', async () => {
    await row('Cleanup').hover();
    await row('Cleanup').getByRole('button', { name: 'Delete Session' }).click();
    const moved = toast('Moved “Cleanup');
    await isText(window, moved.locator('.notification-list-item-message'), /” to the trash\.$/);
    await moved.getByRole('button', { name: 'Undo', exact: true }).click();
    await row('Trash').waitFor({ state: 'detached' });
  });

  await t.test('[H124] in a question about a session', async () => {
    await row('Cleanup').hover();
    await row('Cleanup').getByRole('button', { name: 'Delete Session' }).click();
    await row('Trash').click();
    await choose(window, row('Cleanup'), 'Delete Permanently…');
    const dialog = page.locator('.monaco-dialog-box');
    await isText(window, dialog.locator('.dialog-message-text'), /^Delete “Cleanup .*” permanently\?$/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('[H124] in the path of a tool call', async () => {
    await window.runCommand('Throughline: New Session');
    await articles(window).first().waitFor({ state: 'detached' });
    const call = { toolCallId: 'e1', title: 'Edit', kind: 'edit', locations: [{ path: `/nowhere/${evil}` }] };
    const update = { update: { sessionUpdate: 'tool_call', status: 'completed', ...call } };
    await send(window, `play: ${JSON.stringify([update, { say: 'The path is there.' }])}`);
    await window.chat().getByText('The path is there.').last().waitFor();
    await window
      .chat()
      .getByRole('button', { name: /^Open .*Press me/ })
      .first()
      .click();
    await isText(window, toast('/nowhere/').locator('.notification-list-item-message'), /” is not opened: it is no/);
  });

  await t.test('[H124] in the title that an agent gives, in a notification and in the status bar', async () => {
    const title = { update: { sessionUpdate: 'session_info_update', title: link } };
    const left = join(mkdtempSync(join(tmpdir(), 'throughline-left-')), 'left');
    const asks = { ask: { toolCall: { toolCallId: 'a1', title: 'Edit', kind: 'edit' }, options: [option] } };
    await send(window, `play: ${JSON.stringify([title, { untilFile: left }, asks])}`);
    await rows.filter({ hasText: /^\s*\[Press me\]/ }).waitFor();
    await window.runCommand('Throughline: New Session');
    await window.chat().getByRole('article').first().waitFor({ state: 'detached' });
    writeFileSync(left, '');
    await isText(window, toast('needs you').locator('.notification-list-item-message'), /” needs you: Scripted asks/);
    const status = page.locator('.statusbar-item', { hasText: '1 needs you' });
    await status.locator('.codicon-bell-dot').waitFor();
    await status.hover();
    await page.locator('.monaco-hover', { hasText: shown }).waitFor();
    await harmless(window);
    await toast('needs you').getByRole('button', { name: 'Show Session' }).click();
    await window.chat().getByRole('button', { name: 'Stop' }).click();
  });

  await t.test('[H124] in the error of an agent', async () => {
    await window.runCommand('Throughline: Continue a Session of an Agent…');
    await pick(window, 'Broken');
    const failed = page.locator('.notification-toast').filter({ has: page.getByRole('button', { name: 'Show Log' }) });
    await isText(window, failed.locator('.notification-list-item-message'), shown);
    await window.runCommand('Throughline: Test Agent…');
    await pick(window, 'Broken');
    const dialog = page.locator('.monaco-dialog-box');
    await isText(window, dialog.locator('.dialog-message-container'), shown);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('[H124] in the title of what takes long', async () => {
    await window.runCommand('Throughline: Test Agent…');
    await pick(window, 'Slow');
    const trying = toast('Trying Slow');
    await isText(window, trying.locator('.notification-list-item-message'), shown);
    await trying.getByRole('button', { name: 'Cancel' }).click();
    await trying.waitFor({ state: 'detached' });
  });

  await harmless(window);
});

const option = { optionId: 'yes', name: 'Allow', kind: 'allow_once' };

/** It stands there as it is spelled, with our own words, and nothing happens where a person presses it. */
async function isText(window: Window, place: Locator, ours: RegExp): Promise<void> {
  const found = place.filter({ hasText: 'Press me' }).last();
  await found.waitFor();
  const words = (await found.textContent()) ?? '';
  assert.match(words, shown);
  assert.match(words, ours);
  await harmless(window);
  const at = await found.evaluate(element => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const start = text.nodeValue?.indexOf('Press me') ?? -1;
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, start + 'Press me'.length);
      const { x, y, width, height } = range.getClientRects()[0] ?? range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    return null;
  });
  assert.ok(at, 'the text has a place on the screen');
  await window.page.mouse.click(at.x, at.y);
  await harmless(window);
}

async function harmless({ page }: Window): Promise<void> {
  assert.equal(await page.locator('a[href^="command:"], a[href]:has-text("Press me")').count(), 0, 'no link');
  assert.equal(await page.getByRole('button', { name: 'Press me', exact: true }).count(), 0, 'no button');
  assert.equal(await page.locator('.codicon-flame').count(), 0, 'no icon');
  // VS Code has run all that a press began by the time that it has drawn twice.
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await page.getByRole('tab', { name: /^Untitled/ }).count(), 0, 'no command was run');
}
