// What a branch and its session have taken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spentOn } from '../../../src/model/spent.ts';
import { settled, stage } from './stage.ts';

test('[T19] tokens and cost are kept with each answer, and summed for the branch and for the session', async t => {
  const { conversation, agent, reopen } = await stage(t);
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
  assert.deepEqual(spentOn(conversation.transcript.messages), {
    inputTokens: 50,
    outputTokens: 5,
    costs: [
      { amount: 0.5, currency: 'USD' },
      { amount: 3, currency: 'EUR' },
    ],
  });
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
