// Two real VS Code windows on one history: one with the packaged extension of f23b1dd, built here from its own sources, and
// one with that of today. Each server has its own storage folder for the workspace; that of the second is a link to the first.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { articles, ask, composer, installed, send, showSessions } from '../e2e/panel.ts';
import { workspaceId } from '../fixtures/profile-f23b1dd/profile.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { openWorkbench, type Window, type Workbench } from '../vscode/workbench.ts';
import { copyOfSample } from '../vscode/workspace.ts';
import { unpackOldVersion } from './oldVersion.ts';
import { untilSo } from './versions.ts';

/** The package of the old version, as its own script makes it. */
function packageOldVersion(t: TestContext): string {
  const { folder, remove } = unpackOldVersion(['.']);
  t.after(remove);
  const made = spawnSync(process.execPath, [join('test', 'vscode', 'package.ts')], { cwd: folder, encoding: 'utf8' });
  assert.equal(made.status, 0, `${made.stdout}${made.stderr}`);
  return join(folder, 'out', 'throughline.vsix');
}

async function openBoth(t: TestContext): Promise<{ readonly old: Workbench; readonly today: Workbench }> {
  const folder = copyOfSample();
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const agent = { command: process.execPath, args: [scriptedFile, '--resume'], env: { SCRIPTED_HOME: home } };
  const settings = { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: agent } };
  const old = await openWorkbench({ vsix: packageOldVersion(t), folder, settings });
  t.after(() => old.close());
  const storage = ({ home: of, authority }: Workbench['server']) =>
    [join(of, 'user-data', 'User', 'workspaceStorage'), workspaceId(authority, folder)] as const;
  await old.showChat();
  await composer(old).waitFor();
  const today = await installed(
    t,
    {
      settings,
      profile(server) {
        const [parent, id] = storage(server);
        mkdirSync(parent, { recursive: true });
        symlinkSync(join(...storage(old.server)), join(parent, id));
        return undefined;
      },
    },
    folder,
  );
  await today.showChat();
  return { old, today };
}

async function otherWindowWords(window: Window): Promise<string> {
  await window.runCommand('Throughline: New Session');
  await articles(window).first().waitFor({ state: 'detached' });
  return window.chat().getByText('Another window has this history open').innerText();
}

function filesWith(home: string, words: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(name => {
    if (!/history\/./.test(name)) return false;
    try {
      const file = join(home, name);
      return statSync(file).isFile() && readFileSync(file).includes(words);
    } catch {
      // Gone since the folder was listed.
      return false;
    }
  });
}

test('[L9] a window of f23b1dd and one of today share a history', { timeout: 240_000 }, async t => {
  const { old, today } = await openBoth(t);
  await ask(old, 'Remember factA.');
  const [oldRows, rows] = [await showSessions(old), await showSessions(today)];
  await rows.filter({ hasText: 'Remember factA.' }).first().click();
  await articles(today).nth(1).waitFor();

  await t.test('[L9] what one asks is in the other, both ways', async () => {
    await ask(today, 'Remember factB.');
    await articles(old).nth(3).filter({ hasText: 'factB' }).waitFor();
    await ask(old, 'Remember factC.');
    await articles(today).nth(5).filter({ hasText: 'factC' }).waitFor();
    for (const fact of ['factA', 'factB', 'factC'])
      assert.match((await articles(today).nth(5).textContent()) ?? '', new RegExp(fact));
    await untilSo(
      'both show the same',
      async () => [await articles(old).allTextContents(), await articles(today).allTextContents()],
      ([one, other]) => JSON.stringify(one) === JSON.stringify(other),
    );
  });

  await t.test('[L9] a branch of one is a branch in the other', async () => {
    for (const [window, other, place] of [
      [today, old, '2 of 2'],
      [old, today, '3 of 3'],
    ] as const) {
      await articles(window)
        .nth(4)
        .hover({ position: { x: 20, y: 10 } });
      await articles(window).nth(4).getByRole('button', { name: 'Edit and resend', exact: true }).click();
      const editor = window.chat().getByRole('textbox', { name: 'Edited prompt' });
      await editor.fill(`Another way, ${place}`);
      await editor.press('Enter');
      await window.chat().getByText(place, { exact: true }).waitFor();
      await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
      const last = Number(place.at(-1));
      await other
        .chat()
        .getByText(new RegExp(`^\\d of ${last}$`))
        .first()
        .waitFor();
    }
  });

  await t.test('[L9] each says that the other is there', async () => {
    for (const window of [old, today])
      assert.match(await otherWindowWords(window), /Another window has this history open/);
  });

  await t.test('[L9] the trash of one is that of the other', async () => {
    const row = rows.filter({ hasText: 'Remember factA.' }).first();
    await row.hover();
    await row.getByRole('button', { name: 'Delete Session' }).click();
    const trash = oldRows.filter({ has: old.page.locator('.label-name', { hasText: /^Trash$/ }) });
    await trash.click();
    const trashed = oldRows.filter({ hasText: 'Remember factA.' }).first();
    await trashed.hover();
    await trashed.getByRole('button', { name: 'Restore Session' }).click();
    await trash.waitFor({ state: 'detached' });
    await rows
      .filter({ has: today.page.locator('.label-name', { hasText: /^Trash$/ }) })
      .waitFor({ state: 'detached' });
  });

  await t.test('[L9] what one erases is in no file and on no screen of the other', async () => {
    await send(old, 'play: [{"say":"erasedmarmalade"}]');
    await articles(old).nth(1).filter({ hasText: 'erasedmarmalade' }).waitFor();
    await rows.filter({ hasText: 'erasedmarmalade' }).first().click();
    await articles(today).nth(1).filter({ hasText: 'erasedmarmalade' }).waitFor();
    assert.ok(filesWith(old.server.home, 'erasedmarmalade').length > 0);
    const mine = oldRows.filter({ hasText: 'erasedmarmalade' }).first();
    await mine.hover();
    await mine.getByRole('button', { name: 'Delete Session' }).click();
    await old.page
      .getByText(/Moved .* to the trash/)
      .first()
      .waitFor();
    await old.runCommand('Throughline: Empty Trash…');
    await old.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete Permanently' }).click();
    await articles(today).first().waitFor({ state: 'detached' });
    await untilSo(
      'no file holds it',
      () => Promise.resolve(filesWith(old.server.home, 'erasedmarmalade')),
      files => files.length === 0,
    );
  });
});
