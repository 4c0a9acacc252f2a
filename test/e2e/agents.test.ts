// An agent of the person's own, from settings, in the installed extension: a real process that keeps its own memory.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
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
});

test(
  '[H120] [H121] [H122] an agent of this machine answers by itself; another is tested, and added',
  patience,
  async t => {
    const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
    // The first of the list, so that what else is on this machine does not matter.
    const found = join(home, 'claude-agent-acp');
    writeFileSync(found, `#!/bin/sh\nexec '${process.execPath}' '${scriptedFile}' "$@"\n`);
    chmodSync(found, 0o755);
    const window = await installed(t, {
      settings: { 'throughline.agent': '' },
      env: {
        PATH: [home, process.env['PATH'] ?? ''].join(delimiter),
        SCRIPTED_HOME: join(home, 'sessions'),
        SCRIPTED_LOG: join(home, 'log'),
      },
    });
    await window.showChat();
    await t.test('[H121] what was found answers, and its name stands there', async () => {
      await composer(window).click();
      await agentButton(window, 'Claude Code').waitFor();
      assert.match(await ask(window, 'Remember factA.'), /factA/);
    });
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
  },
);

function agentButton(window: Window, agent: string): Locator {
  return window.chat().getByRole('button', { name: `Agent: ${agent}`, exact: true });
}
