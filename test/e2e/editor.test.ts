// The chat in an editor, beside the one in the side bar: opened, asked, answered, reloaded, as a person does it.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { extensionId } from '../vscode/places.ts';
import type { Window } from '../vscode/workbench.ts';
import {
  articles,
  ask,
  composer,
  installed,
  pressSettled,
  savedState,
  send,
  shows,
  showSessions,
  untilScrollSaved,
} from './panel.ts';

const patience = { timeout: 150_000 };
const mine = `iframe.webview[src*="extensionId=${extensionId}"]`;
/** VS Code says in the address of a webview what it is for; an editor says nothing there. */
const inView = '[src*="purpose=webviewView"]';

/** The same window, with the chat of the side bar, or of the editor that is in front. */
function sideOf(window: Window): Window {
  return { ...window, chat: () => inside(window.page.locator(`${mine}${inView}`)) };
}

function editorOf(window: Window): Window {
  return { ...window, chat: () => inside(window.page.locator(`${mine}:not(${inView})`)) };
}

function inside(frame: Locator) {
  return frame.first().contentFrame().frameLocator('#active-frame');
}

function tabs(window: Window): Locator {
  return window.page.locator('.part.editor').getByRole('tab');
}

test('[H50] [H51] [H52] a session in an editor and in the side bar is one conversation', patience, async t => {
  const window = await installed(t);
  await window.showChat();
  const [side, editor] = [sideOf(window), editorOf(window)];
  await ask(side, 'Where is Retry used?');

  await t.test('it opens in an editor, once', async () => {
    await window.runCommand('Throughline: Open in Editor');
    await articles(editor).nth(1).waitFor();
    await tabs(window).filter({ hasText: 'Where is Retry used?' }).waitFor();
    await window.runCommand('Throughline: Open in Editor');
    assert.equal(await tabs(window).count(), 1);
  });

  await t.test('what is asked there is in the side bar too', async () => {
    const answer = await ask(editor, 'Which tests are there?');
    await articles(side).nth(3).waitFor();
    assert.equal(await articles(side).nth(3).textContent(), answer);
  });

  await t.test('what is typed there is in the side bar too', async () => {
    await composer(editor).fill('half a sentence');
    await shows(composer(side), 'half a sentence');
    await composer(side).fill('half a sentence, and more');
    await shows(composer(editor), 'half a sentence, and more');
  });

  await t.test('after a reload the editor has its session and what was typed', async () => {
    // The side bar goes to another session, so that the editor cannot have it from there.
    await window.runCommand('Throughline: New Session');
    await articles(side).first().waitFor({ state: 'detached' });
    const scroller = editor.chat().getByRole('region', { name: 'Conversation' });
    const scrolled = () =>
      scroller.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [scrollTop, scrollHeight > clientHeight]);
    const saved = await savedState(editor);
    await scroller.evaluate(element => (element.scrollTop = 0));
    // A person does not reload at once.
    await untilScrollSaved(saved);
    assert.deepEqual(await scrolled(), [0, true]);
    await window.reload();
    await articles(editor).nth(3).waitFor();
    assert.deepEqual(await scrolled(), [0, true]);
    await shows(composer(editor), 'half a sentence, and more');
    await tabs(window).filter({ hasText: 'Where is Retry used?' }).waitFor();
    await window.showChat();
    await composer(side).waitFor();
    assert.equal(await articles(side).count(), 0);
    await composer(editor).fill('');
    await ask(editor, 'Who calls it?');
    assert.equal(await articles(editor).count(), 6);
  });

  await t.test('from the list it opens to the side, and is not opened twice', async () => {
    const rows = await showSessions(window);
    await rows.filter({ hasText: 'Where is Retry used?' }).first().click({ button: 'right' });
    const item = window.page.getByRole('menuitem', { name: 'Open to the Side' });
    await item.hover();
    // A menu of VS Code that has just opened does not answer to a press.
    await window.page.waitForTimeout(300);
    await item.click();
    await item.waitFor({ state: 'detached' });
    await articles(editor).nth(5).waitFor();
    assert.equal(await tabs(window).count(), 1);
  });

  await t.test('a new session in the editor takes its name from what is asked first', async () => {
    await editor.chat().getByRole('button', { name: 'New session' }).click();
    await tabs(window).filter({ hasText: 'New session' }).waitFor();
    // The tab has its new name a moment before the page shows the new session.
    await articles(editor).first().waitFor({ state: 'detached' });
    await ask(editor, 'What is in the store?');
    await tabs(window).filter({ hasText: 'What is in the store?' }).waitFor();
  });
});

test('[H51] a permission is answered in the editor and gone from the side bar', patience, async t => {
  const env = { SCRIPTED_HOME: mkdtempSync(join(tmpdir(), 'throughline-agent-')) };
  const agent = { command: process.execPath, args: [scriptedFile], env };
  const settings = { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: agent } };
  const window = await installed(t, { settings });
  await window.showChat();
  const [side, editor] = [sideOf(window), editorOf(window)];
  await composer(side).waitFor();
  await window.runCommand('Throughline: Open in Editor');
  await composer(editor).waitFor();
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'e1', title: 'Tidy up', kind: 'other' };
  const steps = [
    { update: { sessionUpdate: 'tool_call', status: 'pending', ...toolCall } },
    { call: { method: 'session/request_permission', params: { toolCall, options } } },
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'e1', status: 'completed' } },
    { say: 'It is tidy.' },
  ];
  await send(side, `play: ${JSON.stringify(steps)}`);
  const question = (of: Window) => of.chat().getByRole('group', { name: 'Permission needed' });
  await question(side).waitFor();
  await question(editor).waitFor();
  await pressSettled(question(editor).getByRole('button', { name: 'Allow', exact: true }));
  await question(side).waitFor({ state: 'detached' });
  for (const panel of [side, editor]) {
    await articles(panel).nth(1).getByText('It is tidy.').waitFor();
    assert.equal(await composer(panel).inputValue(), '');
  }
});
