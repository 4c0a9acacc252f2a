// Finding again what was said, as a person does it, in the installed extension: on a branch that was left, in another
// session, in what only a tool said, in the side bar and to the side.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import { historyOf, tell } from './otherWindow.ts';
import { composer, installed, showSessions } from './panel.ts';

const patience = { timeout: 180_000 };

test(
  '[H75] [H76] [H78] [H81] what was said is found on every branch, and shown at the very message',
  patience,
  async t => {
    const window = await installed(t);
    const { page } = window;
    await window.showChat();
    await composer(window).waitFor();
    const history = await historyOf(window.server.home);
    const other = ids.message();
    const { messages } = await tell(history, {
      prompts: [
        'Where are orders kept?',
        'a marmalade sandwich',
        ...Array.from({ length: 40 }, (_, at) => `step ${at}`),
      ],
      more: (session, said) => [
        userFact(session, other, said[1] ?? null, 'a cucumber sandwich', Date.now()),
        setFact(session, 'head', other),
      ],
    });
    await tell(history, { prompts: ['Archived: a sandwich'], more: session => [setFact(session, 'archived', true)] });
    const call = { kind: 'toolCall', callId: 'c', title: 'Reading', tool: 'read', status: 'completed' } as const;
    const output = [{ type: 'content', content: { type: 'text', text: 'quincejelly' } }];
    await tell(history, {
      prompts: ['Which tests are there?'],
      more: (session, [, answer = '']) => [
        {
          type: 'block',
          session,
          message: answer,
          at: 1,
          block: { ...call, mime: 'application/json', locations: [], output },
        },
      ],
    });
    await history.close();

    const input = page.locator('.quick-input-widget input[type="text"]');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const search = async (text: string): Promise<void> => {
      await page.getByRole('button', { name: 'Search History…' }).first().click();
      await input.waitFor();
      await input.fill(text);
    };
    await (await showSessions(window)).filter({ hasText: 'Which tests are there?' }).waitFor();

    await t.test('[H75] nothing typed shows what can narrow the search, and what was used last', async () => {
      await search('');
      await rows.filter({ hasText: 'has:changes' }).waitFor();
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Where are orders kept?' }).waitFor();
      await rows.filter({ hasText: 'Where are orders kept?' }).waitFor();
      await input.fill('agent:');
      await rows.filter({ hasText: 'agent:"Offline scout"' }).waitFor();
    });

    await t.test('[H75] [H78] Enter goes to the message, on the branch that was left', async () => {
      await input.fill('sandwich marmalade');
      const hit = rows.filter({ hasText: 'a «marmalade» «sandwich»' });
      await hit.first().waitFor();
      assert.match(await hit.first().innerText(), /another branch/);
      await rows.filter({ hasText: 'Archived: a sandwich' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      const focused = window.chat().locator('article:focus');
      await focused.waitFor();
      assert.match(await focused.innerText(), /marmalade/);
      assert.equal(await focused.getAttribute('data-message'), messages[3]);
    });

    await t.test('[H75] what is archived says so, and can be left out', async () => {
      await search('sandwich');
      await rows.filter({ hasText: 'archived' }).first().waitFor();
      await page.getByRole('button', { name: 'Leave Out the Archive' }).click();
      await rows.filter({ hasText: 'archived' }).first().waitFor({ state: 'detached' });
      assert.equal(await input.inputValue(), 'sandwich without:archive ');
    });

    await t.test('[H75] [H76] no text is an error, and what only a tool said is read from the disk', async () => {
      await input.fill('(*:" agent:"nobody');
      await input.fill('quincejelly');
      await rows.filter({ hasText: 'Everything was read' }).waitFor();
      await rows.filter({ hasText: 'quincejelly' }).filter({ hasText: 'Which tests are there?' }).waitFor();
      assert.equal(await page.locator('.notification-toast').count(), 0);
    });

    await t.test('[H81] the tree shows only what fits, says so, and shows all again', async () => {
      await page.keyboard.press('Escape');
      const tree = page.locator('.part.sidebar');
      await tree.getByRole('button', { name: 'Filter Sessions…' }).click();
      await input.fill('cucumber');
      await page.keyboard.press('Enter');
      await tree.getByText('Filtered by “cucumber”: 1 of 3 sessions.').waitFor();
      const shown = tree.locator('.monaco-list-row');
      await shown.filter({ hasText: 'Which tests' }).waitFor({ state: 'detached' });
      await shown.filter({ hasText: 'Where are orders kept?' }).waitFor();
      await tree.getByRole('button', { name: 'Clear Filter' }).click();
      await shown.filter({ hasText: 'Which tests' }).waitFor();
      await tree.getByText('Filtered by').waitFor({ state: 'detached' });
      await search('');
    });

    await t.test('[H78] the key to open to the side opens an editor at the message', async () => {
      await input.fill('cucumber');
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'a cucumber sandwich' }).waitFor();
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.locator('.tabs-container .tab', { hasText: 'Where are orders kept?' }).waitFor();
      await window.chat(1).locator('article:focus', { hasText: 'cucumber' }).waitFor();
    });
  },
);
