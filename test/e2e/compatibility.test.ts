// The packaged extension of today over the profile that f23b1dd wrote, in a real VS Code: what was there is there, and goes
// on. The window gets the files, what VS Code kept in its own databases, and the sessions that the agent keeps.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import {
  browserState,
  parts,
  restore,
  restoreFiles,
  restoreWorkspace,
  workspaceFolder,
  workspaceId,
} from '../fixtures/profile-f23b1dd/profile.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { out } from '../vscode/places.ts';
import { articles, ask, composer, continuity, installed, send, showSessions } from './panel.ts';

test('[L9] the profile of f23b1dd opens with everything in it, and goes on', { timeout: 180_000 }, async t => {
  t.after(restoreWorkspace());
  const agentHome = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  restore(parts.agent, agentHome);
  const agent = {
    command: process.execPath,
    args: [scriptedFile, '--resume', '--fork', '--delete', '--images', '--embedded', '--options=modes,models'],
    env: { SCRIPTED_HOME: agentHome },
  };
  const window = await installed(
    t,
    {
      settings: { 'throughline.agents': { Scripted: agent } },
      viewport: { width: 1400, height: 1100 },
      profile({ authority, home }) {
        const id = workspaceId(authority, workspaceFolder);
        restoreFiles(join(home, 'user-data'), id);
        return browserState(authority, id);
      },
    },
    workspaceFolder,
  );
  const { page } = window;
  await window.showChat();
  const rows = await showSessions(window);
  const row = (words: string): Locator => rows.filter({ hasText: words }).first();
  const group = (name: RegExp): Locator => rows.filter({ has: page.locator('.label-name', { hasText: name }) });
  const quick = page.locator('.quick-input-widget');

  await t.test('[L9] the panel shows the session that it showed, with the prompts that wait', async () => {
    await window.chat().getByRole('heading', { name: 'Prompts that wait' }).waitFor();
    const queue = window.chat().getByRole('group', { name: 'Queued' });
    for (const words of ['The first that waits', 'The second that waits'])
      await queue.getByText(words, { exact: true }).waitFor();
    await articles(window).nth(1).filter({ hasText: 'The first half.' }).waitFor();
  });

  await t.test('[L9] the tree has all sessions, in their groups', async () => {
    await group(/^Pinned$/).waitFor();
    await group(/^Archived$/).waitFor();
    await group(/^Trash$/).waitFor();
    for (const title of [
      'Orders and retries',
      'An allowed edit',
      'A long log and a picture',
      'Work of a subagent',
      'Prompts that wait',
    ])
      await row(title).waitFor();
    await group(/^Trash$/).click();
    await row('This session is in the trash.').waitFor();
    await group(/^Archived$/).click();
    await row('This session is archived.').waitFor();
    await window.screenshot(join(out, 'shots', 'profile-tree.png'));
  });

  await t.test('[L9] a session has its branches, its draft and what was attached', async () => {
    await row('Orders and retries').click();
    await articles(window).filter({ hasText: 'factA' }).first().waitFor();
    await window.chat().getByText('5 of 5', { exact: true }).waitFor();
    assert.match(await composer(window).inputValue(), /^A draft that was not sent, about @retry\.go/);
    const attached = window.chat().getByRole('list', { name: 'Attached' }).getByRole('listitem');
    await attached.filter({ hasText: 'retry.go' }).waitFor();
    await row('Orders and retries').locator('.monaco-tl-twistie').click();
    await row('The fourth fact').filter({ hasText: 'Look here first' }).waitFor();
    await row('A branch that is in the trash').filter({ hasText: 'deleted' }).waitFor();
  });

  await t.test(
    '[L9] the agent is asked about once, remembers, and says what it was told before the update',
    async () => {
      await composer(window).fill('');
      await window.chat().getByRole('list', { name: 'Attached' }).getByRole('button').first().click();
      await composer(window).focus();
      // Nobody agreed to the agent yet, so it is not asked what it remembers before something is sent.
      await continuity(window).filter({ hasText: 'Checking what the agent remembers once you write' }).waitFor();
      await send(window, 'Remember factF.');
      const asked = page.getByRole('dialog', { name: 'Use this agent?' });
      await asked.getByText('Name: Scripted').waitFor();
      await asked.getByRole('button', { name: 'Use', exact: true }).click();
      const answered = articles(window).filter({ hasText: 'factF' }).nth(1);
      await answered.waitFor();
      await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
      await continuity(window).filter({ hasText: 'Remembers' }).waitFor();
      const answer = (await answered.textContent()) ?? '';
      // What the agent's own session of this branch knows, and of no other branch.
      assert.match(answer, /factA[^]*factE[^]*factF/);
      for (const other of ['factB', 'factC', 'factD']) assert.ok(!answer.includes(other), other);
    },
  );

  await t.test('[L9] the rule is listed, and answers for the user', async () => {
    await window.runCommand('Throughline: Allow Rules…');
    await quick.locator('.monaco-list-row', { hasText: 'allow editing files' }).waitFor();
    await page.keyboard.press('Escape');
    await row('An allowed edit').click();
    await articles(window).filter({ hasText: 'It is done.' }).first().waitFor();
    const changes = window.chat().getByRole('region', { name: 'Changed files' });
    await changes.getByRole('button', { name: 'Redo', exact: true }).waitFor();
    const locations = [{ path: join(workspaceFolder, 'retry.go') }];
    const call = { toolCallId: 'e2', title: 'Edit retry.go', kind: 'edit', locations };
    const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
    const steps = [
      { call: { method: 'session/request_permission', params: { toolCall: call, options } } },
      { ifAllowed: [{ say: 'Nobody was asked.' }] },
    ];
    assert.match(await ask(window, `play: ${JSON.stringify(steps)}`), /Nobody was asked\./);
  });

  await t.test('[L9] the names of secrets and the chosen agent are there', async () => {
    await window.runCommand('Throughline: Manage Secrets…');
    await quick.locator('.monaco-list-row', { hasText: 'ORDERS_KEY' }).waitFor();
    await page.keyboard.press('Escape');
    // The settings name the offline scout; a choice in the workspace stands over them.
    await window.runCommand('Throughline: New Session');
    await window.chat().getByText('Scripted answers here.').waitFor();
  });

  await t.test('[L9] what was in the trash is restored, and a prompt that waited is sent', async () => {
    await row('This session is in the trash.').hover();
    await row('This session is in the trash.').getByRole('button', { name: 'Restore Session' }).click();
    await row('This session is in the trash.').click();
    await window.chat().getByRole('heading', { name: 'This session is in the trash.' }).waitFor();
    await row('Prompts that wait').click();
    await window.chat().getByRole('heading', { name: 'Prompts that wait' }).waitFor();
    const queue = window.chat().getByRole('group', { name: 'Queued' });
    await queue.getByRole('button', { name: /^Send/ }).first().click();
    await articles(window).filter({ hasText: 'The first that waits' }).first().waitFor();
  });
});
