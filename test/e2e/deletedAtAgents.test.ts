// What becomes of an agent's side of what a person deletes permanently, in the installed extension: its copy of a branch,
// and the commands that it left running.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { bindingFact } from '../../src/core/conversation/binding.ts';
import { runs } from '../agents/plays.ts';
import { gone } from '../unit/agents/terminalsStage.ts';
import { setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { historyOf, tell } from './otherWindow.ts';
import { articles, choose, composer, installed, send, showSessions } from './panel.ts';

const patience = { timeout: 180_000 };
const posix = process.platform !== 'win32';

test(
  '[H118] of a branch and of a session, the agent deletes its copy and what it left running ends',
  patience,
  async t => {
    const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const kept = join(home, 'sessions');
    const agent = { command: process.execPath, args: [scriptedFile, '--delete'], env: { SCRIPTED_HOME: kept } };
    const settings = { 'throughline.agent': 'Scripted', 'throughline.agents': { Scripted: agent } };
    const window = await installed(t, { settings });
    const { page } = window;
    await window.showChat();
    await composer(window).waitFor();
    const dialog = page.locator('.monaco-dialog-box');
    const rows = await showSessions(window);
    const row = (words: string) => rows.filter({ hasText: words });

    await t.test('a branch', async () => {
      const history = await historyOf(window.server.home);
      const [left, right] = [ids.message(), ids.message()];
      const rest = { agent: 'Scripted', from: null, dirty: false, cwd: null, owner: history.writer };
      const { session } = await tell(history, {
        agent: 'Scripted',
        prompts: ['Where are orders kept?'],
        more: (id, [, answer = '']) => [
          userFact(id, left, answer, 'cucumber', Date.now() - 1000),
          userFact(id, right, answer, 'jam', Date.now() - 2000),
          setFact(id, 'head', left),
          bindingFact(id, { ...rest, agentSession: 'of-cucumber', head: left }),
          bindingFact(id, { ...rest, agentSession: 'of-jam', head: right }),
        ],
      });
      mkdirSync(kept, { recursive: true });
      for (const id of ['of-cucumber', 'of-jam'])
        writeFileSync(
          join(kept, `${id}.json`),
          JSON.stringify({ id, cwd: home, also: null, created: 1, messages: [] }),
        );
      await row('Where are orders kept?').click();
      await articles(window).filter({ hasText: 'cucumber' }).first().waitFor();
      await row('Where are orders kept?').locator('.monaco-tl-twistie').click();
      await history.trash(session, { message: left, subtree: true });
      await row('cucumber').filter({ hasText: 'deleted' }).waitFor();
      await choose(window, row('cucumber'), 'Delete Branch Permanently…');
      await dialog.getByText('Scripted can delete the copy that it keeps itself.').waitFor();
      await dialog.getByRole('button', { name: 'Delete Here and at Scripted' }).click();
      await page
        .getByText('Deleted the branch “cucumber” permanently, and Scripted deleted its copy.')
        .first()
        .waitFor();
      assert.deepEqual(
        readdirSync(kept).filter(name => name.startsWith('of-')),
        ['of-jam.json'],
      );
      await history.close();
    });

    await t.test('a session in which a command still runs', { skip: !posix }, async () => {
      const pidFile = join(home, 'pid');
      const script = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
      await window.runCommand('Throughline: New Incognito Session');
      await window.chat().getByRole('group', { name: 'Incognito' }).waitFor();
      await send(window, `play: ${JSON.stringify([{ say: 'begun' }, runs(script)])}`);
      for (let pid = ''; pid === ''; pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : '')
        await setTimeout(20);
      await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
      const pids = [Number(readFileSync(pidFile, 'utf8'))];
      assert.ok(process.kill(pids[0] ?? 0, 0));
      await window.runCommand('Throughline: End Incognito Session');
      await dialog.getByRole('button', { name: 'End Only' }).click();
      await page.getByText('The incognito session ended.').first().waitFor();
      assert.ok(await gone(pids, 5000));
    });
  },
);
