// What goes with a prompt, and on after an answer that broke off, in the installed extension.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { articles, ask, composer, continuity, installed } from './panel.ts';

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
