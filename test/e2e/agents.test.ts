// An agent of the person's own, from settings, in the installed extension: a real process that keeps its own memory.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { articles, ask, continuity, installed } from './panel.ts';

const patience = { timeout: 120_000 };

test('[C1] an agent from settings answers, and after a reload remembers as the line says', patience, async t => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const log = join(home, 'log');
  const env = { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: log };
  const window = await installed(t, {
    settings: {
      'throughline.agent': 'Scripted',
      'throughline.agents': { Scripted: { command: process.execPath, args: [scriptedFile], env } },
    },
  });
  await window.showChat();
  assert.match(await ask(window, 'Remember factA.'), /factA/);
  assert.match(await continuity(window).innerText(), /^Remembers/);
  await window.reload();
  await articles(window).nth(1).waitFor();
  assert.match(await ask(window, 'Remember factB.'), /factB/);
  assert.match(await continuity(window).innerText(), /^Remembers/);
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  assert.deepEqual(
    [...last.matchAll(/fact[A-Z]/g)].map(([fact]) => fact),
    ['factA', 'factB'],
  );
});
