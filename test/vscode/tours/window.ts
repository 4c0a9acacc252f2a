// What VS Code shows of the extension by itself: the walkthrough, the settings, the keys, the status bar, notifications.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composer, send, showSessions } from '../../e2e/panel.ts';
import { scriptedFile } from '../../unit/support/scriptedProgram.ts';
import type { Tour } from './tour.ts';

const env = { SCRIPTED_HOME: mkdtempSync(join(tmpdir(), 'throughline-agent-')) };
const agent = { command: process.execPath, args: [scriptedFile], env };

export const window: Tour = {
  options: {
    settings: { 'throughline.agent': 'Warehouse agent', 'throughline.agents': { 'Warehouse agent': agent } },
  },
  async walk({ workbench, state, shoot }) {
    const { page } = workbench;
    await workbench.showChat();
    await composer(workbench).waitFor();
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    const toolCall = { toolCallId: 'e1', title: 'go test ./...', kind: 'execute' };
    const asks = { call: { method: 'session/request_permission', params: { toolCall, options } } };
    const rows = await showSessions(workbench);
    await state('running', async () => {
      await send(workbench, `play: ${JSON.stringify([{ say: 'I look at the tests.' }, { wait: 9000 }, asks])}`);
      await page.locator('.statusbar-item', { hasText: '1 running' }).waitFor();
    });
    await state('needsPerson', async () => {
      await workbench.runCommand('Throughline: New Session');
      await page.locator('.notification-toast', { hasText: 'needs you' }).waitFor({ timeout: 20_000 });
      await rows.filter({ hasText: 'needs you' }).waitFor();
    });
    await state('statusHover', async () => {
      await page
        .getByRole('button', { name: /Throughline: / })
        .last()
        .hover();
      await page.locator('.monaco-hover:visible').first().waitFor();
    });
    await state('walkthrough', async () => {
      await workbench.runCommand('Welcome: Open Walkthrough...');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Throughline' }).first().click();
      await page.locator('.getting-started-step').first().waitFor();
      for (const step of ['Connect an agent', 'Try it another way', 'Pick it up again', 'Find what was said']) {
        await page.locator('.getting-started-step', { hasText: step }).first().click();
        await shoot(step.replaceAll(' ', ''), 'editor');
      }
      return 'editor';
    });
    await state('settings', async () => {
      await workbench.runCommand('Preferences: Open Settings (UI)');
      await page.keyboard.type('@ext:throughline.throughline');
      await page.locator('.settings-editor .setting-item-contents').first().waitFor();
      await page.waitForTimeout(1000);
      for (const screen of [1, 2, 3, 4]) {
        await shoot(`settings${screen}`);
        await page.locator('.settings-tree-container').hover();
        await page.mouse.wheel(0, 420);
      }
      await page.keyboard.press('Escape');
    });
    await state('keys', async () => {
      await workbench.runCommand('Preferences: Open Keyboard Shortcuts');
      await page.keyboard.type('throughline');
      await page.waitForTimeout(1500);
    });
    await state('commands', async () => {
      await page.keyboard.press('F1');
      await page.keyboard.type('Throughline');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Throughline' }).first().waitFor();
      return 'list';
    });
  },
};
