// The life of sessions around the talking, in the installed extension: what runs out of sight says so and is found again; of
// what was said, typed, attached and changed in an incognito session nothing is on this machine, neither while it lives nor
// after it ended.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sessionFact, setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { out } from '../vscode/places.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { leftBehind } from './otherWindow.ts';
import { articles, composer, installed, pressSettled, send, shows, showSessions } from './panel.ts';

const patience = { timeout: 180_000 };
const canary = 'canary7q3f9x';

test('[H105] [H106] [H108] [H109] sessions out of sight, and incognito ones', patience, async t => {
  const keeps = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const agent = {
    command: process.execPath,
    args: [scriptedFile, '--delete', '--resume', '--embedded'],
    env: { SCRIPTED_HOME: keeps },
  };
  const settings = {
    'throughline.retention.messages': 3,
    'throughline.retention.trashDays': 30,
    'throughline.agent': 'Scripted',
    'throughline.agents': { Scripted: agent },
  };
  const folder = copyOfSample();
  writeFileSync(join(folder, 'notes.txt'), 'before\n');
  const window = await installed(t, { settings }, folder);
  const { page, server } = window;
  await window.showChat();
  const rows = await showSessions(window);
  // The log and the history are there before: what is looked through is not empty.
  await send(window, 'play: [{"say":"kept"}]');
  await articles(window).filter({ hasText: 'kept' }).nth(1).waitFor();
  await t.test('[H108] [H109] a session out of sight says that it needs a person, and is one press away', async () => {
    const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
    const params = { toolCall: { toolCallId: 'e1', title: 'Edit', kind: 'edit' }, options };
    const left = join(mkdtempSync(join(tmpdir(), 'throughline-left-')), 'left');
    const asks = { call: { method: 'session/request_permission', params } };
    await send(window, `play: ${JSON.stringify([{ untilFile: left }, asks])}`);
    const item = page.locator('.statusbar-item', { hasText: 'running' });
    await item.waitFor();
    await window.runCommand('Throughline: New Session');
    await articles(window).first().waitFor({ state: 'detached' });
    writeFileSync(left, '');
    const toast = page.locator('.notification-toast', { hasText: 'asks for permission' });
    await toast.waitFor();
    const needs = page.locator('.statusbar-item', { hasText: '1 needs you' });
    await needs.waitFor();
    await window.screenshot(join(out, 'shots', 'needs-you.png'));
    await toast.getByRole('button', { name: 'Show Session' }).click();
    await window.chat().getByRole('group', { name: 'Permission needed' }).waitFor();
    await window.runCommand('Throughline: New Session');
    await articles(window).first().waitFor({ state: 'detached' });
    await needs.click();
    const allow = window.chat().getByRole('button', { name: 'Allow', exact: true });
    await pressSettled(allow);
    await needs.waitFor({ state: 'detached' });
    await item.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.notification-toast').count(), 0, 'nothing is told of what is in view');
  });

  await window.runCommand('Throughline: New Incognito Session');
  const mark = window.chat().getByRole('group', { name: 'Incognito' });
  await mark.waitFor();

  await t.test('it answers, branches and undoes as any other, and is marked', async () => {
    const write = { path: join(folder, 'notes.txt'), content: `${canary} file\n` };
    await send(
      window,
      `play: ${JSON.stringify([{ call: { method: 'fs/write_text_file', params: write } }, { say: `${canary} answer` }])}`,
    );
    await window.chat().getByRole('button', { name: /^Undo/ }).first().waitFor();
    assert.match(await mark.innerText(), /Nothing is kept here[^]*Scripted may keep its own copy/);
    await window.chat().getByLabel('Continuity').filter({ hasText: 'Incognito' }).waitFor();
    const row = rows.filter({ has: page.locator('.codicon-eye-closed') });
    await row.waitFor();
    await rows.filter({ hasText: 'Incognito' }).first().waitFor();
    // What is attached holds the word, and so does its name.
    writeFileSync(join(folder, `${canary}.txt`), `${canary} attached`);
    await composer(window).click();
    await composer(window).pressSequentially(`Look at @${canary}`);
    await window.chat().getByRole('listbox').getByRole('option', { name: canary }).first().waitFor();
    await composer(window).press('Enter');
    await window.chat().getByRole('list', { name: 'Attached' }).getByRole('listitem').first().waitFor();
    await window.chat().getByRole('button', { name: 'Send', exact: true }).click();
    await articles(window).nth(3).waitFor();
    await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await articles(window).nth(3).hover();
    await articles(window).nth(3).getByRole('button', { name: 'Retry' }).click();
    await window.chat().getByText('2 of 2', { exact: true }).waitFor();
    await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await composer(window).fill(`${canary} draft`);
    await row.hover();
    await page.keyboard.press('Escape');
    await window.runCommand('Throughline: Open in Editor');
    await page.locator('.tab', { hasText: 'Incognito session' }).waitFor();
    await window.chat(1).getByRole('textbox', { name: 'Message' }).waitFor();
    await shows(window.chat(1).getByRole('textbox', { name: 'Message' }), `${canary} draft`);
    await window.screenshot(join(out, 'shots', 'incognito-editor.png'));
    await window.runCommand('View: Close Editor');
    await window.screenshot(join(out, 'shots', 'incognito.png'));
  });

  await t.test('no file, log or state of this VS Code holds a byte of it', async () => {
    // VS Code writes its state every few seconds, and when the page is left.
    await until('the kept one is found', () => holding(server.home, 'play: [{').length > 0);
    await page.evaluate(() => globalThis.dispatchEvent(new Event('blur')));
    assert.deepEqual(holding(server.home, canary), []);
    const state = await stateOf(page);
    assert.ok(state.includes('throughline'), 'what the workbench keeps is looked through');
    assert.equal(state.includes(canary), false);
  });

  await t.test('it ends after it was asked, and the agent deletes its copy', async () => {
    assert.ok(holding(keeps, canary).length > 0);
    await mark.getByRole('button', { name: 'End session' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('End this incognito session?').waitFor();
    assert.match(await dialog.innerText(), /6 messages[^]*Scripted can delete the copy/);
    await dialog.getByRole('button', { name: 'End and Delete at Scripted' }).click();
    await mark.waitFor({ state: 'detached' });
    await page.getByText('The incognito session ended, and Scripted deleted its copy.').first().waitFor();
    await rows.filter({ has: page.locator('.codicon-eye-closed') }).waitFor({ state: 'detached' });
    assert.deepEqual(holding(keeps, canary), []);
  });

  await t.test('a reload ends it, leaves nothing, and the panel says so and stays incognito', async () => {
    await window.runCommand('Throughline: New Incognito Session');
    await mark.waitFor();
    await send(window, `play: [{"say":"${canary} again"}]`);
    await articles(window).filter({ hasText: 'again' }).nth(1).waitFor();
    await composer(window).fill(`${canary} draft`);
    await window.reload();
    await page.getByText('The incognito session ended with its window').first().waitFor();
    await mark.waitFor();
    assert.equal(await articles(window).count(), 0);
    assert.deepEqual(holding(server.home, canary), []);
    assert.equal((await stateOf(page)).includes(canary), false);
  });

  await t.test(
    '[H110] [H111] what is due by a rule is shown first, goes when the person agrees, and comes back',
    async () => {
      const kept = rows.filter({ hasText: 'kept' });
      const offer = page.locator('.notification-toast', { hasText: 'By your settings 1 session of 1 would be moved' });
      await offer.waitFor();
      await kept.waitFor();
      await window.screenshot(join(out, 'shots', 'retention-offer.png'));
      await offer.getByRole('button', { name: 'Review…' }).click();
      const list = page.locator('.quick-input-widget');
      await list.getByText('4 messages').first().waitFor();
      await window.screenshot(join(out, 'shots', 'retention-list.png'));
      await list.getByRole('button', { name: 'OK' }).click();
      const done = page.locator('.notification-toast', { hasText: 'went to the trash' });
      await done.waitFor();
      await rows.filter({ hasText: 'Trash' }).waitFor();
      await done.getByRole('button', { name: 'Undo' }).click();
      await rows.filter({ hasText: 'Trash' }).waitFor({ state: 'detached' });
      await kept.waitFor();
    },
  );

  await t.test('[H115] what is long in the trash goes only when the person saw it, agreed and confirmed', async () => {
    const forty = 40 * 86_400_000;
    const titles = ['An old marmalade', 'An old jam'];
    for (const title of titles) {
      const id = ids.session();
      const at = Date.now() - 2 * forty;
      const said = [sessionFact(id, at), setFact(id, 'title', title), userFact(id, ids.message(), null, title, at)];
      await leftBehind(server.home, id, forty, [said, [setFact(id, 'trashed', true)]]);
    }
    await window.reload();
    const offer = page.locator('.notification-toast', { hasText: '2 sessions have been in the trash for 30 days' });
    await offer.waitFor();
    await window.screenshot(join(out, 'shots', 'trash-days-offer.png'));
    await offer.getByRole('button', { name: 'Review…' }).click();
    const list = page.locator('.quick-input-widget');
    const row = list.locator('.monaco-list-row', { hasText: 'An old jam' });
    await row.getByText('in the trash since').waitFor();
    await window.screenshot(join(out, 'shots', 'trash-days-list.png'));
    await row.click();
    await list.getByRole('button', { name: 'OK' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('This cannot be undone.').waitFor();
    assert.match(await dialog.innerText(), /“An old marmalade” permanently\?/);
    assert.ok(holding(server.home, 'An old marmalade').length > 0, 'nothing is gone before it was confirmed');
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    await page.getByText('Deleted “An old marmalade” permanently.').first().waitFor();
    await until('nothing is left', () => journalHolding(server.home, 'An old marmalade').length === 0);
    await rows.filter({ hasText: 'Trash' }).click();
    await rows.filter({ hasText: 'An old jam' }).waitFor();
    await rows.filter({ hasText: 'An old marmalade' }).waitFor({ state: 'detached' });
  });
});

test('[H112] a window without a folder says so, helps, and the guide can be read', patience, async t => {
  const window = await installed(t, {}, null);
  const { page } = window;
  await showSessions(window);
  const welcome = page.locator('.part.sidebar .welcome-view');
  await welcome.getByText('No folder is open.').waitFor();
  await welcome.getByRole('button', { name: 'Open Folder' }).waitFor();
  await window.screenshot(join(out, 'shots', 'welcome-empty.png'));
  await welcome.getByRole('button', { name: 'New Session' }).click();
  await window.chat().getByText('No folder is open, so there are no files to ask about yet.').waitFor();
  await window.runCommand('Welcome: Open Walkthrough');
  await page.locator('.quick-input-widget input').fill('Throughline');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Throughline' }).first().click();
  await page.getByText('Try it another way').first().waitFor();
  await window.screenshot(join(out, 'shots', 'walkthrough.png'));
});

/** The files below a folder that hold the words, in either encoding that VS Code writes. */
function holding(home: string, words: string): readonly string[] {
  const forms = [Buffer.from(words), Buffer.from(words, 'utf16le')];
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(name => {
    try {
      const file = join(home, name);
      if (!statSync(file).isFile()) return false;
      const bytes = readFileSync(file);
      return forms.some(form => bytes.includes(form));
    } catch {
      // Gone since the folder was listed.
      return false;
    }
  });
}

/** Of the history; what VS Code logs of a notification is its own. */
function journalHolding(home: string, words: string): readonly string[] {
  return holding(home, words).filter(file => /history\/./.test(file));
}

/** What the workbench keeps in the browser: there its state database is, for a server. */
function stateOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name ?? '');
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error(String(opening.error)));
      });
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll();
        found.push(await new Promise(resolve => (reading.onsuccess = () => resolve(reading.result))));
      }
      database.close();
    }
    return JSON.stringify(found, (_key, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    );
  });
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !isSo();) {
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
