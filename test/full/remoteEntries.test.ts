// On a remote, settings may come from a file in the container. The VS Code of these tests is one, as its server runs the
// extension: nothing that settings name is started, asked or given a secret before the person agreed to it.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { serveModels } from '../agents/models/server.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import type { Window, Workbench } from '../vscode/workbench.ts';
import { articles, composer, installed, pick, send, type } from '../e2e/panel.ts';

const patience = { timeout: 240_000 };

type Settings = { readonly [name: string]: unknown };

/** A window of a person who agreed to nothing yet, in the chat. */
async function remote(t: TestContext, settings: Settings): Promise<Workbench> {
  const window = await installed(t, { settings: { ...settings }, asksToUse: true });
  await window.showChat();
  await composer(window).click();
  return window;
}

function scripted(
  more: { readonly args?: readonly string[]; readonly env?: { readonly [name: string]: string } } = {},
) {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const log = join(home, 'log');
  const env = { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: log, ...more.env };
  const entry = { command: process.execPath, args: [scriptedFile, ...(more.args ?? [])], env };
  return { entry, told: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}

async function holds(box: Locator, text: string): Promise<void> {
  for (const end = Date.now() + 30_000; (await box.inputValue()) !== text; await setTimeout(20))
    assert.ok(Date.now() < end, `the box doesn’t hold “${text}”`);
}

function question(window: Window, name: RegExp): Locator {
  return window.page.getByRole('dialog', { name });
}

const agentQuestion = /Use this agent\?/;
const modelQuestion = /Use this model server\?/;
const serverQuestion = /Use this MCP server\?/;

async function answer(asked: Locator, button: 'Use' | 'Don’t Use' | 'Cancel'): Promise<void> {
  await asked.getByRole('button', { name: button, exact: true }).click();
  await asked.waitFor({ state: 'detached' });
}

/** Words that the panel shows where a prompt was not sent, or was not answered. */
async function refused(window: Window, words: string | RegExp): Promise<void> {
  await window.chat().getByText(words).last().waitFor();
}

async function answered(window: Window, words: string): Promise<void> {
  await articles(window).filter({ hasText: words }).nth(1).waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
}

/** `row` is where the list leads to it. */
async function setSecret(window: Window, name: string, value: string, row = 'Add a secret…'): Promise<void> {
  await window.runCommand('Throughline: Manage Secrets…');
  const widget = window.page.locator('.quick-input-widget');
  await pick(window, row);
  if (row !== name) {
    await widget.filter({ hasText: 'Name of the new secret' }).waitFor();
    await type(window, name);
  }
  await widget.filter({ hasText: `Value of “${name}”` }).waitFor();
  await type(window, value);
  await widget.waitFor({ state: 'hidden' });
}

/** As a container file does: the settings of this machine are others, and VS Code has read them when `row` is in the list of agents. */
async function rewrite(window: Workbench, settings: Settings, row: string): Promise<void> {
  writeFileSync(join(window.server.home, 'user-data', 'Machine', 'settings.json'), JSON.stringify(settings));
  const found = window.page.locator('.quick-input-list .monaco-list-row', { hasText: row });
  for (const end = Date.now() + 30_000; ;) {
    await window.runCommand('Throughline: Select Agent');
    await window.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    const isThere = (await found.count()) > 0;
    await window.page.keyboard.press('Escape');
    await window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    if (isThere) return;
    assert.ok(Date.now() < end, `VS Code has not read the settings with “${row}”`);
  }
}

test('[H132] [H133] an agent of a remote’s settings and its secret', patience, async t => {
  const secret = 'sk-canary-remote-0123456789';
  const { entry, told } = scripted({ env: { SCRIPTED_SECRET: '${secret:TOKEN}' } });
  const settings = { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: entry } };
  const window = await remote(t, settings);
  const asked = question(window, agentQuestion);

  await t.test('[H133] looking, writing and choosing from lists asks nothing', async () => {
    await setSecret(window, 'TOKEN', secret);
    await composer(window).fill('Remember factA.');
    await window.runCommand('Throughline: Select Agent');
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Scripted' }).first().waitFor();
    await window.page.keyboard.press('Escape');
    assert.equal(await window.page.getByRole('dialog').filter({ hasText: 'Use' }).count(), 0);
  });

  await t.test('[H133] a prompt asks, with all that would run', async () => {
    await send(window, 'Remember factA.');
    await asked.getByText('Name: Scripted').waitFor();
    const words = (await asked.textContent()) ?? '';
    for (const part of [
      `Runs: ${process.execPath} ${scriptedFile}`,
      'Variable: SCRIPTED_SECRET=${secret:TOKEN}',
      `Variable: SCRIPTED_HOME=${entry.env.SCRIPTED_HOME}`,
      'Gets the secret “TOKEN”. You haven’t given it to anything yet.',
      'a file in the container or repository',
    ])
      assert.ok(words.includes(part), `${part} in ${words}`);
    assert.ok(!words.includes(secret));
    if (process.env['SHOT']) await window.screenshot(process.env['SHOT']);
  });

  await t.test('[H133] Escape and a no start nothing, and the next prompt asks again', async () => {
    await window.page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await refused(window, /isn’t used until you agree/);
    await send(window, 'Remember factA.');
    await answer(asked, 'Don’t Use');
    await refused(window, /because you chose “Don’t Use”/);
    assert.equal(told(), '');
  });

  await t.test('[H133] after a yes it answers, and is not asked about again', async () => {
    await send(window, 'Remember factA.');
    await answer(asked, 'Use');
    await answered(window, 'factA');
    await send(window, 'Remember factB.');
    await answered(window, 'factB');
    await window.reload();
    await articles(window).nth(3).waitFor();
    // This VS Code keeps secrets until the page is loaded again, and what the person said of them for good.
    await setSecret(window, 'TOKEN', secret, 'TOKEN');
    await send(window, 'Remember factC.');
    await answered(window, 'factC');
    assert.match(told(), /factC/);
  });

  await t.test('[H132] [H133] with another argument it is asked about again, and so is its secret', async () => {
    const changed = { ...entry, args: [...entry.args, '--resume'] };
    const now = { ...settings, 'throughline.agents': { Scripted: changed } };
    await rewrite(window, now, '--resume');
    await send(window, 'Remember factD.');
    await asked.getByText(/Gets the secret “TOKEN”\. You gave it for: /).waitFor();
    await answer(asked, 'Use');
    const givenTo = question(window, /Give the secret “TOKEN” to this program\?/);
    await givenTo.getByText(/Now it would be given to: .*--resume/).waitFor();
    await answer(givenTo, 'Cancel');
    await refused(window, /The secret “TOKEN” was not given to the program/);
    assert.doesNotMatch(told(), /factD/);
    await send(window, 'Remember factD.');
    await answer(givenTo, 'Use');
    await answered(window, 'factD');
  });
});

test('[H132] [H133] a model server of a remote’s settings, and its address after a change', patience, async t => {
  const key = 'sk-canary-model-0123456789';
  const [first, second] = [await serveModels({ key }), await serveModels({ key })];
  t.after(() => Promise.all([first.close(), second.close()]));
  const mine = { Mine: { url: `${first.address}/v1`, key: '${secret:KEY}' } };
  const window = await remote(t, { 'throughline.agent': 'throughline', 'throughline.models': mine });
  const asked = question(window, modelQuestion);

  await t.test('[H133] it is asked nothing before the person agreed', async () => {
    await setSecret(window, 'KEY', key);
    await send(window, 'say: "Good day."');
    await asked.getByText(`Address: ${first.address}/v1`).waitFor();
    await asked.getByText('Key: ${secret:KEY}').waitFor();
    await answer(asked, 'Cancel');
    await refused(window, /You haven’t agreed to use the model server “Mine” yet/);
    assert.equal(first.requests.length, 0);
    await send(window, 'say: "Good day."');
    await answer(asked, 'Use');
    await answered(window, 'Good day.');
  });

  await t.test('[H132] another address under the same name gets the key only after two questions', async () => {
    const moved = { Mine: { ...mine.Mine, url: `${second.address}/v1` } };
    const marker = { 'throughline.agents': { Marker: { command: 'marker' } } };
    const now = { 'throughline.agent': 'throughline', 'throughline.models': moved, ...marker };
    await rewrite(window, now, 'Marker');
    await window.runCommand('Throughline: New Session');
    await articles(window).first().waitFor({ state: 'detached' });
    await send(window, 'say: "Good evening."');
    await asked.getByText(`Address: ${second.address}/v1`).waitFor();
    await asked.getByText(`You gave it for: ${first.address}`).waitFor();
    await answer(asked, 'Use');
    const sent = question(window, new RegExp(`Send the secret “KEY” to ${second.address}`));
    await sent.getByText(`You gave it for: ${first.address}`).waitFor();
    await answer(sent, 'Cancel');
    await refused(window, /The secret “KEY” was not sent/);
    assert.equal(second.requests.length, 0);
  });
});

test('[H133] MCP servers of a remote’s settings, hostile texts, and two panels at once', patience, async t => {
  const name = 'Nice [Press me](command:workbench.action.files.newUntitledFile) \u202eagent';
  const { entry, told } = scripted({ args: ['--note=\u200bhidden', '$(flame)'] });
  const window = await remote(t, {
    'throughline.agent': name,
    'throughline.agents': { [name]: entry, Long: { command: process.execPath, args: ['x'.repeat(1_000_000)] } },
    'throughline.mcpServers': { files: { command: 'files-server', args: ['--root'], env: { LEVEL: 'all' } } },
  });
  const asked = question(window, agentQuestion);
  const server = question(window, serverQuestion);

  await t.test('[H133] what hides or would be a link is text in the question', async () => {
    await send(window, 'Remember factA.');
    await asked.getByText('⟦U+202E⟧agent').waitFor();
    await asked.getByText('--note=⟦U+200B⟧hidden').waitFor();
    assert.equal(await asked.getByRole('link').count(), 0);
    await answer(asked, 'Use');
  });

  await t.test(
    '[H133] an MCP server that is refused is not given to the agent, and not asked about again',
    async () => {
      await server.getByText('Runs: files-server --root').waitFor();
      await server.getByText('Variable: LEVEL=all').waitFor();
      await answer(server, 'Don’t Use');
      await answered(window, 'factA');
      await window.runCommand('Throughline: New Session');
      await articles(window).first().waitFor({ state: 'detached' });
      await send(window, 'Remember factB.');
      await answered(window, 'factB');
      assert.doesNotMatch(told(), /mcpServers/);
    },
  );

  await t.test('[H133] what cannot be shown whole cannot be agreed to', async () => {
    await window.runCommand('Throughline: Select Agent');
    await pick(window, 'Long');
    await window.page
      .locator('.notification-toast', { hasText: 'too long to show you all of it. Shorten it in the setting' })
      .waitFor();
    assert.equal(await asked.count(), 0);
  });
});

test('[H133] two panels that ask at once get one question', patience, async t => {
  const { entry, told } = scripted();
  const window = await remote(t, { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: entry } });
  const asked = question(window, agentQuestion);
  const panel = (index: number) => window.chat(index);
  const message = (index: number) => panel(index).getByRole('textbox', { name: 'Message' });
  await message(0).fill('Remember fact1.');
  await window.runCommand('Throughline: Open in Editor');
  // What was typed belongs to the session, so it shows which one a panel has.
  await holds(message(1), 'Remember fact1.');
  await window.runCommand('Throughline: New Session');
  await holds(message(0), '');
  await message(0).fill('Remember fact0.');
  // The question of the first stands in front of the button of the second.
  for (const index of [0, 1])
    await panel(index)
      .getByRole('button', { name: 'Send', exact: true })
      .evaluate(button => (button as HTMLButtonElement).click());
  await answer(asked, 'Use');
  for (const index of [0, 1])
    await panel(index)
      .getByRole('article')
      .nth(1)
      .filter({ hasText: `fact${index}` })
      .waitFor();
  assert.equal(await asked.count(), 0);
  assert.match(told(), /fact0[^]*fact1|fact1[^]*fact0/);
});
