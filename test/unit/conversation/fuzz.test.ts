// Random moves against conversations (test/fuzz/): nothing is found, what was found before is mended, the same seed is the
// same run, and the history that it is played with says what the real ones say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../../fuzz/found.ts';
import { replay, runFuzz, runSeed, stepsPerSeed } from '../../fuzz/fuzz.ts';
import { codes } from '../../fuzz/invariants.ts';
import { movesOf, wordsOf } from '../../fuzz/moves.ts';
import { memoryHistory } from '../support/memoryHistory.ts';

test('100,000 random moves of persons, agents and the disk find nothing', async () => {
  const { found: violations, steps } = await runFuzz({ steps: 100_000 });
  const lines = [...violations].map(([code, { words, sequence }]) => {
    return `${code}: ${codes[code]} ${words}\nseed ${sequence.seed}: ${wordsOf(sequence.moves)}`;
  });
  assert.deepEqual(lines, []);
  assert.equal(steps, 100_000);
});

for (const { code, what, seed, moves } of found)
  test(`the fuzzer found ${code}: ${what}`, async () => {
    assert.deepEqual(await replay({ seed, moves: movesOf(moves) }), []);
  });

test('the same seed is the same run', async () => {
  for (const seed of [1, 4, 8]) {
    const [one, other] = [await runSeed(seed, stepsPerSeed, true), await runSeed(seed, stepsPerSeed, true)];
    assert.deepEqual(other.moves, one.moves);
    assert.deepEqual(other.violations, one.violations);
    assert.deepEqual(other.disk.log, one.disk.log);
    assert.deepEqual(await replay({ seed, moves: one.moves }), one.violations);
  }
});

test('the history of the fuzzer says what the one in memory says of the same records', async () => {
  let compared = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const { disk } = await runSeed(seed, stepsPerSeed, false);
    const memory = memoryHistory('writer22');
    // One that was erased, or written twice because its answer was lost, is not appended in the same way there.
    const isOrdinary = disk.erased.size === 0 && hasEachMessageOnce(disk.log);
    if (!isOrdinary) continue;
    for (const { facts } of disk.log) await memory.append(disk.session, facts);
    const theirs = await memory.open(disk.session);
    const { truth } = disk;
    if (!theirs) {
      assert.equal(disk.log.length, 0);
      continue;
    }
    compared++;
    const ours = truth.open(null, new Set(), '');
    for (const name of [
      'title',
      'named',
      'trashed',
      'agent',
      'model',
      'head',
      'branches',
      'bindings',
      'options',
    ] as const)
      assert.deepEqual(ours[name], theirs[name], `${name} of seed ${seed}`);
    assert.equal(JSON.stringify(ours.path), JSON.stringify(theirs.path), `the path of seed ${seed}`);
    assert.deepEqual(
      truth.nodes().map(({ id, parent, trashed }) => ({ id, parent, trashed })),
      (await memory.tree(disk.session)).map(({ id, parent, trashed }) => ({ id, parent, trashed })),
    );
  }
  assert.ok(compared > 10, `${compared} were compared`);
});

function hasEachMessageOnce(log: Awaited<ReturnType<typeof runSeed>>['disk']['log']): boolean {
  const ids = log.flatMap(({ facts }) => facts.flatMap(fact => (fact.type === 'message' ? [fact.message.id] : [])));
  return new Set(ids).size === ids.length;
}
