// What every agent's turns come to, whatever is behind the wire. Each row goes through a real conversation with real
// history, and looks at what a person sees, at what went over the wire, and at what a window reads that is opened later.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf, type Message } from '../../../src/model/message.ts';
import type { Contender, Said } from './contender.ts';
import { heardOn, markOf } from './heard.ts';
import type { Runner } from './runner.ts';
import { over, Window } from './window.ts';
import type { Fields, Wire } from './wire.ts';

export function turnContract(contender: Contender, { test, engine }: Runner): void {
  const { name, can } = contender;
  const row = (rule: string, what: string, run: (window: Window) => Promise<void>) =>
    test(`[${rule}] ${name}: ${what}`, async t => run(await Window.open(t, contender, engine)));

  row('A1', 'an answer grows in its order, and is whole before its end', async window => {
    const said = contender.answer(1);
    const expected = await textFor(said, window);
    const answer = await window.say(said.prompt);
    assert.equal(textOf(answer), expected);
    const own = window.events.filter(event => 'message' in event && event.message === answer.id);
    assert.equal(own.at(-1)?.type, 'messageEnded');
    let text = '';
    let steps = 0;
    for (const event of own) {
      if (event.type === 'blockSet' && event.block.kind === 'text') text += event.block.text;
      else if (event.type === 'textAppended') text += event.text;
      else continue;
      steps++;
      assert.ok(expected.startsWith(text), `after ${steps} steps: ${text}`);
    }
    assert.equal(text, expected);
    assert.ok(steps > 10, `it came in ${steps} steps`);
    await window.isKept();
  });

  row('A1', 'what is in history is what went over the wire, in its order', async window => {
    const answer = await window.say(contender.tour(window.project));
    assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
    const heard = heardOn(window.wire);
    assert.deepEqual(answer.blocks.flatMap(markOf), heard);
    assert.ok(new Set(heard.map(([kind]) => kind)).size > 1, JSON.stringify(heard));
    await window.isKept();
  });

  row('T4', 'each turn ends once, with its reason, and with one answer on the wire', async window => {
    for (let n = 0; n < 5; n++) {
      const said = contender.answer(n);
      const before = window.conversation.transcript.messages;
      const answer = await window.say(said.prompt);
      assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
      assert.equal(textOf(answer), await said.text(before, said.prompt, window.project));
      assert.equal(endsOf(window, answer), 1);
    }
    const prompts = window.wire.asked('session/prompt');
    assert.deepEqual(
      prompts.map(({ answers }) => answers.map(({ result }) => result?.['stopReason'])),
      Array.from({ length: 5 }, () => ['end_turn']),
    );
    assert.equal(window.wire.opened, 1);
    await window.isKept();
  });

  row('T5', 'a cancel ends the turn, keeps what was said, and the next prompt is answered', async window => {
    for (const n of [2, 3]) {
      await window.send(contender.slow);
      await window.firstWords();
      // Nothing else would end it.
      await window.conversation.cancel();
      const stopped = window.conversation.transcript.messages.at(-1);
      assert.ok(stopped);
      assert.equal(stopped.end?.reason, 'cancelled');
      assert.notEqual(textOf(stopped), '');
      assert.equal(endsOf(window, stopped), 1);
      await isAnswered(window, contender.answer(n));
    }
    await window.isKept();
  });

  row('A5', 'two conversations with one agent at the same time are not mixed', async window => {
    const other = window.converse();
    const [one, two] = [contender.answer(4), contender.answer(5)];
    const expected = await Promise.all([textFor(one, window), textFor(two, window)]);
    const answers = await Promise.all([window.say(one.prompt), window.say(two.prompt, {}, other)]);
    assert.deepEqual(answers.map(textOf), expected);
    assert.equal(window.wire.opened, 1);
    await window.isKept();
    await window.isKept(other);
  });

  row('T1', 'what a person says is on the wire and in history as it was said', async window => {
    const odd = 'é e\u0301 \u{1F469}\u200D\u{1F4BB} \u202Eabc\u202C \u0000 \u2028 \r\n\ttab   \n\n“end”';
    const { prompt } = contender.answer(6);
    const text = contender.note(odd, contender.answer(6));
    assert.notEqual(text, prompt);
    const answer = await window.say(text);
    assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
    const [said] = window.conversation.transcript.messages;
    assert.ok(said);
    assert.equal(textOf(said), text);
    assert.equal(promptsOn(window.wire).at(-1), text);
    await window.isKept();
  });

  const comes = can.limited ? 'comes to an end in words' : 'is answered';
  row('T1', `a prompt of five megabytes ${comes}, and is in history whole`, async window => {
    const said = contender.answer(7);
    const text = contender.note('A long story. '.repeat(Math.ceil(5_000_000 / 14)), said);
    const { end } = await window.say(text);
    assert.equal(end?.reason, can.limited ? 'failed' : 'end_turn', end?.detail);
    if (can.limited) assert.match(end?.detail ?? '', /long/);
    assert.equal(promptsOn(window.wire).at(-1), text);
    const [first] = window.conversation.transcript.messages;
    assert.ok(first && textOf(first) === text);
    await window.isKept();
  });

  const { long, write, dies, complain } = can;
  if (long)
    row('T2', 'an answer of two megabytes is whole', async window => {
      const said = long(2_000_000);
      const answer = await window.say(said.prompt);
      assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
      const expected = await textFor(said, window);
      assert.ok(textOf(answer) === expected, `${textOf(answer).length} of ${expected.length} characters`);
      await window.isKept();
    });

  if (write) {
    for (const { what, kind, outcome } of answersToQuestions)
      row('T14', `a question that is ${what} is so on the wire, on the disk and in history`, async window => {
        const file = join(window.project, 'new.txt');
        await window.send(write(file, 'what was allowed\n'));
        const { id, choices } = await window.permission();
        const choice = choices.find(one => one.kind === kind);
        if (kind === null) await window.conversation.cancel();
        else {
          assert.ok(choice, JSON.stringify(choices));
          assert.ok(window.conversation.answerPermission(id, choice.id));
          assert.equal(window.conversation.answerPermission(id, choice.id), false);
        }
        const answer = await over(window.conversation);
        const expected = { outcome, ...(choice ? { optionId: choice.id } : {}) };
        assert.deepEqual(
          window.wire.asked('session/request_permission').map(({ answers }) => answers.map(one => one.result)),
          [[{ outcome: expected }]],
        );
        const call = answer.blocks.find(block => block.kind === 'toolCall');
        assert.ok(call?.kind === 'toolCall');
        assert.deepEqual(call.permission, { choice: choice?.name ?? null, allowed: kind === 'allow_once' });
        // Some agents say themselves that the call failed.
        if (kind === null) assert.match(`${answer.end?.reason} ${call.status}`, /^cancelled (cancelled|failed)$/);
        assert.equal(existsSync(file), kind === 'allow_once');
        if (kind === 'allow_once') assert.equal(readFileSync(file, 'utf8'), 'what was allowed\n');
        await isAnswered(window, contender.answer(8));
        await window.isKept();
      });

    if (can.writesThroughUs)
      row('F1', 'a write outside of the project does not happen, though it was allowed', async window => {
        const outside = join(window.project, '..', 'outside.txt');
        const inside = join(window.project, 'inside.txt');
        const answer = await window.say(write(outside, 'not here'));
        assert.ok(answer.end);
        assert.equal(existsSync(outside), false);
        await window.say(write(inside, 'but here'));
        assert.equal(readFileSync(inside, 'utf8'), 'but here');
        await window.isKept();
      });
  }

  if (dies)
    row(
      'A2',
      'killed in the middle of a turn, it says so, and the next prompt is answered by a new one',
      async window => {
        const known = contender.answer(1);
        await window.say(known.prompt);
        const words = 'panic: out of cheese';
        await window.send(complain?.(words) ?? contender.slow);
        await window.firstWords();
        window.wire.kill();
        const dead = await over(window.conversation);
        assert.equal(dead.end?.reason, 'failed');
        assert.match(dead.end?.detail ?? '', /^The agent ended unexpectedly \(SIGKILL\)\./);
        if (complain) assert.ok(dead.end?.detail?.endsWith(words), dead.end?.detail);
        assert.notEqual(textOf(dead), '');
        assert.equal(endsOf(window, dead), 1);
        await isAnswered(window, contender.answer(2));
        assert.equal(window.wire.opened, 2);
        await window.isKept();
      },
    );
}

const answersToQuestions = [
  { what: 'allowed', kind: 'allow_once', outcome: 'selected' },
  { what: 'rejected', kind: 'reject_once', outcome: 'selected' },
  { what: 'not answered before a cancel', kind: null, outcome: 'cancelled' },
] as const;

function textFor(said: Said, window: Window): Promise<string> {
  return said.text([], said.prompt, window.project);
}

async function isAnswered(window: Window, said: Said): Promise<void> {
  const before = window.conversation.transcript.messages;
  const answer = await window.say(said.prompt);
  assert.equal(answer.end?.reason, 'end_turn', answer.end?.detail);
  assert.equal(textOf(answer), await said.text(before, said.prompt, window.project));
}

function endsOf(window: Window, { id }: Message): number {
  return window.events.filter(event => event.type === 'messageEnded' && event.message === id).length;
}

/** The last text of each prompt that was sent. */
function promptsOn(wire: Wire): readonly unknown[] {
  return wire
    .asked('session/prompt')
    .map(({ request }) => ((request.params?.['prompt'] ?? []) as readonly Fields[]).at(-1)?.['text']);
}
