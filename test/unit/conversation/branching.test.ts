// Branches in one conversation and between two windows: real history, and an agent that is given the whole path, so that
// what it was given can be held against the branch.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { noRules } from '../support/noRules.ts';
import { judgeIn } from '../support/judge.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { SendOptions } from '../../../src/core/conversation/terms.ts';
import type { Message } from '../../../src/model/message.ts';
import { textOf } from '../../../src/model/message.ts';
import { reduce, type Transcript } from '../../../src/model/transcript.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';
import { until } from '../support/refused.ts';
import { here, scripted } from '../support/scriptedProgram.ts';
import { converse, settled, stage } from './stage.ts';

const patience = { timeout: 30_000 };

/** A stage whose prompts are answered by their own words, each a second after the one before. */
async function talking(t: TestContext) {
  const scene = await stage(t);
  const { conversation, agent, clock } = scene;
  const seen: string[] = [];
  /** Sends by this way, and gives what the agent was told and the path that it was given. */
  const ask = async (by: () => Promise<unknown>, of: Conversation = conversation, who = agent): Promise<string> => {
    clock.advance(1000);
    const sent = by();
    const turn = await who.nextTurn();
    seen.push(turn.texts.join(' | '));
    turn.update({ type: 'text', text: `re ${turn.texts.at(-1)}` });
    turn.end({ reason: 'end_turn' });
    await sent;
    await settled(of);
    return `${wordsOf(turn.prompt.path)} > ${turn.texts.join(' | ')}`;
  };
  const say = (text: string, options: SendOptions = {}) => ask(() => conversation.send(text, options));
  const reload = async () => {
    const history = await openTestHistory(scene.folder);
    const stored = await history.open(conversation.session);
    assert.ok(stored);
    return converse(history, new ScriptedAgent(), clock, { stored });
  };
  return { ...scene, ask, say, reload, seen };
}

/** The prompts alone, and an answer as `-`, because it is made of its prompt. */
function wordsOf(messages: readonly Message[]): string {
  return messages.map(message => (message.role === 'user' ? textOf(message) : '-')).join(' ');
}

function shownBy({ transcript: { messages, branches } }: Conversation): string {
  const marks = messages.map(({ id, role, ...rest }) => {
    const beside = branches.beside[id];
    const words = role === 'user' ? textOf({ id, role, ...rest }) : '-';
    return beside ? `${words}(${beside.indexOf(id) + 1}/${beside.length})` : words;
  });
  return [...marks, ...(branches.below.length > 0 ? [`+${branches.below.length}`] : [])].join(' ');
}

function idOf(conversation: Conversation, words: string): string {
  const found = conversation.transcript.messages.find(one => textOf(one) === words);
  assert.ok(found, `${words} is not in ${shownBy(conversation)}`);
  return found.id;
}

test(
  '[T20] other words, and the same once more, begin branches, and the agent is given exactly each',
  patience,
  async t => {
    const { conversation, ask, say, reload, events } = await talking(t);
    await say('one');
    await say('two');
    await say('three');
    const old = conversation.transcript.messages;
    assert.equal(await ask(() => conversation.edit(idOf(conversation, 'two'), 'zwei', 'r1')), 'one - > zwei');
    assert.equal(shownBy(conversation), 'one - zwei(2/2) -');
    assert.ok(events.some(event => event.type === 'messageAdded' && event.request === 'r1'));
    assert.equal(await ask(() => conversation.retry(idOf(conversation, 're zwei'), 'r2')), 'one - > zwei');
    assert.equal(shownBy(conversation), 'one - zwei(3/3) -');
    assert.equal(shownBy(await reload()), 'one - zwei(3/3) -');
    assert.equal(await ask(() => conversation.edit(idOf(conversation, 'one'), 'eins', 'r3')), ' > eins');
    assert.equal(shownBy(conversation), 'eins(2/2) -');
    assert.equal(await say('on'), 'eins - > on');
    assert.equal(shownBy(await reload()), 'eins(2/2) - on -');
    await conversation.goTo(old[4]?.id ?? '');
    assert.deepEqual(conversation.transcript.messages, old, 'nothing of it is lost');
    assert.deepEqual(await conversation.edit('nobody', 'x', 'r4'), {
      sent: false,
      words: 'That message is not in what is shown any more.',
    });
  },
);

test('[T20] what was attached to a prompt goes along with other words, and once more', patience, async t => {
  const { conversation, ask, say } = await talking(t);
  const block = { kind: 'resource', mime: 'text/plain', uri: 'file:///project/a.ts', name: 'a.ts' } as const;
  await say('look', { attached: [{ id: 'x', block }] });
  const uris = () =>
    conversation.transcript.messages[0]?.blocks.flatMap(one => (one.kind === 'resource' ? one.uri : []));
  await ask(() => conversation.edit(idOf(conversation, 'look'), 'look again', 'r1'));
  assert.deepEqual(uris(), [block.uri]);
  await ask(() => conversation.retry(idOf(conversation, 're look again'), 'r2'));
  assert.deepEqual(uris(), [block.uri]);
  assert.equal(shownBy(conversation), 'look again(3/3) -');
});

test('[T21] a branch is shown to the end that was written to last, there and back', patience, async t => {
  const { conversation, ask, say, history, agent, reload } = await talking(t);
  await say('one');
  await say('left');
  await say('old');
  const left = idOf(conversation, 'left');
  await ask(() => conversation.edit(idOf(conversation, 'old'), 'newer', 'r1'));
  await conversation.goTo(conversation.transcript.branches.beside[idOf(conversation, 'newer')]?.[0] ?? '');
  await say('on with old');
  assert.equal(shownBy(conversation), 'one - left - old(1/2) - on with old -');
  await ask(() => conversation.edit(left, 'right', 'r2'));
  const right = idOf(conversation, 'right');
  assert.equal(shownBy(conversation), 'one - right(2/2) -');
  await conversation.goTo(left);
  assert.equal(shownBy(conversation), 'one - left(1/2) - old(1/2) - on with old -');
  assert.equal(shownBy(await reload()), shownBy(conversation));
  await conversation.goTo(right);
  // What is sent before it is shown goes out from where it leads.
  void conversation.goTo(left);
  assert.equal(await say('quick'), 'one - left - old - on with old - > quick');

  const running = conversation.send('long');
  const turn = await agent.nextTurn();
  await running;
  const before = shownBy(conversation);
  await Promise.all([conversation.goTo(right), conversation.forkFrom(left), conversation.setHead(null)]);
  for (const sent of [await conversation.edit(left, 'x', 'r3'), await conversation.retry(left, 'r4')])
    assert.match(sent.sent ? '' : sent.words, /answer is being written/);
  assert.equal(shownBy(conversation), before);
  assert.deepEqual(conversation.transcript.queue, []);
  turn.end({ reason: 'end_turn' });
  await settled(conversation);

  await history.trash(conversation.session, { message: right, subtree: true });
  await conversation.follow();
  assert.equal(shownBy(conversation), 'one - left - old(1/2) - on with old - quick - long -');
  await conversation.goTo(right);
  assert.equal(shownBy(conversation), 'one - left - old(1/2) - on with old - quick - long -');
});

test('[T21] a message that comes knows what it stands beside, and what did not change keeps its identity', () => {
  const message = (id: string, parent: string | null): Message => ({
    id,
    session: 's',
    parent,
    role: 'user',
    created: 0,
    blocks: [{ kind: 'text', mime: 'text/plain', text: id }],
  });
  const branches = { beside: {}, below: ['b', 'c'] };
  const transcript = { messages: [message('a', null)], branches, elsewhere: null } as unknown as Transcript;
  const next = reduce(transcript, { type: 'messageAdded', message: message('d', 'a') });
  assert.deepEqual(next?.branches, { beside: { d: ['b', 'c', 'd'] }, below: [] });
  const messages = [message('a', null), { ...message('d', 'a'), end: { reason: 'end_turn', at: 1 } as const }];
  const moved = reduce(next, { type: 'pathChanged', messages, branches, elsewhere: null });
  assert.equal(moved?.messages[0], transcript.messages[0]);
  assert.equal(moved?.messages[1], messages[1]);
  assert.equal(moved?.branches, branches);
});

/** A second window, told of appends as the host tells it. */
async function twoWindows(t: TestContext) {
  const first = await talking(t);
  await first.say('one');
  await first.say('two');
  const history = await openTestHistory(first.folder);
  const stored = await history.open(first.conversation.session);
  assert.ok(stored);
  const agent = new ScriptedAgent();
  const second = converse(history, agent, first.clock, { stored });
  history.onDidAppend(change => void second.follow(change));
  first.history.onDidAppend(change => void first.conversation.follow(change));
  return { first, second, agent };
}

test(
  '[T22] two windows that answer the same message say so in both, while their answers are written',
  patience,
  async t => {
    const { first, second, agent } = await twoWindows(t);
    const { conversation, clock } = first;
    clock.advance(1000);
    const ours = conversation.send('ours');
    const turn = await first.agent.nextTurn();
    await ours;
    await until(() => second.transcript.elsewhere !== null);
    // It had sent before it knew: as if it were in the same moment.
    clock.advance(1000);
    await second.setHead(second.transcript.messages[3]?.id ?? null);
    assert.equal(shownBy(second), 'one - two - +1');
    const theirs = second.send('theirs');
    const other = await agent.nextTurn();
    await theirs;
    await until(() => shownBy(conversation) === 'one - two - ours(1/2) -');
    assert.equal(shownBy(second), 'one - two - theirs(2/2) -');
    assert.notEqual(conversation.transcript.turn, null);
    turn.end({ reason: 'end_turn' });
    other.end({ reason: 'end_turn' });
    await Promise.all([settled(conversation), settled(second)]);
    await Promise.all([conversation.follow(), second.follow()]);
    assert.equal(shownBy(conversation), 'one - two - ours(1/2) -');
    assert.equal(shownBy(second), 'one - two - theirs(2/2) -');
  },
);

test('[T23] after a fork the next prompt answers what was chosen, whatever else goes on', patience, async t => {
  const { first, second, agent } = await twoWindows(t);
  const { conversation } = first;
  await second.forkFrom(idOf(second, 're one'));
  assert.equal(shownBy(second), 'one - +1');
  assert.equal(shownBy(await first.reload()), 'one - +1');
  assert.equal(shownBy(conversation), 'one - two -', 'the other window keeps its head');
  await first.say('three');
  await second.follow();
  assert.equal(shownBy(second), 'one - +1');
  assert.equal(await first.ask(() => second.send('fork'), second, agent), 'one - > fork');
  assert.equal(shownBy(second), 'one - fork(2/2) -');
  await until(() => shownBy(conversation) === 'one - two(1/2) - three -');
  await second.forkFrom(idOf(second, 'one'));
  assert.equal(await first.ask(() => second.send('at once'), second, agent), 'one > at once', 'from a prompt, too');
});

for (const can of [true, false])
  test(`[C6] a fork of an agent that can${can ? '' : 'not'} copy what it knows`, patience, async t => {
    const { history, clock } = await stage(t);
    const home = temporaryFolder(t);
    const program = scripted(t, { flags: can ? ['--fork'] : [], env: { SCRIPTED_HOME: home } });
    const ports = { history, clock, ids, place: () => here, rules: noRules, judgePaths: judgeIn(), files: null };
    const conversation = new Conversation(ports, program, { id: ids.session() });
    const say = async (text: string) => {
      clock.advance(1000);
      assert.deepEqual(await conversation.send(text), { sent: true });
      await settled(conversation);
      return textOf(conversation.transcript.messages.at(-1) as Message);
    };
    const line = async () => {
      await conversation.prepare();
      await until(() => conversation.transcript.continuity.kind !== 'checking');
      return conversation.transcript.continuity;
    };
    await say('Remember factA.');
    await say('Remember factB.');
    const parting = conversation.transcript.messages.at(-1)?.id ?? '';
    await conversation.forkFrom(parting);
    assert.equal(conversation.transcript.continuity.kind, 'checking');
    const promised = await line();
    assert.equal(promised.kind, can ? 'remembers' : 'reseeded');
    assert.match(await say('Remember factC.'), /factA.*factB.*factC/s);
    assert.equal(conversation.transcript.held, null);
    await conversation.setHead(parting);
    assert.deepEqual(await line(), { kind: 'remembers' });
    const other = await say('Remember factD.');
    assert.match(other, /factA.*factB.*factD/s);
    assert.doesNotMatch(other, /factC/);
  });
