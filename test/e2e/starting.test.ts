// The first minute, from the installed extension to the first answer, by what is on the machine: six of them, each by what a
// person does, with the words that they find. Pictures of what they see first are in test/golden/starting, for people;
// `UPDATE=1` makes them anew.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Locator } from 'playwright-core';
import { serveModels } from '../agents/models/server.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { modelProvider } from '../vscode/modelProvider.ts';
import type { Theme } from '../vscode/person.ts';
import { repository } from '../vscode/places.ts';
import { dragChatTo, wearTheme } from '../vscode/stage.ts';
import type { Workbench, WorkbenchOptions } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { articles, ask, composer, installed, pick } from './panel.ts';

const patience = { timeout: 120_000 };
const pictures = join(repository, 'test', 'golden', 'starting');
const isUpdate = process.env['UPDATE'] === '1';
const largest = 120 * 1024;
/** A port on which nobody listens. */
const nobody = '127.0.0.1:9';

interface Machine {
  readonly ollama?: string;
  /** Of the person; else there are no programs. */
  readonly path?: string;
  readonly options?: WorkbenchOptions;
  readonly folder?: string | null;
}

/** A machine on which there is nothing but what is given, and a person who looks at the chat. */
async function machine(t: TestContext, given: Machine = {}): Promise<Workbench> {
  const { ollama = nobody, path = emptyFolder(t), options = {}, folder = copyOfSample() } = given;
  const env = { PATH: path, OLLAMA_HOST: ollama, ...options.env };
  const window = await installed(t, { settings: { 'throughline.agent': '' }, ...options, env }, folder);
  await window.showChat();
  await composer(window).click();
  return window;
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-start-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What stands there before anything was done, with all of these words. */
async function reads(window: Workbench, ...words: readonly string[]): Promise<void> {
  for (const said of words) await window.chat().getByText(said).first().waitFor();
}

const kept = 'Everything said here is saved in this workspace as it arrives';

function button(window: Workbench, name: string): Locator {
  return window.chat().getByRole('button', { name, exact: true });
}

function answering(window: Workbench, agent: string): Promise<void> {
  return button(window, `Agent: ${agent}`).waitFor();
}

/** Of the chat, as it stands there; where the pictures are not made, it is there already and small. */
async function picture(window: Workbench, state: string, themes: readonly Theme[] = ['dark']): Promise<void> {
  for (const theme of themes) {
    const file = join(pictures, `${state}${theme === 'dark' ? '' : `-${theme}`}.png`);
    if (isUpdate) {
      mkdirSync(pictures, { recursive: true });
      if (theme !== 'dark') await wearTheme(window, theme);
      await dragChatTo(window, 400);
      await window.page.mouse.move(1, 1);
      const clip = await window.page.locator('.part.auxiliarybar .content').first().boundingBox();
      assert.ok(clip);
      await window.page.screenshot({ path: file, clip, animations: 'disabled' });
    }
    assert.ok(statSync(file).size <= largest, file);
  }
}

test('[H123] with nothing there the scout answers, and one press leads to an agent', patience, async t => {
  const window = await machine(t);
  await answering(window, 'Offline scout');
  await reads(window, kept, 'The offline scout is not an AI');
  await picture(window, 'nothing', ['dark', 'light']);
  await button(window, 'Connect an agent…').click();
  const rows = window.page.locator('.quick-input-list .monaco-list-row');
  for (const row of ['From the registry…', 'A model…', 'Another program…'])
    await rows.filter({ hasText: row }).first().waitFor();
  await window.page.getByPlaceholder('No well-known agent was found on this machine').waitFor();
  await window.page.keyboard.press('Escape');
  assert.match(await ask(window, 'what can you do?'), /not an AI/);
  await window.reload();
  await window.showChat();
  await articles(window).nth(1).waitFor();
});

test('[H121] [H123] an agent on the PATH is found, and answers', patience, async t => {
  const folder = emptyFolder(t);
  const program = join(folder, 'claude-agent-acp');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${scriptedFile}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { SCRIPTED_HOME: join(folder, 'sessions'), SCRIPTED_LOG: join(folder, 'log') };
  const window = await machine(t, { path: folder, options: { env } });
  await answering(window, 'Claude Code');
  await reads(window, kept, 'Claude Code answers here.');
  await picture(window, 'agent');
  assert.match(await ask(window, 'Remember factA.'), /factA/);
});

test('[H123] [W82] a model that VS Code has answers, and nobody is asked to connect another', patience, async t => {
  const window = await machine(t, { options: { beside: await modelProvider() } });
  await answering(window, 'Throughline');
  await button(window, 'Model: Script').waitFor();
  await reads(window, kept, 'works with a model of your choice');
  assert.equal(await button(window, 'Connect an agent…').count(), 0);
  await picture(window, 'vscodeModels', ['dark', 'light']);
  assert.match(await ask(window, 'say: "Good day."'), /Good day\./);
});

test('[H121] [H123] [A74] a local Ollama is offered, and answers after the person agreed', patience, async t => {
  const server = await serveModels();
  t.after(() => server.close());
  const env = { PATH: emptyFolder(t), OLLAMA_HOST: server.address };
  const window = await installed(t, { settings: { 'throughline.agent': '' }, env });
  await window.showChat();
  // The question stands in front of the composer for a while.
  const offer = window.page.locator('.notification-toast', {
    hasText: `Use the models at ${new URL(server.address).host}?`,
  });
  await offer.getByRole('button', { name: 'Don’t Use', exact: true }).waitFor();
  await answering(window, 'Offline scout');
  assert.equal(server.requests.length, 0);
  await offer.getByRole('button', { name: 'Use', exact: true }).click();
  await answering(window, 'Throughline');
  // Which models there are is asked when somebody is about to write.
  await composer(window).click();
  await button(window, 'Model: model').waitFor();
  await reads(window, kept, 'works with a model of your choice');
  await picture(window, 'ollama');
  assert.match(await ask(window, 'say: "Good day."'), /Good day\./);
});

test(
  '[H123] [A74] whoever missed the offer of a local Ollama finds it among what can be connected',
  patience,
  async t => {
    const server = await serveModels();
    t.after(() => server.close());
    const window = await machine(t, { ollama: server.address });
    await answering(window, 'Offline scout');
    await button(window, 'Connect an agent…').click();
    await pick(window, `Use the models at ${new URL(server.address).host}`);
    await answering(window, 'Throughline');
    assert.match(await ask(window, 'say: "Good day."'), /Good day\./);
  },
);

test('[H123] in Restricted Mode the scout answers, and no program is looked for', patience, async t => {
  const server = await serveModels();
  t.after(() => server.close());
  const window = await machine(t, { ollama: server.address, options: { trusted: false } });
  await answering(window, 'Offline scout');
  await reads(window, 'no agent starts here, and what answers only reads', kept);
  await button(window, 'Manage trust').waitFor();
  await picture(window, 'restricted');
  assert.match(await ask(window, 'warehouse'), /orders\//);
  assert.equal(server.requests.length, 0);
});

test('[H123] [W82] in an empty window there is an answer too, and a press leads to a folder', patience, async t => {
  const window = await machine(t, { folder: null });
  await answering(window, 'Offline scout');
  await reads(window, 'No folder is open, so there are no files to ask about yet.');
  await picture(window, 'emptyWindow');
  await button(window, 'Open a folder…').click();
  await window.page.locator('.quick-input-widget').getByText('Open Folder').waitFor();
  await window.page.keyboard.press('Escape');
  assert.match(await ask(window, 'what can you do?'), /not an AI/);
  await window.reload();
  await window.showChat();
  await articles(window).nth(1).waitFor();
});
