// The turns of an agent's session: how each ends, what comes before and after its end, and what a cancel does.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSession, AgentSessionChange } from '../../../src/core/agents.ts';
import type { AgentAnswer, AgentUpdate } from '../../../src/core/agentTurn.ts';
import { newsOf } from '../../../src/node/acp/sessionUpdate.ts';
import { here, never, play, quietDesk, scripted } from '../support/scriptedProgram.ts';

async function newSession(t: TestContext, ...flags: readonly string[]): Promise<AgentSession> {
  return (await scripted(t, { flags }).start(never)).newSession(here, never);
}

const endings: readonly { readonly name: string; readonly answer: Partial<AgentAnswer>; readonly detail?: RegExp }[] = [
  { name: 'hello', answer: { reason: 'end_turn', agreed: true } },
  { name: 'refusal', answer: { reason: 'refusal', agreed: true } },
  { name: 'cancelled by itself', answer: { reason: 'cancelled', agreed: true } },
  { name: 'nonsense stop', answer: { reason: 'failed', agreed: true }, detail: /does not know: "bored"/ },
  { name: 'no stop', answer: { reason: 'failed', agreed: true }, detail: /does not know/ },
  { name: 'internal error', answer: { reason: 'failed', agreed: false }, detail: /^Internal error: model is down$/ },
  { name: 'lost session', answer: { reason: 'failed', agreed: false }, detail: /not found/ },
  { name: 'no such method', answer: { reason: 'failed', agreed: false }, detail: /not found/ },
  { name: 'odd error', answer: { reason: 'failed', agreed: false }, detail: /./ },
  { name: 'sign in', answer: { reason: 'failed', agreed: false, needsSignIn: true }, detail: /Authentication/ },
];

test('[A2] every answer is an end', async t => {
  const session = await newSession(t);
  for (const { name, answer, detail } of endings)
    await t.test(name, async () => {
      const { detail: words, ...rest } = (await play(session, name)).answer;
      assert.deepEqual(rest, answer);
      if (detail) assert.match(words ?? '', detail);
      else assert.equal(words, undefined);
    });
});

const cancels: readonly {
  readonly name: string;
  readonly reason: string;
  readonly agreed: boolean;
  readonly text: string;
}[] = [
  { name: 'hang', reason: 'cancelled', agreed: true, text: 'half' },
  { name: 'late cancel', reason: 'cancelled', agreed: true, text: 'half more' },
  { name: 'finish in spite', reason: 'end_turn', agreed: true, text: 'halfdone' },
  { name: 'error on cancel', reason: 'cancelled', agreed: true, text: 'half' },
  { name: 'other error on cancel', reason: 'cancelled', agreed: false, text: 'half' },
];

test('[A5] after a cancel the turn goes on to the agent’s own end', async t => {
  const session = await newSession(t);
  for (const { name, ...expected } of cancels)
    await t.test(name, async () => {
      const cancel = new AbortController();
      const { answer, text } = await play(session, name, cancel.signal, undefined, () => cancel.abort());
      assert.deepEqual({ reason: answer.reason, agreed: answer.agreed, text }, expected);
    });
});

test('[A5] the next prompt waits until the agent answered the cancelled one', async t => {
  const session = await newSession(t);
  const cancel = new AbortController();
  const order: string[] = [];
  const first = play(session, 'late cancel', cancel.signal, undefined, () => cancel.abort());
  void first.then(() => order.push('first'));
  await delay(100);
  const second = await play(session, 'hello');
  order.push('second');
  assert.equal((await first).text, 'half more');
  assert.equal(second.text, 'Hello, world.');
  assert.deepEqual(order, ['first', 'second']);
});

test('[A5] the next prompt waits for an agent that ignores a cancel only until its own signal', async t => {
  const session = await newSession(t);
  const cancel = new AbortController();
  void play(session, 'ignore cancel', cancel.signal, undefined, () => cancel.abort());
  await delay(100);
  const { answer, updates } = await play(session, 'hello', AbortSignal.timeout(100));
  assert.deepEqual(answer, { reason: 'cancelled', agreed: false });
  assert.deepEqual(updates, []);
});

test('[A5] prompts of different sessions are answered at the same time', async t => {
  const agent = await scripted(t).start(never);
  const [one, two] = [await agent.newSession(here, never), await agent.newSession(here, never)];
  const cancel = new AbortController();
  const hanging = play(one, 'hang', cancel.signal);
  assert.equal((await play(two, 'hello')).text, 'Hello, world.');
  cancel.abort();
  assert.equal((await hanging).text, 'half');
});

test('[A5] a prompt that was cancelled before it was sent is not sent', async t => {
  const session = await newSession(t);
  assert.deepEqual((await play(session, 'say: secret', AbortSignal.abort())).answer, {
    reason: 'cancelled',
    agreed: false,
  });
  assert.equal((await play(session, 'say: what?')).text, 'what?');
});

test('[A5] words that come right after the answer belong to the turn; later ones are an aside', async t => {
  const session = await newSession(t);
  const changes: AgentSessionChange[] = [];
  session.onDidChange(change => changes.push(change));
  const { updates } = await play(session, 'late words');
  assert.deepEqual(
    updates.map(update => (update.type === 'text' ? update.text : update.type)),
    ['before ', 'after', 'toolCall'],
  );
  const late = await play(session, 'much too late');
  assert.equal(late.text, 'in time');
  await delay(400);
  assert.equal(late.updates.length, 1);
  assert.deepEqual(
    changes.filter(({ type }) => type === 'aside'),
    [{ type: 'aside', update: { type: 'text', text: 'too late' } }],
  );
});

test('[A5] an update for a tool call of the turn before begins no call in this one; an orphan does', async t => {
  const session = await newSession(t);
  await play(session, 'late call');
  const { updates } = await play(session, 'late end of the call before');
  assert.deepEqual(
    updates.map(update => (update.type === 'toolCall' ? update.callId : update.type)),
    ['orphan'],
  );
});

test('[A1] everything that an agent says reaches the turn or the listeners, whole and in order', async t => {
  const session = await newSession(t, '--options=modes');
  const changes: AgentSessionChange[] = [];
  session.onDidChange(() => {
    throw new Error('a listener of no use');
  });
  const forget = session.onDidChange(change => changes.push(change));
  const { answer, updates } = await play(session, 'everything');
  assert.deepEqual(
    updates.map(({ type }) => type),
    'thought text text media media resource resource resource toolCall toolCall plan notice compacted unknown unknown'.split(
      ' ',
    ),
  );
  assert.deepEqual(updates[2], { type: 'text', text: 'two', messageId: 'm2' });
  assert.deepEqual(updates[6], {
    type: 'resource',
    uri: 'file:///a.bin',
    mime: 'application/octet-stream',
    data: new Uint8Array([0, 1]),
  });
  assert.deepEqual(updates[12], { type: 'compacted', summary: 'We talked.' });
  assert.deepEqual(
    changes.map(change => (change.type === 'options' ? change.options[0]?.value : change.type)),
    ['commands', 'plan', 'title', 'context'],
  );
  assert.deepEqual(session.commands, [
    { name: 'init', description: 'Begin', hint: 'where' },
    { name: 'compact', description: 'Shorten', hint: null },
  ]);
  assert.deepEqual(answer.usage, { inputTokens: 7, outputTokens: 5, cost: { amount: 0.25, currency: 'USD' } });
  forget();
  await play(session, 'everything');
  assert.equal(changes.length, 4);
});

test('[A5] the cost of a turn is what the session cost more by it', async t => {
  const session = await newSession(t);
  const cost = async (name: string) => (await play(session, name)).answer.usage?.cost;
  assert.deepEqual(await cost('cost'), { amount: 0.5, currency: 'USD' });
  assert.equal(await cost('hello'), undefined);
  assert.deepEqual(await cost('more cost'), { amount: 0.25, currency: 'USD' });
});

test('[A5] what is said before the answer that opens a session is not lost', async t => {
  assert.deepEqual((await newSession(t)).commands, [{ name: 'init', description: 'Begin', hint: null }]);
});

test('[A5] images for an agent that takes none are an end in words, and nothing is sent', async t => {
  const session = await newSession(t);
  const parts = [{ type: 'image' as const, mime: 'image/png', data: new Uint8Array([1]) }];
  const answer = await session.prompt({ parts, path: [] }, quietDesk, never);
  assert.deepEqual(answer, { reason: 'failed', detail: 'Scripted takes no images.', agreed: false });
  assert.equal((await play(session, 'say: what?')).text, 'what?');
});

test('[A5] a closed session is not known any more, and its turn is cancelled', async t => {
  const agent = await scripted(t, { flags: ['--close'] }).start(never);
  const session = await agent.newSession(here, never);
  const playing = play(session, 'hang');
  await delay(50);
  await session.close();
  assert.equal((await playing).answer.reason, 'cancelled');
  assert.equal(agent.session(session.id), undefined);
  assert.match((await play(session, 'hello')).answer.detail ?? '', /closed/);
});

const odd: readonly unknown[] = [
  undefined,
  7,
  [1],
  {},
  { sessionUpdate: 'agent_message_chunk' },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'image', mimeType: 'image/png' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'hologram' } },
  { sessionUpdate: 'agent_thought_chunk', content: { type: 'image', mimeType: 'image/png', data: 'AA==' } },
  { sessionUpdate: 'user_message_chunk' },
  { sessionUpdate: 'tool_call' },
  { sessionUpdate: 'plan' },
  { sessionUpdate: 'available_commands_update', availableCommands: {} },
  { sessionUpdate: 'current_mode_update' },
  { sessionUpdate: 'config_option_update' },
  { sessionUpdate: 'usage_update', used: -1, size: 'big' },
  { sessionUpdate: 'notice' },
  { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'dreaming' },
  { sessionUpdate: 'compaction_summary_chunk' },
];

test('[A1] what has not the shape of ACP comes whole', () => {
  for (const value of odd) {
    const update: AgentUpdate = { type: 'unknown', value: (value ?? null) as never };
    assert.deepEqual(newsOf(value), { type: 'update', update });
  }
});

test('[A20] what an agent says of another session is never in this one, and what it asks for one that is not open is refused', async t => {
  const agent = await scripted(t).start(never);
  const [session, other] = [await agent.newSession(here, never), await agent.newSession(here, never)];
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'not for you' } };
  const strangers = [other.id, 'nobody', '', '__proto__', 'constructor', null, 7, [session.id], undefined];
  const asked = { toolCallId: 'x', title: 'Delete everything' };
  const steps = [
    { say: 'mine' },
    ...strangers.map(sessionId => ({ send: { method: 'session/update', params: { sessionId, update: chunk } } })),
    { call: { method: 'session/request_permission', params: { sessionId: 'nobody', toolCall: asked, options: yes } } },
    { call: { method: 'session/request_permission', params: { sessionId: other.id, toolCall: asked, options: yes } } },
    { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: ' and mine' } } },
  ];
  const played = await play(session, JSON.stringify(steps), never, () => Promise.resolve('yes'));
  const refused = ['There is no session “nobody”.', 'No turn is running in this session.'].map(message =>
    JSON.stringify({ code: -32602, message }),
  );
  assert.equal(played.text, `mine${refused.join('')} and mine`);
  assert.deepEqual(played.asked, []);
  assert.equal(
    played.updates.every(({ type }) => type === 'text'),
    true,
  );
  assert.equal((await play(other, 'hello')).text, 'Hello, world.');
});

test('[A20] a garbage of ids, sizes and kinds in a question is one question with each choice once, or none', async t => {
  const session = await newSession(t);
  const rows: readonly (readonly [options: unknown, shown: readonly string[]])[] = [
    [[...yes, { optionId: 'yes', name: 'Reject', kind: 'reject_once' }], ['yes allow_once Allow']],
    [[{ optionId: '__proto__', name: 'x'.repeat(9), kind: '__proto__' }], ['__proto__ unknown xxxxxxxxx']],
    [[{ optionId: 7, name: 'Seven' }, null, 'yes', [], { name: 'no id' }], []],
    [{ length: 3 }, []],
  ];
  for (const [options, shown] of rows) {
    const steps = [
      { call: { method: 'session/request_permission', params: { toolCall: { toolCallId: {} }, options } } },
    ];
    const { asked } = await play(session, JSON.stringify(steps));
    assert.deepEqual(
      asked.flatMap(({ choices }) => choices.map(({ id, kind, name }) => `${id} ${kind} ${name}`)),
      shown,
    );
  }
});

const yes = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
