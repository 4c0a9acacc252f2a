// What completes, attaches and recalls in the composer, without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attachment } from '../../../src/model/attachment.ts';
import { fitting } from '../../../src/model/fuzzy.ts';
import type { Intent } from '../../../src/model/intent.ts';
import type { HostEvent } from '../../../src/model/wire.ts';
import { commandChoices } from '../../../src/webview/composing/choices.ts';
import { completingAt, withTaken } from '../../../src/webview/composing/completing.ts';
import { contextWords } from '../../../src/webview/composing/contextWords.ts';
import { urisIn } from '../../../src/webview/composing/intake.ts';
import { isOfBox } from '../../../src/webview/composing/boxKeys.ts';
import { sendKey, sends } from '../../../src/webview/composing/keys.ts';
import { asSent, asTyped, ourCommandIn } from '../../../src/webview/composing/ourCommands.ts';
import { createRecall, saidBy } from '../../../src/webview/composing/recall.ts';
import { createOutbox } from '../../../src/webview/composing/outbox.ts';
import { message, place, transcript } from './fixture.ts';

const snapshot: HostEvent = { type: 'snapshot', transcript, place, draft: '' };
const file = (id: string, name = `${id}.go`): Attachment => ({ id, kind: 'file', name, folder: 'src' });

test('[W40] a command is completed at the beginning and a file after @, and nowhere else', () => {
  // The caret is where the bar stands.
  const rows: readonly (readonly [string, string | null])[] = [
    ['/|', 'command 0-1 '],
    ['/comp|', 'command 0-5 comp'],
    ['/co|mp', 'command 0-5 co'],
    ['/comp |', null],
    ['say /comp|', null],
    ['@|', 'file 0-1 '],
    ['look at @src/re|', 'file 8-15 src/re'],
    ['(@re|)', 'file 1-5 re'],
    ['ada@example|', null],
    ['@one two|', null],
    ['first\n@re|', 'file 6-9 re'],
    ['|', null],
  ];
  for (const [written, expected] of rows) {
    const caret = written.indexOf('|');
    const at = completingAt(written.replace('|', ''), caret);
    assert.equal(at && `${at.kind} ${at.from}-${at.to} ${at.typed}`, expected, written);
  }
});

test('[W40] what is taken stands in the place of what was typed, and one goes on behind it', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['look at @re|', '@retry.go', 'look at @retry.go |'],
    ['look at @re| and fix', '@retry.go', 'look at @retry.go |and fix'],
    ['/com|', '', '|'],
  ];
  for (const [written, words, expected] of rows) {
    const caret = written.indexOf('|');
    const text = written.replace('|', '');
    const at = completingAt(text, caret);
    assert.ok(at);
    const edited = withTaken(text, at, words);
    assert.equal(`${edited.text.slice(0, edited.caret)}|${edited.text.slice(edited.caret)}`, expected);
  }
});

test('[W40] every typed word must fit, the best first', () => {
  const rows: readonly (readonly [readonly string[], string, readonly string[]])[] = [
    [['a', 'b'], '', ['a', 'b']],
    [['src/retry/x.go', 'src/retry.go', 'retry.go'], 'RETRY.go', ['retry.go', 'src/retry.go', 'src/retry/x.go']],
    [['docs/order.md', 'orders/retry.go'], 'ord ret', ['orders/retry.go']],
    [['r-e-t.go', 'ret.go', 'aret.go'], 'ret', ['ret.go', 'aret.go', 'r-e-t.go']],
    [['a.go'], 'z', []],
  ];
  for (const [items, typed, expected] of rows)
    assert.deepEqual(
      fitting(items, typed, item => item),
      expected,
    );
});

test('[W41] [W100] our commands are known by their first word and stand over an agent’s own', () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['/new', 'new||'],
    [' /clear  and then', 'clear||and then'],
    ['/compact\nmore', 'compact||more'],
    ['/fork', 'fork||'],
    ['/export now', 'export||now'],
    ['/title', 'title||'],
    ['/title  Orders \n and retries', 'title|Orders \n and retries|'],
    ['/newer', null],
    ['//new', null],
    ['say /new', null],
    ['/', null],
  ];
  for (const [text, expected] of rows) {
    const ours = ourCommandIn(text);
    assert.equal(ours && `${ours.command.name}|${ours.words}|${ours.rest}`, expected, text);
  }
  const title = ourCommandIn('/title  Orders \n and retries ');
  assert.deepEqual(title?.command.intent('s', title.words), {
    type: 'giveTitle',
    session: 's',
    title: 'Orders and retries',
  });
});

const agents = [
  { name: 'clear', description: 'theirs', hint: null },
  { name: 'review', description: 'Looks\u001b[1m at it', hint: 'what' },
  { name: 'two words', description: '', hint: null },
];

test('[W100] the list has ours first, and an agent’s command of the same name with two slashes', () => {
  const choices = commandChoices(agents, '', 'Coder');
  assert.deepEqual(
    choices.map(({ name }) => name),
    ['/new', '/clear', '/history', '/fork', '/title', '/export', '/compact', '//clear', '/review'],
  );
  assert.deepEqual(
    choices.slice(7).map(({ more }) => more),
    ['Coder’s own · theirs', 'what · Looks at it'],
  );
  for (const typed of ['cl', '/cl'])
    assert.deepEqual(
      commandChoices(agents, typed, 'Coder').map(({ name }) => name),
      ['/clear', '//clear'],
    );
});

test('[W100] an agent’s own command goes out with one slash, and is brought back with two', () => {
  const rows: readonly (readonly [typed: string, sent: string])[] = [
    ['//clear all', '/clear all'],
    [' //clear', ' /clear'],
    // The agent has no such command, or we have none of that name.
    ['//new', '//new'],
    ['//review', '//review'],
    ['/review it', '/review it'],
    ['/unknown', '/unknown'],
    ['see //clear', 'see //clear'],
  ];
  for (const [typed, sent] of rows) {
    assert.equal(asSent(typed, agents), sent);
    assert.equal(asTyped(sent), typed);
  }
  assert.deepEqual(saidBy([message('1', null, 'user', '/clear all')]), ['//clear all']);
  const { outbox, last } = open();
  outbox.draft.value = '//clear';
  outbox.send('s', asSent('//clear', agents));
  const sent = last();
  assert.ok(sent?.type === 'sendPrompt');
  assert.equal(sent.text, '/clear');
  outbox.hear({ type: 'refused', request: sent.request, words: 'no' });
  assert.equal(outbox.draft.value, '//clear', 'refused words are what was typed');
  outbox.draft.value = '';
  outbox.edit('s', { id: 'q', text: '/clear' });
  assert.equal(outbox.draft.value, '//clear', 'words of the queue are what was typed');
});

test('[W43] Up in an empty box brings back what was said, and never takes the place of what is typed', () => {
  const said = saidBy([
    message('1', null, 'user', 'one'),
    message('2', '1', 'assistant', 'x'),
    message('3', '2', 'user', 'two'),
    message('4', '3', 'user', 'two'),
  ]);
  assert.deepEqual(said, ['one', 'two']);
  const { key } = createRecall();
  const rows: readonly (readonly [string, string, string | null])[] = [
    ['ArrowDown', '', null],
    ['ArrowUp', '', 'two'],
    ['ArrowUp', 'two', 'one'],
    ['ArrowUp', 'one', 'one'],
    ['ArrowDown', 'one', 'two'],
    ['ArrowDown', 'two', ''],
    ['ArrowUp', 'typed', null],
    ['ArrowUp', '', 'two'],
    ['ArrowUp', 'two and more', null],
    ['ArrowDown', 'two and more', null],
  ];
  for (const [at, [pressed, text, expected]] of rows.entries())
    assert.equal(key(pressed, text, said), expected, `${at}`);
  assert.equal(createRecall().key('ArrowUp', '', []), null);
});

test('[W44] the key of the setting sends, and none while an input method composes', () => {
  const usual = { key: 'Enter', shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 };
  const rows: readonly (readonly [Partial<typeof usual>, boolean, boolean])[] = [
    [{}, true, false],
    [{ shiftKey: true }, false, false],
    [{ ctrlKey: true }, true, true],
    [{ metaKey: true }, true, true],
    [{ isComposing: true, ctrlKey: true }, false, false],
    [{ keyCode: 229 }, false, false],
    [{ key: 'a', ctrlKey: true }, false, false],
  ];
  for (const [pressed, byEnter, byBoth] of rows) {
    assert.equal(sends({ ...usual, ...pressed }, undefined), byEnter, JSON.stringify(pressed));
    assert.equal(sends({ ...usual, ...pressed }, 'ctrlEnter'), byBoth, JSON.stringify(pressed));
  }
  assert.deepEqual(
    [sendKey(undefined, true), sendKey('ctrlEnter', false), sendKey('ctrlEnter', true)],
    ['Enter', 'Ctrl+Enter', 'Cmd+Enter'],
  );
});

test('[W46] what is the business of a box is told by its key', () => {
  const pressed = (key: string, ctrlKey = false, metaKey = false) => isOfBox({ key, ctrlKey, metaKey });
  for (const key of ['a', 'A', 'z', 'Z', 'y']) assert.ok(pressed(key, true) && pressed(key, false, true), key);
  for (const key of ['a', 'z']) assert.equal(pressed(key), false);
  for (const key of ['f', 'v', 'Enter']) assert.equal(pressed(key, true), false);
});

test('[W45] how full the context is reads plainly', () => {
  const rows: readonly (readonly [number, number, string])[] = [
    [0, 900, '0 of 900 tokens'],
    [12_345, 200_000, '12k of 200k tokens'],
    [1500, 999_999, '1.5k of 1M tokens'],
  ];
  for (const [used, size, words] of rows) assert.equal(contextWords(used, size), words);
});

test('[W46] of what is dropped by its address, only files are taken', () => {
  const list = '# a comment\r\nfile:///x/a.go\r\nhttps://example.com/\nvscode-remote://host/x/b.go\n';
  assert.deepEqual(urisIn(list), ['file:///x/a.go', 'vscode-remote://host/x/b.go']);
});

function open() {
  const posted: Intent[] = [];
  const outbox = createOutbox(intent => posted.push(intent));
  outbox.hear(snapshot);
  const names = () => outbox.attached.chips.value.map(({ name }) => name);
  const last = () => posted.at(-1);
  return { posted, outbox, names, last };
}

test('[W42] what is attached goes with the words and comes back with them', () => {
  const { outbox, names, last } = open();
  outbox.attached.add(file('a'));
  outbox.attached.add(file('a'));
  outbox.attached.add(file('b'));
  assert.deepEqual(names(), ['a.go', 'b.go']);
  outbox.attached.remove('b');
  outbox.draft.value = 'look';
  outbox.send('s');
  const sent = last();
  assert.ok(sent?.type === 'sendPrompt');
  assert.deepEqual(sent.attached, ['a']);
  assert.deepEqual(names(), []);
  outbox.hear({ type: 'refused', request: sent.request, words: 'no' });
  assert.deepEqual([outbox.draft.value, names()], ['look', ['a.go']]);
  outbox.send('s');
  const again = last();
  assert.ok(again?.type === 'sendPrompt');
  outbox.attached.add(file('c'));
  outbox.hear({ type: 'refused', request: again.request, words: 'no' });
  assert.deepEqual([outbox.draft.value, names()], ['', ['c.go']], 'what is in the composer by then stays');
  outbox.restore();
  assert.deepEqual([outbox.draft.value, names()], ['look', ['a.go', 'c.go']]);
});

const picture = { name: 'p.png', base64: 'AAAA', preview: 'data:image/png;base64,AAAA' };
const picked: Attachment = { ...file('p', 'p.png'), kind: 'image' };

test('[W42] what is sent while something is being attached goes out with it, once the host has named it', () => {
  const { posted, outbox, last } = open();
  outbox.draft.value = 'look';
  outbox.attached.givePicture('s', picture);
  const given = last();
  assert.ok(given?.type === 'attachPicture');
  outbox.send('s');
  outbox.send('s');
  outbox.hear({ type: 'attached', request: 'of another panel', attachment: file('x') });
  assert.deepEqual([posted.length, outbox.draft.value], [1, 'look']);
  outbox.hear({ type: 'attached', request: given.request, attachment: picked });
  const sent = posted.filter(intent => intent.type === 'sendPrompt');
  assert.deepEqual(
    sent.map(({ text, attached }) => [text, attached]),
    [['look', ['p']]],
  );
  assert.equal(outbox.draft.value, '');
});

test('[W42] what the host does not take, and what was written after, keeps the words in the composer', () => {
  for (const [after, isTaken] of [
    ['look', false],
    ['look again', true],
  ] as const) {
    const { posted, outbox, names, last } = open();
    outbox.draft.value = 'look';
    outbox.attached.givePicture('s', picture);
    const given = last();
    assert.ok(given?.type === 'attachPicture');
    outbox.send('s');
    outbox.draft.value = after;
    const { request } = given;
    if (isTaken) outbox.hear({ type: 'attached', request, attachment: picked });
    else outbox.hear({ type: 'notAttached', request, words: 'It takes no images.' });
    assert.deepEqual([names(), outbox.draft.value], [isTaken ? ['p.png'] : [], after]);
    assert.equal(outbox.attached.trouble.value, isTaken ? null : 'It takes no images.');
    assert.ok(posted.every(({ type }) => type !== 'sendPrompt'));
    outbox.send('s');
    const sent = posted.find(intent => intent.type === 'sendPrompt');
    assert.deepEqual([sent?.text, sent?.attached], [after, isTaken ? ['p'] : undefined]);
  }
});

test('[W42] who takes away what is being attached is not sent for, then or with the next attachment', () => {
  const { posted, outbox, last } = open();
  outbox.draft.value = 'look';
  outbox.attached.givePicture('s', picture);
  const first = last();
  assert.ok(first?.type === 'attachPicture');
  outbox.send('s');
  outbox.attached.remove(first.request);
  outbox.hear({ type: 'attached', request: first.request, attachment: picked });
  outbox.attached.givePicture('s', picture);
  const second = last();
  assert.ok(second?.type === 'attachPicture');
  outbox.hear({ type: 'attached', request: second.request, attachment: picked });
  assert.ok(posted.every(({ type }) => type !== 'sendPrompt'));
  assert.equal(outbox.draft.value, 'look');
});

test('[W42] what waits in the queue comes back with the words that are edited, and not twice', () => {
  const { outbox, names } = open();
  const block = { kind: 'resource', mime: '', uri: 'file:///x/a.go', name: 'a.go' } as const;
  const queued = { id: 'q', text: 'next', attached: [{ id: 'a', block }] };
  outbox.attached.add(file('mine'));
  outbox.edit('s', queued);
  assert.deepEqual(names(), ['a.go', 'mine.go']);
  outbox.hear({ type: 'messageAdded', message: message('n', 'a', 'user', 'next'), request: 'q' });
  assert.deepEqual([outbox.draft.value, names()], ['', ['mine.go']]);
});

test('[W42] what is attached to words that are not sent is told to a page that is made anew, for its session', () => {
  const { posted, outbox, names } = open();
  const kept = () =>
    posted.flatMap(intent => (intent.type === 'keepAttached' ? [`${intent.session}: ${intent.attached.join()}`] : []));
  outbox.draft.value = 'look';
  outbox.attached.add(file('a'));
  outbox.attached.add(file('b'));
  outbox.attached.remove('a');
  assert.deepEqual(kept(), ['s: a', 's: a,b', 's: b']);
  outbox.hear({ ...snapshot, transcript: { ...transcript, session: 'other', queue: [] }, attached: [file('c')] });
  assert.deepEqual(names(), ['c.go']);
  assert.equal(kept().length, 3, 'the host has it already');
  outbox.hear({ ...snapshot, draft: 'look', attached: [file('b')] });
  assert.deepEqual(names(), ['b.go']);
  outbox.send('s');
  assert.equal(kept().length, 3, 'what is on its way is kept');
  const sent = posted.at(-1);
  assert.ok(sent?.type === 'sendPrompt');
  outbox.hear({ type: 'messageAdded', message: message('n', 'a', 'user', 'look'), request: sent.request });
  assert.deepEqual(kept().slice(3), ['s: '], 'what arrived is no draft any more');
  outbox.hear({
    ...snapshot,
    transcript: { ...transcript, session: 'third' },
    attached: [{ ...file('d'), gone: true }],
  });
  assert.deepEqual(
    outbox.attached.chips.value.map(({ id, gone, preview }) => [id, gone, preview]),
    [['d', true, null]],
  );
});
