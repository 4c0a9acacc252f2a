// What goes with a prompt, and on after an answer that broke off, in the installed extension.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Locator } from 'playwright-core';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { articles, ask, composer, continuity, installed, shows, untilFocused } from '../e2e/panel.ts';

const patience = { timeout: 150_000 };
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

async function withAgent(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const log = join(home, 'log');
  const folder = copyOfSample();
  const options = {
    settings: {
      'throughline.agent': 'Scripted',
      'throughline.agents': {
        Scripted: {
          command: process.execPath,
          args: [scriptedFile, '--images', '--embedded'],
          env: { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: log },
        },
      },
    },
  };
  const window = await installed(t, options, folder);
  /** What the agent was given of the person's, last. */
  const given = () => {
    const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
    return (JSON.parse(last) as { readonly model: readonly string[] }).model;
  };
  await window.showChat();
  return { window, given, folder };
}

test('[W101] [H70] an agent that died is started again and goes on, and chips survive a reload', patience, async t => {
  const { window, given, folder } = await withAgent(t);
  await ask(window, 'play: crash');
  const restart = window.chat().getByRole('button', { name: 'Restart and continue' });
  await restart.waitFor();
  await composer(window).fill('a draft of mine');
  await restart.click();
  await articles(window).nth(2).getByText('Continue where you stopped.').waitFor();
  await articles(window).nth(3).getByText('half').waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.equal(await restart.count(), 0);
  assert.match((await continuity(window).textContent()) ?? '', /^Remembers/);
  const [seed, words] = given();
  assert.match(seed ?? '', /play: crash[\s\S]*half\n\[interrupted here\]/);
  assert.equal(words, 'Continue where you stopped.');
  assert.equal(await composer(window).inputValue(), 'a draft of mine');

  const box = composer(window);
  const chips = window.chat().getByRole('list', { name: 'Attached' }).getByRole('listitem');
  await box.click();
  await box.press('End');
  for (const name of ['retry.go', 'README.md']) {
    await box.pressSequentially(` @${name}`);
    await window.chat().getByRole('option').filter({ hasText: name }).first().waitFor();
    await box.press('Enter');
    await chips.filter({ hasText: name }).waitFor();
  }
  await box.evaluate((area, base64) => {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, png);
  await chips.filter({ hasText: 'shot.png' }).locator('img').waitFor();
  rmSync(join(folder, 'README.md'));
  await window.reload();
  await chips.nth(2).waitFor();
  await chips.filter({ hasText: 'shot.png' }).locator('img').waitFor();
  assert.match((await chips.nth(1).textContent()) ?? '', /^README\.mdnot there any more/);
  await chips.nth(1).getByRole('button', { name: 'Remove README.md' }).click();
  await box.press('Enter');
  await articles(window).nth(5).waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.match(given().at(-2) ?? '', /"type":"resource".*orders\/retry\.go.*package orders/);
  assert.match(given().at(-1) ?? '', /"type":"image"/);
  assert.equal(await chips.count(), 0);
});

test('[H71] what a person points at is a chip, reaches the agent, and is there after a reload', patience, async t => {
  const { window, given, folder } = await withAgent(t);
  const { page } = window;
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'begin');
  writeFileSync(join(folder, 'go.mod'), 'module changed\n');
  writeFileSync(join(folder, 'bad.json'), '{ "a": }\n');
  const chips = window.chat().getByRole('list', { name: 'Attached' }).getByRole('listitem');
  const file = (name: string) => page.getByRole('treeitem', { name, exact: true }).last();
  const editor = page.locator('.part.editor .editor-instance .view-lines').first();
  const atBeginning = page.locator('.statusbar-item', { hasText: 'Ln 1, Col 1' });
  const open = async (name: string) => {
    await file(name).dblclick();
    await page.getByRole('tab', { name }).first().waitFor();
    await editor.click();
    await page.keyboard.press('Control+Home');
    await atBeginning.waitFor();
  };
  const menu = async (row: Locator, item: string) => {
    await row.click({ button: 'right' });
    const choice = page.getByRole('menuitem', { name: item });
    // A click right after the menu opened counts as the end of the one that opened it.
    do await choice.click();
    while (
      await choice.waitFor({ state: 'hidden', timeout: 1000 }).then(
        () => false,
        () => true,
      )
    );
  };

  // Rows below it move when it comes.
  await file('bad.json').waitFor();
  await open('main.go');
  for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+G');
  await chips.filter({ hasText: 'main.go:1-3' }).waitFor();
  // One goes on to write.
  await untilFocused(composer(window));

  await menu(file('README.md'), 'Add File to Chat');
  await chips.filter({ hasText: 'README.md' }).waitFor();

  await open('bad.json');
  await window.runCommand('Throughline: Add Problem to Chat…');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'bad.json:1' }).first().click();
  await chips.filter({ hasText: 'Problem in bad.json:1' }).waitFor();

  await page
    .locator('.part.activitybar')
    .getByRole('tab', { name: /Source Control/ })
    .click();
  const changed = page.locator('.scm-view .monaco-list-row');
  // Once both are there no row moves any more.
  await changed.filter({ hasText: 'bad.json' }).waitFor();
  await menu(changed.filter({ hasText: 'go.mod' }).first(), 'Add Changes to Chat…');
  await chips.filter({ hasText: 'Changes in go.mod' }).waitFor();

  assert.equal(await chips.count(), 4);

  await composer(window).fill('Look at these');
  await composer(window).press('Enter');
  await articles(window).nth(1).waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  const [words, ...more] = given();
  assert.equal(words, 'Look at these');
  const expected = [
    /"type":"resource".*main\.go#L1-3".*package main/,
    /"type":"resource".*README\.md"/,
    /Error in bad\.json, line 1.*1 {2}\{/,
    /text\/x-diff.*\+module changed/,
  ];
  for (const [at, pattern] of expected.entries()) assert.match(more[at] ?? '', pattern);
  await window.reload();
  const prompt = articles(window).first();
  for (const name of ['main.go:1-3', 'Problem in bad.json:1', 'Changes in go.mod'])
    await prompt.getByText(name).first().waitFor();

  await window.runCommand('Throughline: New Session');
  await prompt.waitFor({ state: 'detached' });
  await composer(window).click();
  await composer(window).pressSequentially('Go on from @look');
  const past = window.chat().getByRole('option').filter({ hasText: 'Look at these' });
  await past.first().waitFor();
  await past.first().click();
  await shows(composer(window), 'Go on from “Look at these” ');
  await composer(window).press('Enter');
  await articles(window).nth(1).waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.match(given().at(-1) ?? '', /From “Look at these”:.*\[User\]\\nLook at these/);
});
