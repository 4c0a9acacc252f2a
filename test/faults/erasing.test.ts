// What killed and sleeping processes leave of joins and erasures, and what something else does to joined files. Nothing
// that is not erased is lost, and nothing that is comes back.

import '../vscode/leashed.ts';
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JournalRecord } from '../../src/model/record.ts';
import { sessionFact, userFact } from '../unit/support/facts.ts';
import { temporaryFolder } from '../unit/support/history.ts';
import { cachesOf, eraseIn, ids, journalOf, openEngine, openStore, readJournal, segmentsOf } from './engine.ts';
import { filesWith, idOf, isAsWritten, textOfNumber } from './puppetText.ts';
import { numbersTo, startPuppet, type Puppet } from './puppets.ts';

const patience = { timeout: 60_000 };

/** A session with messages 0 to 11 in three files, and nobody that has it open. */
async function plant(t: TestContext): Promise<{ folder: string; session: string; puppet: Puppet }> {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const puppet = startPuppet(t, folder);
  for (let number = 0; number < 12; number += 4) {
    assert.deepEqual(await puppet.tell({ order: 'open' }), {});
    for (let at = number; at < number + 4; at++) assert.deepEqual(await puppet.append(session, at, 3_000), {});
    await puppet.tell({ order: 'close' });
  }
  assert.equal(segmentsOf(folder).length, 3);
  return { folder, session, puppet };
}

function begunIn({ facts }: JournalRecord): readonly string[] {
  return facts.flatMap(fact => (fact.type === 'message' ? [fact.message.id] : []));
}

test('[J32] what a killed join left is read, and joined by the next', patience, async t => {
  const { folder, session, puppet } = await plant(t);
  const [one = '', two = ''] = segmentsOf(folder);
  const journal = journalOf(folder);
  for (const name of [one, two]) renameSync(join(journal, name), join(journal, `${name}.claimed`));
  const begun = readFileSync(join(journal, `${one}.claimed`));
  writeFileSync(join(journal, `${session}~abc.0.joined.unfinished`), begun.subarray(0, begun.length / 2));
  await puppet.tell({ order: 'open' });
  assert.deepEqual(await puppet.read(session), numbersTo(12));
  assert.deepEqual(await puppet.append(session, 12), {});
  // Killed after the copy was given its name, and before the sources went.
  writeFileSync(join(journal, `${session}~abc.1.joined`), begun);
  assert.deepEqual(await puppet.tell({ order: 'join', session }), {});
  assert.deepEqual(await puppet.read(session), numbersTo(13));
  assert.ok(!readdirSync(journal).some(name => name.endsWith('.claimed')));
  const { records } = readJournal(folder);
  assert.equal(new Set(records.map(({ record }) => record.h)).size, records.length, 'each record once');
  assert.deepEqual(await puppet.tell({ order: 'erase', session, number: 2 }), { numbers: [11] });
  for (const number of [2, 5, 9, 12]) assert.deepEqual(filesWith(folder, number), []);
  assert.deepEqual(await puppet.read(session), numbersTo(2));
});

test('[J3] a joined file that was cut or changed costs what was hit, and is left as it is', patience, async t => {
  for (const what of ['cut', 'changed'] as const) {
    const { folder, session, puppet } = await plant(t);
    await puppet.tell({ order: 'open' });
    await puppet.tell({ order: 'join', session });
    await puppet.tell({ order: 'close' });
    const [joined = ''] = readdirSync(journalOf(folder));
    const file = join(journalOf(folder), joined);
    const { records } = readJournal(folder);
    const hit = records.find(({ record }) => begunIn(record).includes(idOf(session, 7)));
    assert.ok(hit);
    const at = hit.place.offset + 40;
    if (what === 'cut') truncateSync(file, at);
    else writeFileSync(file, readFileSync(file).fill(7, at, at + 3));
    const damaged = readFileSync(file);
    const { history } = await openEngine(folder);
    const listed = await history.list({ session, order: 'oldest' });
    const before = records.filter(
      ({ place }) => place.offset < hit.place.offset || (what !== 'cut' && place !== hit.place),
    );
    assert.deepEqual(
      listed.map(({ id }) => id).toSorted(),
      before.flatMap(({ record }) => begunIn(record)).toSorted(),
      what,
    );
    assert.ok(listed.every(isAsWritten), what);
    assert.deepEqual([history.recovery.bad.length, history.recovery.tails.length], what === 'cut' ? [0, 1] : [1, 0]);
    await history.append(session, [userFact(session, ids.message(), listed[0]?.id ?? '', 'goes on')]);
    await history.join(session);
    await history.close();
    assert.deepEqual(readFileSync(file), damaged, 'what is damaged is not joined');
    puppet.signal('SIGKILL');
  }
});

test('[J31] a window that sleeps while somebody erases writes nothing of it when it wakes up', patience, async t => {
  for (const from of [null, 3]) {
    const folder = temporaryFolder(t);
    const session = ids.session();
    const [sleeper, eraser] = [startPuppet(t, folder), startPuppet(t, folder)];
    await sleeper.tell({ order: 'open' });
    for (let number = 0; number < 5; number++) await sleeper.append(session, number, 2_000);
    await eraser.tell({ order: 'open' });
    const running = numbersTo(60)
      .slice(5)
      .map(number => sleeper.append(session, number, 20_000));
    await delay(12);
    sleeper.signal('SIGSTOP');
    try {
      const { numbers = [] } = await eraser.tell({ order: 'erase', session, number: from });
      assert.ok((numbers[0] ?? 0) >= 2, `${numbers[0]} messages were erased`);
    } finally {
      sleeper.signal('SIGCONT');
    }
    const answers = await Promise.all(running);
    const codes = new Set(answers.map(({ code }) => code ?? 'saved'));
    for (const code of codes) assert.ok(['saved', 'erased', 'no-parent'].includes(code), code);
    assert.ok(codes.has('erased'));
    for (let end = Date.now() + 5_000; Date.now() < end; await delay(50)) if (!isAnywhere(folder, from ?? 0)) break;
    assert.ok(!isAnywhere(folder, from ?? 0), `something of what was erased from ${from} on is there`);
    for (const puppet of [sleeper, eraser, startPuppet(t, folder)]) {
      await puppet.tell({ order: 'open' });
      assert.deepEqual(await puppet.read(session), numbersTo(from ?? 0));
    }
    if (from !== null) assert.deepEqual(await sleeper.append(session, from), refusedForEver);
    for (const puppet of [sleeper, eraser]) puppet.signal('SIGKILL');
  }
});

const refusedForEver = { code: 'erased', words: 'This was deleted permanently, so nothing can be added to it.' };

function isAnywhere(folder: string, from: number): boolean {
  return numbersTo(60).some(number => number >= from && filesWith(folder, number).length > 0);
}

test(
  '[J31] blobs of erased messages that no record ever named are removed by whoever opens the folder',
  patience,
  async t => {
    const { folder, session, puppet } = await plant(t);
    await puppet.tell({ order: 'open' });
    await puppet.tell({ order: 'erase', session, number: 6 });
    await puppet.tell({ order: 'close' });
    // As of a process that was killed between the file and the record, and of one that did not finish the file.
    const blobs = join(folder, 'blobs', session);
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(blobs, 'a'.repeat(64)), 'orphan');
    writeFileSync(join(blobs, `${'b'.repeat(64)}.2222.unfinished`), 'orphan');
    const { history } = await openEngine(folder);
    assert.equal((await history.open(session))?.path.length, 6);
    await history.close();
    assert.deepEqual(readdirSync(blobs), []);
  },
);

test(
  '[J31] an erasure that died before the files went is finished though a snapshot knows of it',
  patience,
  async t => {
    const { folder, session } = await plant(t);
    const store = await openStore(folder);
    mkdirSync(join(folder, 'erased'), { recursive: true });
    const doomed = numbersTo(12)
      .filter(number => number >= 4)
      .map(number => idOf(session, number));
    writeFileSync(join(folder, 'erased', `${session}~${doomed[0]}`), doomed.join('\n'));
    store.learnErasures();
    store.snapshot();
    store.close();
    assert.ok(isAnywhere(folder, 4));
    const { history } = await openEngine(folder);
    assert.ok(history.recovery.fromSnapshot);
    assert.equal((await history.tree(session)).length, 4);
    await history.close();
    assert.ok(!isAnywhere(folder, 4));
  },
);

test('[J31] an answer that came late is erased by name, whatever its writer heard of first', patience, async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const [root, doomed, late] = [ids.message(), ids.message(), ids.message()];
  const [one, other] = [await openStore(folder), await openStore(folder)];
  one.append(session, [
    sessionFact(session),
    userFact(session, root, null, 'root'),
    userFact(session, doomed, root, textOfNumber(1, 100)),
  ])();
  for (const segment of one.intake.segments()) other.intake.catchUp(segment);
  const answer = { id: late, parent: doomed, role: 'assistant', created: 1, blocks: [] } as const;
  other.append(session, [{ type: 'message', session, message: answer }])();
  // The one has not heard of the answer, and the other hears of the files before it hears of the tombstone.
  eraseIn(one, session, doomed);
  other.intake.reindex(session);
  const text = textOfNumber(2, 100);
  const more = {
    type: 'text',
    session,
    message: late,
    at: 0,
    kind: 'text',
    mime: 'text/markdown',
    offset: 0,
    text,
  } as const;
  assert.throws(() => other.append(session, [more]), /deleted permanently/);
  assert.throws(() => other.append(session, [userFact(session, ids.message(), late, text)]), /deleted permanently/);
  for (const store of [one, other]) store.close();
  for (const number of [1, 2]) assert.deepEqual(filesWith(folder, number), []);
});

test(
  '[J31] caches that a killed window left, and that no tombstone reached, are gone after the next opening',
  patience,
  async t => {
    const { folder, session } = await plant(t);
    const store = await openStore(folder);
    store.snapshot();
    const [stale = ''] = cachesOf(folder);
    const bytes = readFileSync(join(folder, stale));
    eraseIn(store, session, idOf(session, 4));
    store.snapshot();
    store.close();
    // One that was not finished, one that is older than what was erased, and one that is damaged as well.
    writeFileSync(join(folder, `${stale}.unfinished`), bytes.subarray(0, -40));
    writeFileSync(join(folder, stale), bytes);
    writeFileSync(join(folder, stale.replace('.db', '2.db')), bytes.subarray(0, -40));
    assert.ok(isAnywhere(folder, 4));
    const { history } = await openEngine(folder);
    assert.ok(history.recovery.fromSnapshot);
    await history.close();
    assert.ok(!isAnywhere(folder, 4));
  },
);
