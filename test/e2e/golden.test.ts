// What the panel looks like in its key states. What stands where is compared with the lines in test/golden, which no other
// machine's fonts change; the pictures beside them are for people. `UPDATE=1` makes both anew.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from '../vscode/places.ts';
import type { Theme } from '../vscode/person.ts';
import { dragChatTo, playScene, wearTheme } from '../vscode/stage.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { differences, layoutOf, read, written } from './layout.ts';
import { composer, installed } from './panel.ts';
import { frameOf } from './tabWalk.ts';

const patience = { timeout: 200_000 };
const folder = join(repository, 'test', 'golden');
const states = ['conversation', 'permission', 'changes', 'firstRun', 'find', 'branches', 'question'];
const themes: readonly Theme[] = ['dark', 'light', 'hc-dark'];
const widest = 400;
const largest = 120 * 1024;
const isUpdate = process.env['UPDATE'] === '1';

test('[W85] the key states look as they did', patience, async t => {
  const window = await installed(t, { viewport: { width: 1280, height: 900 } });
  await window.showChat();
  await composer(window).waitFor();
  await dragChatTo(window, widest);
  for (const state of states) {
    await t.test(state, async () => {
      await playScene(window, state);
      await window.page.mouse.move(1, 1);
      const file = join(folder, `${state}.txt`);
      const now = await layoutOf(await frameOf(window));
      if (isUpdate) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, written(now));
      }
      assert.ok(now.length > 8, `${now.length} lines`);
      assert.deepEqual(differences(read(readFileSync(file, 'utf8')), now), []);
    });
  }
  if (isUpdate) {
    for (const theme of themes) await pictures(window, theme);
  }
  for (const state of states) {
    for (const theme of themes) {
      assert.ok(statSync(join(folder, `${state}-${theme}.png`)).size <= largest, `${state}, ${theme}`);
    }
  }
});

async function pictures(window: Workbench, theme: Theme): Promise<void> {
  if (theme !== 'dark') {
    await wearTheme(window, theme);
    await dragChatTo(window, widest);
  }
  for (const state of states) {
    await playScene(window, state);
    await window.page.mouse.move(1, 1);
    const clip = await window.page.locator('.part.auxiliarybar .content').first().boundingBox();
    assert.ok(clip);
    await window.page.screenshot({ path: join(folder, `${state}-${theme}.png`), clip, animations: 'disabled' });
  }
}
