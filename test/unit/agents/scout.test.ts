// The offline scout through its ACP connection, over real folders.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { scoutRef } from '../../../src/agent/refs.ts';
import { termsOf } from '../../../src/agent/scout/terms.ts';
import type { AgentProgram } from '../../../src/core/agents.ts';
import type { AgentUpdate } from '../../../src/core/agentTurn.ts';
import type { Permission } from '../../../src/model/agentState.ts';
import type { Message } from '../../../src/model/message.ts';
import { agentFiles } from '../../../src/node/files/agentFiles.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { acpProgram } from '../../../src/node/acp/program.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { scoutTransport, type BuiltInOptions } from '../support/builtIn.ts';
import { userMessage } from '../support/facts.ts';
import { ids, temporaryFolder } from '../support/history.ts';
import { quietDesk } from '../support/scriptedProgram.ts';

function builtIn(t: TestContext, cwd: string | null, more: Partial<BuiltInOptions> = {}): AgentProgram {
  const program = acpProgram({
    ref: scoutRef,
    takesPath: true,
    open: () => Promise.resolve(scoutTransport({ folders: () => (cwd === null ? [] : [cwd]), searchHistory, ...more })),
    clock: systemClock,
    clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
    homeFolder: import.meta.dirname,
    handlers: () =>
      agentFiles(
        guardIn(() => (cwd === null ? [] : [cwd])),
        {
          editors: { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) },
          ask: () => Promise.resolve(false),
        },
      ),
    newPermissionId: ids.message,
    onWarning: () => {},
  });
  t.after(() => program.stop());
  return program;
}

interface Asked {
  readonly text: string;
  readonly updates: readonly AgentUpdate[];
  readonly reason: string;
}

const searchHistory = (words: string) =>
  Promise.resolve({ places: [`we spoke of ${words}`], more: false, searched: null });

async function ask(
  t: TestContext,
  text: string,
  cwd: string | null,
  path: readonly Message[] = [],
  more: Partial<BuiltInOptions> = {},
): Promise<Asked> {
  const updates: AgentUpdate[] = [];
  const { signal } = new AbortController();
  const agent = await builtIn(t, cwd, more).start(signal);
  const session = await agent.newSession({ cwd, alsoIn: [] }, signal);
  const desk = {
    ...quietDesk,
    onUpdate: (update: AgentUpdate) => void updates.push(update),
    ask: ({ choices }: Permission) => Promise.resolve(choices.find(({ kind }) => kind === 'allow_once')?.id ?? null),
  };
  const { reason } = await session.prompt({ parts: [{ type: 'text', text }], path }, desk, signal);
  return { text: updates.flatMap(update => (update.type === 'text' ? [update.text] : [])).join(''), updates, reason };
}

function project(t: TestContext): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'src/orders.go'), 'package orders\n\n// retry a failed order\nconst retryLimit = 3\n');
  writeFileSync(join(folder, 'src/notes.md'), 'The retry is `odd`:\n```\nretry ``` limit\n```\n');
  writeFileSync(join(folder, 'node_modules/retry.js'), 'retry');
  writeFileSync(join(folder, 'binary.dat'), Buffer.from([0, 1, 2, ...Buffer.from('retry')]));
  return folder;
}

test('[A3] it finds words in files, as a tool call and with lines', async t => {
  const folder = project(t);
  const { text, updates, reason } = await ask(t, 'Where is the retry limit?', folder);
  assert.equal(reason, 'end_turn');
  assert.match(text, /2 files match `retry`, `limit`/);
  assert.match(text, /src\/orders\.go/);
  assert.match(text, / 4 {2}const retryLimit = 3/);
  assert.match(text, /I match words/);
  assert.doesNotMatch(text, /node_modules|binary/);
  const calls = updates.flatMap(update => (update.type === 'toolCall' ? [update.changes] : []));
  assert.deepEqual(
    calls.map(({ status }) => status),
    ['in_progress', 'completed'],
  );
  assert.deepEqual(calls[1]?.locations?.map(({ path }) => path).toSorted(), [
    join(folder, 'src/notes.md'),
    join(folder, 'src/orders.go'),
  ]);
});

test('[A3] what a file holds cannot end the block that shows it', async t => {
  const { text } = await ask(t, 'retry', project(t));
  assert.match(text, /\n````md\n[\s\S]*retry ``` limit[\s\S]*\n````\n/);
});

test('[A3] it finds words in the conversation, with no folder open', async t => {
  const path = [{ ...userMessage('message2', null, 'The password of the wifi is tulip'), session: 'session2' }];
  const { text } = await ask(t, 'which wifi?', null, path);
  assert.match(text, /Earlier in this conversation:\n\n> The password of the wifi is tulip/);
});

test('[A3] it says what it is where there is nothing to look for', async t => {
  for (const question of ['hello', '???', 'help me please'])
    assert.match((await ask(t, question, null)).text, /not an AI/);
});

test('[A3] nothing found is said, with how much was read', async t => {
  const { text } = await ask(t, 'xyzzy', project(t));
  assert.match(text, /Nothing in 2 files matches `xyzzy`/);
});

test('[A3] it leaves the folder as it was', async t => {
  const folder = project(t);
  const state = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      name => `${name} ${statSync(join(folder, name)).mtimeMs}`,
    );
  const before = state();
  await ask(t, 'retry limit', folder);
  assert.deepEqual(state(), before);
});

test('[A3] a cancel stops it', async t => {
  const abort = new AbortController();
  const cwd = project(t);
  const agent = await builtIn(t, cwd).start(abort.signal);
  const session = await agent.newSession({ cwd, alsoIn: [] }, abort.signal);
  const desk = { ...quietDesk, onUpdate: (update: AgentUpdate) => void (update.type === 'text' && abort.abort()) };
  const answer = await session.prompt({ parts: [{ type: 'text', text: 'retry' }], path: [] }, desk, abort.signal);
  assert.equal(answer.reason, 'cancelled');
});

test('[A4] links are not followed out of the folder', async t => {
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, 'secret.txt'), 'the canary sings');
  const folder = project(t);
  symlinkSync(outside, join(folder, 'linked'));
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'secret.txt'));
  const { text } = await ask(t, 'canary', folder);
  assert.match(text, /^Nothing in 2 files/);
});

const questions: readonly (readonly [question: string, terms: readonly string[]])[] = [
  ['Where is the retry limit?', ['retry', 'limit']],
  ['find "Connection refused" in the log', ['connection refused', 'log']],
  ['src/node/acp.ts and foo_bar-baz.', ['src/node/acp.ts', 'foo_bar-baz']],
  ['退款 在哪里', ['退款', '在哪里']],
  ['größe der Tabelle', ['größe', 'der', 'tabelle']],
  ['is it in an ok', []],
  ['which tests pass for addresses?', ['test', 'pass', 'addresse']],
  ['one two three four five six seven eight nine', ['one', 'two', 'three', 'four', 'five', 'six']],
  ['retry RETRY Retry', ['retry']],
];

test('[A3] the terms of a question', () => {
  for (const [question, terms] of questions) assert.deepEqual(termsOf(question), terms);
});

const orders: readonly (readonly [said: string, answer: RegExp, made: readonly [file: string, text: string] | null])[] =
  [
    ['read src/orders.go', /`src\/orders\.go`:\n\n```go\npackage orders\n/, null],
    ['list src', /```\nsrc\/notes\.md\nsrc\/orders\.go\n```/, null],
    ['write src/new.md:\n```\n# New\n```', /The file is made/, ['src/new.md', '# New\n']],
    ['replace "= 3" with "= 4" in src/orders.go', /The file is written/, ['src/orders.go', '= 4\n']],
    ['replace "= 7" with "= 4" in src/orders.go', /does not stand in the file/, ['src/orders.go', '= 3\n']],
    ['history: tulip', /we spoke of tulip/, null],
    ['What can you do?', /not an AI[\s\S]*Connect a Model…[\s\S]*Ollama/, null],
  ];

for (const [said, answer, made] of orders)
  test(`[A53] told to “${said.split('\n')[0]}”, the scout does that`, async t => {
    const folder = project(t);
    const { text, reason } = await ask(t, said, folder);
    assert.equal(reason, 'end_turn');
    assert.match(text, answer);
    if (made) assert.ok(readFileSync(join(folder, made[0]), 'utf8').endsWith(made[1]));
  });

test('[A51] the scout changes nothing in a restricted workspace, and says so', async t => {
  const folder = project(t);
  const { text } = await ask(t, 'write src/new.md\nnew', folder, [], { mayChange: () => false });
  assert.match(text, /I cannot do this here: this workspace is restricted/);
  assert.ok(!readdirSync(join(folder, 'src')).includes('new.md'));
});
