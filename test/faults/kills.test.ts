// A short run of the kills; `npm run test:faults -- --kills 1000` is the long one.

import '../vscode/leashed.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGood, runKills } from './kills.ts';

const seed = Number(process.env['THROUGHLINE_SEED'] ?? 3);

test(
  '[J7] four processes are killed with -9, and nothing is lost that was not erased',
  { timeout: 170_000 },
  async t => {
    const totals = await runKills({ kills: 25, seed, say: words => t.diagnostic(words) });
    assert.deepEqual(totals.words, [], `seed ${seed}`);
    assert.ok(isGood(totals.sum));
    assert.ok(totals.kills >= 25);
    assert.ok(totals.sum.acknowledged > 100, `${totals.sum.acknowledged} acknowledged`);
    assert.ok(totals.sum.erasedSessions + totals.sum.erasedBranches > 0, 'nothing was erased');
  },
);
