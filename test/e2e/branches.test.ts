// Branches, as a person makes and walks them in the installed extension: with the mouse and with the keyboard, over a
// reload, and without what stays on the screen moving.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Window } from '../vscode/workbench.ts';
import { articles, ask, composer, installed, send, scriptedAgent } from './panel.ts';

const patience = { timeout: 180_000 };

function branches(window: Window, at: number): Locator {
  return articles(window).nth(at).getByRole('group', { name: 'Branches' });
}

async function press(window: Window, at: number, name: string): Promise<void> {
  await articles(window)
    .nth(at)
    .hover({ position: { x: 20, y: 10 } });
  await articles(window).nth(at).getByRole('button', { name, exact: true }).click();
}

async function ended(window: Window, at: number, words: string): Promise<void> {
  await branches(window, at).getByText(words, { exact: true }).waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
}

/** Where a message begins on the screen. */
async function topOf(window: Window, at: number): Promise<number> {
  return articles(window)
    .nth(at)
    .evaluate(article => Math.round(article.getBoundingClientRect().top));
}

async function focused(window: Window): Promise<string | null> {
  return window
    .chat()
    .locator(':focus')
    .evaluate(element => element.getAttribute('aria-label'));
}

test('[T20] [T21] [W28] [W29] [W30] edit, retry, walk, reload and fork', patience, async t => {
  const window = await installed(t);
  await window.showChat();
  await ask(window, 'Where are orders kept?');
  await ask(window, 'Which tests are there?');
  assert.equal(await window.chat().getByRole('group', { name: 'Branches' }).count(), 0);
  await composer(window).fill('a draft that stays');

  await press(window, 2, 'Edit and resend');
  const editor = window.chat().getByRole('textbox', { name: 'Edited prompt' });
  assert.equal(await editor.inputValue(), 'Which tests are there?');
  await editor.fill('never mind');
  await editor.press('Escape');
  await editor.waitFor({ state: 'detached' });
  await window.chat().locator('[aria-label="Edit and resend"]:focus').waitFor();
  assert.match((await articles(window).nth(2).textContent()) ?? '', /Which tests are there\?/);
  await press(window, 2, 'Edit and resend');
  await editor.fill('What does Retry do?');
  await editor.press('Enter');
  await ended(window, 2, '2 of 2');
  assert.equal(await articles(window).count(), 4);
  assert.match((await articles(window).nth(2).textContent()) ?? '', /What does Retry do\?/);
  assert.equal(await composer(window).inputValue(), 'a draft that stays');

  await press(window, 3, 'Retry');
  await ended(window, 2, '3 of 3');
  assert.match((await articles(window).nth(2).textContent()) ?? '', /What does Retry do\?/);

  // By keyboard, with the focus where it was and nothing moved above.
  await articles(window).nth(2).scrollIntoViewIfNeeded();
  const previous = () => branches(window, 2).getByRole('button', { name: 'Previous branch' });
  await previous().focus();
  const before = await topOf(window, 2);
  await window.page.keyboard.press('Enter');
  await branches(window, 2).getByText('2 of 3').waitFor();
  assert.equal(await focused(window), 'Previous branch');
  await window.page.keyboard.press('Enter');
  await branches(window, 2).getByText('1 of 3').waitFor();
  assert.equal(await focused(window), 'Next branch', 'there is none before');
  assert.ok(await previous().isDisabled());
  assert.match((await articles(window).nth(2).textContent()) ?? '', /Which tests are there\?/);
  const after = await topOf(window, 2);
  assert.ok(Math.abs(after - before) <= 1, `what is above stays: ${before}, ${after}`);
  assert.equal(await composer(window).inputValue(), 'a draft that stays');

  await window.reload();
  await branches(window, 2).getByText('1 of 3').waitFor();
  assert.match((await articles(window).nth(2).textContent()) ?? '', /Which tests are there\?/);

  await press(window, 1, 'Fork from here');
  await window.chat().getByText('The next message begins a branch').waitFor();
  assert.equal(await articles(window).count(), 2);
  await window.chat().getByText('4 of 4').waitFor();
  await window.chat().getByRole('button', { name: 'Previous branch' }).click();
  await branches(window, 2).getByText('3 of 3').waitFor();
  await press(window, 1, 'Fork from here');
  await window.chat().getByText('The next message begins a branch').waitFor();
  await composer(window).fill('How long does Retry wait?');
  await composer(window).press('Enter');
  await ended(window, 2, '4 of 4');
  assert.equal(await articles(window).count(), 4);
});

test('[W31] while a turn runs nothing begins or shows a branch', patience, async t => {
  const { settings } = scriptedAgent();
  const window = await installed(t, { settings });
  await window.showChat();
  await ask(window, 'Remember factA.');
  await press(window, 1, 'Retry');
  await ended(window, 0, '2 of 2');
  await send(window, 'play: form');
  await window
    .chat()
    .getByRole('group', { name: /^Question from/ })
    .waitFor();
  const busy = [
    articles(window).nth(0).getByRole('button', { name: 'Edit and resend' }),
    articles(window).nth(1).getByRole('button', { name: 'Retry' }),
    articles(window).nth(1).getByRole('button', { name: 'Fork from here' }),
    branches(window, 0).getByRole('button', { name: 'Previous branch' }),
  ];
  for (const button of busy) assert.ok(await button.isDisabled(), String(button));
  await window.chat().getByRole('button', { name: 'Stop' }).click();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  for (const button of busy) assert.ok(await button.isEnabled(), String(button));
});
