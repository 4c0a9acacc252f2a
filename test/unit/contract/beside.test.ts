// What real agents were seen doing beside their turns: when they begin, when a session is taken up again, with what can be
// set, and when they want to know who the person is. Each is played by an agent in a process of its own. The words in
// brackets say who was seen doing it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { textOf } from '../../../src/model/message.ts';
import { until } from '../support/refused.ts';
import { play, theScripted } from './scripted.ts';
import { over, when, Window } from './window.ts';

const patience = { timeout: 30_000 };

const others: {
  readonly [what: string]: { readonly flags: readonly string[]; readonly run: (window: Window) => Promise<void> };
} = {
  '[F2] it takes the error of a missing file for the end (gemini): a missing file is empty': {
    flags: [],
    async run(window) {
      const path = join(window.project, 'none.txt');
      const answer = await window.say(play([{ call: { method: 'fs/read_text_file', params: { path } } }]));
      assert.equal(textOf(answer), '{"content":""}');
    },
  },
  '[A7] it plays back after its answer, and its own words too (gemini): none of it is in the conversation': {
    flags: ['--replay=after'],
    run: playsBack,
  },
  '[A7] it plays back a note of an interruption (claude): it is not taken for the person’s': {
    flags: ['--replay=context'],
    run: playsBack,
  },
  '[C2] it cannot find what is younger than a minute (gemini): the person is asked': {
    flags: ['--load=minute'],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      await window.reload();
      assert.equal(textOf(await window.say(play([{ say: 'B' }]))), 'B');
      assert.equal(window.questions.length, 1);
      assert.match(JSON.stringify(window.questions), /"kind":"failed".*No previous sessions/);
    },
  },
  '[C2] it says that it loads and cannot: it is told the path': {
    flags: ['--load=not-supported'],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      await window.reload();
      await window.say(play([{ say: 'B' }]));
      assert.deepEqual(
        window.questions.filter(({ kind }) => kind !== 'less'),
        [],
      );
    },
  },
  '[A5] it tells its commands after its answer: they are known': {
    flags: [],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      assert.deepEqual(
        window.conversation.transcript.commands.map(({ name }) => name),
        ['init'],
      );
    },
  },
  '[A8] it has modes and models, and no options (gemini): both are options': {
    flags: ['--options=modes,models'],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      assert.deepEqual(optionsOf(window.conversation), [
        ['mode', 'ask'],
        ['model', 'small'],
      ]);
    },
  },
  '[A8] it has options only (opencode): they are the options, without those that nobody knows': {
    flags: ['--options=config,boolean'],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      assert.deepEqual(optionsOf(window.conversation), [
        ['thought_level', 'low'],
        ['', false],
      ]);
    },
  },
  '[A8] it takes no other mode here, and no model (gemini, pi): that is said, and nothing has changed': {
    flags: ['--options=modes,models,stubborn'],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      const before = optionsOf(window.conversation);
      for (const { id, choices } of window.conversation.transcript.options) {
        const other = choices?.at(-1)?.value ?? '';
        await assert.rejects(window.conversation.setOption(id, other), {
          name: 'AgentError',
          message: /not in this folder/,
        });
      }
      assert.deepEqual(optionsOf(window.conversation), before);
      assert.equal(textOf(await window.say(play([{ say: 'B' }]))), 'B');
    },
  },
  '[A8] it forgets its mode and its model when it is started again (claude, codex): they are set again': {
    flags: ['--resume', '--options=modes,models'],
    async run(window) {
      await window.say(play([{ say: 'A' }]));
      for (const { id, choices } of window.conversation.transcript.options)
        await window.conversation.setOption(id, choices?.at(-1)?.value ?? '');
      const chosen = optionsOf(window.conversation);
      assert.deepEqual(chosen, [
        ['mode', 'plan'],
        ['model', 'large'],
      ]);
      await until(async () => (await window.stored())?.options.length === chosen.length);
      await window.reload();
      await window.say(play([{ say: 'B' }]));
      assert.deepEqual(optionsOf(window.conversation), chosen);
    },
  },
  '[A2] it speaks a version of the protocol that we do not: nothing is sent, and that is said': {
    flags: ['--init=version'],
    async run({ conversation }) {
      const sent = await conversation.send('hello');
      assert.equal(sent.sent, false);
      assert.match(!sent.sent ? sent.words : '', /version 2/);
    },
  },
  '[A2] it ends before it began: nothing is sent, and its last words say why': {
    flags: ['--init=exit'],
    async run({ conversation }) {
      const sent = await conversation.send('hello');
      assert.match(!sent.sent ? sent.words : '', /exit code 7[\s\S]*no licence found/);
    },
  },
  '[C2] it wants to know who the person is before anything else: the prompt waits for that': {
    flags: ['--auth'],
    async run({ conversation }) {
      const sending = conversation.send(play([{ say: 'Hello.' }]));
      const { held } = await when(conversation, transcript => transcript.held !== null);
      assert.equal(held?.kind, 'signIn');
      conversation.answerHeld({ signIn: 'key' });
      assert.deepEqual(await sending, { sent: true });
      assert.equal(textOf(await over(conversation)), 'Hello.');
    },
  },
  '[C2] it wants to know that in the middle: the turn ends with its words, and the person can sign in': {
    flags: [],
    async run({ conversation }) {
      await conversation.send('play: sign in in the middle');
      const { held } = await when(conversation, transcript => transcript.held !== null);
      assert.equal(held?.kind, 'signIn');
      conversation.answerHeld('cancel');
      const answer = await over(conversation);
      assert.deepEqual([answer.end?.reason, textOf(answer)], ['failed', 'half']);
      assert.match(answer.end?.detail ?? '', /expired/);
    },
  },
  '[A5] it tells of a call of the turn before: that begins no call in this one': {
    flags: [],
    async run(window) {
      await window.say('play: late call');
      const answer = await window.say('play: late end of the call before');
      assert.deepEqual(
        answer.blocks.map(block => block.kind === 'toolCall' && block.callId),
        ['orphan'],
      );
    },
  },
};

for (const [what, { flags, run }] of Object.entries(others))
  test(what, patience, async t => {
    const window = await Window.open(t, theScripted('', flags));
    await run(window);
    if (window.conversation.transcript.messages.length > 0) await window.isKept();
  });

async function playsBack(window: Window): Promise<void> {
  await window.say(play([{ say: 'A' }]));
  await window.reload();
  await window.conversation.prepare();
  const { continuity } = await when(window.conversation, transcript => transcript.continuity.kind !== 'checking');
  assert.deepEqual(continuity, { kind: 'remembers' });
  await window.say(play([{ say: 'B' }]));
  const { messages } = window.conversation.transcript;
  assert.deepEqual(messages.filter(({ role }) => role === 'assistant').map(textOf), ['A', 'B']);
  assert.equal(messages.length, 4);
  assert.doesNotMatch(JSON.stringify(messages), /session_context|interrupted/);
}

function optionsOf({ transcript }: Conversation): readonly (readonly [string, string | boolean])[] {
  return transcript.options.map(({ category, value }) => [category, value]);
}
