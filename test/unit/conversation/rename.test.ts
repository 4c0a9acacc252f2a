// The title that a person gives, in the window where they give it and in another, against the title that is made.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { draftsIn } from '../../../src/node/drafts.ts';
import { ids, openTestHistory } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, stage } from './stage.ts';

const patience = { timeout: 20_000 };

test('[H33] a title that a person gives shows at once, while an answer runs too, and stays', patience, async t => {
  const { conversation, agent, events, reopen, ended, history } = await stage(t);
  const title = () => conversation.transcript.title;
  await conversation.send('What was asked first');
  const turn = await agent.nextTurn();
  await conversation.rename('Mine');
  assert.equal(title(), 'Mine');
  assert.deepEqual(events.flatMap(event => (event.type === 'titleChanged' ? [event.title] : [])).at(-1), 'Mine');
  turn.end({ reason: 'end_turn' });
  await ended();
  assert.equal(title(), 'Mine');
  const [stored] = await (await reopen()).sessions();
  assert.equal(stored?.title, 'Mine');
  assert.equal((await history.open(conversation.session))?.named, true);
  await conversation.rename(null);
  assert.notEqual(title(), 'Mine');
  assert.equal((await history.open(conversation.session))?.named, false);
});

test('[H33] another window that has it open shows the title, also of one that was named there', patience, async t => {
  const first = await stage(t);
  await first.conversation.send('What was asked first');
  (await first.agent.nextTurn()).end({ reason: 'end_turn' });
  await first.ended();
  const history = await openTestHistory(first.folder);
  const stored = await history.open(first.conversation.session);
  assert.ok(stored);
  const second = converse(history, new ScriptedAgent(), first.clock, { stored });
  const shown = new Promise<string>(resolve => {
    second.onDidChange(event => {
      if (event.type === 'titleChanged') resolve(event.title);
    });
  });
  history.onDidAppend(change => void second.follow(change));
  await first.conversation.rename('Named elsewhere');
  assert.equal(await shown, 'Named elsewhere');
});

test(
  '[H32] the draft of an erased session is gone, and what a panel still sends of it is not kept',
  patience,
  async t => {
    const { folder } = await stage(t);
    const drafts = draftsIn(folder);
    const [one, two] = [ids.session(), ids.session()];
    await drafts.keep(one, 'half a sentence');
    await drafts.keep(two, 'another');
    const late = drafts.keep(one, 'half a sentence and more');
    await drafts.forget(one);
    await late;
    await drafts.keep(one, 'typed on');
    assert.equal(await drafts.read(one), '');
    assert.deepEqual(readdirSync(join(folder, 'drafts')), [two]);
  },
);
