// What a turn of a person's own agent asks for and does, in the installed extension: permissions, files, sign-in,
// questions, a process that dies, an agent that does not answer.

import assert from 'node:assert/strict';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Workbench } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { articles, ask, continuity, installed, pressSettled, send, scriptedAgent } from './panel.ts';

const patience = { timeout: 120_000 };
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

async function opened(t: TestContext, flags: readonly string[], folder = copyOfSample()): Promise<Workbench> {
  const { settings } = scriptedAgent(...flags);
  const window = await installed(t, { settings }, folder);
  await window.showChat();
  return window;
}

async function press(window: Workbench, group: string, button: string | RegExp): Promise<void> {
  await pressSettled(
    window.chat().getByRole('group', { name: group }).getByRole('button', { name: button, exact: true }),
  );
}

function steps(list: readonly unknown[]): string {
  return `play: ${JSON.stringify(list)}`;
}

test('[T14] [T16] an edit is allowed, listed, put back and changed again, over a reload too', patience, async t => {
  const folder = realpathSync(copyOfSample());
  const file = join(folder, 'orders/retry.go');
  const before = readFileSync(file, 'utf8');
  const window = await opened(t, [], folder);
  const call = { toolCallId: 'e1', title: 'Edit retry.go', kind: 'edit', locations: [{ path: file }] };
  await send(
    window,
    steps([
      { update: { sessionUpdate: 'tool_call', status: 'pending', ...call } },
      { call: { method: 'session/request_permission', params: { toolCall: call, options } } },
      { ifAllowed: [{ call: { method: 'fs/write_text_file', params: { path: file, content: 'package orders\n' } } }] },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'e1', status: 'completed' } },
      { say: 'It is done, see `orders/retry.go:1` and [no file](none.go), or none.go.' },
      {
        update: { sessionUpdate: 'usage_update', used: 5, size: 200_000, cost: { amount: 0.0123, currency: 'USD' } },
      },
      { answer: { stopReason: 'end_turn', usage: { inputTokens: 12_345, outputTokens: 678, cachedReadTokens: 9000 } } },
    ]),
  );
  await window.chat().getByRole('group', { name: 'Permission needed' }).waitFor();
  assert.equal(readFileSync(file, 'utf8'), before);
  await press(window, 'Permission needed', 'Allow');
  const changes = window.chat().getByRole('region', { name: 'Changed files' });
  await changes.getByText('1 file changed').waitFor();
  assert.equal(readFileSync(file, 'utf8'), 'package orders\n');

  await changes.getByRole('listitem').first().hover();
  await pressSettled(changes.getByRole('button', { name: 'Undo', exact: true }));
  await changes.getByRole('button', { name: 'Redo', exact: true }).waitFor();
  assert.equal(readFileSync(file, 'utf8'), before);
  await window.reload();
  await t.test('[W96] what the answer took is there by the keyboard, after a reload too', async () => {
    const took = window.chat().getByRole('button', { name: /^This answer took/ });
    await took.focus();
    const told = window.chat().getByRole('tooltip');
    await told.waitFor();
    assert.match(
      await told.innerText(),
      /Tokens in\s+12,345\s+Read from cache\s+9,000\s+Tokens out\s+678\s+Cost\s+(?:US)?\$0\.0123\s+Time/,
    );
    await window.page.keyboard.press('Escape');
    await told.waitFor({ state: 'hidden' });
    await took.hover();
    await told.waitFor();
  });
  await changes.getByRole('listitem').first().hover();
  await pressSettled(changes.getByRole('button', { name: 'Redo', exact: true }));
  await changes.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  assert.equal(readFileSync(file, 'utf8'), 'package orders\n');

  await t.test('[W97] a file that the answer names is opened at its line, by the keyboard too', async () => {
    const answer = articles(window).nth(1);
    const name = answer.getByRole('link', { name: 'orders/retry.go:1' });
    await name.waitFor();
    assert.equal(await answer.locator('.fileName').count(), 1);
    await name.focus();
    await window.page.keyboard.press('Enter');
    await window.page.locator('.tab.active', { hasText: 'retry.go' }).waitFor();
  });

  await changes.getByRole('listitem').first().hover();
  await changes.getByRole('button', { name: 'Open diff' }).click();
  await window.page.getByRole('tab', { name: /retry\.go.*what the turn changed/ }).waitFor();

  await t.test('[W91] [H5] an answer is on the screen piece by piece, each while the next is waited for', async () => {
    // Written down inside the page: between two looks from here it may be over.
    await window
      .chat()
      .locator('body')
      .evaluate(body => {
        const seen: string[] = [];
        Object.assign(globalThis, { seen });
        const look = () => {
          const words =
            [...body.querySelectorAll('article:not(.user)')]
              .at(-1)
              ?.textContent.match(/piece \d/g)
              ?.join() ?? '';
          if (words !== seen.at(-1)) seen.push(words);
        };
        new MutationObserver(look).observe(body, { subtree: true, childList: true, characterData: true });
      });
    const pieces = ['piece 1, ', 'piece 2, ', 'piece 3, ', 'piece 4.'];
    const drawn = pieces.map((_, at) => join(dirname(file), `drawn-${at}`));
    const said = pieces.flatMap((piece, at) => [{ say: piece }, { untilFile: drawn[at] }]);
    const before = await articles(window).count();
    await send(window, steps(said));
    // The agent says the next one once the one before is on the screen.
    for (const [at, piece] of pieces.entries()) {
      await articles(window)
        .nth(before + 1)
        .filter({ hasText: piece.trim() })
        .waitFor();
      writeFileSync(drawn[at] ?? '', '');
    }
    const seen = await window
      .chat()
      .locator('body')
      .evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    const all = pieces.map((_, at) =>
      pieces
        .slice(0, at + 1)
        .flatMap(piece => piece.match(/piece \d/g) ?? [])
        .join(),
    );
    assert.deepEqual(
      seen.filter(words => all.includes(words)),
      all,
      seen.join(' | '),
    );
  });
});

test('[T18] a person signs in where the prompt waits, and it goes out then', patience, async t => {
  const window = await opened(t, ['--auth']);
  await send(window, 'play: hello');
  await press(window, 'Sign in', /^API key/);
  await articles(window).nth(1).getByText('Hello, world.').waitFor();
});

test('[T4] [C1] a process that dies ends the answer in words, and the next prompt goes on', patience, async t => {
  const window = await opened(t, []);
  assert.match(await ask(window, 'play: crash'), /half.*exit code 3.*out of cheese/s);
  assert.match(await ask(window, 'Remember factB.'), /factB/);
  assert.match(await continuity(window).innerText(), /^Remembers/);
});

test('[C2] an agent that does not answer is the person’s to decide', patience, async t => {
  const window = await opened(t, ['--load=hang']);
  await ask(window, 'Remember factA.');
  await window.reload();
  await articles(window).nth(1).waitFor();
  await send(window, 'Remember factB.');
  await press(window, 'Not sent yet', 'Send with transcript');
  await articles(window).nth(3).getByText(/factB/).first().waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.match((await articles(window).nth(3).textContent()) ?? '', /factA/);
});

test('[W23] a question of the agent is answered in a form', patience, async t => {
  const window = await opened(t, []);
  await send(window, 'play: form');
  const question = window.chat().getByRole('group', { name: /^Question from/ });
  await question.getByLabel('Name').fill('Ada');
  await pressSettled(question.getByRole('button', { name: 'Send answer' }));
  await articles(window)
    .nth(1)
    .getByText(/"name":"Ada"/)
    .waitFor();
});
