// A conversation of two hundred turns with a model that takes little at once: a real conversation in a real history, the
// loop, and a server that keeps what it was told. Every fifth turn a file is read.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tokensOf } from '../../../src/core/conversation/tokens.ts';
import { converse, settled } from '../conversation/stage.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { at, model, program, says, serve, uses, type Answer } from './modelStage.ts';

interface Body {
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly unknown[];
}

const turns = 200;
const window = 12_000;
const patience = { timeout: 240_000 };

/** The prompt of turn `n`, which stands nowhere else. */
function promptOf(n: number): string {
  return `prompt-${n}: ${'some words of this turn '.repeat(12)}`;
}

const model200: Answer = (response, raw, request) => {
  const { messages, tools } = JSON.parse(raw) as Body;
  const last = messages.at(-1);
  if (!tools) return says(`summary-of(${/prompt-\d+/.exec(raw)?.[0] ?? ''})`)(response, raw, request);
  const n = Number(
    /prompt-(\d+)(?!.*prompt-\d)/s.exec(JSON.stringify(messages.filter(({ role }) => role === 'user').at(-1)))?.[1],
  );
  if (n % 5 === 0 && last?.role === 'user') return uses('read_file', '{"path":"data.txt"}')(response, raw, request);
  return says(`answer-${n}: ${'what is to be said of it '.repeat(20)}`)(response, raw, request);
};

async function run(t: TestContext, whenLong: 'leaveOut' | 'summarise') {
  const { address, bodies } = await serve(t, model200);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'data.txt'), 'a line of data\n'.repeat(100));
  const setting = at(address, { models: [{ ...model, contextWindow: window }] });
  const agent = program(t, setting, { whenLong: () => whenLong }, folder);
  const history = await openTestHistory(temporaryFolder(t));
  const place = () => ({ cwd: folder, alsoIn: [] });
  const conversation = converse(history, agent, new FixedClock(), { id: ids.session() }, { place });
  const shown: string[] = [];
  for (let n = 0; n < turns; n++) {
    assert.deepEqual(await conversation.send(promptOf(n)), { sent: true });
    await settled(conversation);
    const answer = conversation.transcript.messages.at(-1);
    assert.equal(answer?.end?.reason, 'end_turn', `${n}: ${answer?.end?.detail}`);
    shown.push(conversation.transcript.continuity.kind);
  }
  const requests = bodies.map(body => ({ raw: body, body: JSON.parse(body) as Body }));
  const main = requests.filter(({ body }) => body.tools !== undefined);
  assert.ok(main.some(({ raw }) => raw.includes('a line of data')));
  for (const { raw, body } of requests) {
    assert.ok(tokensOf(raw) <= window, `${tokensOf(raw)} tokens`);
    const results = new Set(body.messages.flatMap(one => one.tool_call_id ?? []));
    const used = body.messages.flatMap(one => one.tool_calls ?? []).map(({ id }) => id);
    assert.deepEqual(
      used.filter(id => !results.has(id)),
      [],
    );
    assert.equal(used.length, results.size);
  }
  for (let n = 1; n < turns; n++) {
    const asked = main.findLast(({ raw }) => raw.includes(promptOf(n)) && !raw.includes(promptOf(n + 1)));
    assert.ok(asked, `turn ${n}`);
    assert.ok(asked.raw.includes(`answer-${n - 1}:`), `the answer before turn ${n}`);
  }
  return { main, requests, shown, conversation, history };
}

test(
  '[A54] [A55] over 200 turns, what does not fit is left out and named, and the first and the newest stay',
  patience,
  async t => {
    const { main, shown } = await run(t, 'leaveOut');
    const cut = main.filter(({ raw }) => raw.includes('are left out here, to make room'));
    assert.ok(cut.length > turns / 2, `${cut.length}`);
    for (const { raw } of main) assert.ok(raw.includes('prompt-0:'));
    const named = cut.map(({ raw }) => Number(/\[(\d+) messages? of this conversation/.exec(raw)?.[1]));
    assert.ok((named.at(-1) ?? 0) > 300 && (named[0] ?? 0) < 20, named.join(' '));
    // The line is true: it said so exactly where something was left out.
    const first = shown.findIndex(kind => kind === 'reseeded');
    assert.ok(first > 5);
    assert.ok(shown.slice(1, first).every(kind => kind === 'remembers'));
    assert.ok(shown.slice(first).every(kind => kind === 'reseeded'));
  },
);

test('[A54] over 200 turns, what does not fit is summarised, and the summaries are in the tree', patience, async t => {
  const { requests, main, conversation, history } = await run(t, 'summarise');
  const compactions = requests.filter(({ body }) => body.tools === undefined).length;
  assert.ok(compactions >= 3, `${compactions} summaries`);
  assert.ok(main.every(({ raw }) => !raw.includes('are left out here')));
  const last = main.at(-1)?.raw ?? '';
  assert.match(last, /summary-of/);
  const path = (await history.open(conversation.session))?.path ?? [];
  const kept = path
    .flatMap(({ blocks }) => blocks)
    .filter(block => block.kind === 'notice' && block.extra?.['compacted'] === true);
  assert.ok(kept.length >= 3);
});
