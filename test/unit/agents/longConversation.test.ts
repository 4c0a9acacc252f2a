// A conversation of two hundred turns with a model that takes little at once: a real conversation in a real history, the
// loop, and a server that keeps what it was told. Every fifth turn a file is read.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tokensOfMessage, usualNewest } from '../../../src/core/conversation/fitting.ts';
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

async function run(t: TestContext, whenLong: 'leaveOut' | 'summarise', newest = usualNewest) {
  const { address, bodies } = await serve(t, model200);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'data.txt'), 'a line of data\n'.repeat(100));
  const setting = at(address, { models: [{ ...model, contextWindow: window }] });
  const agent = program(t, setting, { whenLong: () => whenLong, newestKept: () => newest }, folder);
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
  const said = conversation.transcript.messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
  assert.ok(said > 3 * window, `${said} tokens were said, and ${window} go at once`);
  const told = main.map(({ raw }) => toldIn(raw));
  for (const { first, newest: last, turn } of told) {
    assert.ok(first, `the first prompt in turn ${turn}`);
    assert.ok(last >= Math.min(newest, 2 * turn), `${last} of the newest in turn ${turn}`);
  }
  assert.equal(new Set(told.map(({ turn }) => turn)).size, turns);
  return { main, told, requests, shown, conversation, history };
}

/** What of the path a request has: the newest messages in a row, and what is named as left out. */
function toldIn(raw: string) {
  const turn = Math.max(...[...raw.matchAll(/prompt-(\d+):/g)].map(([, n]) => Number(n)));
  const path = Array.from(
    { length: 2 * turn },
    (_, at) => `${at % 2 === 0 ? 'prompt' : 'answer'}-${Math.floor(at / 2)}:`,
  );
  const absent = path.filter(words => !raw.includes(words));
  const newest = path.length - 1 - path.findLastIndex(words => absent.includes(words));
  const named = Number(/\[(\d+) messages? of this conversation are left out here/.exec(raw)?.[1] ?? 0);
  return { turn, first: raw.includes('prompt-0:'), newest, absent: absent.length, named };
}

test(
  '[A54] [A55] over 200 turns, what does not fit is left out and named, and the first and the newest stay',
  patience,
  async t => {
    const { main, told, shown } = await run(t, 'leaveOut');
    const cut = main.filter(({ raw }) => raw.includes('are left out here, to make room'));
    assert.ok(cut.length > turns / 2, `${cut.length}`);
    for (const { turn, absent, named } of told) assert.equal(named, absent, `turn ${turn}`);
    // The line is true: it said so exactly where something was left out.
    const first = shown.findIndex(kind => kind === 'reseeded');
    assert.ok(first > 5);
    assert.ok(shown.slice(1, first).every(kind => kind === 'remembers'));
    assert.ok(shown.slice(first).every(kind => kind === 'reseeded'));
  },
);

test(
  '[A54] [A56] over 200 turns, what does not fit is summarised but for the newest, and the summaries are in the tree',
  patience,
  async t => {
    const { requests, main, conversation, history } = await run(t, 'summarise', 9);
    const compactions = requests.filter(({ body }) => body.tools === undefined).length;
    assert.ok(compactions >= 3 && compactions < turns / 6, `${compactions} summaries`);
    assert.ok(main.every(({ raw }) => !raw.includes('are left out here')));
    const last = main.at(-1)?.raw ?? '';
    assert.match(last, /summary-of/);
    const path = (await history.open(conversation.session))?.path ?? [];
    const kept = path
      .flatMap(({ blocks }) => blocks)
      .filter(block => block.kind === 'notice' && block.extra?.['compacted'] === true);
    assert.ok(kept.length >= 3);
  },
);

test('[A56] where the newest leave no room for a summary, none is written, and the line says what goes', async t => {
  const { address, bodies } = await serve(t, model200);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'data.txt'), 'a line of data\n');
  const setting = at(address, { models: [{ ...model, contextWindow: window }] });
  const agent = program(t, setting, { whenLong: () => 'summarise', newestKept: () => 1000 }, folder);
  const place = () => ({ cwd: folder, alsoIn: [] });
  const history = await openTestHistory(temporaryFolder(t));
  const conversation = converse(history, agent, new FixedClock(), { id: ids.session() }, { place });
  for (let n = 0; n < 60; n++) {
    await conversation.send(promptOf(n));
    await settled(conversation);
  }
  const requests = bodies.map(raw => ({ ...toldIn(raw), isSummary: !raw.includes('"tools"') }));
  assert.ok(requests.every(({ isSummary }) => !isSummary));
  const last = requests.at(-1);
  assert.ok(last && !last.first && last.named === last.absent && last.newest > 20, JSON.stringify(last));
  const { continuity, messages } = conversation.transcript;
  assert.ok(continuity.kind === 'reseeded' && continuity.of === messages.length, JSON.stringify(continuity));
});
