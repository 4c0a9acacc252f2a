// The thin slice, as a person has it: the packaged extension in a real VS Code, typed into, reloaded, deleted, restored.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeHistoryAway } from '../vscode/workspace.ts';
import { articles, ask, composer, continuity, installed, send, showSessions } from './panel.ts';

const patience = { timeout: 120_000 };

test('[H5] it answers, and after a reload the conversation is there and goes on', patience, async t => {
  const window = await installed(t);
  await window.showChat();
  assert.match(await continuity(window).innerText(), /^Fresh/);

  const question = 'Where are orders kept, and what happens when the warehouse does not answer?';
  const answer = await ask(window, question);
  assert.match(answer, /warehouse/);
  assert.match(answer, /orders\//, 'it shows files of the sample');
  assert.match(await continuity(window).innerText(), /^Remembers/);
  await composer(window).fill('a draft that is not sent');
  await drafts(window.server.home, 'a draft that is not sent');
  const before = await articles(window).allTextContents();
  assert.equal(before.length, 2);

  await window.reload();
  await articles(window).nth(1).waitFor();
  assert.deepEqual(await articles(window).allTextContents(), before);
  assert.equal(await composer(window).inputValue(), 'a draft that is not sent');
  assert.match(await continuity(window).innerText(), /^Remembers/);

  const second = await ask(window, 'What did I say about the warehouse?');
  assert.match(second, /Earlier in this conversation/);
  assert.match(second, /what happens when the warehouse does not answer/);
  assert.equal(await articles(window).count(), 4);

  await t.test('[H7] nothing was asked of any other host', () => assert.deepEqual(window.foreignRequests(), []));
  await t.test('[T1] the journal holds what was said', () => {
    const files = readdirSync(window.server.home, { recursive: true, encoding: 'utf8' });
    const journal = files
      .filter(file => file.endsWith('.seg'))
      .map(file => readFileSync(join(window.server.home, file), 'utf8'));
    assert.ok(journal.join('').includes(question));
    assert.equal(journal.length, 2, 'one segment for each run of the extension');
  });
});

test('[H6] delete, undo, restore and resume', patience, async t => {
  const window = await installed(t);
  await window.showChat();
  await ask(window, 'Where is Retry used?');
  await window.runCommand('Throughline: New Session');
  await articles(window).first().waitFor({ state: 'detached' });
  await ask(window, 'Which tests are there?');

  const rows = await showSessions(window);
  await rows.filter({ hasText: 'Which tests are there?' }).waitFor();
  assert.deepEqual(await rows.locator('.label-name').allInnerTexts(), [
    'Today',
    'Which tests are there?',
    'Where is Retry used?',
  ]);

  const row = rows.filter({ hasText: 'Where is Retry used?' });
  await row.hover();
  await row.getByRole('button', { name: 'Delete Session' }).click();
  await row.waitFor({ state: 'detached' });
  await window.page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();

  await row.hover();
  await row.getByRole('button', { name: 'Delete Session' }).click();
  const trash = rows.filter({ hasText: 'Trash' });
  await trash.click();
  await row.waitFor();
  await row.hover();
  await row.getByRole('button', { name: 'Restore Session' }).click();
  await trash.waitFor({ state: 'detached' });

  await row.click();
  await articles(window).filter({ hasText: 'Where is Retry used?' }).first().waitFor();
  assert.equal(await articles(window).count(), 2);

  await window.runCommand('Throughline: Resume Session');
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Which tests are there?' }).click();
  await articles(window).filter({ hasText: 'Which tests are there?' }).first().waitFor();

  await t.test('the chat of a deleted session says so and restores it', async () => {
    await window.runCommand('Throughline: Delete Session');
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Which tests are there?' }).click();
    await window.chat().getByText('This session is in the trash').waitFor();
    await window.chat().getByRole('button', { name: 'Restore' }).click();
    await window.chat().getByText('This session is in the trash').waitFor({ state: 'detached' });
  });
});

test(
  '[T8] what cannot be saved is held back and said, sent when that is accepted, and saved when it can be',
  patience,
  async t => {
    const window = await installed(t);
    await window.showChat();
    await ask(window, 'Where are orders kept?');
    const putBack = takeHistoryAway(window.server.home);
    await send(window, 'said while the disk is away');
    const banner = window.chat().getByRole('group', { name: 'Not saved' });
    await banner.getByText('The history folder is gone').waitFor();
    assert.equal(await composer(window).inputValue(), 'said while the disk is away');
    assert.equal(await articles(window).count(), 2);

    await banner.getByRole('button', { name: 'Send unsaved' }).click();
    await articles(window).nth(3).waitFor();
    await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });

    putBack();
    await ask(window, 'the disk is back');
    await banner.waitFor({ state: 'detached' });
    await window.reload();
    await articles(window).nth(5).waitFor();
    assert.match((await articles(window).nth(2).textContent()) ?? '', /said while the disk is away/);
  },
);

/** Waits until the words are in a file: a person cannot reload as fast as a test. */
async function drafts(home: string, words: string): Promise<void> {
  const all = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter(file => /history\/drafts\/[0-9a-z]+$/.test(file))
      .map(file => readFileSync(join(home, file), 'utf8'));
  while (!all().includes(words)) await new Promise(resolve => setTimeout(resolve, 20));
}
