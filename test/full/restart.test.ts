// The history worker ends in the middle of an answer, and cannot come back for a while: what a person sees, and what is
// there after a reload.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { out } from '../vscode/places.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { killHistoryWorkers } from '../e2e/historyWorker.ts';
import { articles, ask, composer, installed, send } from '../e2e/panel.ts';

const patience = { timeout: 200_000 };

test('[J36] the history worker is killed while an answer is written', patience, async t => {
  const agent = { command: process.execPath, args: [scriptedFile] };
  const settings = { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: agent } };
  const window = await installed(t, { settings });
  await window.showChat();
  await ask(window, `play: ${JSON.stringify([{ say: 'the first answer' }])}`);
  const signs = mkdtempSync(join(tmpdir(), 'throughline-signs-'));
  const [killed, seen] = [join(signs, 'killed'), join(signs, 'seen')];
  // The worker is killed between two parts.
  const steps = Array.from({ length: 8 }, (_, at) => [
    { say: `part ${at}\n\n` },
    at === 1 ? { untilFile: killed } : { wait: 400 },
  ]).flat();
  await send(window, `play: ${JSON.stringify(steps)}`);
  const answer = articles(window).nth(3);
  await answer.filter({ hasText: 'part 1' }).waitFor();
  assert.equal(await killHistoryWorkers(window.server), 1);
  writeFileSync(killed, '');
  await answer.filter({ hasText: 'part 7' }).waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.equal(await window.chat().getByText('Not saved.', { exact: true }).count(), 0);
  await ask(window, `play: ${JSON.stringify([{ say: 'the third answer' }])}`);
  assert.equal(await window.page.locator('.notification-toast').count(), 0);

  await window.reload();
  await window.showChat();
  await articles(window).nth(5).waitFor({ state: 'attached' });
  for (let at = 0; at < 8; at++) assert.match((await answer.textContent()) ?? '', new RegExp(`part ${at}`));
  assert.match((await articles(window).nth(5).textContent()) ?? '', /the third answer/);

  await t.test('[J36] [T7] the panel says what is not saved while no worker starts, and saves it then', async () => {
    const extensions = join(window.server.home, 'extensions');
    const ours = readdirSync(extensions).find(name => name.startsWith('throughline.throughline'));
    assert.ok(ours);
    const worker = join(extensions, ours, 'dist', 'history.js');
    await send(window, `play: ${JSON.stringify([{ say: 'it begins' }, { untilFile: seen }, { say: ', and ends' }])}`);
    await articles(window).nth(7).filter({ hasText: 'it begins' }).waitFor();
    renameSync(worker, `${worker}.away`);
    assert.equal(await killHistoryWorkers(window.server), 1);
    const banner = window.chat().getByText('Not saved.', { exact: true });
    await banner.waitFor();
    await window.screenshot(join(out, 'shots', 'history-restarting.png'));
    writeFileSync(seen, '');
    await articles(window).nth(7).filter({ hasText: ', and ends' }).waitFor();
    renameSync(`${worker}.away`, worker);
    await banner.waitFor({ state: 'hidden' });
    await composer(window).waitFor();
    await window.reload();
    await window.showChat();
    await articles(window).nth(7).filter({ hasText: 'it begins, and ends' }).waitFor({ state: 'attached' });
  });
});
