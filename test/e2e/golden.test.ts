// What the panel looks like in its key states. What stands where is compared with the lines in test/golden, also in
// other fonts, which change none of it; the pictures beside them are for people. `UPDATE=1` makes both anew.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Frame } from 'playwright-core';
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
/** Narrower and wider than any font that a person would choose: the layout is the same in them. */
const fonts = [
  { fontFamily: 'serif', letterSpacing: '-0.6px' },
  { fontFamily: 'monospace', letterSpacing: '0.6px' },
];
const isUpdate = process.env['UPDATE'] === '1';

test('[W85] the key states look as they did', patience, async t => {
  const window = await installed(t, { viewport: { width: 1280, height: 900 } });
  await window.showChat();
  await composer(window).waitFor();
  await dragChatTo(window, widest);
  for (const state of states) {
    await t.test(state, async () => {
      await playScene(window, state);
      // No message shows its buttons.
      await window.page.mouse.move(1, 1);
      const file = join(folder, `${state}.txt`);
      const frame = await frameOf(window);
      const now = await layoutOf(frame);
      if (isUpdate) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, written(now));
      }
      assert.ok(now.length > 8, `${now.length} lines`);
      const golden = read(readFileSync(file, 'utf8'));
      assert.deepEqual(differences(golden, now), []);
      for (const font of fonts) {
        const undo = await wearFont(frame, font);
        try {
          // From its beginning: what is in sight depends on the font, and some states on what is in sight.
          await playScene(window, state);
          assert.deepEqual(differences(golden, await layoutOf(frame)), [], font.fontFamily);
        } finally {
          await undo();
        }
      }
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

/** Gives the panel another font; the answer takes it away again. */
async function wearFont(frame: Frame, font: (typeof fonts)[number]): Promise<() => Promise<void>> {
  const widthIn = (wanted: { readonly fontFamily: string; readonly letterSpacing: string }) =>
    frame.evaluate(chosen => {
      Object.assign(document.body.style, chosen);
      const words = document.body.appendChild(document.createElement('span'));
      words.textContent = 'The quick brown fox jumps over the lazy dog';
      const { width } = words.getBoundingClientRect();
      words.remove();
      return width;
    }, wanted);
  const own = { fontFamily: '', letterSpacing: '' };
  const before = await widthIn(own);
  const after = await widthIn(font);
  assert.ok(Math.abs(after - before) > 5, `${before} and ${after} wide`);
  return async () => void (await widthIn(own));
}

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
