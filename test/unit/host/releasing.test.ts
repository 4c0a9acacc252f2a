// What no panel shows is released from memory after a while, and whoever asks for it gets it whole.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { noRules } from '../support/noRules.ts';
import { textOf } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { endFact, sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { judgeIn } from '../support/judge.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { Conversations } = await import('../../../src/host/chat/conversations.ts');

test('[T43] what no panel shows holds no messages after a while, and is whole for whoever asks', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const clock = new FixedClock();
  const agent = new ScriptedAgent();
  let shown: string | null = null;
  const conversations = new Conversations({
    history: () => Promise.resolve(history),
    keeping: () => Promise.resolve({ history, rules: noRules, files: null }),
    agents: { get: () => Promise.resolve(agent) },
    clock,
    ids,
    place: () => ({ cwd: '/project', alsoIn: [] }),
    startsIn: () => null,
    attachedText: () => Promise.resolve(null),
    judgePaths: judgeIn(),
    isShown: session => session === shown,
    onGone: () => Promise.resolve(),
  });
  const [seen, unseen] = [ids.session(), ids.session()];
  for (const session of [seen, unseen]) {
    const message = ids.message();
    await history.append(session, [
      sessionFact(session),
      userFact(session, message, null, 'one'),
      endFact(session, message),
    ]);
  }
  shown = seen;
  const [first, second] = [await conversations.get(seen), await conversations.get(unseen)];
  conversations.releaseUnseen();
  clock.advance(29_000);
  assert.equal(second.isReleased, false);
  clock.advance(2000);
  await until(() => second.isReleased);
  assert.deepEqual([first.isReleased, first.transcript.messages.length], [false, 1]);
  assert.deepEqual(second.transcript.messages, []);

  assert.equal(await conversations.get(unseen), second);
  assert.deepEqual(second.transcript.messages.map(textOf), ['one']);
  // Nobody shows it still.
  clock.advance(31_000);
  await until(() => second.isReleased);
  assert.deepEqual((await conversations.opened(unseen))?.transcript.messages.map(textOf), ['one']);

  // Where something runs, it is released once that is over.
  await second.send('two');
  const turn = await agent.nextTurn();
  clock.advance(31_000);
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(second.isReleased, false);
  turn.end({ reason: 'end_turn' });
  await until(() => {
    clock.advance(31_000);
    return second.isReleased;
  });
  await conversations.close();
});
