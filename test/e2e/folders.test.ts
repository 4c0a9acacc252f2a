// A window with several folders, of which each session has its own, and one whose folder was renamed.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { out } from '../vscode/places.ts';
import type { Window } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { articles, ask, installed, pick, scriptedAgent, showSessions } from './panel.ts';

const patience = { timeout: 180_000 };

interface Kept {
  readonly cwd: string;
  readonly also: readonly string[];
  readonly created: number;
}

test('[H116] [H117] in a window with several folders each session has its own', patience, async t => {
  const orders = copyOfSample();
  const web = join(dirname(orders), 'web');
  cpSync(orders, web, { recursive: true });
  const both = join(dirname(orders), 'both.code-workspace');
  writeFileSync(both, JSON.stringify({ folders: [{ path: 'orders' }, { path: 'web' }] }));
  const { home, settings } = scriptedAgent('--folders', '--resume');
  const window = await installed(t, { settings }, both);
  const { page } = window;
  await window.showChat();
  const rows = await showSessions(window);
  const works = (name: string) => window.chat().getByText(`This session works in ${name}.`);
  /** The folders of each session of the agent, the latest last. */
  const begunIn = () => {
    const kept = readdirSync(home).map(name => JSON.parse(readFileSync(join(home, name), 'utf8')) as Kept);
    return kept.toSorted((one, other) => one.created - other.created).map(({ cwd, also }) => [cwd, ...also]);
  };
  await page.locator('.part.sidebar .welcome-view').getByText('kept on the remote machine').waitFor();

  await t.test('[H116] where it begins is said, and another folder is chosen', async () => {
    await works('orders').waitFor();
    await window.screenshot(join(out, 'shots', 'folders-begin.png'));
    await window.chat().getByRole('button', { name: 'Folder: orders' }).click();
    await page.locator('.quick-input-widget').getByText('Where does this session work?').waitFor();
    await window.screenshot(join(out, 'shots', 'folders-pick.png'));
    await pick(window, 'web');
    await works('web').waitFor();
  });

  await t.test('[H116] its agent begins there and knows the other, and it stays there', async () => {
    await ask(window, 'Where are orders kept?');
    assert.deepEqual(begunIn().at(-1), [web, orders]);
    await rows.filter({ hasText: 'Where are orders kept?' }).filter({ hasText: 'web · Scripted' }).waitFor();
    assert.equal(await window.chat().getByRole('button', { name: 'Folder: web' }).isDisabled(), true);
    await window.screenshot(join(out, 'shots', 'folders-begun.png'));
  });

  await t.test(
    '[H116] the next one begins where the last was chosen, may work elsewhere, and both say so',
    async () => {
      await window.runCommand('Throughline: New Session');
      await works('web').waitFor();
      await window.chat().getByRole('button', { name: 'Folder: web' }).click();
      await pick(window, 'orders');
      await works('orders').waitFor();
      await ask(window, 'Which tests are there?');
      // One was begun ahead in the folder that was left, and never used.
      assert.deepEqual(begunIn().at(-1), [orders, web]);
      await rows.filter({ hasText: 'Which tests are there?' }).filter({ hasText: 'orders · Scripted' }).waitFor();
      await window.reload();
      for (const [title, name] of [
        ['Which tests are there?', 'orders'],
        ['Where are orders kept?', 'web'],
      ] as const) {
        await rows.filter({ hasText: title }).click();
        await window.chat().getByRole('heading', { name: title }).waitFor();
        await window.chat().getByTitle(`This session works in ${name}`).waitFor();
      }
    },
  );

  await t.test('[H117] where the history lies is said, and a terminal opens there', async () => {
    await window.runCommand('Throughline: Reveal History Folder');
    const told = page.locator('.notification-toast', { hasText: 'The history lies on the remote machine' });
    await told.waitFor();
    await window.screenshot(join(out, 'shots', 'history-folder.png'));
    await told.getByRole('button', { name: 'Open in Terminal' }).click();
    await page.locator('.part.panel .terminal-wrapper.active, .part.panel .terminal-wrapper').first().waitFor();
  });
});

test(
  '[J24] [H100] a folder that was renamed is offered its history, and another folder recovers it',
  patience,
  async t => {
    const folder = copyOfSample();
    const first = await installed(t, {}, folder);
    await first.showChat();
    await ask(first, 'Where are orders kept?');
    await first.runCommand('Throughline: New Session');
    await articles(first).first().waitFor({ state: 'detached' });
    await ask(first, 'Where is Retry used?');
    const renamed = join(dirname(folder), 'orders-new');
    // Nobody has it open any more, as nobody can rename what is open on some systems.
    await first.page.goto('about:blank');
    renameSync(folder, renamed);

    await t.test('[J24] it is offered once, and everything is there and goes on', async () => {
      const window = await first.secondWindow(renamed);
      await window.showChat();
      const offer = window.page.locator('.notification-toast', { hasText: 'may belong to this workspace' });
      await offer.waitFor();
      assert.match(await offer.innerText(), /2 sessions of “orders”/);
      await window.screenshot(join(out, 'shots', 'renamed-offer.png'));
      await offer.getByRole('button', { name: 'Bring Them Here' }).click();
      await window.page.getByText('2 sessions came here. The old history stays as it was.').first().waitFor();
      await bothThere(window);
      const rows = await showSessions(window);
      await rows.filter({ hasText: 'Where are orders kept?' }).click();
      await articles(window).nth(1).waitFor();
      assert.match(await ask(window, 'What did I say about orders?'), /Earlier in this conversation/);
      await window.reload();
      await window.showChat();
      await articles(window).nth(3).waitFor();
      assert.equal(await offer.count(), 0);
      await window.page.goto('about:blank');
    });

    await t.test('[H100] Recover History… brings all of it to a folder that has nothing to do with it', async () => {
      const other = copyOfSample();
      const elsewhere = join(dirname(other), 'elsewhere');
      renameSync(other, elsewhere);
      const window = await first.secondWindow(elsewhere);
      await window.runCommand('Throughline: Recover History…');
      const rows = window.page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'orders-new' }).first().waitFor();
      await window.screenshot(join(out, 'shots', 'recover-list.png'));
      await rows.filter({ hasText: 'orders-new' }).first().click();
      await window.page.getByText('2 sessions came here. The old history stays as it was.').first().waitFor();
      await bothThere(window);
      assert.equal(existsSync(folder), false);
    });
  },
);

async function bothThere(window: Window): Promise<Locator> {
  const rows = await showSessions(window);
  for (const title of ['Where are orders kept?', 'Where is Retry used?'])
    await rows.filter({ hasText: title }).waitFor();
  return rows;
}
