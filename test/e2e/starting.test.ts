// The first minute, from the installed extension to the first answer, by what is on the machine. An agent on the PATH is in
// agents.test.ts, models of VS Code are in the host tests.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { serveModels } from '../agents/models/server.ts';
import type { Window, WorkbenchOptions } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { ask, composer, installed } from './panel.ts';

const patience = { timeout: 120_000 };
/** A port on which nobody listens. */
const nobody = '127.0.0.1:9';

/** A machine on which there is nothing but what is given. */
async function machine(
  t: TestContext,
  ollama: string,
  options: WorkbenchOptions = {},
  folder: string | null = copyOfSample(),
): Promise<Window> {
  const empty = mkdtempSync(join(tmpdir(), 'throughline-empty-'));
  t.after(() => rmSync(empty, { recursive: true, force: true }));
  const env = { PATH: empty, OLLAMA_HOST: ollama };
  const window = await installed(t, { settings: { 'throughline.agent': '' }, env, ...options }, folder);
  await window.showChat();
  await composer(window).click();
  return window;
}

function answering(window: Window, agent: string): Promise<void> {
  return window
    .chat()
    .getByRole('button', { name: `Agent: ${agent}`, exact: true })
    .waitFor();
}

test('[H123] with nothing there the scout answers, and one press leads to an agent', patience, async t => {
  const window = await machine(t, nobody);
  await answering(window, 'Offline scout');
  await window.chat().getByRole('button', { name: 'Connect an agent…' }).click();
  const rows = window.page.locator('.quick-input-list .monaco-list-row');
  for (const row of ['From the registry…', 'A model…', 'Another program…'])
    await rows.filter({ hasText: row }).first().waitFor();
  await window.page.getByPlaceholder('No well-known agent was found on this machine').waitFor();
  await window.page.keyboard.press('Escape');
  assert.match(await ask(window, 'what can you do?'), /not an AI/);
});

test('[H123] with a local Ollama its models answer', patience, async t => {
  const server = await serveModels();
  t.after(() => server.close());
  const window = await machine(t, server.address);
  await answering(window, 'Throughline');
  assert.match(await ask(window, 'say: "Good day."'), /Good day\./);
});

test('[H123] in Restricted Mode the scout answers, and no program is looked for', patience, async t => {
  const server = await serveModels();
  t.after(() => server.close());
  const window = await machine(t, server.address, { trusted: false });
  await answering(window, 'Offline scout');
  assert.match(await ask(window, 'warehouse'), /orders\//);
  assert.equal(server.requests.length, 0);
});

test('[H123] in an empty window there is an answer too', patience, async t => {
  const window = await machine(t, nobody, {}, null);
  await answering(window, 'Offline scout');
  assert.match(await ask(window, 'what can you do?'), /not an AI/);
});
