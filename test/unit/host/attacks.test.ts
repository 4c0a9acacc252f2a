// A page that was taken over: everything that it can say, wrong in every way, to the real channel of a conversation in
// which an agent runs and asks; and what was right once, said again.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import type { ChatChannelPorts } from '../../../src/host/chat/chatChannel.ts';
import type { Elicitation, Permission } from '../../../src/model/agentState.ts';
import { intentFields, parseIntent } from '../../../src/model/intent.ts';
import type { Message } from '../../../src/model/message.ts';
import type { HostMessage } from '../../../src/model/wire.ts';
import { stage } from '../conversation/stage.ts';
import { heldWebview, openTestChannel, openTestDrafts, quietPorts } from '../support/quietPanel.ts';
import { goodIntent, kinds, nonsense, oddIntents, samples } from './intents.ts';

const permission: Permission = {
  id: 'permission1',
  callId: 'w1',
  title: 'Write main.go',
  tool: 'edit',
  locations: [],
  output: [],
  choices: [
    { id: 'yes', name: 'Allow', kind: 'allow_once' },
    { id: 'no', name: 'Reject', kind: 'reject_once' },
  ],
};
const elicitation: Elicitation = {
  id: 'question1',
  message: 'How many?',
  asks: {
    kind: 'form',
    fields: [
      {
        name: 'size',
        title: 'Size',
        description: '',
        required: true,
        input: { kind: 'number', whole: true, least: 1, most: 9, initial: null },
      },
    ],
  },
};

/** A conversation in the middle: it runs, asks twice, and has a prompt in the queue. */
async function middle(t: TestContext) {
  const scene = await stage(t);
  const { conversation, folder, agent, history } = scene;
  const posted: HostMessage[] = [];
  const done: string[] = [];
  const note = (name: string, given?: unknown) => void done.push(`${name} ${JSON.stringify(given) ?? ''}`);
  const asked = <Answer>(name: string, answer: Answer) => {
    note(name);
    return Promise.resolve(answer);
  };
  const drafts = openTestDrafts(folder);
  const ports: ChatChannelPorts = quietPorts(conversation, history, {
    resumeSession: () => note('resumeSession'),
    manageTrust: () => note('manageTrust'),
    openFolder: () => note('openFolder'),
    selectAgent: () => note('selectAgent'),
    askTitle: () => note('askTitle'),
    exportSession: () => note('exportSession'),
    pickOption: () => asked('pickOption', undefined),
    openChanges: () => asked('openChanges', undefined),
    openTool: () => asked('openTool', undefined),
    openPermission: () => asked('openPermission', undefined),
    openLink: url => note('openLink', url),
    copyText: text => note('copyText', text),
    insertCode: () => asked('insertCode', null),
    openLocation: () => asked('openLocation', null),
    openMention: () => asked('openMention', null),
    newSession: () => asked('newSession', conversation),
    tell: words => note('tell', words),
    readDraft: drafts.read,
    keepDraft: (session, text) => void drafts.keep(session, text),
    failure: (what, cause) => void done.push(`${what} ${String(cause)}`),
  });
  const { webview, say } = heldWebview(message => posted.push(message));
  openTestChannel(folder, webview, ports);
  const turned = async () => {
    // What was said is obeyed after the microtasks that it waits for; history's own answer is the longest of them.
    for (let times = 0; times < 3; times++) {
      await history.sessions();
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  say({ type: 'ready', session: null });
  while (!posted.some(({ event }) => event.type === 'snapshot')) await turned();
  const { session } = conversation;
  say({ type: 'sendPrompt', request: 'r1', session, text: 'first' });
  const turn = await agent.nextTurn();
  turn.update({ type: 'toolCall', callId: 'w1', changes: { title: 'Write main.go', status: 'pending' } });
  const allowed = turn.ask(permission);
  const answered = turn.elicit(elicitation);
  say({ type: 'sendPrompt', request: 'r2', session, text: 'second' });
  while (conversation.transcript.queue.length === 0) await turned();
  await turned();
  done.length = 0;
  return { ...scene, posted, done, say, turned, turn, allowed, answered, session, drafts };
}

test('[W92] the literal messages of each kind are taken and refused, and have all of its fields', () => {
  for (const kind of kinds) {
    const { good, bad } = samples[kind];
    const [whole] = good;
    for (const fields of good) {
      const intent = { type: kind, ...whole, ...fields };
      assert.deepEqual(parseIntent(intent), intent, shortly(intent));
    }
    for (const fields of bad) {
      const intent = { type: kind, ...whole, ...fields };
      assert.equal(parseIntent(intent), undefined, shortly(intent));
    }
    const named = new Set(good.flatMap(fields => Object.keys(fields)));
    assert.deepEqual(Object.keys(intentFields[kind]).toSorted(), [...named].toSorted(), kind);
  }
});

test('[W92] an intent is taken exactly where each of its fields is what it has to be', () => {
  for (const value of nonsense) assert.equal(parseIntent(value), undefined, shortly(value));
  for (const kind of kinds) {
    for (const { odd, isTaken } of oddIntents(kind)) {
      const parsed = parseIntent(odd);
      assert.equal(parsed !== undefined, isTaken, shortly(odd));
      if (parsed) assert.deepEqual(parsed, odd, shortly(odd));
    }
  }
});

test('[W92] what an intent does not have is left behind, and prototypes are not touched', () => {
  for (const kind of kinds) {
    const more = { path: '/etc/passwd', command: 'rm', args: ['-rf'], constructor: 7, cwd: '/' };
    const polluting = JSON.parse('{"__proto__": {"polluted": true, "session": "another"}}') as object;
    assert.deepEqual(parseIntent({ ...goodIntent(kind), ...more }), goodIntent(kind), kind);
    const given = Object.assign(JSON.parse(JSON.stringify(goodIntent(kind))) as object, polluting);
    const parsed = parseIntent(given);
    assert.equal(JSON.stringify(parsed), JSON.stringify(parseIntent(goodIntent(kind))), kind);
  }
  const content = JSON.parse('{"__proto__": "x", "constructor": true, "size": 3}') as object;
  const answer = { action: 'accept', content };
  const parsed = parseIntent({ type: 'answerElicitation', session: 's', elicitation: 'e', answer });
  assert.ok(parsed?.type === 'answerElicitation' && parsed.answer.action === 'accept');
  assert.deepEqual(Object.keys(parsed.answer.content), ['__proto__', 'constructor', 'size']);
  assert.equal(Object.getPrototypeOf(parsed.answer.content), Object.prototype);
  assert.equal('polluted' in {}, false);
});

test('[W92] nothing that is not exactly an intent, or is for another session, does anything', async t => {
  const { conversation, posted, done, say, turned, session, agent, drafts, folder } = await middle(t);
  const [state, count] = [conversation.transcript, posted.length];
  for (const value of nonsense) say(value);
  for (const kind of kinds) {
    for (const { odd, isTaken } of oddIntents(kind, session)) if (!isTaken) say(odd);
    if (!('session' in intentFields[kind]) || kind === 'ready') continue;
    for (const other of ['another', '../../../etc/passwd', '__proto__', session.toUpperCase(), `${session} `])
      say(goodIntent(kind, other));
  }
  await turned();
  assert.equal(conversation.transcript, state);
  assert.equal(posted.length, count);
  assert.deepEqual(done, []);
  assert.equal(agent.unseen, 0);
  assert.equal(await drafts.read(session), '');
  assert.deepEqual(
    readdirSync(folder).filter(name => name === 'drafts'),
    [],
  );
});

test('[W92] a path is no draft, whoever keeps it', async t => {
  const { drafts, folder } = await middle(t);
  for (const name of ['../escaped', '..', '.', 'a/b', 'a\\b', '__proto__', '', 'x'.repeat(300), 'con'])
    await drafts.keep(name, 'words');
  assert.deepEqual(
    readdirSync(join(folder)).filter(name => name === 'drafts' || name === 'escaped'),
    [],
  );
});

test('[W92] what is not open, not there or not one of the choices is not answered', async t => {
  const { conversation, done, say, turned, session, turn } = await middle(t);
  const state = conversation.transcript;
  const [prompt, answer] = state.messages as readonly [Message, Message];
  const permissions = (id: string, choice: string) => ({ type: 'answerPermission', session, permission: id, choice });
  const questions = (id: string, content: object) => ({
    type: 'answerElicitation',
    session,
    elicitation: id,
    answer: { action: 'accept', content },
  });
  const stale: readonly object[] = [
    permissions('permission2', 'yes'),
    permissions('__proto__', 'yes'),
    permissions('permission1', 'maybe'),
    permissions('permission1', ''),
    questions('question2', { size: 3 }),
    questions('question1', {}),
    questions('question1', { size: 30 }),
    questions('question1', { size: '3' }),
    questions('question1', { size: ['3'] }),
    questions('question1', JSON.parse('{"__proto__": "3"}') as object),
    { type: 'answerHeld', session, choice: 'transcript' },
    { type: 'answerHeld', session, choice: { signIn: 'key' } },
    { type: 'changeQueued', session, id: 'r1', text: 'other words' },
    { type: 'changeQueued', session, id: '__proto__', text: null },
    { type: 'sendNow', session, id: 'r9' },
    { type: 'sendNow', session, id: 'r1' },
    { type: 'acceptUnsaved', session },
    { type: 'openLocation', session, message: answer.id, block: 0, location: 5 },
    { type: 'openLocation', session, message: prompt.id, block: 0, location: 0 },
    { type: 'openLocation', session, message: 'nowhere', block: 0, location: 0 },
    { type: 'openTool', session, message: prompt.id, block: 0 },
    { type: 'openTool', session, message: 'nowhere', block: 0 },
    { type: 'openPermission', session, permission: 'nowhere' },
    { type: 'openPermission', session, permission: 'permission1' },
    { type: 'openNamed', session, message: answer.id, block: 0, at: 0 },
    { type: 'openNamed', session, message: prompt.id, block: 0, at: 0 },
    { type: 'openChange', session, message: answer.id, file: 7 },
    { type: 'openChange', session, message: 'nowhere', file: null },
    { type: 'decideChange', session, message: 'nowhere', file: null, decision: 'undo' },
    { type: 'goToBranch', session, message: 'nowhere' },
    { type: 'forkFrom', session, message: prompt.id },
    { type: 'sendPrompt', request: 'r3', session, text: 'with a file', attached: ['nothing'] },
    { type: 'editPrompt', request: 'r4', session, message: 'nowhere', text: 'x' },
    { type: 'retry', request: 'r5', session, message: 'nowhere' },
  ];
  for (const one of stale) {
    assert.ok(parseIntent(one), shortly(one));
    say(one);
    await turned();
    assert.equal(conversation.transcript, state, shortly(one));
  }
  assert.equal(turn.signal.aborted, false);
  assert.deepEqual(done, []);
});

test('[W92] what was right once is not right again', async t => {
  const { conversation, say, turned, session, turn, allowed, answered, agent, ended } = await middle(t);
  const yes = { type: 'answerPermission', session, permission: 'permission1', choice: 'yes' };
  const three = {
    type: 'answerElicitation',
    session,
    elicitation: 'question1',
    answer: { action: 'accept', content: { size: 3 } },
  };
  say(yes);
  say(three);
  assert.equal(await allowed, 'yes');
  assert.deepEqual(await answered, { action: 'accept', content: { size: 3 } });
  await turned();
  // The agent asks for something else: the old answer is none to it, nor is a prompt that went out already a new one.
  const again = turn.ask({ ...permission, id: 'permission2', title: 'Delete everything' });
  let isAnswered = false;
  void again.then(() => (isAnswered = true));
  const state = conversation.transcript;
  for (const one of [
    yes,
    three,
    { ...yes, choice: 'no' },
    { type: 'sendPrompt', request: 'r1', session, text: 'first' },
    { type: 'sendPrompt', request: 'r2', session, text: 'second' },
    { type: 'sendPrompt', request: 'r2', session, text: 'other words' },
    { type: 'editPrompt', request: 'r1', session, message: state.messages[0]?.id, text: 'x' },
  ]) {
    say(one);
    await turned();
    assert.equal(conversation.transcript, state, shortly(one));
  }
  assert.equal(isAnswered, false);
  turn.signal.addEventListener('abort', () => turn.end({ reason: 'cancelled' }));
  say({ type: 'cancelTurn', session });
  assert.equal(await again, null, 'what is asked is not allowed by a cancel');
  await ended();
  const after = conversation.transcript;
  for (const one of [yes, { ...yes, permission: 'permission2' }, { type: 'cancelTurn', session }]) {
    say(one);
    await turned();
    assert.equal(conversation.transcript, after, shortly(one));
  }
  assert.equal(agent.unseen, 0);
});

function shortly(value: unknown): string {
  return inspect(value, { depth: 3, maxStringLength: 60, maxArrayLength: 4, breakLength: Infinity });
}
