// Segments that something else wrote to: torn, zeroed and garbage ends at random offsets, in segments whose writer is
// gone and in those whose writer is at work; and a writer that is stopped as by a laptop's sleep. Seeded.

import '../vscode/leashed.ts';
import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, fstatSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../unit/support/history.ts';
import { randomFrom } from '../unit/support/random.ts';
import { ids, journalOf, openEngine, readJournal, segmentsOf } from './engine.ts';
import { idOf } from './puppetText.ts';
import { numbersTo, startPuppet, type Puppet } from './puppets.ts';

async function openPuppet(t: TestContext, folder: string): Promise<Puppet> {
  const puppet = startPuppet(t, folder);
  assert.deepEqual(await puppet.tell({ order: 'open' }), {});
  return puppet;
}

type Damage = (file: string, at: number, random: () => number) => void;

function edit(file: string, change: (fd: number, size: number) => void): void {
  const fd = openSync(file, 'r+');
  try {
    change(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

function garbage(length: number, random: () => number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

const damages: { readonly [what: string]: Damage } = {
  'cut off': (file, at) => edit(file, fd => ftruncateSync(fd, at)),
  zeroed: (file, at) => edit(file, (fd, size) => writeSync(fd, new Uint8Array(size - at), 0, size - at, at)),
  overwritten: (file, at, random) =>
    edit(file, (fd, size) => writeSync(fd, garbage(size - at, random), 0, size - at, at)),
  'followed by zeros': file => edit(file, (fd, size) => writeSync(fd, new Uint8Array(4096), 0, 4096, size)),
  'followed by garbage': (file, _, random) =>
    edit(file, (fd, size) => writeSync(fd, garbage(700, random), 0, 700, size)),
};

test(
  '[J2] whatever the end of a segment holds, every record before it is given back',
  { timeout: 60_000 },
  async group => {
    for (const [what, damage] of Object.entries(damages)) {
      await group.test(what, async t => {
        const random = randomFrom(17);
        for (let round = 0; round < 3; round++) {
          const folder = temporaryFolder(t);
          const session = ids.session();
          const puppet = await openPuppet(t, folder);
          for (let number = 0; number < 12; number++) await puppet.append(session, number, Math.floor(random() * 3000));
          await puppet.tell({ order: 'close' });
          const [segment = ''] = segmentsOf(folder);
          const file = join(journalOf(folder), segment);
          const at = Math.floor(random() * statSync(file).size);
          const ends = readJournal(folder).records.map(({ place }) => place.offset + place.length);
          const kept = what.startsWith('followed') ? 12 : ends.filter(end => end <= at).length;
          damage(file, at, random);
          const bytes = readFileSync(file);

          await puppet.tell({ order: 'open' });
          // The head may be among what was cut off, so each message that is left is asked for as if it were the head.
          assert.equal(messagesOf(folder).length, kept, `round ${round}, cut at ${at}`);
          assert.deepEqual(await puppet.read(session), numbersTo(kept), `round ${round}, cut at ${at}`);
          const next = await puppet.append(session, kept);
          assert.deepEqual(next, kept === 0 ? next : {}, `round ${round}`);
          assert.deepEqual(await puppet.read(session), numbersTo(kept + 1), `round ${round}`);
          assert.deepEqual(readFileSync(file), bytes, 'nobody writes to what another writer left');
          puppet.signal('SIGKILL');
        }
      });
    }
  },
);

function messagesOf(folder: string): readonly string[] {
  return readJournal(folder).records.flatMap(({ record }) =>
    record.facts.flatMap(fact => (fact.type === 'message' ? [fact.message.id] : [])),
  );
}

test('[J3] damage inside a segment costs the records it hits, and is reported', { timeout: 60_000 }, async t => {
  const random = randomFrom(23);
  for (let round = 0; round < 5; round++) {
    const folder = temporaryFolder(t);
    const session = ids.session();
    const puppet = await openPuppet(t, folder);
    for (let number = 0; number < 12; number++) await puppet.append(session, number, 500);
    puppet.signal('SIGKILL');
    const { records } = readJournal(folder);
    const [segment = ''] = segmentsOf(folder);
    const { size } = statSync(join(journalOf(folder), segment));
    const length = 1 + Math.floor(random() * 900);
    const at = Math.floor(random() * (size - length));
    const bytes = random() < 0.5 ? garbage(length, random) : new Uint8Array(length);
    edit(join(journalOf(folder), segment), fd => writeSync(fd, bytes, 0, length, at));
    // A record is hit from its first byte to the line feed of the one before, which is where a reader finds it.
    const left = records.filter(({ place }) => at + length <= place.offset - 1 || at >= place.offset + place.length);
    const { history } = await openEngine(folder);
    t.after(() => history.close());
    const found = readJournal(folder).records.map(({ record }) => record.n);
    for (const { record } of left) assert.ok(found.includes(record.n), `round ${round}: record ${record.n}`);
    assert.ok(found.every(n => records.some(({ record }) => record.n === n)));
    assert.ok(history.recovery.bad.length + history.recovery.tails.length > 0, `round ${round} is not reported`);
  }
});

test(
  '[J21] what is acknowledged after the own segment was damaged is not lost with it',
  { timeout: 60_000 },
  async group => {
    for (const [what, damage] of Object.entries(damages)) {
      await group.test(what, async t => {
        const random = randomFrom(29);
        const folder = temporaryFolder(t);
        const session = ids.session();
        const puppet = await openPuppet(t, folder);
        for (let number = 0; number < 6; number++) await puppet.append(session, number, 400);
        const [segment = ''] = segmentsOf(folder);
        const file = join(journalOf(folder), segment);
        damage(file, Math.floor(statSync(file).size * (0.7 + random() * 0.25)), random);
        for (let number = 6; number < 12; number++) assert.deepEqual(await puppet.append(session, number, 400), {});
        const there = messagesOf(folder);
        const missing = numbersTo(12).filter(number => number >= 6 && !there.includes(idOf(session, number)));
        assert.deepEqual(missing, [], 'acknowledged after the damage, and gone');
        assert.deepEqual(
          (await puppet.read(session)).slice(-6),
          numbersTo(12).slice(6),
          'in the eyes of its own process',
        );
      });
    }
  },
);

test('[J22] a writer that was stopped goes on, and nobody loses or doubles anything', { timeout: 60_000 }, async t => {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const [sleeper, ...others] = await Promise.all([1, 2, 3].map(() => openPuppet(t, folder)));
  assert.ok(sleeper);
  const own = [session, ids.session(), ids.session()];
  for (const [at, one] of [sleeper, ...others].entries())
    for (let number = 0; number < 5; number++) await one.append(own[at] ?? '', number, 2000);
  // In the middle of its work: what it was told is on its way to the disk.
  const running = numbersTo(40)
    .slice(5)
    .map(number => sleeper.append(session, number, 20_000));
  await delay(15);
  sleeper.signal('SIGSTOP');
  try {
    for (const [at, one] of others.entries())
      for (let number = 5; number < 200; number++) await one.append(own[at + 1] ?? '', number, 500);
    await delay(2500);
  } finally {
    sleeper.signal('SIGCONT');
  }
  assert.ok((await Promise.all(running)).every(answer => answer.code === undefined));
  assert.deepEqual(await sleeper.append(session, 40), {});
  const reader = await openPuppet(t, folder);
  assert.deepEqual(await reader.read(own[0] ?? ''), numbersTo(41));
  for (const one of own.slice(1)) assert.deepEqual(await reader.read(one), numbersTo(200));
  const all = messagesOf(folder);
  assert.equal(new Set(all).size, all.length);
});
