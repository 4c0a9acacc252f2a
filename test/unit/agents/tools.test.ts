// The tools of the built-in agents, used by a model over real HTTP, in a real folder, with the client's guard, its terminals
// and a person who answers.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Json } from '../../../src/model/message.ts';
import { ask, at, says, serve, uses, type AskOptions } from './modelStage.ts';
import { sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

interface Used {
  /** What the model was told of it. */
  readonly told: string;
  readonly asked: readonly string[];
  readonly shown: string;
  readonly offered: readonly string[];
  readonly system: string;
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

async function use(t: TestContext, folder: string, name: string, input: Json, options: AskOptions = {}): Promise<Used> {
  const { address, bodies } = await serve(t, uses(name, JSON.stringify(input)), says('Done.'));
  const asked: string[] = [];
  const { updates, answer } = await ask(t, at(address), {
    choose: 'allow_once',
    folder,
    onAsk: permission => asked.push(JSON.stringify(permission)),
    ...options,
  });
  assert.equal(answer.reason, 'end_turn', answer.detail);
  const [first, second] = bodies.map(body => JSON.parse(body) as Body);
  const told = second?.messages.at(-1)?.content ?? '';
  const offered = (first?.tools ?? []).map(tool => tool.function.name);
  return { told, asked, shown: JSON.stringify(updates), offered, system: second?.messages[0]?.content ?? '' };
}

function project(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'project');
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'one\r\ntwo\r\none more\r\n');
  writeFileSync(join(folder, 'src/b.ts'), 'export const limit = 3;\n');
  return folder;
}

test('[A48] a file is read by lines, and what is left is told', async t => {
  const folder = project(t);
  writeFileSync(join(folder, 'long.txt'), Array.from({ length: 5000 }, (_, n) => `line ${n + 1}`).join('\n'));
  const { told, asked } = await use(t, folder, 'read_file', { path: 'long.txt', line: 3, limit: 2 });
  assert.equal(told, 'line 3\nline 4\n[4996 more lines; read on from line 5]');
  assert.deepEqual(asked, []);
  const whole = await use(t, folder, 'read_file', { path: join(folder, 'long.txt') });
  assert.match(whole.told, /line 2000\n\[3000 more lines; read on from line 2001\]$/);
  writeFileSync(join(folder, 'wide.txt'), 'x'.repeat(100_000));
  assert.match((await use(t, folder, 'read_file', { path: 'wide.txt' })).told, /\[68000 more characters are left out/);
});

test('[A48] what a person allows is written, with the change in the question', async t => {
  const folder = project(t);
  const edit = await use(t, folder, 'edit_file', { path: 'a.txt', old: 'two\none', new: 'three' });
  assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'one\r\nthree more\r\n');
  assert.match(edit.asked.join(), /"kind":"allow_once"/);
  assert.match(edit.asked.join(), /"type":"diff".*three more/);
  await use(t, folder, 'write_file', { path: 'src/new/c.ts', content: 'new\n' });
  assert.equal(readFileSync(join(folder, 'src/new/c.ts'), 'utf8'), 'new\n');
});

test('[A48] what a person does not allow is not done, and the model is told', async t => {
  const folder = project(t);
  for (const [name, input] of [
    ['edit_file', { path: 'a.txt', old: 'two', new: 'three' }],
    ['write_file', { path: 'a.txt', content: 'gone' }],
    ['run_command', { command: 'echo gone > a.txt' }],
  ] as const) {
    const { told } = await use(t, folder, name, input, { choose: 'reject_once' });
    assert.match(told, /did not allow this/);
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'one\r\ntwo\r\none more\r\n');
  }
});

test('[A48] what is written to a file of secrets is asked by the client, and stands in nothing that is kept', async t => {
  const folder = project(t);
  writeFileSync(join(folder, '.env'), 'TOKEN=old\n');
  const questions: string[] = [];
  const guardAsks = (path: string, content: string | undefined) => {
    questions.push(`${path}: ${content ?? 'read'}`);
    return true;
  };
  const written = await use(t, folder, 'write_file', { path: '.env', content: 'TOKEN=canary\n' }, { guardAsks });
  assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'TOKEN=canary\n');
  const edited = await use(t, folder, 'edit_file', { path: '.env', old: 'canary', new: 'canary2' }, { guardAsks });
  assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'TOKEN=canary2\n');
  assert.deepEqual(
    questions.map(one => one.replace(/.*\.env: /, '')),
    ['TOKEN=canary\n', 'read', 'TOKEN=canary2\n'],
  );
  assert.doesNotMatch(written.shown + edited.shown, /canary/);
});

const wrongEdits: readonly (readonly [what: string, input: Json, told: RegExp])[] = [
  ['a text that is not there', { path: 'a.txt', old: 'four', new: 'x' }, /does not stand in the file/],
  ['a text that is there twice', { path: 'a.txt', old: 'one', new: 'x' }, /stands in the file 2 times/],
  ['no change', { path: 'a.txt', old: 'two', new: 'two' }, /are the same/],
  ['nothing to replace', { path: 'a.txt', old: '', new: 'x' }, /`old` is empty/],
  ['a file outside', { path: '../elsewhere.txt', old: 'a', new: 'x' }, /is not given/],
];

for (const [what, input, told] of wrongEdits)
  test(`[A48] an edit with ${what} changes nothing and is explained`, async t => {
    const used = await use(t, project(t), 'edit_file', input);
    assert.match(used.told, told);
    assert.deepEqual(used.asked, []);
  });

test('[A49] a command runs in the folder, and the model has what it printed and how it ended', async t => {
  const folder = project(t);
  const ran = await use(t, folder, 'run_command', { command: 'pwd; echo oops >&2; exit 3', cwd: 'src' });
  assert.match(ran.told, /project\/src\n/);
  assert.match(ran.told, /oops/);
  assert.match(ran.told, /\[It ended with exit code 3\.\]/);
  assert.match(ran.asked.join(), /"command":"pwd; echo oops >&2; exit 3"/);
  const long = await use(t, folder, 'run_command', { command: 'yes abcdefghij | head -c 100000' });
  assert.match(long.told, /left out/);
  assert.ok(long.told.length < 40_000);
});

test('[A49] a command that takes too long is ended, and that is told', async t => {
  const { told } = await use(t, project(t), 'run_command', { command: 'echo begun; sleep 1000', seconds: 1 });
  assert.match(told, /begun\n+\[It was ended after 1 seconds\.\]/);
});

test('[A47] a model lists and searches the folder', async t => {
  const folder = project(t);
  assert.equal((await use(t, folder, 'list_files', {})).told, 'a.txt\nsrc/b.ts');
  assert.equal((await use(t, folder, 'list_files', { path: join(folder, 'src') })).told, 'src/b.ts');
  assert.equal((await use(t, folder, 'search_files', { text: 'LIMIT' })).told, 'src/b.ts:1: export const limit = 3;');
  assert.match((await use(t, folder, 'search_files', { text: 'nowhere' })).told, /stands nowhere/);
  assert.match((await use(t, folder, 'list_files', { path: '/' })).told, /is in none of the folders/);
});

test('[A52] a model looks for words in earlier sessions', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const session = ids.session();
  await history.append(session, [
    sessionFact(session),
    setFact(session, 'title', 'Garden'),
    userFact(session, 'm1', null, 'Where does the tulip grow?'),
    userFact(session, 'm2', 'm1', 'And the rose?'),
    userFact(session, 'm3', 'm2', 'And the secret orchid?'),
  ]);
  await history.trash(session, { message: 'm3', subtree: true });
  const ports = {
    async searchHistory(words: string) {
      const { hits, more, searched = null } = await history.search(words, { limit: 1, count: true });
      return { places: hits.map(({ title, snippet }) => `“${title}”: ${snippet}`), more, searched };
    },
  };
  const search = async (words: string) => (await use(t, project(t), 'search_history', { words }, { ports })).told;
  assert.equal(await search('tulip'), '“Garden”: Where does the tulip grow?');
  assert.match(await search('the'), /^“Garden”: .*\n\n\[There are more places\./);
  for (const words of ['violet', 'orchid']) {
    const told = await search(words);
    assert.match(
      told,
      /^\[Nothing found for these words\. The titles of 1 session and the text of 2 messages were searched/,
    );
    assert.doesNotMatch(told, /never/);
  }
  assert.match(await search('!!!'), /^\[Nothing found: there is no word/);
});

test('[A50] AGENTS.md of the folder and the one nearest to the work are in the system prompt, as they are now', async t => {
  const folder = project(t);
  writeFileSync(join(folder, 'AGENTS.md'), 'Always use tabs.');
  writeFileSync(join(folder, 'src/deep/AGENTS.md'), 'Here, use spaces.');
  const above = await use(t, folder, 'read_file', { path: 'a.txt' });
  assert.match(above.system, /Always use tabs/);
  assert.doesNotMatch(above.system, /Here, use spaces/);
  writeFileSync(join(folder, 'AGENTS.md'), 'Never use tabs.');
  const below = await use(t, folder, 'read_file', { path: 'src/deep/c.ts' });
  assert.match(below.system, /Never use tabs[\s\S]*Here, use spaces/);
  assert.doesNotMatch(below.system, /Always/);
});

test('[A51] a restricted workspace is only read, and where no folder is open there is nothing to read', async t => {
  const folder = project(t);
  const restricted = await use(
    t,
    folder,
    'write_file',
    { path: 'a.txt', content: 'x' },
    { ports: { mayChange: () => false } },
  );
  assert.deepEqual(restricted.offered, ['list_files', 'search_files', 'read_file', 'search_history']);
  assert.match(restricted.told, /There is no tool/);
  const none = await use(t, folder, 'read_file', { path: 'a.txt' }, { ports: { folders: () => [] } });
  assert.deepEqual(none.offered, ['search_history']);
});
