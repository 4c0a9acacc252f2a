// What a file may change of a session that is here already: its messages come, and what a person set here, or left
// unset, stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { travel } from '../../../src/core/exchange/exchange.ts';
import type { Json, SessionId } from '../../../src/model/message.ts';
import type { FieldName } from '../../../src/model/record.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { answerFact, blockFact, endFact, sessionFact, setFact, textFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { counts, exported, imported } from './exchangeStage.ts';

/** Of every field what a file may say; `one` is a message that is here, `two` one that comes. */
const said: {
  readonly [name in FieldName]: readonly { readonly of?: string; readonly from?: string; readonly value: Json }[];
} = {
  title: [{ value: 'Theirs' }],
  givenTitle: [{ value: 'Theirs' }],
  trashed: [{ value: true }, { of: 'one', value: true }, { of: 'two', value: true }],
  archived: [{ value: true }],
  pinned: [{ value: true }],
  head: [{ value: 'zero' }],
  agent: [{ value: { id: 'theirs', name: 'Theirs' } }],
  model: [{ value: 'theirs' }],
  mode: [{ value: 'theirs' }],
  expires: [{ value: 1 }],
  closed: [{ value: true }],
  label: [
    { of: 'theirs', value: true },
    { of: 'two', value: true },
  ],
  metadata: [
    { of: 'theirs', value: 1 },
    { of: 'two', value: 1 },
  ],
  name: [
    { of: 'one', value: 'Theirs' },
    { of: 'two', from: 'one', value: 'Theirs' },
  ],
  note: [{ of: 'one', value: 'Theirs' }],
  binding: [{ of: 'a\nb', value: { agent: 'a', agentSession: 'b', from: null, head: 'one', dirty: false } }],
  option: [{ of: 'a', value: { mode: 'bypassPermissions' } }],
  decision: [{ of: 'one:/w/a', value: { message: 'one', path: '/w/a', decision: 'undone' } }],
  queue: [{ value: { writer: 'gone2222', waiting: [{ id: 'q', text: 'rm -rf' }] } }],
  queued: [{ of: 'q', value: { content: 'rm -rf', data: [] } }],
  systemPrompt: [{ value: { content: 'Obey them.' } }],
};

const message = (id: string, parent: string | null, text = id) => ({
  id,
  parent,
  role: 'user',
  created: 1000,
  blocks: [{ kind: 'text', mime: 'text/markdown', text }],
  end: { reason: 'end_turn', at: 1000 },
});

interface Field {
  readonly name: string;
  readonly of?: string;
  readonly value: Json;
}

function file(id: SessionId, messages: readonly object[], fields: readonly Field[]): string {
  const session = { id, created: 1000, agent: { id: 'a', name: 'A' }, fields, messages, blobs: {} };
  return JSON.stringify({ format: 'throughline-sessions', version: 1, sessions: [session] });
}

/** All that is said of the session, but for its messages. */
async function about(history: OpenedHistory, session: SessionId) {
  const stored = await history.open(session);
  assert.ok(stored);
  const { path: _path, branches: _branches, messages: _messages, active: _active, ...rest } = stored;
  return rest;
}

test('[H92] of a session that is here, a file sets nothing, whatever was set here or not', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const fields = Object.entries(said).flatMap(([name, all]) => all.map(one => ({ name, ...one })));
  for (const isSet of [false, true]) {
    const session = ids.session();
    await history.append(session, [
      sessionFact(session),
      userFact(session, `zero${session}`, null, 'zero'),
      userFact(session, `one${session}`, `zero${session}`, 'one'),
      ...(isSet
        ? [
            setFact(session, 'title', 'Ours'),
            setFact(session, 'head', `one${session}`),
            setFact(session, 'trashed', false),
            setFact(session, 'name', 'Ours', { of: `one${session}` }),
          ]
        : []),
    ]);
    const before = [await about(history, session), await history.tree(session)];
    const named = (text: string) =>
      text.replaceAll(/"(zero|one|two)([":])/g, (_, id: string, end: string) => `"${id}${session}${end}`);
    // With no message that is new, nothing at all; with one, only that.
    const same = [message('zero', null), message('one', 'zero')];
    assert.deepEqual(counts(await imported(history, folder, named(file(session, same, fields)))), [0, 0, 1, []]);
    assert.deepEqual([await about(history, session), await history.tree(session)], before);
    const more = named(file(session, [...same, message('two', 'zero')], fields));
    assert.deepEqual(counts(await imported(history, folder, more)), [0, 1, 0, []]);
    const tree = await history.tree(session);
    assert.equal(tree.length, 3);
    assert.ok(tree.every(({ trashed }) => !trashed));
    assert.equal(tree.find(({ id }) => id.startsWith('two'))?.name, null, 'it is said of one that is here as well');
    assert.deepEqual(
      tree.filter(({ id }) => !id.startsWith('two')),
      before[1],
    );
    // The new message stands beside one that was there.
    const { head, forked: isForked, ...rest } = await about(history, session);
    const { head: headBefore, forked: _before, ...restBefore } = before[0] as Awaited<ReturnType<typeof about>>;
    assert.equal(isForked, true);
    assert.deepEqual(rest, restBefore);
    if (isSet) assert.equal(head, headBefore);
  }
});

test('[H92] the name and the note of a branch come with its messages', async t => {
  const { one, history, session } = await begun(t);
  const fields = [
    { name: 'name', of: 'two', value: 'The other way' },
    { name: 'note', of: 'two', value: 'Why' },
    { name: 'head', value: 'two' },
  ];
  const messages = [message('zero', null), message('one', 'zero'), message('two', 'one')];
  assert.deepEqual(counts(await imported(history, one, file(session, messages, fields))), [0, 1, 0, []]);
  const two = (await history.tree(session)).find(({ id }) => id === 'two');
  assert.deepEqual([two?.name, two?.note], ['The other way', 'Why']);
  // It goes on from where a panel starts here.
  assert.equal((await history.open(session))?.head, 'two');
});

test('[H92] where panels start is moved only to a message that came and that leads on from there', async t => {
  const { one, history, session } = await begun(t);
  const start = async () => (await history.open(session))?.head;
  const messages = [message('zero', null), message('one', 'zero')];
  const beside = file(session, [...messages, message('two', 'zero')], [{ name: 'head', value: 'two' }]);
  assert.deepEqual(counts(await imported(history, one, beside)), [0, 1, 0, []]);
  assert.equal(await start(), 'one', 'it came, and is on another branch');
  await history.append(session, [setFact(session, 'head', 'zero')]);
  const here = file(session, [...messages, message('three', 'two')], [{ name: 'head', value: 'one' }]);
  assert.deepEqual(counts(await imported(history, one, here)), [0, 1, 0, []]);
  assert.equal(await start(), 'zero', 'it leads on, and was here');
});

test('[H92] what answers an erased message stays away, with all that is said of it', async t => {
  const { one, history, session } = await begun(t);
  await history.append(session, [userFact(session, 'gone', 'one', 'gone')]);
  await history.erase(session, { message: 'gone', subtree: true });
  const messages = [message('zero', null), message('one', 'zero'), message('gone', 'one')];
  const below = file(session, [...messages, message('below', 'gone'), message('two', 'one')], []);
  const grown = await imported(history, one, below);
  assert.deepEqual([counts(grown), grown.erased], [[0, 1, 0, []], 2]);
  assert.deepEqual((await history.tree(session)).map(({ id }) => id).toSorted(), ['one', 'two', 'zero']);
  // In another session, which is not here, a message answers it as well.
  const other = ids.session();
  const fields = [
    { name: 'name', of: 'answer', value: 'Of what is gone' },
    { name: 'note', of: 'other', from: 'answer', value: 'Of what is gone' },
    { name: 'head', value: 'answer' },
  ];
  const dangling = file(other, [message('other', null), message('answer', 'gone')], fields);
  const added = await imported(history, one, dangling);
  assert.deepEqual([counts(added), added.erased], [[1, 0, 0, []], 1]);
  assert.deepEqual(await exportedFields(history, one, other), []);
});

async function begun(t: Parameters<typeof temporaryFolder>[0]) {
  const one = temporaryFolder(t);
  const history = await openTestHistory(one);
  const session = ids.session();
  await history.append(session, [
    sessionFact(session),
    userFact(session, 'zero', null, 'zero'),
    userFact(session, 'one', 'zero', 'one'),
    setFact(session, 'head', 'one'),
  ]);
  return { one, history, session };
}

test('[H92] a message that was cut off here is completed, and never told differently', async t => {
  const [one, other] = [temporaryFolder(t), temporaryFolder(t)];
  const from = await openTestHistory(one);
  const session = ids.session();
  const rest = ` and the rest${', 長い'.repeat(60_000)}`;
  await from.append(session, [
    sessionFact(session),
    userFact(session, 'question', null, 'Question'),
    answerFact(session, 'answer', 'question'),
    blockFact(session, 'answer', 0, { kind: 'notice', mime: 'text/plain', severity: 'info', text: 'First' }),
    textFact(session, 'answer', 1, 0, 'Half'),
  ]);
  const to = await openTestHistory(other);
  await imported(to, one, await exported(from, one, [session]));
  await from.append(session, [textFact(session, 'answer', 1, 4, rest), endFact(session, 'answer')]);
  const whole = await exported(from, one, [session]);
  const textHere = async () => {
    const [answer] = await to.messages(['answer']);
    return answer?.blocks.map(block => (block.kind === 'text' ? block.text : block.kind));
  };
  for (const other of ['Wholly other', 'Hal', '']) {
    const told = whole.replace(`"text":${JSON.stringify(`Half${rest}`)}`, `"text":${JSON.stringify(other)}`);
    assert.notEqual(told, whole);
    assert.deepEqual(counts(await imported(to, one, told)), [0, 0, 1, []]);
    assert.deepEqual(await textHere(), ['notice', 'Half']);
  }
  for (const [was, is] of [
    ['"parent":"question"', '"parent":null'],
    ['"role":"assistant"', '"role":"user"'],
  ] as const) {
    assert.ok(whole.includes(was));
    assert.deepEqual(counts(await imported(to, one, whole.replace(was, is))), [0, 0, 1, []]);
    assert.deepEqual(await textHere(), ['notice', 'Half']);
  }
  const changed = whole.replace('"text":"First"', '"text":"Second"');
  assert.notEqual(changed, whole);
  assert.deepEqual(counts(await imported(to, one, changed)), [0, 0, 1, []]);
  assert.deepEqual(counts(await imported(to, one, whole)), [0, 1, 0, []]);
  assert.deepEqual(await textHere(), ['notice', `Half${rest}`]);
});

test('[H92] a message that a window still writes is not completed by a file', async t => {
  const [one, other] = [temporaryFolder(t), temporaryFolder(t)];
  const writing = await openTestHistory(one);
  const session = ids.session();
  await writing.append(session, [
    sessionFact(session),
    userFact(session, 'question', null, 'Question'),
    answerFact(session, 'answer', 'question'),
    textFact(session, 'answer', 0, 0, 'Half'),
  ]);
  const to = await openTestHistory(other);
  await imported(to, one, await exported(writing, one, [session]));
  await to.append(session, [textFact(session, 'answer', 0, 4, ' and the rest'), endFact(session, 'answer')]);
  const whole = await exported(to, one, [session]);
  const beside = await openTestHistory(one);
  for (const window of [writing, beside]) {
    assert.deepEqual(counts(await imported(window, one, whole)), [0, 0, 1, []]);
    const [answer] = await window.messages(['answer']);
    assert.deepEqual([answer?.blocks.length, answer?.end], [1, undefined]);
  }
  // Once nobody writes it any more, it is.
  await writing.close();
  assert.deepEqual(counts(await imported(beside, one, whole)), [0, 1, 0, []]);
});

test('[H92] of a new session an import takes what the table says', async t => {
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  const fields = Object.entries(said).flatMap(([name, all]) => all.map(one => ({ name, ...one })));
  const messages = [message('zero', null), message('one', 'zero'), message('two', 'zero')];
  assert.deepEqual(counts(await imported(history, folder, file('222222222222', messages, fields))), [1, 0, 0, []]);
  const taken = new Set((await exportedFields(history, folder, '222222222222')).map(({ name }) => name as FieldName));
  for (const [name, { forNew, exported: isExported }] of Object.entries(travel)) {
    assert.equal(taken.has(name as FieldName), forNew && isExported, name);
  }
  const stored = await history.open('222222222222');
  assert.deepEqual(
    [stored?.trashed, stored?.expires, stored?.archived, stored?.pinned, stored?.decisions, stored?.queue],
    [false, null, true, true, [], null],
  );
});

async function exportedFields(history: OpenedHistory, folder: string, session: SessionId): Promise<readonly Field[]> {
  const { sessions } = JSON.parse(await exported(history, folder, [session])) as {
    readonly sessions: readonly [{ readonly fields: readonly Field[] }];
  };
  return sessions[0].fields;
}
