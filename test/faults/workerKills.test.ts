// A short run of the worker kills; `npm run test:faults -- --worker-kills 200` is the long one.

import '../vscode/leashed.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGood } from './kills.ts';
import { runWorkerKills } from './workerKills.ts';

const seed = Number(process.env['THROUGHLINE_SEED'] ?? 5);

test(
  '[J36] history workers are killed in the middle of everything, and the windows lose and double nothing',
  { timeout: 170_000 },
  async t => {
    const [verdict] = await runWorkerKills({ kills: 24, seed, say: words => t.diagnostic(words) });
    assert.ok(verdict);
    assert.deepEqual(verdict.words, [], `seed ${seed}`);
    assert.ok(isGood(verdict.counts));
    assert.equal(verdict.counts.workerKills, 24);
    assert.ok(verdict.counts.acknowledged > 100, `${verdict.counts.acknowledged} acknowledged`);
  },
);
