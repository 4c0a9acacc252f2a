// What a branch and its session have taken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { converse, settled, stage } from './stage.ts';

test('[T19] tokens and cost are kept with each answer, and summed for the branch and for the session', async t => {
  const { conversation, agent, clock, events, reopen } = await stage(t);
  const costs = [
    { inputTokens: 10, outputTokens: 1, cost: { amount: 0.5, currency: 'USD' } },
    { inputTokens: 20, outputTokens: 2, cost: { amount: 0.25, currency: 'USD' } },
    { inputTokens: 40, outputTokens: 4, cost: { amount: 3, currency: 'EUR' } },
  ];
  const answers: string[] = [];
  for (const [at, usage] of costs.entries()) {
    // The last one begins another branch, beside the second.
    await conversation.send(`prompt ${at}`, at === 2 ? { parent: answers[0] as string } : {});
    (await agent.nextTurn()).end({ reason: 'end_turn', usage });
    await settled(conversation);
    answers.push(conversation.transcript.messages.at(-1)?.id ?? '');
  }
  const branch = {
    inputTokens: 50,
    outputTokens: 5,
    costs: [
      { amount: 0.5, currency: 'USD' },
      { amount: 3, currency: 'EUR' },
    ],
  };
  assert.deepEqual(conversation.transcript.spent, branch);
  // On the way there the sum was that of each branch.
  const told = events.flatMap(event => (event.type === 'spentChanged' ? [event.spent?.inputTokens] : []));
  assert.deepEqual(told, [10, 30, 10, 50]);
  const again = await (await reopen()).open(conversation.session);
  const next = again && converse(await reopen(), agent, clock, { stored: again });
  assert.deepEqual(next?.transcript.spent, branch);
  const totals = (await (await reopen()).open(conversation.session))?.totals;
  assert.deepEqual([totals?.inputTokens, totals?.outputTokens], [70, 7]);
  assert.deepEqual(
    totals?.costs.toSorted((one, other) => one.amount - other.amount),
    [
      { amount: 0.75, currency: 'USD' },
      { amount: 3, currency: 'EUR' },
    ],
  );
});
