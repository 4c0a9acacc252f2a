// Sessions leave the installed extension as a file and come in again, as a person does it.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import type { Window } from '../vscode/workbench.ts';
import { articles, ask, choosePath, composer, continuity, installed, showSessions } from '../e2e/panel.ts';

const patience = { timeout: 180_000 };

test('[H90] [H92] [H94] a session is exported, imported twice, and again after it was deleted', patience, async t => {
  const window = await installed(t);
  const { page } = window;
  const folder = mkdtempSync(join(tmpdir(), 'throughline-exchange-'));
  const file = join(folder, 'mine.json');
  await window.showChat();
  const question = 'Where are orders kept?';
  await ask(window, question);
  const rows = await showSessions(window);
  const row = rows.filter({ hasText: question });

  await window.runCommand('Throughline: Export…');
  await pickRow(window, question);
  await pickRow(window, 'everything: all branches');
  await choosePath(window, file);
  await page.getByText('Exported to mine.json.').first().waitFor();
  const { sessions } = JSON.parse(readFileSync(file, 'utf8')) as { sessions: { messages: unknown[] }[] };
  assert.equal(sessions[0]?.messages.length, 2);

  await window.runCommand('Throughline: Import Sessions…');
  await choosePath(window, file);
  await page.getByText('1 session was here already.').first().waitFor();

  await row.hover();
  await row.getByRole('button', { name: 'Delete Session' }).click();
  await page
    .getByText(/Moved .* to the trash/)
    .first()
    .waitFor();
  await window.runCommand('Throughline: Empty Trash…');
  await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete Permanently' }).click();
  await row.waitFor({ state: 'detached' });

  const cut = join(folder, 'cut.json');
  writeFileSync(cut, readFileSync(file, 'utf8').slice(0, -20));
  await window.runCommand('Throughline: Import Sessions…');
  await choosePath(window, cut);
  await page
    .getByText('1 file could not be read: “cut.json”. It is not JSON, or its end is missing.')
    .first()
    .waitFor();
  assert.equal(await row.count(), 0);

  await window.runCommand('Throughline: Import Sessions…');
  await choosePath(window, file);
  await page.getByText('1 session imported.').first().waitFor();
  await row.filter({ hasText: 'imported' }).waitFor();
  await page.locator('.monaco-list-row.selected', { hasText: question }).waitFor();
  await row.click();
  await articles(window).filter({ hasText: question }).first().waitFor();
});

test('[H95] a session that only the agent keeps is continued here, once', patience, async t => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const agent = { command: process.execPath, args: [scriptedFile, '--list'], env: { SCRIPTED_HOME: home } };
  const settings = { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: agent } };
  const window = await installed(t, { settings });
  const { page } = window;
  await window.showChat();
  await ask(window, 'say: the marmalade plan');
  const rows = await showSessions(window);
  const row = rows.filter({ hasText: 'marmalade' });
  await row.hover();
  await row.getByRole('button', { name: 'Delete Session' }).click();
  await page
    .getByText(/Moved .* to the trash/)
    .first()
    .waitFor();
  await window.runCommand('Throughline: Empty Trash…');
  await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete Permanently' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal(await rows.filter({ hasText: 'About' }).count(), 0);

  await window.runCommand('Throughline: Continue a Session of an Agent…');
  await pickRow(window, 'About');
  await articles(window).filter({ hasText: 'marmalade plan' }).first().waitFor();
  const came = rows.filter({ hasText: 'About' });
  await came.waitFor();
  await composer(window).focus();
  await continuity(window).filter({ hasText: 'Remembers' }).waitFor();
  assert.match(await ask(window, 'say: and then'), /the marmalade plan[^]*and then/);

  await window.runCommand('Throughline: Continue a Session of an Agent…');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'here already' }).waitFor();
  await pickRow(window, 'here already');
  await articles(window).filter({ hasText: 'and then' }).first().waitFor();
  assert.equal(await came.count(), 1);
});

test('[H98] [H97] a session is forked by a command, and its branches are compared', patience, async t => {
  const window = await installed(t);
  const { page } = window;
  await window.showChat();
  await ask(window, 'Where are orders kept?');
  await ask(window, 'Where is Retry used?');
  await window.runCommand('Throughline: Fork from Here');
  await pickRow(window, '2 of 4');
  await articles(window).nth(2).waitFor({ state: 'detached' });
  await ask(window, 'Which tests are there?');

  await window.runCommand('Throughline: Compare with…');
  await pickRow(window, 'Where are orders kept?');
  await page.getByRole('tab', { name: /Where is Retry used\? ↔ Which tests are there\?/ }).waitFor();
  const lines = page.locator('.monaco-diff-editor .view-line');
  await lines.filter({ hasText: 'The first 2 messages are the same. From there:' }).nth(1).waitFor();
});

async function pickRow({ page }: Window, words: string): Promise<void> {
  await page.locator('.quick-input-list .monaco-list-row', { hasText: words }).first().click();
}
