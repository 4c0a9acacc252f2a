// Two windows on the same folder, with one history in which each shows what the other adds; and a window that is reloaded
// while an agent answers.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { out } from '../vscode/places.ts';
import { untilOnDisk } from './otherWindow.ts';
import {
  articles,
  ask,
  composer,
  continuity,
  installed,
  savedState,
  scriptedAgent,
  send,
  showSessions,
  untilScrollSaved,
} from './panel.ts';

const patience = { timeout: 180_000 };

test('[H3] a second window has the same history, and both follow each other', { timeout: 120_000 }, async t => {
  const first = await installed(t);
  await first.showChat();
  await ask(first, 'Where are orders kept?');

  const second = await first.secondWindow();
  await second.showChat();
  await articles(second).nth(1).waitFor();

  await ask(first, 'Where is Retry used?');
  await articles(second).nth(3).waitFor();
  await ask(second, 'Which tests are there?');
  // The answer grows there a moment later than here.
  const last = (await articles(second).nth(5).textContent()) ?? '';
  await articles(first).nth(5).getByText('store_test.go').first().waitFor();
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    if ((await articles(first).nth(5).textContent()) === last) break;
    await first.page.waitForTimeout(50);
  }
  assert.deepEqual(await articles(first).allTextContents(), await articles(second).allTextContents());

  await t.test('a new session of one is in the tree of the other', async () => {
    const rows = await showSessions(first);
    await rows.filter({ hasText: 'Where are orders kept?' }).waitFor();
    await second.runCommand('Throughline: New Session');
    await articles(second).first().waitFor({ state: 'detached' });
    await ask(second, 'What does the handler answer?');
    await rows.filter({ hasText: 'What does the handler answer?' }).waitFor();
    assert.equal(await articles(first).count(), 6, 'the first still shows its own');
  });

  await t.test('[H5] a reload right after a session was chosen shows that session', async () => {
    const title = 'What does the handler answer?';
    await (await showSessions(first)).filter({ hasText: title }).click();
    await first.chat().getByRole('heading', { name: title }).waitFor();
    await first.reload();
    await first.showChat();
    await first.chat().getByRole('heading', { name: title }).waitFor();
  });

  await t.test('[H117] each says that there is another one, and that both can be used', async () => {
    await second.runCommand('Throughline: New Session');
    await second.chat().getByText('Another window has this history open').waitFor();
    assert.equal(await composer(second).isEditable(), true);
    await first.runCommand('Throughline: New Session');
    await first.chat().getByText('Another window has this history open').waitFor();
    await second.screenshot(join(out, 'shots', 'second-window-panel.png'));
  });
});

test('[H119] a session that another window deletes is stopped where it runs, and on no screen', patience, async t => {
  const { settings } = scriptedAgent('--delete');
  const first = await installed(t, { settings });
  await first.showChat();
  await send(first, `play: ${JSON.stringify([{ say: 'half of it' }, { wait: 120_000 }, { say: 'the rest' }])}`);
  await articles(first).filter({ hasText: 'half of it' }).nth(1).waitFor();
  const second = await first.secondWindow();
  const rows = await showSessions(second);
  const row = rows.filter({ hasText: 'half of it' }).first();
  await row.hover();
  await row.getByRole('button', { name: 'Delete Session' }).click();

  await t.test('[H119] it is stopped there, says that it is in the trash, and comes back by Undo here', async () => {
    await first.chat().getByRole('group', { name: 'In the trash' }).waitFor();
    await first.chat().getByText('Stopped by you').waitFor();
    await second.page.getByRole('button', { name: 'Undo' }).click();
    await first.chat().getByRole('group', { name: 'In the trash' }).waitFor({ state: 'detached' });
    await composer(first).fill('typed and not sent');
  });

  await t.test('[H118] [H119] deleted for ever here and at the agent, it is on no screen there', async () => {
    await row.hover();
    await row.getByRole('button', { name: 'Delete Session' }).click();
    // The key on what is in the trash already asks whether it shall go for ever.
    await rows.filter({ hasText: 'Trash' }).click();
    await row.click({ modifiers: ['ControlOrMeta'] });
    await second.page.keyboard.press('Delete');
    const dialog = second.page.locator('.monaco-dialog-box');
    await dialog.getByText('Scripted can delete the copy that it keeps itself.').waitFor();
    await second.screenshot(join(out, 'shots', 'delete-at-agent.png'));
    await dialog.getByRole('button', { name: 'Delete Here and at Scripted' }).click();
    await second.page
      .getByText(/permanently, and Scripted deleted its copy\./)
      .first()
      .waitFor();
    await first.page.getByText('was deleted permanently in another window.').first().waitFor();
    await articles(first).first().waitFor({ state: 'detached' });
    assert.equal(await composer(first).inputValue(), '');
  });
});

test('[H5] [W14] [W17] a window that is reloaded in the middle of an answer', patience, async t => {
  const { settings } = scriptedAgent('--resume');
  const window = await installed(t, { settings });
  await window.showChat();
  const long = Array.from({ length: 60 }, (_, at) => `line ${at}\n\n`).join('');
  await ask(window, `play: ${JSON.stringify([{ say: long }])}`);
  // It says the first half, and would say the second much later.
  await send(
    window,
    `play: ${JSON.stringify([{ say: 'the first half' }, { wait: 120_000 }, { say: 'the second half' }])}`,
  );
  await articles(window).filter({ hasText: 'the first half' }).nth(1).waitFor();
  const saved = await savedState(window);
  await composer(window).fill('a draft that is not sent');
  const scroller = window.chat().getByRole('region', { name: 'Conversation' });
  await scroller.evaluate(element => (element.scrollTop = 40));
  // A person does not reload at once.
  await untilOnDisk(window.server.home, 'a draft that is not sent');
  await untilOnDisk(window.server.home, '"text":"the first half"');
  await untilScrollSaved(saved);
  const scrolled = () => scroller.evaluate(element => element.scrollTop);
  const before = await scrolled();

  await window.reload();
  await window.showChat();
  await articles(window).nth(3).waitFor({ state: 'attached' });
  const last = articles(window).nth(3);
  assert.match((await last.textContent()) ?? '', /the first half/);
  await last.getByText('Interrupted').waitFor({ state: 'attached' });
  assert.doesNotMatch((await last.textContent()) ?? '', /the second half/);
  assert.equal(await window.chat().getByRole('button', { name: 'Stop' }).count(), 0);
  assert.equal(await composer(window).inputValue(), 'a draft that is not sent');
  assert.equal(await scrolled(), before);
  await window.screenshot(join(out, 'shots', 'reloaded-in-the-middle.png'));

  await t.test('[C1] [C2] the next prompt says truthfully what the agent knows, and goes on', async () => {
    await composer(window).click();
    // The agent never ended that answer, so what it remembers of it nobody knows.
    await continuity(window)
      .filter({ hasText: /^Reseeded/ })
      .waitFor();
    assert.match(await continuity(window).innerText(), /its last answer did not end properly/);
    const answer = await ask(window, 'go on');
    assert.match(answer, /the first half/, 'it was told what had arrived');
    assert.equal(await articles(window).count(), 6);
    await continuity(window)
      .filter({ hasText: /^Remembers/ })
      .waitFor();
  });
});
