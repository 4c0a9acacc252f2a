// An agent session that was told of a message before it ended: it is not said to remember what came of it afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindingOf } from '../../../src/core/conversation/binding.ts';
import { answerFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { ids } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

test('[C1] an agent that was told of an unfinished message is told it again once that grew', async t => {
  const { history, clock, reopen } = await stage(t);
  const [session, asked, half] = [ids.session(), ids.message(), ids.message()];
  const beginning = [
    sessionFact(session),
    userFact(session, asked, null, 'first'),
    answerFact(session, half, asked),
    textFact(session, half, 0, 0, 'half'),
    setFact(session, 'head', half),
  ];
  await history.append(session, beginning);
  await history.close();
  const own = await reopen();
  const agent = new ScriptedAgent(false);
  const stored = (await own.open(session)) ?? assert.fail();
  const conversation = converse(own, agent, clock, { stored });
  await conversation.send('second');
  const turn = await agent.nextTurn();
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(conversation.transcript.continuity.kind, 'remembers');
  const bound = ((await own.open(session))?.bindings ?? []).flatMap(value => bindingOf(value) ?? []);
  assert.deepEqual(
    bound.map(({ unfinished }) => unfinished?.map(({ id }) => id)),
    [[half]],
  );

  // The window that wrote it had only been away.
  const late = await reopen();
  await late.append(session, [textFact(session, half, 0, 4, ' and the rest'), endFact(session, half)]);
  await own.open(session);
  await conversation.follow();
  assert.match(JSON.stringify(conversation.transcript.messages[1]?.blocks), /half and the rest/);
  assert.equal(conversation.transcript.continuity.kind, 'reseeded');
  await conversation.send('third');
  const next = await agent.nextTurn();
  assert.notEqual(next.agentSession, turn.agentSession);
  assert.match(next.texts.join(), /half and the rest[^]*third/);
});

test('[C1] what was unfinished when an agent was told of it is remembered as that over all its later turns', async t => {
  const { history, clock } = await stage(t);
  const [session, half] = [ids.session(), ids.message()];
  const asked = ids.message();
  await history.append(session, [
    sessionFact(session),
    userFact(session, asked, null, 'first'),
    answerFact(session, half, asked),
    textFact(session, half, 0, 0, 'half'),
    setFact(session, 'head', half),
  ]);
  const agent = new ScriptedAgent(false);
  const stored = (await history.open(session)) ?? assert.fail();
  const conversation = converse(history, agent, clock, { stored });
  for (const words of ['second', 'third', 'fourth']) {
    await conversation.send(words);
    (await agent.nextTurn()).end({ reason: 'end_turn' });
    await settled(conversation);
  }
  const [bound] = ((await history.open(session))?.bindings ?? []).flatMap(value => bindingOf(value) ?? []);
  assert.deepEqual(
    bound?.unfinished?.map(({ id }) => id),
    [half],
  );
  assert.equal(conversation.transcript.continuity.kind, 'remembers');
});
