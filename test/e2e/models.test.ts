// A model that a person connects, in the installed extension: its server is a real one on loopback, which answers to nobody
// without the key.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { copyOfSample } from '../vscode/workspace.ts';
import type { Window } from '../vscode/workbench.ts';
import { serveModels } from '../agents/models/server.ts';
import { articles, ask, composer, installed, pick, pressSettled, send, type } from './panel.ts';

const patience = { timeout: 150_000 };
const key = 'sk-canary-e2e-0123456789';

test('[A41] a model is connected with its key, answers, and writes a file', patience, async t => {
  const server = await serveModels({ key });
  t.after(() => server.close());
  const folder = copyOfSample();
  const window = await installed(t, {}, folder);
  await window.showChat();
  await t.test('the scout says how one is connected', async () => {
    assert.match(await ask(window, 'what can you do?'), /not an AI[\s\S]*Connect a Model/);
  });
  await t.test('it is connected, and the panel has it', async () => {
    await window.runCommand('Throughline: New Session');
    await composer(window).click();
    await window.runCommand('Throughline: Connect a Model…');
    await pick(window, 'Another…');
    await type(window, 'Mine');
    await type(window, `${server.address}/v1`);
    await type(window, 'sk-wrong');
    const refused = window.page.getByRole('dialog', { name: /It does not accept the key/ });
    await refused.getByRole('button', { name: 'Change Key' }).click();
    await type(window, key);
    await window.page.getByText('Mine is connected: 2 models can be chosen').first().waitFor();
    await button(window, 'Agent', 'Throughline').waitFor();
    await composer(window).click();
    await button(window, 'Model', 'model').waitFor();
  });
  await t.test('it answers, and writes what is allowed', async () => {
    assert.match(await ask(window, 'say: "Good day."'), /Good day\./);
    await send(window, 'write: {"path": "made.txt", "content": "made"}\nsay: "There it is."');
    const asked = window.chat().getByRole('group', { name: 'Permission needed' });
    await asked.getByText('made.txt').first().waitFor();
    await pressSettled(asked.getByRole('button', { name: /^Allow/ }).first());
    await articles(window).nth(3).getByText('There it is.').waitFor();
    assert.equal(readFileSync(join(folder, 'made.txt'), 'utf8'), 'made');
    if (process.env['SHOT']) await window.screenshot(process.env['SHOT']);
  });
  await t.test('the key is in no file of the workspace and in nothing that was logged', async () => {
    for (const name of readdirSync(folder))
      if (name.endsWith('.txt')) assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /canary/);
    assert.doesNotMatch(JSON.stringify(window.logs()), /canary-e2e/);
    assert.ok(server.requests.length >= 3);
    assert.doesNotMatch(JSON.stringify(server.requests), /canary-e2e/);
  });
});

function button(window: Window, name: string, text: string): Locator {
  return window.chat().getByRole('button', { name: `${name}: ${text}`, exact: true });
}
