// What goes with a prompt, and on after an answer that broke off, in the installed extension.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { scriptedFile } from '../unit/support/scriptedProgram.ts';
import { articles, ask, composer, continuity, installed } from './panel.ts';

const patience = { timeout: 150_000 };

async function withAgent(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
  const log = join(home, 'log');
  const window = await installed(t, {
    settings: {
      'throughline.agent': 'Scripted',
      'throughline.agents': {
        Scripted: {
          command: process.execPath,
          args: [scriptedFile, '--images', '--embedded'],
          env: { SCRIPTED_HOME: join(home, 'sessions'), SCRIPTED_LOG: log },
        },
      },
    },
  });
  /** What the agent was given of the person's, last. */
  const given = () => {
    const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
    return (JSON.parse(last) as { readonly model: readonly string[] }).model;
  };
  await window.showChat();
  return { window, given };
}

test('[W101] an agent that died in its answer is started again and goes on', patience, async t => {
  const { window, given } = await withAgent(t);
  await ask(window, 'play: crash');
  const restart = window.chat().getByRole('button', { name: 'Restart and continue' });
  await restart.waitFor();
  await composer(window).fill('a draft of mine');
  await restart.click();
  await articles(window).nth(2).getByText('Continue where you stopped.').waitFor();
  await articles(window).nth(3).getByText('half').waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.equal(await restart.count(), 0);
  assert.match((await continuity(window).textContent()) ?? '', /^Remembers/);
  const [seed, words] = given();
  assert.match(seed ?? '', /play: crash[\s\S]*half\n\[interrupted here\]/);
  assert.equal(words, 'Continue where you stopped.');
  assert.equal(await composer(window).inputValue(), 'a draft of mine');
});
