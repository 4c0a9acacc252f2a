// "Check History" and its repair: what is damaged is said in sentences, what can be made again is, the rest stays.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Finding } from '../../../src/core/history/history.ts';
import { check, repair } from '../../../src/node/history/check/check.ts';
import { Erasing } from '../../../src/node/history/erasing/erasing.ts';
import { sessionFact } from '../support/facts.ts';
import { ids, openTestHistory } from '../support/history.ts';
import { codes, damages, hour, make, old, openStore, type Damage } from './damages.ts';

const patience = { timeout: 60_000 };

/** Everything on the disk but signs of life. */
function state(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    files.flatMap(entry => {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || relative(folder, path).startsWith('writers')) return [];
      const { mtimeMs } = statSync(path);
      return [[path, `${createHash('sha256').update(readFileSync(path)).digest('hex')} ${mtimeMs}`] as const];
    }),
  );
}

function areSentences(findings: readonly Finding[]): void {
  for (const { words, file } of findings) {
    assert.match(words, /^[A-Z0-9][^<>{}]*\.$/);
    assert.doesNotMatch(words, /undefined|segment|blob|index|journal|snapshot|tombstone|null/i);
    assert.ok(file === undefined || !file.includes('/'), file);
  }
}

async function damageAndRepair(t: TestContext, { act, found, words }: Damage): Promise<void> {
  const made = await make(t);
  await act(made);
  const history = await openTestHistory(made.folder);
  const before = state(made.folder);
  const report = await history.check();
  assert.deepEqual(codes(report.findings), found, JSON.stringify(report.findings));
  areSentences(report.findings);
  assert.match(report.findings.map(finding => finding.words).join(' '), words);
  assert.deepEqual(state(made.folder), before, 'a check changes nothing');

  const journal = [...before].filter(([file]) => file.includes('journal') && !file.endsWith('.unfinished'));
  const repaired = await history.repair();
  const rest = found.filter(code => !code.endsWith('+'));
  assert.deepEqual(codes(repaired.findings), rest, JSON.stringify(repaired.findings));
  const after = state(made.folder);
  for (const [file, content] of journal) assert.equal(after.get(file), content, 'no file of the journal is written to');
  const again = await openTestHistory(made.folder);
  assert.deepEqual(codes((await again.check()).findings), rest, 'and it stays so');
}

// Most of the time is spent waiting for news of other windows.
test('[J27] every damage is found, and what can be repaired is', { timeout: 120_000, concurrency: 6 }, async t => {
  await Promise.all(
    damages.map(damage =>
      t.test(`${damage.what}: ${damage.found.join(', ') || 'no finding'}`, inner => damageAndRepair(inner, damage)),
    ),
  );
});

test('[J27] a title is shown as it is, cut at sixty characters', patience, async t => {
  const made = await make(t, `<b>${'😀 “quoted” '.repeat(12)}`);
  appendFileSync(made.files[0], 'no record\n');
  const { findings } = await (await openTestHistory(made.folder)).check();
  const title = /the session “(.*)” is damaged/.exec(findings[0]?.words ?? '')?.[1] ?? '';
  assert.ok(title.startsWith('<b>😀 “quoted” 😀') && title.endsWith('…'), title);
  assert.equal(Array.from(title).length, 60);
});

test('[J27] tidying that never came to its end is finished by a repair', patience, async t => {
  const { folder, session, files } = await make(t);
  const store = await openStore(t, folder);
  const erasing = new Erasing(store);
  renameSync(files[0], `${files[0]}.claimed`);
  const alive: ReadonlySet<string> = new Set();
  assert.deepEqual((await check(store, { now: Date.now(), alive })).findings, [], 'somebody may be at it');
  const later = { now: Date.now() + 2 * hour, alive };
  const { findings } = await check(store, later);
  assert.deepEqual(codes(findings), ['half-done+']);
  areSentences(findings);
  const changed: string[] = [];
  const repaired = await repair(store, {
    ...later,
    clean: () => erasing.clean(),
    joinSession: joined => erasing.join(alive, later.now, joined),
    changed: sessions => changed.push(...sessions),
  });
  assert.deepEqual(repaired.findings, []);
  assert.deepEqual(changed, [session]);
  assert.deepEqual(readdirSync(store.journal).length, 1);
  assert.equal((await (await openTestHistory(folder)).open(session))?.path.length, 3);
});

test('[J27] what was erased and is still in a file is found, and a repair removes it', patience, async t => {
  const { folder, session, messages, files } = await make(t);
  const other = ids.session();
  const eraser = await openTestHistory(folder);
  await eraser.append(other, [sessionFact(other)]);
  const before = readFileSync(files[1]);
  await eraser.erase(session, { message: messages[2], subtree: true });
  await eraser.erase(other);
  await eraser.close();
  const store = await openStore(t, folder);
  const erasing = new Erasing(store);
  writeFileSync(files[1], before);
  mkdirSync(join(folder, 'drafts'), { recursive: true });
  writeFileSync(join(folder, 'drafts', other), 'typed and not sent');
  const moment = { now: Date.now(), alive: new Set<string>() };
  const { findings } = await check(store, moment);
  assert.deepEqual(codes(findings), ['not-erased+', 'not-erased+']);
  areSentences(findings);
  const repaired = await repair(store, { ...moment, clean: () => erasing.clean(), joinSession() {}, changed() {} });
  assert.deepEqual(repaired.findings, []);
  const names = readdirSync(store.journal);
  assert.ok(names.every(name => !readFileSync(join(store.journal, name)).includes(messages[2])));
});

test('[J27] what a record names is put back where only its name was missing', patience, async t => {
  const {
    folder,
    blobs: [blob = ''],
  } = await make(t);
  renameSync(blob, `${blob}.gone2222.unfinished`);
  old(`${blob}.gone2222.unfinished`, 2 * hour);
  const history = await openTestHistory(folder);
  assert.deepEqual(codes((await history.check()).findings), ['missing-blob', 'half-done+']);
  assert.deepEqual((await history.repair()).findings, []);
});
