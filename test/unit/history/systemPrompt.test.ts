// The system prompt that was used last: apart from everything that is listed, and there where it is asked for.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Fact } from '../../../src/model/record.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { answerFact, sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { content, counts, exported, imported } from './exchangeStage.ts';

const words = 'You are the canary of this test.';
const session = 'sessn2222222';

function prompted(text: string, from: string): Fact {
  return { type: 'set', session, name: 'systemPrompt', value: { content: text }, from };
}

/** As versions wrote it before it had a field of its own. */
function former(text: string, from: string): Fact {
  return setFact(session, 'metadata', text, { of: 'systemPrompt', from });
}

async function begin(history: OpenedHistory, first: Fact): Promise<readonly [string, string]> {
  const [prompt, answer] = [ids.message(), ids.message()];
  await history.append(session, [sessionFact(session), userFact(session, prompt, null, 'What?')]);
  await history.append(session, [answerFact(session, answer, prompt), first]);
  return [prompt, answer];
}

/** Where the words stand, of the files of the folder. */
function filesWith(folder: string, text: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile());
  return files
    .map(one => join(one.parentPath, one.name))
    .filter(file => readFileSync(file).includes(text))
    .map(file => file.slice(folder.length + 1).split(/[/\\]/)[0] ?? '');
}

test('[J43] it is in no listing, whichever version wrote it, and the last one is audited', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const listed = async () => JSON.stringify([await history.sessions(), await history.open(session)]);
  const last = async () => (await history.audit(session))?.lastSystemPrompt;
  const [prompt, answer] = await begin(history, former(`${words} 1`, 'm1'));
  assert.equal(await last(), `${words} 1`);
  assert.ok(!(await listed()).includes('canary'));
  await history.append(session, [prompted(`${words} 2`, prompt)]);
  assert.equal(await last(), `${words} 2`);
  await history.append(session, [former(`${words} 3`, answer)]);
  assert.equal(await last(), `${words} 3`);
  await history.append(session, [prompted(`${words} 4 “${'x'.repeat(300_000)}”`, answer)]);
  assert.match((await last()) ?? '', /4 “x+”$/);
  assert.ok(!(await listed()).includes('canary'));
  assert.deepEqual((await history.sessions())[0]?.metadata, {});
  // With the response that it was for, what was used before it counts again.
  await history.erase(session, { message: answer, subtree: true });
  assert.equal(await last(), `${words} 2`);
});

test('[J43] neither the journal nor the index nor a snapshot of it has the text', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const [, answer] = await begin(history, prompted(words, 'm1'));
  await history.append(session, [prompted(words, answer)]);
  for (let n = 0; n < 1000; n++) await history.append(session, [setFact(session, 'pinned', n % 2 === 0)]);
  await history.close();
  assert.ok(readdirSync(folder).some(name => name.startsWith('index-')));
  assert.deepEqual(filesWith(folder, 'canary'), ['blobs'], 'once, however often it was used');
  const again = await openTestHistory(folder);
  assert.equal((await again.audit(session))?.lastSystemPrompt, words);
  await again.erase(session);
  assert.deepEqual(filesWith(folder, 'canary'), []);
});

test('[J43] exports have it where they always had it, and an import keeps it apart', async t => {
  const folder = temporaryFolder(t);
  const here = await openTestHistory(folder);
  const [, answer] = await begin(here, former('an older one', 'm1'));
  await here.append(session, [prompted(words, answer)]);
  const text = await exported(here, folder, [session]);
  const [read] = (JSON.parse(text) as { readonly sessions: readonly { readonly fields: readonly object[] }[] })
    .sessions;
  assert.deepEqual(read?.fields, [{ name: 'metadata', of: 'systemPrompt', value: words, from: answer }]);

  const there = temporaryFolder(t);
  const other = await openTestHistory(there);
  assert.deepEqual(counts(await imported(other, folder, text)), [1, 0, 0, []]);
  assert.equal((await other.audit(session))?.lastSystemPrompt, words);
  assert.deepEqual(content(await exported(other, there, [session])), content(text));
  assert.deepEqual(new Set(filesWith(join(there, 'blobs'), 'canary')), new Set([session]));
  assert.deepEqual(filesWith(join(there, 'journal'), 'canary'), []);

  const file = join(folder, 'out.sqlite');
  await here.exportSqlite(file);
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  const rows = db.prepare('SELECT key, value FROM metadata').all();
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [['systemPrompt', JSON.stringify(words)]],
  );
  const [field] = db.prepare("SELECT value FROM field WHERE name = 'systemPrompt'").all();
  assert.equal(field?.['value'], JSON.stringify({ content: words }));
});
