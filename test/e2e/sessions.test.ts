// The life of sessions as a person has it, in the installed extension: named, pinned, found again, put away by several,
// gone for ever.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Fact } from '../../src/model/record.ts';
import { setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import type { Window } from '../vscode/workbench.ts';
import { historyOf, tell } from './otherWindow.ts';
import { articles, ask, choose, composer, installed, send, showSessions, scriptedAgent } from './panel.ts';

const patience = { timeout: 180_000 };

test('[H30] [H32] [H33] [H34] sessions are named, pinned, found, deleted and gone for ever', patience, async t => {
  const window = await installed(t);
  const { page } = window;
  await window.showChat();
  const questions = ['Where are orders kept?', 'Where is Retry used?', 'Which tests are there?'] as const;
  for (const question of questions) {
    await ask(window, question);
    await window.runCommand('Throughline: New Session');
    await articles(window).first().waitFor({ state: 'detached' });
  }
  const rows = await showSessions(window);
  const row = (words: string) => rows.filter({ hasText: words });
  await row(questions[0]).waitFor();
  const labels = () => rows.locator('.label-name').allInnerTexts();
  assert.deepEqual(await labels(), ['Today', questions[2], questions[1], questions[0]]);
  const trash = rows.filter({ has: page.locator('.label-name', { hasText: /^Trash$/ }) });

  await t.test(
    '[H33] a new title is in the tree and in the panel at once, and an empty one gives back the old',
    async () => {
      await row(questions[0]).click();
      await articles(window).nth(1).waitFor();
      await rename(window, row(questions[0]), 'The warehouse question');
      await row('The warehouse question').waitFor();
      await window.chat().getByRole('heading', { name: 'The warehouse question' }).waitFor();
      await rename(window, row('The warehouse question'), '');
      await row(questions[0]).waitFor();
      await window.chat().getByRole('heading', { name: questions[0] }).waitFor();
    },
  );

  await t.test('[H30] what is pinned stands in a group of its own, above all', async () => {
    await choose(window, row(questions[0]), 'Pin Session');
    await rows.filter({ hasText: 'Pinned' }).waitFor();
    assert.deepEqual(await labels(), ['Pinned', questions[0], 'Today', questions[2], questions[1]]);
    await choose(window, row(questions[0]), 'Unpin Session');
    await rows.filter({ hasText: 'Pinned' }).waitFor({ state: 'detached' });
  });

  await t.test('[H34] the resume picker finds what was said, and opens it', async () => {
    await row(questions[1]).click();
    await articles(window).filter({ hasText: questions[1] }).first().waitFor();
    await ask(window, 'a marmalade sandwich in the orders');
    await row(questions[2]).click();
    await articles(window).filter({ hasText: questions[2] }).first().waitFor();
    await window.runCommand('Throughline: Resume Session');
    await page.locator('.quick-input-widget input').fill('marmalade');
    const found = page.locator('.quick-input-list .monaco-list-row', { hasText: 'marmalade sandwich' }).first();
    await found.waitFor();
    assert.match(await found.innerText(), /Where is Retry used\?/);
    await page.keyboard.press('Enter');
    await articles(window).filter({ hasText: 'marmalade' }).first().waitFor();
    await window.runCommand('Throughline: Resume Session');
    await page.locator('.quick-input-widget input').fill('quincejelly');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Nothing was found. Search' }).click();
    await page.locator('.quick-input-titlebar', { hasText: 'Search History' }).waitFor();
    assert.equal(await page.locator('.quick-input-widget input[type="text"]').inputValue(), 'quincejelly');
    await page.keyboard.press('Escape');
  });

  await t.test('[H32] several go to the trash together, and come back together', async () => {
    // The last one that was clicked is selected already.
    await row(questions[1]).click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('Delete');
    await page.getByText('Moved 2 sessions to the trash.').first().waitFor();
    await trash.waitFor();
    for (const gone of questions.slice(1)) await row(gone).waitFor({ state: 'detached' });
    assert.deepEqual(await labels(), ['Today', questions[0], 'Trash']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await trash.waitFor({ state: 'detached' });
    await row(questions[1]).waitFor();
  });

  await t.test('[H32] what is deleted for ever is asked about, and is in no file and on no screen then', async () => {
    await row(questions[1]).click();
    await articles(window).filter({ hasText: 'marmalade' }).first().waitFor();
    await composer(window).fill('a draft about marmalade');
    await until('the draft is kept', () => holding(window.server.home, 'a draft about marmalade').length > 0);
    await row(questions[1]).hover();
    await row(questions[1]).getByRole('button', { name: 'Delete Session' }).click();
    await trash.click();
    await choose(window, row(questions[1]), 'Delete Permanently…');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('This cannot be undone.').waitFor();
    assert.match(await dialog.innerText(), /“Where is Retry used\?” permanently\?[^]*4 messages/);
    assert.ok(holding(window.server.home, 'marmalade').length > 0, 'nothing is gone before it was confirmed');
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    await row(questions[1]).waitFor({ state: 'detached' });
    await page.getByText('Deleted “Where is Retry used?” permanently.').first().waitFor();
    await articles(window).first().waitFor({ state: 'detached' });
    assert.equal(await composer(window).inputValue(), '');
    await until('nothing is left', () => holding(window.server.home, 'marmalade').length === 0);
  });
});

test('[H30] [H32] a session that needs a person says so, and is stopped before it is deleted', patience, async t => {
  const { settings } = scriptedAgent();
  const window = await installed(t, { settings });
  const { page } = window;
  await window.showChat();
  const rows = await showSessions(window);
  const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
  const toolCall = { toolCallId: 'e1', title: 'Edit', kind: 'edit' };
  const asks = { call: { method: 'session/request_permission', params: { toolCall, options } } };
  await send(window, `play: ${JSON.stringify([asks, { say: 'done' }])}`);
  const row = rows.filter({ hasText: 'needs you' });
  await row.waitFor();
  const badge = page.locator('.part.activitybar .badge-content', { hasText: '1' });
  await badge.waitFor();
  await row.hover();
  await row.getByRole('button', { name: 'Delete Session' }).click();
  await page
    .getByText(/^Stopped the answer and moved/)
    .first()
    .waitFor();
  await window.chat().getByText('Stopped by you').waitFor();
  await badge.waitFor({ state: 'hidden' });
  // The tree follows a moment later.
  await rows.filter({ hasText: 'requestpermission' }).waitFor({ state: 'detached' });
  assert.deepEqual(await rows.locator('.label-name').allInnerTexts(), ['Trash']);
});

test('[H79] [H80] branches are rows where they fork, and go to the trash and back', patience, async t => {
  const window = await installed(t);
  const { page } = window;
  await window.showChat();
  await composer(window).waitFor();
  const history = await historyOf(window.server.home);
  const [cucumber, jam, sub] = [ids.message(), ids.message(), ids.message()];
  const { session, messages } = await tell(history, {
    prompts: ['Where are orders kept?', 'marmalade'],
    more: (id, [, answer = '', marmalade = '']) => [
      userFact(id, cucumber, answer, 'cucumber', Date.now() - 1000),
      userFact(id, jam, answer, 'jam', Date.now() - 2000),
      setFact(id, 'head', cucumber),
      labelled(userFact(id, sub, marmalade, 'Read the journal', Date.now()), 'subagent:reader:1'),
    ],
  });
  const rows = await showSessions(window);
  const row = (words: string) => rows.filter({ hasText: words });
  await row('Where are orders kept?').click();
  await articles(window).filter({ hasText: 'cucumber' }).first().waitFor();
  await row('Where are orders kept?').locator('.monaco-tl-twistie').click();
  await row('marmalade').waitFor();

  await t.test('[H79] what a subagent did opens as a document', async () => {
    await row('Subagent reader 1').click();
    await page.locator('.editor-instance .view-line', { hasText: 'Read the journal' }).waitFor();
  });

  await t.test('[H97] a session with branches offers to compare them', async () => {
    await choose(window, row('Where are orders kept?'), 'Compare with…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'cucumber' }).waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('[H80] what is shown goes to the branch beside it, and comes back by Undo', async () => {
    await choose(window, row('cucumber'), 'Delete Branch');
    await page.getByText('Moved the branch “cucumber” (1 message) to the trash.').first().waitFor();
    await articles(window).filter({ hasText: 'jam' }).first().waitFor();
    await row('cucumber').filter({ hasText: 'deleted' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await articles(window).filter({ hasText: 'cucumber' }).first().waitFor();
    await row('cucumber').filter({ hasText: 'deleted' }).waitFor({ state: 'detached' });
  });

  await t.test(
    '[H80] another window deletes what is shown here, and nothing of it is left after the modal',
    async () => {
      await history.trash(session, { message: cucumber, subtree: true });
      await articles(window).filter({ hasText: 'Where are orders kept?' }).first().waitFor();
      await articles(window).filter({ hasText: 'cucumber' }).first().waitFor({ state: 'detached' });
      await row('cucumber').filter({ hasText: 'deleted' }).waitFor();
      await choose(window, row('cucumber'), 'Delete Branch Permanently…');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('This cannot be undone.').waitFor();
      await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
      await row('cucumber').waitFor({ state: 'detached' });
      await until('nothing is left', () => holding(window.server.home, 'cucumber').length === 0);
      assert.equal((await history.tree(session)).length, messages.length + 2);
    },
  );
  await history.close();
});

function labelled(fact: Fact, label: string): Fact {
  return fact.type === 'message' ? { ...fact, message: { ...fact.message, label } } : fact;
}

async function rename(window: Window, row: Locator, title: string): Promise<void> {
  await choose(window, row, 'Rename Session…');
  const input = window.page.locator('.quick-input-widget input[type="text"]');
  await input.waitFor();
  await input.fill(title);
  await window.page.keyboard.press('Enter');
}

/** The files of every history below a home that hold the words. */
function holding(home: string, words: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(name => {
    if (!/history\/./.test(name)) return false;
    try {
      const file = join(home, name);
      return statSync(file).isFile() && readFileSync(file).includes(words);
    } catch {
      // Gone since the folder was listed.
      return false;
    }
  });
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !isSo();) {
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
