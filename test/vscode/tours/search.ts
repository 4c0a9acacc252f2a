// Finding again: the search of the history, the resume picker, the filter buttons, and the sessions that an agent keeps.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyOf } from '../../e2e/otherWindow.ts';
import { composer, showSessions } from '../../e2e/panel.ts';
import { scriptedFile } from '../../unit/support/scriptedProgram.ts';
import { tellPast } from './past.ts';
import type { Tour } from './tour.ts';

const env = { SCRIPTED_HOME: mkdtempSync(join(tmpdir(), 'throughline-agent-')) };
const agents = { 'Warehouse agent': { command: process.execPath, args: [scriptedFile, '--list', '--resume'], env } };

export const search: Tour = {
  options: { settings: { 'throughline.agents': agents } },
  async walk({ workbench, state }) {
    const { page } = workbench;
    await workbench.showChat();
    await composer(workbench).waitFor();
    const history = await historyOf(workbench.server.home);
    await tellPast(history);
    const sessions = await showSessions(workbench);
    await sessions.filter({ hasText: 'Find the leak' }).waitFor();
    const input = page.locator('.quick-input-widget input[type="text"]');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const find = (text: string, row: string) => async () => {
      await workbench.runCommand('Throughline: Search History…');
      await input.fill(text);
      await rows.filter({ hasText: row }).first().waitFor();
      return 'list' as const;
    };
    await state('nothing', find('', 'Find the leak'));
    await state('agents', find('agent:', 'Codex'));
    await state('hits', find('race detector', 'Now run the tests'));
    await state('hitsElsewhere', find('wait group', 'another branch'));
    await state('archived', find('orders', 'archived'));
    await state('trash', find('agent with:trash ', 'in the trash'));
    await state('noResult', find('quincejelly', 'Nothing was found'));
    await state('narrow', async () => {
      await find('release', 'How is a release made?')();
      await page.getByRole('button', { name: 'Narrow the Search…' }).click();
      await rows.filter({ hasText: 'has:changes' }).waitFor();
      return 'list';
    });
    await state('resume', async () => {
      await workbench.runCommand('Throughline: Resume Session');
      await rows.first().waitFor();
      return 'list';
    });
    await state('resumeHits', async () => {
      await workbench.runCommand('Throughline: Resume Session');
      await input.fill('leak');
      await rows.filter({ hasText: 'Only show me' }).first().waitFor();
      return 'list';
    });
    await state('resumeNone', async () => {
      await workbench.runCommand('Throughline: Resume Session');
      await input.fill('quincejelly');
      await rows.filter({ hasText: 'Nothing was found' }).waitFor();
      return 'list';
    });
    await state('continueNone', async () => {
      await workbench.runCommand('Throughline: Continue a Session of an Agent…');
      await page.getByPlaceholder(/keeps no sessions/).waitFor();
      return 'list';
    });
    await state('export', async () => {
      await workbench.runCommand('Throughline: Export…');
      await rows.filter({ hasText: 'Find the leak' }).first().click();
      await rows.filter({ hasText: 'SQLite' }).waitFor();
      return 'list';
    });
    await state('exportWhere', async () => {
      await workbench.runCommand('Throughline: Export…');
      await rows.filter({ hasText: 'Find the leak' }).first().click();
      await rows.filter({ hasText: 'SQLite' }).click();
      await page
        .locator('.quick-input-widget')
        .getByRole('button', { name: /^(OK|Save)$/ })
        .waitFor();
      return 'list';
    });
    await state('exported', async () => {
      await workbench.runCommand('Throughline: Export…');
      await rows.filter({ hasText: 'Find the leak' }).first().click();
      await rows.filter({ hasText: 'To read, print' }).click();
      const done = page.locator('.quick-input-widget').getByRole('button', { name: /^(OK|Save)$/ });
      await done.waitFor();
      await page.waitForTimeout(800);
      await done.click();
      await page
        .getByText(/^Exported to/)
        .first()
        .waitFor();
    });
    await state('statistics', async () => {
      await workbench.runCommand('Throughline: Show Statistics');
      await page.getByRole('tab', { name: /Statistics/ }).waitFor();
      await page.waitForTimeout(1500);
      return 'editor';
    });
    await state('checked', async () => {
      await workbench.runCommand('Throughline: Check History');
      await page
        .getByText(/The history is whole/)
        .first()
        .waitFor();
      return 'notification';
    });
    await state('folder', async () => {
      await workbench.runCommand('Throughline: Reveal History Folder');
      await page
        .getByText(/The history lies on/)
        .first()
        .waitFor();
    });
    await state('recover', async () => {
      await workbench.runCommand('Throughline: Recover History…');
      await page.waitForTimeout(1000);
    });
    await history.close();
  },
};
