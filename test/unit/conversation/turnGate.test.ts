// Turns, and changes of what is shown, exclude each other, whatever is pressed while history is slow; and every turn ends,
// whatever throws.

import assert from 'node:assert/strict';
import { setImmediate as nextTask } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { FileWatch } from '../../../src/core/changes.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { SessionHistory } from '../../../src/core/history/history.ts';
import { textOf } from '../../../src/model/message.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { memoryHistory } from '../support/memoryHistory.ts';
import { randomFrom } from '../support/random.ts';
import { until } from '../support/refused.ts';
import { ScriptedAgent, type ScriptedTurn } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

const patience = { timeout: 30_000 };

/** A conversation with two branches, “two” and “other”, which is shown; a prompt that waits; a history that can be slow. */
async function branched(t: TestContext) {
  const real = await openTestHistory(temporaryFolder(t));
  let asked = 0;
  let release = () => {};
  let held: Promise<void> | null = null;
  const history: SessionHistory = {
    ...real,
    async open(session, at) {
      asked++;
      await held;
      return real.open(session, at);
    },
  };
  const agent = new ScriptedAgent();
  const conversation = converse(history, agent, new FixedClock(), { id: ids.session() });
  const answer = async (turn: ScriptedTurn, reason: 'end_turn' | 'failed' = 'end_turn') => {
    turn.update({ type: 'text', text: `re ${turn.texts.join()}` });
    turn.end({ reason });
    await settled(conversation);
  };
  const say = async (text: string, parent?: string) => {
    await conversation.send(text, parent === undefined ? {} : { parent });
    await answer(await agent.nextTurn());
  };
  await say('one');
  const first = conversation.transcript.messages[1]?.id ?? '';
  await say('two');
  const two = conversation.transcript.messages[2]?.id ?? '';
  await say('other', first);
  await conversation.send('more');
  const turn = await agent.nextTurn();
  await conversation.send('waiting', { request: 'q1' });
  await answer(turn, 'failed');
  /** Goes to “two”; nothing is read before `go`. */
  const moveSlowly = async () => {
    held = new Promise(resolve => (release = resolve));
    const before = asked;
    const moved = conversation.goTo(two);
    await until(() => asked > before);
    return {
      moved,
      go: () => {
        held = null;
        release();
      },
    };
  };
  return { real, history, agent, conversation, answer, say, moveSlowly };
}

function prompts({ transcript }: Conversation): readonly string[] {
  return transcript.messages.filter(({ role }) => role === 'user').map(textOf);
}

/** Nothing is stuck, and history has what is shown. */
async function assertWell(conversation: Conversation, history: SessionHistory, agent: ScriptedAgent): Promise<void> {
  await conversation.cancel();
  assert.equal(conversation.transcript.turn, null);
  assert.deepEqual((await history.open(conversation.session))?.path, conversation.transcript.messages);
  assert.deepEqual(await conversation.send('and then'), { sent: true });
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await settled(conversation);
  await conversation.leave();
}

test(
  '[T42] a queued prompt that is sent now while a branch is read goes out from where it leads',
  patience,
  async t => {
    const { real, agent, conversation, answer, moveSlowly } = await branched(t);
    const { moved, go } = await moveSlowly();
    await conversation.sendNow('q1');
    assert.equal(agent.unseen, 0);
    go();
    await moved;
    const turn = await agent.nextTurn();
    assert.deepEqual(turn.texts, ['waiting']);
    assert.deepEqual(turn.prompt.path.map(textOf), ['one', 're one', 'two', 're two']);
    await answer(turn);
    assert.deepEqual(prompts(conversation), ['one', 'two', 'waiting']);
    assert.deepEqual(conversation.transcript.queue, []);
    await assertWell(conversation, real, agent);
  },
);

test('[T42] a summary that is asked for while a branch is read is one of that branch', patience, async t => {
  const { real, agent, conversation, moveSlowly, answer } = await branched(t);
  const { moved, go } = await moveSlowly();
  const summarising = conversation.summarise();
  go();
  await moved;
  assert.deepEqual(await summarising, { sent: true });
  await answer(await agent.nextTurn());
  const last = conversation.transcript.messages.at(-1);
  assert.deepEqual([last?.role, last?.covers], ['summary', conversation.transcript.messages.at(-2)?.id]);
  assert.deepEqual(prompts(conversation), ['one', 'two']);
  await assertWell(conversation, real, agent);
});

test('[T42] stop while a branch is read returns at once, and what was sent goes out afterwards', patience, async t => {
  const { real, agent, conversation, moveSlowly } = await branched(t);
  const { moved, go } = await moveSlowly();
  const sending = conversation.send('from there');
  await conversation.cancel();
  go();
  await moved;
  assert.deepEqual(await sending, { sent: true });
  const turn = await agent.nextTurn();
  turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
  await conversation.cancel();
  assert.deepEqual(prompts(conversation), ['one', 'two', 'from there']);
  await assertWell(conversation, real, agent);
});

test('[T42] a move that is asked for while a branch is read is done after it', patience, async t => {
  const { real, agent, conversation, moveSlowly } = await branched(t);
  const other = conversation.transcript.messages.at(-1)?.id ?? '';
  const { moved, go } = await moveSlowly();
  const back = conversation.goTo(other);
  go();
  await Promise.all([moved, back]);
  assert.deepEqual(prompts(conversation), ['one', 'other', 'more']);
  await assertWell(conversation, real, agent);
});

test('[T42] a branch that can’t be read is told to who asked, and the next one is shown', patience, async t => {
  const { real, agent, history, conversation } = await branched(t);
  const two = (await real.tree(conversation.session)).find(({ preview }) => preview === 'two')?.id ?? '';
  const { tree } = history;
  const trouble = new HistoryError('gone');
  (history as { tree: typeof tree }).tree = () => Promise.reject(trouble);
  const [failing, next] = [conversation.goTo(two), conversation.goTo(two)];
  await assert.rejects(failing, trouble);
  await assert.rejects(next, trouble);
  (history as { tree: typeof tree }).tree = tree;
  await conversation.goTo(two);
  assert.deepEqual(prompts(conversation), ['one', 'two']);
  await assertWell(conversation, real, agent);
});

test(
  '[T42] [T13] a window that closes while a branch is read sends nothing more, and the queue stays',
  patience,
  async t => {
    const { real, agent, conversation, moveSlowly } = await branched(t);
    const slow = await moveSlowly();
    await conversation.sendNow('q1');
    const sending = conversation.send('too late');
    await conversation.leave();
    slow.go();
    await slow.moved;
    assert.equal((await sending).sent, false);
    await real.sessions();
    assert.equal(agent.unseen, 0);
    assert.deepEqual(
      conversation.transcript.queue.map(({ id }) => id),
      ['q1'],
    );
  },
);

test(
  '[T42] nothing moves while an answer runs, and its end is not lost to a move that is asked for',
  patience,
  async t => {
    const { real, agent, conversation, answer } = await branched(t);
    const two = (await real.tree(conversation.session)).find(({ preview }) => preview === 'two');
    assert.ok(two);
    await conversation.sendNow('q1');
    const turn = await agent.nextTurn();
    turn.update({ type: 'text', text: 'half, ' });
    const moves = [conversation.goTo(two.id), conversation.setHead(two.id), conversation.forkFrom(two.id)];
    await answer(turn);
    await Promise.all(moves);
    assert.deepEqual(prompts(conversation), ['one', 'other', 'more', 'waiting']);
    await assertWell(conversation, real, agent);
  },
);

test(
  '[T42] the trash and another agent wait for a branch that is read, and stop nothing halfway',
  patience,
  async t => {
    const { real, agent, conversation, moveSlowly } = await branched(t);
    const slow = await moveSlowly();
    const trashing = conversation.setTrashed(true);
    const sending = conversation.send('too late');
    await conversation.sendNow('q1');
    slow.go();
    await Promise.all([slow.moved, trashing]);
    assert.equal((await sending).sent, false);
    assert.equal(agent.unseen, 0);
    await conversation.setTrashed(false);
    const again = await moveSlowly();
    const other = new ScriptedAgent();
    const changing = conversation.setAgent(other);
    await conversation.sendNow('q1');
    again.go();
    await Promise.all([again.moved, changing]);
    const turn = await other.nextTurn();
    assert.equal(agent.unseen, 0);
    turn.end({ reason: 'end_turn' });
    await settled(conversation);
    await assertWell(conversation, real, other);
  },
);

test('[T4] what throws while a turn runs ends the turn with words, and nothing is stuck', patience, async t => {
  const trouble = new Error('The watcher is broken.');
  const broken = (where: 'begin' | 'told'): FileWatch => ({
    prepare() {},
    begin() {
      if (where === 'begin') throw trouble;
      return {
        told() {
          throw trouble;
        },
        wrote() {},
        end: () => Promise.resolve([]),
      };
    },
    putBack: () => Promise.resolve({ done: true }),
  });
  for (const where of ['begin', 'told'] as const) {
    const { conversation, agent, reopen } = await stage(t, new ScriptedAgent(), { files: broken(where) });
    await conversation.send('go');
    if (where === 'told') {
      const turn = await agent.nextTurn();
      await conversation.send('later', { request: 'q1' });
      const changes = {
        title: 'Edit',
        tool: 'edit',
        status: 'completed',
        locations: [{ path: '/project/a.ts' }],
      } as const;
      turn.update({ type: 'toolCall', callId: 'c1', changes });
    }
    await until(() => conversation.transcript.turn === null);
    const end = conversation.transcript.messages[1]?.end;
    assert.deepEqual([end?.reason, end?.detail], ['failed', trouble.message]);
    await conversation.cancel();
    await conversation.leave();
    const stored = await (await reopen()).open(conversation.session);
    assert.equal(stored?.path[1]?.end?.detail, trouble.message);
  }
});

test('[T4] a panel that throws ends no turn and hides nothing from the others', patience, async t => {
  const { conversation, agent, ended, events } = await stage(t);
  const reported: unknown[] = [];
  process.setUncaughtExceptionCaptureCallback(cause => reported.push(cause));
  t.after(() => process.setUncaughtExceptionCaptureCallback(null));
  const trouble = new Error('This panel is broken.');
  conversation.onDidChange(() => {
    throw trouble;
  });
  const later: string[] = [];
  conversation.onDidChange(event => later.push(event.type));
  await conversation.send('go');
  const turn = await agent.nextTurn();
  turn.update({ type: 'text', text: 'an answer' });
  turn.end({ reason: 'end_turn' });
  await ended();
  await nextTask();
  assert.equal(conversation.transcript.messages[1]?.end?.reason, 'end_turn');
  assert.deepEqual(
    later,
    events.map(({ type }) => type),
  );
  assert.ok(reported.length > 0 && reported.every(cause => cause === trouble));
});

test('[T4] what throws in a step is told to who asked, and what is asked next is done', patience, async t => {
  const trouble = new Error('The settings are broken.');
  let isBroken = false;
  const place = () => {
    if (isBroken) throw trouble;
    return { cwd: '/project', alsoIn: [] };
  };
  const { conversation, agent, history } = await stage(t, undefined, { place });
  await conversation.send('go');
  (await agent.nextTurn()).end({ reason: 'end_turn' });
  await settled(conversation);
  isBroken = true;
  const failing = conversation.send('and this?');
  isBroken = false;
  await assert.rejects(failing, trouble);
  await assertWell(conversation, history, agent);
});

test(
  '[T42] whatever is pressed in whatever order, every turn ends and history has what is shown',
  patience,
  async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomFrom(seed);
      const below = (most: number) => Math.floor(random() * most);
      const memory = memoryHistory('writer22');
      const slowly = async <Value>(ask: () => Promise<Value>): Promise<Value> => {
        for (let tasks = below(5); tasks > 0; tasks--) await nextTask();
        return ask();
      };
      const history: SessionHistory = {
        ...memory,
        append: (session, facts) => slowly(() => memory.append(session, facts)),
        open: (session, at) => slowly(() => memory.open(session, at)),
        tree: session => slowly(() => memory.tree(session)),
        trash: (session, branch) => slowly(() => memory.trash(session, branch)),
      };
      const agent = new ScriptedAgent();
      const clock = new FixedClock();
      const conversation = converse(history, agent, clock, { id: ids.session() });
      let isOver = false;
      const answering = (async () => {
        while (!isOver) {
          if (agent.unseen === 0) await nextTask();
          else {
            const turn = await agent.nextTurn();
            turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
            for (let pieces = below(4); pieces > 0; pieces--) {
              turn.update({ type: 'text', text: `piece ${pieces} ` });
              await nextTask();
            }
            turn.end({ reason: random() < 0.2 ? 'failed' : 'end_turn' });
          }
        }
      })();
      const pending: Promise<unknown>[] = [];
      const some = () => conversation.transcript.messages[below(conversation.transcript.messages.length)]?.id ?? 'none';
      const anywhere = async () => {
        const nodes = await memory.tree(conversation.session);
        return nodes[below(nodes.length)]?.id ?? 'none';
      };
      const actions: readonly (() => Promise<unknown>)[] = [
        () => conversation.send(`prompt ${below(99)}`),
        () => conversation.send(`prompt ${below(99)}`),
        () => conversation.sendNow(conversation.transcript.queue[0]?.id ?? 'none'),
        async () => conversation.goTo(await anywhere()),
        () => conversation.goTo(some()),
        () => conversation.forkFrom(some()),
        () => conversation.retry(some(), 'r'),
        () => conversation.summarise(),
        () => conversation.cancel(),
        () => conversation.setTrashed(random() < 0.3),
      ];
      for (let step = 0; step < 40; step++) {
        const act = actions[below(actions.length)] as () => Promise<unknown>;
        // A message that is nowhere is refused by name.
        pending.push(act().catch((cause: Error) => assert.equal(cause.name, 'HistoryError', String(cause))));
        for (let tasks = below(6); tasks > 0; tasks--) await nextTask();
      }
      const where = `seed ${seed}`;
      const drained = (async () => {
        await Promise.all(pending);
        while (conversation.transcript.turn) await conversation.cancel();
        await conversation.setTrashed(false);
      })();
      for (let tasks = 0, isDone = false; !isDone; tasks++) {
        void drained.then(() => (isDone = true));
        assert.ok(tasks < 10_000, `${where}: something is stuck`);
        clock.advance(50);
        await nextTask();
      }
      isOver = true;
      await answering;
      const stored = await memory.open(conversation.session);
      assert.deepEqual(stored?.path ?? [], conversation.transcript.messages, where);
      assert.equal(conversation.transcript.warnings, undefined, where);
    }
  },
);
