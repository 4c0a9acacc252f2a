// What the statistics count in a real history, and how they read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statistics } from '../../../src/host/history/statisticsPage.ts';
import { answerFact, endFact, sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

test('[H99] sessions, messages, branches, bytes, tokens and costs are counted, each where it was told', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const november = Date.UTC(2026, 10, 18);
  assert.match(
    await statistics(() => Promise.resolve(history), november),
    /\| Sessions \| 0 \|[^]*No agent has reported any/,
  );
  const [one, other] = [ids.session(), ids.session()];
  const [root, first, second, alone] = Array.from({ length: 4 }, () => ids.message()) as [
    string,
    string,
    string,
    string,
  ];
  const usage = { inputTokens: 1000, outputTokens: 50, cost: { amount: 0.25, currency: 'USD' } };
  await history.append(one, [
    sessionFact(one, Date.UTC(2026, 9, 1)),
    setFact(one, 'title', 'Fix | the *parser*'),
    userFact(one, root, null, 'Fix it', Date.UTC(2026, 9, 1)),
    answerFact(one, first, root, { created: Date.UTC(2026, 9, 2) }),
    endFact(one, first, { usage }),
    answerFact(one, second, root, { created: november }),
    endFact(one, second, { usage: { outputTokens: 7, cost: { amount: 1, currency: 'EUR' } } }),
  ]);
  await history.append(other, [sessionFact(other, november), userFact(other, alone, null, 'Hello', november)]);
  await history.trash(other);
  const text = await statistics(() => Promise.resolve(history), november);
  const counts = await history.statistics();
  const branches = new Map(counts.sizes.map(size => [size.session, size.branches]));
  assert.deepEqual([branches.get(one), branches.get(other), branches.size], [2, 1, 2]);
  assert.ok(counts.sizes.every(({ bytes }) => bytes > 100) && counts.bytes > 200);
  assert.match(text, /\| Sessions \| 2 \(1 in the trash\) \|\n\| Messages \| 4 \|\n\| Branches \| 3 \|/);
  assert.match(text, /\| Scripted agent \| 1,000 \| 57 \| (0\.25 USD, 1\.00 EUR|1\.00 EUR, 0\.25 USD) \|/);
  assert.match(text, /\| 2026-11 \| 0 \| 7 \| 1\.00 EUR \|\n\| 2026-10 \| 1,000 \| 50 \| 0\.25 USD \|/);
  assert.match(text, /\| Oldest \| Fix \\\| the \\\*parser\\\* \|/);
});
