// Two windows of one person on the same folder: one history, and each shows what the other adds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articles, ask, installed, showSessions } from './panel.ts';

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
});
