// Writing in the composer of the installed extension: commands and files complete, files and pictures go to the agent,
// and what was said comes back.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { wireVersion } from '../../src/model/wire.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { articles, ask, composer, installed, untilFocused } from './panel.ts';

const patience = { timeout: 120_000 };
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

test(
  '[W40] [W42] [W100] [T31] a file and a picture are attached and reach the agent, and Up recalls',
  patience,
  async t => {
    const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
    const log = join(home, 'log');
    const window = await installed(t, {
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
    });
    await window.showChat();
    const box = composer(window);
    const options = window.chat().getByRole('listbox').getByRole('option');
    const chips = window.chat().getByRole('list', { name: 'Attached' }).getByRole('listitem');

    await box.click();
    await box.pressSequentially('/');
    await options.filter({ hasText: '/compact' }).waitFor();
    assert.equal(await box.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'));
    await box.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await box.fill('');

    await box.pressSequentially('Look at @retr');
    await options.filter({ hasText: 'retry.go' }).first().waitFor();
    await box.press('Enter');
    await chips.filter({ hasText: 'retry.go' }).waitFor();
    assert.equal(await box.inputValue(), 'Look at @retry.go ');

    await box.evaluate((area, base64) => {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, png);
    await chips.filter({ hasText: 'shot.png' }).locator('img').waitFor();
    await box.press('Enter');
    await articles(window).nth(1).waitFor();
    await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    assert.equal(await chips.count(), 0);

    const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
    const { model } = JSON.parse(last) as { readonly model: readonly string[] };
    assert.equal(model[0], 'Look at @retry.go ');
    const [resource, image] = model.slice(1).map(one => JSON.parse(one) as { readonly [field: string]: unknown });
    assert.match(JSON.stringify(resource), /"type":"resource".*orders\/retry\.go.*package orders/);
    assert.deepEqual(image, { type: 'image', mimeType: 'image/png', data: png });
    await articles(window).first().getByText('shot.png').waitFor();

    await ask(window, 'Remember factB.');
    await box.click();
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), 'Remember factB.');
    await box.press('ArrowUp');
    assert.equal(await box.inputValue(), 'Look at @retry.go ');
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    assert.equal(await box.inputValue(), '');

    const before = readFileSync(log, 'utf8');
    const command = async (words: string) => {
      await box.fill(words);
      await box.press('Enter');
    };
    await box.pressSequentially('/ti');
    await options.filter({ hasText: '/title' }).waitFor();
    await box.press('Enter');
    assert.equal(await box.inputValue(), '/title ');
    await box.pressSequentially('Orders and retries');
    await box.press('Enter');
    await window.chat().getByRole('heading', { name: 'Orders and retries' }).waitFor();
    const quick = window.page.locator('.quick-input-widget');
    for (const [words, title] of [
      ['/title', 'Rename Session'],
      ['/export', 'Export “Orders and retries”'],
      ['/history', 'Orders and retries'],
    ] as const) {
      await command(words);
      await quick.getByText(title).first().waitFor();
      await window.page.keyboard.press('Escape');
      await quick.waitFor({ state: 'hidden' });
    }
    await command('/fork');
    await window.chat().getByText('The next message begins a branch').waitFor();
    await command('/clear');
    await articles(window).first().waitFor({ state: 'detached' });
    assert.equal(readFileSync(log, 'utf8'), before, 'a command of ours is not sent');
  },
);

test('[W123] the composer takes the focus from nobody who is elsewhere', patience, async t => {
  const window = await installed(t);
  const { page } = window;
  await page.getByRole('treeitem', { name: 'main.go', exact: true }).last().dblclick();
  await window.showChat();
  const box = composer(window);
  await box.click();
  const isHere = () => box.evaluate(one => one === document.activeElement && document.hasFocus());
  await untilFocused(box);

  await page.locator('.part.editor .editor-instance .view-lines').first().click();
  await page.keyboard.press('Control+Home');
  await page.locator('.statusbar-item', { hasText: 'Ln 1, Col 1' }).waitFor();
  // What a host says late, once the panel has been drawn.
  await box.evaluate(async (_, v) => {
    postMessage({ v, seq: -1, event: { type: 'focus' } });
    for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
  }, wireVersion);
  await page.keyboard.press('ArrowDown');
  await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
  assert.equal(await isHere(), false);

  await window.runCommand('Throughline: Focus Chat');
  await untilFocused(box);
});
