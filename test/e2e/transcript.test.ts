// The conversation as a person reads it: what is found in it, what goes from it into the editor, and by the keyboard.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Fact } from '../../src/model/record.ts';
import { openHost } from '../bench/engine.ts';
import { mime } from '../vscode/standIns/conversation.ts';
import type { Window } from '../vscode/workbench.ts';
import { historyOf, tell } from './otherWindow.ts';
import { articles, ask, composer, installed, pick, send, showSessions } from './panel.ts';

const patience = { timeout: 180_000 };

test(
  '[W46] [W61] [W62] [W63] [W74] [W76] [H20] [H22] find, go to a message, open a place, insert code',
  patience,
  async t => {
    const window = await installed(t);
    await window.showChat();
    await ask(window, 'Where are orders kept, and what happens when the warehouse does not answer?');
    await ask(window, 'Where is Retry used?');
    const chat = window.chat();
    const bar = chat.getByRole('search', { name: 'Find in conversation' });

    await t.test('[H22] without an editor it is said', async () => {
      await articles(window).nth(1).locator('.codeBlock').first().hover();
      await articles(window).nth(1).getByRole('button', { name: 'Insert at Cursor' }).first().click();
      await window.page.getByText('No editor is open to insert the code into.').first().waitFor();
    });

    await t.test('[H20] a place of a tool call opens its file', async () => {
      const tool = articles(window).nth(3).locator('.tool').first();
      await tool.locator('.fold').first().click();
      const place = tool.getByRole('list', { name: 'Files' }).getByRole('button').first();
      const [file = '', line = ''] = ((await place.textContent()) ?? '').split(':');
      await place.click();
      await window.page.locator('.tab.active', { hasText: file }).waitFor();
      await window.page.locator('.part.statusbar', { hasText: `Ln ${line}, Col 1` }).waitFor();
    });

    await t.test('[H22] code goes where the cursor is', async () => {
      const block = articles(window).nth(1).locator('.codeBlock').first();
      const first = ((await block.locator('pre').textContent()) ?? '').split('\n')[0]?.trim() ?? '';
      await block.hover();
      await block.getByRole('button', { name: 'Insert at Cursor' }).click();
      // The scout puts numbers before its lines, which the file itself has not.
      const words = first.split(/\s+/).slice(0, 3).join(' ');
      assert.match(words, /^\d+ ./);
      await window.page.locator('.view-line', { hasText: words }).first().waitFor();
      await window.page.locator('.monaco-editor.focused').first().waitFor();
    });

    await t.test('[W61] what is found is counted, gone through and left', async () => {
      await composer(window).focus();
      await window.page.keyboard.press('Control+f');
      await window.page.keyboard.type('retry');
      const count = bar.locator('.findCount');
      await count.filter({ hasText: /^1 of \d+$|^\d+ of \d+$/ }).waitFor();
      const [at = 0, of = 0] = await numbers(count);
      assert.ok(of > 2, `${of} found`);
      await window.page.keyboard.press('Enter');
      await count.filter({ hasText: `${(at % of) + 1} of ${of}` }).waitFor();
      await window.page.keyboard.press('Shift+Enter');
      await window.page.keyboard.press('F3');
      await count.filter({ hasText: `${(at % of) + 1} of ${of}` }).waitFor();
      assert.equal(await window.page.locator('.find-widget.visible').count(), 0, 'the editor does not find as well');
      const painted = await chat.locator('body').evaluate(() => CSS.highlights.get('found')?.size ?? 0);
      assert.ok(painted > 0, 'it is coloured');
      await window.page.keyboard.press('Escape');
      await bar.waitFor({ state: 'detached' });
      await composer(window).and(chat.locator(':focus')).waitFor();
      assert.equal(await composer(window).inputValue(), '', 'no letter went astray');
    });

    await t.test('[W46] the keys of a box stay in the box, though a file is open', async () => {
      const box = composer(window);
      await box.click();
      // What hears a key at the window of the page, as VS Code does.
      await box.evaluate(() => {
        document.documentElement.dataset['heard'] = '';
        addEventListener('keydown', ({ key }) => (document.documentElement.dataset['heard'] += key));
      });
      await window.page.keyboard.type('one');
      await window.page.keyboard.press('Control+a');
      await window.page.keyboard.press('Delete');
      assert.equal(await box.inputValue(), '');
      await window.page.keyboard.press('Control+z');
      assert.equal(await box.inputValue(), 'one');
      await window.page.keyboard.press('Control+y');
      assert.equal(await box.inputValue(), '');
      const heard = await box.evaluate(() => document.documentElement.dataset['heard']);
      assert.equal(heard, 'oneControlDeleteControlControl');
    });

    await t.test('[W63] by the keyboard and by a command to a message', async () => {
      await composer(window).focus();
      for (let at = 0; at < 3; at++) await window.page.keyboard.press('Alt+ArrowUp');
      await focused(window, 0);
      await window.page.keyboard.press('Alt+ArrowDown');
      await focused(window, 2);
      await window.page.keyboard.press('Alt+ArrowUp');
      await focused(window, 0);
      await window.runCommand('Throughline: Focus Last Message');
      await focused(window, 3);
    });

    await t.test('[W76] what a card cuts is opened whole in an editor, where it can be searched', async () => {
      await writeLong(window.server.home);
      await (await showSessions(window)).filter({ hasText: 'A very long one' }).first().click();
      // Its end is shown before the whole of it is there, and drawn anew then.
      await chat.getByText('all 2000 messages above').waitFor();
      const tool = articles(window).last().locator('.tool');
      await tool.locator('.fold').click();
      await tool.getByText(/more characters$/).waitFor();
      await tool.getByText('Not all of it is shown here').waitFor();
      await tool.getByRole('button', { name: 'Show all' }).click();
      await window.page.locator('.tab.active', { hasText: 'npm test.txt' }).waitFor();
      await window.page.locator('.view-line', { hasText: '── Output ──' }).first().waitFor();
      await window.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
      await window.page.keyboard.press('Control+End');
      await window.page.locator('.view-line', { hasText: 'line 119999' }).first().waitFor();
    });

    await t.test('[W62] a message that is not drawn yet is found, its folded parts too', async () => {
      await articles(window).last().filter({ hasText: 'Words 1999' }).waitFor();
      // From the editor back to the chat as a person goes there.
      await composer(window).click();
      await composer(window).and(chat.locator(':focus')).waitFor();
      // The page itself writes down which messages were seen: its own frames are the only clock here.
      await chat.locator('.content').evaluate(content => {
        const seen = new IntersectionObserver(entries =>
          entries.forEach(({ target, isIntersecting }) => target.classList.toggle('seen', isIntersecting)),
        );
        new MutationObserver(() => content.querySelectorAll('article').forEach(one => seen.observe(one))).observe(
          content,
          { childList: true, subtree: true },
        );
      });
      await chat.getByRole('region', { name: 'Conversation' }).focus();
      await window.page.keyboard.press('Control+f');
      await window.page.keyboard.press('Control+a');
      await window.page.keyboard.type('needle');
      await bar.getByText('1 of 2').waitFor();
      await chat.locator('[data-message="m20"].seen').waitFor();
      await window.page.keyboard.press('Enter');
      await bar.getByText('2 of 2').waitFor();
      await chat.locator('[data-message="m41"].seen .inside').waitFor();
      await window.page.keyboard.press('Escape');
    });

    await t.test(
      '[W74] the last messages of a long session are drawn as they stay, and answered to at once',
      async () => {
        const prompts = Array.from({ length: 1000 }, (_, at) => `What is step ${at}?`);
        const history = await historyOf(window.server.home);
        await tell(history, { prompts });
        await history.close();
        await window.runCommand('Throughline: Resume Session');
        await window.page.locator('.monaco-list-row', { hasText: 'What is step 0?' }).first().waitFor();
        await watchLast(chat, 'What is step 999?');
        await pick(window, 'What is step 0?');
        await articles(window).filter({ hasText: 'What is step 999?' }).first().waitFor();
        await send(window, 'Where is Retry used?');
        await articles(window).filter({ hasText: 'Where is Retry used?' }).first().waitFor();
        await articles(window).last().locator('.tool').first().waitFor();
        const heights = await chat.locator('body').evaluate(() => (globalThis as { heights?: number[] }).heights);
        assert.equal(new Set(heights).size, 1, `it was ${heights?.join()} pixels high`);
      },
    );
  },
);

/** Notes in each frame how high the prompt with these words is drawn. */
async function watchLast(chat: ReturnType<Window['chat']>, words: string): Promise<void> {
  await chat.locator('body').evaluate((_body, words) => {
    const heights: number[] = [];
    Object.assign(globalThis, { heights });
    const look = () => {
      const prompts = [...document.querySelectorAll<HTMLElement>('article.user')];
      const last = prompts.find(one => one.textContent.includes(words));
      if (last) heights.push(last.offsetHeight);
      requestAnimationFrame(look);
    };
    look();
  }, words);
}

/** More than a panel is given of one text, told apart at every place. */
const printed = Array.from({ length: 120_000 }, (_, at) => `line ${at}`).join('\n');
const longCall = {
  kind: 'toolCall',
  mime: 'application/json',
  callId: 'c1',
  title: 'npm test',
  tool: 'execute',
  status: 'completed',
  locations: [],
  output: [{ type: 'content', content: { type: 'text', text: printed } }],
} as const;

/** A session as long as one ever is, as another window writes it; what is looked for stands at its beginning. */
async function writeLong(home: string): Promise<void> {
  const journal = readdirSync(home, { recursive: true, encoding: 'utf8' }).find(file =>
    file.endsWith(join('history', 'journal')),
  );
  assert.ok(journal);
  const history = await openHost(join(home, journal, '..'));
  const session = 'verylong';
  const created = Date.now();
  const agent = { id: 'scout', name: 'Offline scout' };
  const facts = Array.from({ length: 2000 }, (_, at): Fact => {
    const words = at === 20 ? 'Here is the *nee*dle.' : `Words ${at}.`;
    const message = {
      id: `m${at}`,
      parent: at === 0 ? null : `m${at - 1}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      created,
      blocks: [
        ...(at === 1999 ? [longCall] : []),
        ...(at === 41 ? [{ kind: 'thought', mime, text: 'A **needle** that is folded.' } as const] : []),
        { kind: 'text', mime, text: words },
      ],
      end: { reason: 'end_turn', at: created },
      ...(at % 2 === 0 ? {} : { agent }),
    } as const;
    return { type: 'message', session, message };
  });
  await history.append(session, [
    { type: 'session', session, created, agent },
    { type: 'set', session, name: 'title', value: 'A very long one' },
    ...facts,
    { type: 'set', session, name: 'head', value: 'm1999' },
  ]);
  await history.close();
}

async function numbers(count: Locator): Promise<readonly number[]> {
  return ((await count.textContent()) ?? '').split(' of ').map(Number);
}

async function focused(window: Window, at: number): Promise<void> {
  await articles(window).nth(at).and(window.chat().locator(':focus')).waitFor();
}
