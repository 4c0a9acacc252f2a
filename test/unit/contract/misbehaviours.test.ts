// Every behaviour that was seen in real agents and that a client has to bear: each is played by an agent in a process of
// its own, and what must come of it stands in its row. The words in brackets say who was seen doing it. How sessions are
// taken up again has a contract of its own (`continuity.ts`), noise on the wire its place in `agents/program.test.ts`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { textOf, type Message } from '../../../src/model/message.ts';
import type { Step } from '../../agents/plays.ts';
import { play, theScripted } from './scripted.ts';
import { over, Window } from './window.ts';
import type { Passed } from './wire.ts';

const patience = { timeout: 30_000 };

/** One turn: what comes of it, as far as it matters. */
interface Turn {
  readonly what: string;
  readonly flags?: readonly string[];
  /** The name of a play, or its steps. */
  readonly play: string | readonly Step[];
  /** The kind of the choice that the person makes, or none: then they cancel. */
  readonly choose?: 'allow_always' | 'reject_once' | 'unknown' | 'cancel';
  /** The person cancels as soon as there are words. */
  readonly cancelled?: true;
  readonly reason: string;
  readonly detail?: RegExp;
  readonly text?: string | RegExp;
  readonly call?: object;
  /** What the agent is told when it asks. */
  readonly refused?: RegExp;
}

const question = { toolCallId: 'q', title: 'Write b.ts', kind: 'edit' };
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

const turns: readonly Turn[] = [
  {
    what: 'it asks without a tool call, and says nothing after a reject (gemini)',
    play: 'permission without a call',
    choose: 'reject_once',
    reason: 'end_turn',
    call: { callId: 'p2', title: 'Write b.ts', status: 'failed', permission: { choice: 'Reject', allowed: false } },
  },
  {
    what: 'it leaves the call pending on a cancel (copilot)',
    play: 'permission',
    choose: 'cancel',
    reason: 'cancelled',
    call: { callId: 'p1', status: 'cancelled', permission: { choice: null, allowed: false } },
  },
  {
    what: 'it says nothing of the call on a cancel (gemini)',
    play: 'permission without a call',
    choose: 'cancel',
    reason: 'cancelled',
    call: { callId: 'p2', status: 'cancelled', permission: { choice: null, allowed: false } },
  },
  {
    what: 'it ends as cancelled after a reject (codex)',
    play: [{ ask: { toolCall: question, options } }, { answer: { stopReason: 'cancelled' } }],
    choose: 'reject_once',
    reason: 'cancelled',
    call: { status: 'cancelled', permission: { choice: 'Reject', allowed: false } },
  },
  {
    what: 'it remembers “always” itself (claude, opencode, qwen, copilot)',
    play: 'permission',
    choose: 'allow_always',
    reason: 'end_turn',
    text: /"optionId":"ever"/,
    call: { permission: { choice: 'Always allow', allowed: true } },
  },
  {
    what: 'it has a choice of a kind that nobody knows',
    play: 'permission',
    choose: 'unknown',
    reason: 'end_turn',
    text: /"optionId":"odd"/,
    call: { permission: { choice: 'Allow on Tuesdays', allowed: false } },
  },
  {
    what: 'it does not ask before it acts (claude)',
    play: [
      {
        update: { sessionUpdate: 'tool_call', toolCallId: 'q', title: 'echo', kind: 'execute', status: 'in_progress' },
      },
      { update: { sessionUpdate: 'tool_call_update', toolCallId: 'q', status: 'completed' } },
    ],
    reason: 'end_turn',
    call: { status: 'completed' },
  },
  {
    what: 'it tells of a call only when that is over',
    play: [{ update: { sessionUpdate: 'tool_call_update', toolCallId: 'q', title: 'Orphan', status: 'completed' } }],
    reason: 'end_turn',
    call: { callId: 'q', title: 'Orphan', status: 'completed' },
  },
  {
    what: 'its terminal is its own, and told beside the call (claude, codex)',
    play: 'terminal of its own',
    reason: 'end_turn',
    call: { status: 'completed', output: [{ type: 'terminal', exit: { code: 3, signal: null } }] },
  },
  {
    what: 'its model is down, and it says so (opencode)',
    play: 'internal error',
    reason: 'failed',
    detail: /model is down/,
  },
  {
    what: 'it tries again for ever (claude, gemini, qwen)',
    play: 'hang',
    cancelled: true,
    reason: 'cancelled',
    text: 'half',
  },
  { what: 'it answers a cancel late', play: 'late cancel', cancelled: true, reason: 'cancelled', text: 'half' },
  { what: 'it ignores a cancel', play: 'ignore cancel', cancelled: true, reason: 'cancelled', text: 'half' },
  {
    what: 'it finishes in spite of a cancel',
    play: 'finish in spite',
    cancelled: true,
    reason: 'end_turn',
    text: 'halfdone',
  },
  {
    what: 'it calls a cancel an internal error (codex)',
    play: 'error on cancel',
    cancelled: true,
    reason: 'cancelled',
    detail: /aborted/,
    text: 'half',
  },
  { what: 'it ends by itself as cancelled', play: 'cancelled by itself', reason: 'cancelled' },
  { what: 'it refuses', play: 'refusal', reason: 'refusal' },
  { what: 'it ends for a reason that ACP does not have', play: 'nonsense stop', reason: 'failed', detail: /"bored"/ },
  { what: 'it ends for no reason', play: 'no stop', reason: 'failed', detail: /does not know/ },
  { what: 'its error has no words', play: 'odd error', reason: 'failed', detail: /./ },
  { what: 'it lost the session', play: 'lost session', reason: 'failed', detail: /not found/ },
  { what: 'it cannot answer prompts', play: 'no such method', reason: 'failed', detail: /not found/ },
  {
    what: 'its answer overtakes what it said before (the SDK)',
    play: [{ flood: 500 }],
    reason: 'end_turn',
    text: Array.from({ length: 500 }, (_, n) => `${n} `).join(''),
  },
  {
    what: 'it says the last words after the end (opencode)',
    play: 'late words',
    reason: 'end_turn',
    text: 'before after',
  },
  {
    what: 'it asks after the end',
    play: 'permission after the answer',
    reason: 'end_turn',
    refused: /-32602.*No turn is running/,
  },
  {
    what: 'it writes a file after the end',
    play: 'write after the answer',
    reason: 'end_turn',
    refused: /-32602.*No turn is running/,
  },
  {
    what: 'it runs a command after the end',
    play: 'terminal after the answer',
    reason: 'end_turn',
    refused: /-32602.*No turn is running/,
  },
  {
    what: 'it writes a file for a session that is not open',
    play: 'write in a session that is not open',
    reason: 'end_turn',
    refused: /-32602.*There is no session/,
  },
  { what: 'it asks without choices', play: 'permission without choices', reason: 'end_turn', text: /cancelled/ },
  { what: 'it writes what is no message', flags: ['--banner'], play: 'noise', reason: 'end_turn', text: 'still here' },
  { what: 'it writes a line of forty megabytes', play: 'long line', reason: 'end_turn', text: 'still here' },
  { what: 'its lines come in pieces', play: 'broken pieces', reason: 'end_turn', text: 'whole' },
  {
    what: 'it asks us for what nobody knows',
    play: [{ call: { method: 'x/levitate', params: {} } }],
    reason: 'end_turn',
    text: /-32601/,
  },
  {
    what: 'it takes nonsense for a question',
    play: 'question of a new mode',
    reason: 'end_turn',
    text: /decline|error|code/,
  },
  {
    what: 'it dies, and its last words say why',
    play: 'crash',
    reason: 'failed',
    detail: /ended unexpectedly \(exit code 3\)[\s\S]*out of cheese\nsecond line$/,
    text: 'half',
  },
  { what: 'it dies right after its answer', play: 'last answer', reason: 'end_turn', text: 'all' },
  { what: 'it closes its output', play: 'close output', reason: 'failed', detail: /ended/, text: 'half' },
  // Last: where no turn runs then, it is in none.
  { what: 'it goes on long after the end (claude)', play: 'much too late', reason: 'end_turn', text: 'in time' },
];

/** One window for all with the same flags: each begins where the one before left the agent. */
for (const flags of new Set(turns.map(turn => turn.flags?.join(' ') ?? '')))
  test(
    `[T4] whatever an agent does, the turn ends, and the next prompt is answered ${flags}`,
    patience,
    async group => {
      const window = await Window.open(group, theScripted('', flags === '' ? [] : [flags]));
      for (const turn of turns.filter(one => (one.flags?.join(' ') ?? '') === flags))
        await group.test(turn.what, async () => {
          const before = window.wire.passed.length;
          const answer = await run(window, turn);
          assert.equal(answer.end?.reason, turn.reason, answer.end?.detail);
          if (turn.detail) assert.match(answer.end?.detail ?? '', turn.detail);
          if (turn.text instanceof RegExp) assert.match(textOf(answer), turn.text);
          else if (turn.text !== undefined) assert.equal(textOf(answer), turn.text);
          // Before the next prompt goes out: what comes during a turn belongs to that.
          while (turn.refused && !isRefused(window.wire.passed.slice(before), turn.refused)) await setImmediate();
          const call = answer.blocks.find(({ kind }) => kind === 'toolCall');
          if (turn.call) assert.partialDeepStrictEqual(call, turn.call);
          assert.equal(textOf(await window.say(play([{ say: 'And on.' }]))), 'And on.');
          // Whatever it asked for late, it asked before it answered this.
          const errors = window.wire.passed.slice(before).filter(({ from, error }) => from === 'us' && error);
          if (turn.refused) assert.match(JSON.stringify(errors.map(({ error }) => error)), turn.refused);
        });
      await window.isKept();
    },
  );

/** The agent says what it was answered. */
function isRefused(passed: readonly Passed[], words: RegExp): boolean {
  return passed.some(({ from, method, params }) => {
    return from === 'agent' && method === 'session/update' && words.test(JSON.stringify(params));
  });
}

async function run(window: Window, { play: steps, choose, cancelled }: Omit<Turn, 'what'>): Promise<Message> {
  const { conversation } = window;
  await window.send(typeof steps === 'string' ? `play: ${steps}` : play(steps));
  if (choose) {
    const { id, choices } = await window.permission();
    const choice = choices.find(({ kind }) => kind === choose);
    if (choice) assert.ok(conversation.answerPermission(id, choice.id));
    else await conversation.cancel();
  }
  if (cancelled) {
    await window.firstWords();
    await conversation.cancel();
  }
  return over(conversation);
}
