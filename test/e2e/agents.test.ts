// Agents of the person's own in the installed extension, from settings, tested and added: real processes that keep their own
// memory. One that is found on the machine is in starting.test.ts.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { articles, ask, composer, continuity, installed, pick, type } from './panel.ts';
import type { Window } from '../vscode/workbench.ts';

const patience = { timeout: 120_000 };

test('[C1] an agent from settings answers, and after a reload remembers as the line says', patience, async t => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const log = join(home, 'log');
  const env = { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: log };
  const window = await installed(t, {
    settings: {
      'throughline.agent': 'Scripted',
      'throughline.agents': { Scripted: { command: process.execPath, args: [scriptedFile], env } },
    },
  });
  await window.showChat();
  assert.match(await ask(window, 'Remember factA.'), /factA/);
  assert.match(await continuity(window).innerText(), /^Remembers/);
  await window.reload();
  await articles(window).nth(1).waitFor();
  assert.match(await ask(window, 'Remember factB.'), /factB/);
  assert.match(await continuity(window).innerText(), /^Remembers/);
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  assert.deepEqual(
    [...last.matchAll(/fact[A-Z]/g)].map(([fact]) => fact),
    ['factA', 'factB'],
  );

  await t.test('[W124] of much text that comes at once all is drawn in the end, and not in one frame', async () => {
    const paragraphs = Array.from(
      { length: 400 },
      (_, n) => `Step **${n}** is ${'a thing that takes a while '.repeat(6)}`,
    );
    const steps = [{ say: 'These are the steps. ' }, { wait: 200 }, { say: paragraphs.join('\n\n') }];
    await window
      .chat()
      .locator('body')
      .evaluate(() => {
        const drawn = new Set<number>();
        Object.assign(globalThis, { drawn });
        const look = () => {
          drawn.add([...document.querySelectorAll('article')].at(-1)?.querySelectorAll('strong').length ?? 0);
          requestAnimationFrame(look);
        };
        look();
      });
    await ask(window, `play: ${JSON.stringify(steps)}`);
    const answer = articles(window).last();
    await answer
      .locator('strong')
      .nth(paragraphs.length - 1)
      .waitFor({ state: 'attached' });
    assert.deepEqual(
      await answer.locator('strong').allTextContents(),
      paragraphs.map((_, n) => String(n)),
    );
    const drawn = await window
      .chat()
      .locator('body')
      .evaluate(() => [...((globalThis as { drawn?: Set<number> }).drawn ?? [])]);
    const between = drawn.filter(count => count > 0 && count < paragraphs.length);
    assert.ok(between.length >= 5, `so many were drawn in one frame or another: ${drawn.join()}`);
  });
});

test('[H120] [H122] an agent is tested, added, and answers from then on', patience, async t => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const env = { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: join(home, 'log') };
  const window = await installed(t, { env });
  await window.showChat();
  await t.test('a program that is not there is told with what to do', async () => {
    await window.runCommand('Throughline: Add Agent…');
    await pick(window, 'Another program…');
    await type(window, 'no-such-agent --acp');
    await type(window, 'Missing');
    const dialog = window.page.getByRole('dialog', { name: /“no-such-agent” was not found/ });
    await dialog.getByText('Check that it is installed').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await window.page.keyboard.press('Escape');
  });
  await t.test('one that answers is added with what it can do, and answers from then on', async () => {
    await window.runCommand('Throughline: Add Agent…');
    await pick(window, 'Another program…');
    await type(window, `"${process.execPath}" "${scriptedFile}" --resume`);
    await type(window, 'My own');
    const dialog = window.page.getByRole('dialog', { name: /My own answers/ });
    await dialog.getByText('Resumes its sessions').waitFor();
    await dialog.getByRole('button', { name: 'Add and Use' }).click();
    await agentButton(window, 'My own').waitFor();
    assert.match(await ask(window, 'Remember factB.'), /factB/);
    await window.runCommand('Throughline: New Session');
    await composer(window).click();
    await agentButton(window, 'My own').waitFor();
  });
  await t.test('[H122] it is tested', async () => {
    await window.runCommand('Throughline: Test Agent…');
    await pick(window, 'My own');
    const dialog = window.page.getByRole('dialog', { name: /My own answers and can start sessions here/ });
    await dialog.getByRole('button', { name: 'OK' }).click();
  });
});

function agentButton(window: Window, agent: string): Locator {
  return window.chat().getByRole('button', { name: `Agent: ${agent}`, exact: true });
}
