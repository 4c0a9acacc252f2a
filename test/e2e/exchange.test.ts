// Sessions leave the installed extension as a file and come in again, as a person does it.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Window } from '../vscode/workbench.ts';
import { articles, ask, installed, showSessions } from './panel.ts';

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
  await inDialog(window, file);
  await page.getByText('Exported to mine.json.').first().waitFor();
  const { sessions } = JSON.parse(readFileSync(file, 'utf8')) as { sessions: { messages: unknown[] }[] };
  assert.equal(sessions[0]?.messages.length, 2);

  await window.runCommand('Throughline: Import Sessions…');
  await inDialog(window, file);
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
  await inDialog(window, cut);
  await page
    .getByText('1 file could not be read: “cut.json”. It is not JSON, or its end is missing.')
    .first()
    .waitFor();
  assert.equal(await row.count(), 0);

  await window.runCommand('Throughline: Import Sessions…');
  await inDialog(window, file);
  await page.getByText('1 session imported.').first().waitFor();
  await row.filter({ hasText: 'imported' }).waitFor();
  await page.locator('.monaco-list-row.selected', { hasText: question }).waitFor();
  await row.click();
  await articles(window).filter({ hasText: question }).first().waitFor();
});

async function pickRow({ page }: Window, words: string): Promise<void> {
  await page.locator('.quick-input-list .monaco-list-row', { hasText: words }).first().click();
}

/** A browser has no dialog of a system: VS Code asks for the path. */
async function inDialog({ page }: Window, path: string): Promise<void> {
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
  await done.click();
}
