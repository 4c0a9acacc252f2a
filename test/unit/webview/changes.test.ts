// The words of what a turn changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asForeign, type Decision, type FileChange, type FileState } from '../../../src/model/changes.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import { changedIn } from '../../../src/webview/changes/changed.ts';
import {
  decisionsOn,
  fileTitle,
  heading,
  offersFor,
  pathWords,
  statusWords,
  sumOf,
} from '../../../src/webview/changes/changeWords.ts';
import { turnNews } from '../../../src/webview/words.ts';
import { transcript } from './fixture.ts';

const is = { sha256: 'x', size: 1 };
const file: FileState = { kind: 'file', is, content: is };
const large: FileState = { kind: 'file', is };
const absent: FileState = { kind: 'absent' };
const unknown: FileState = { kind: 'unknown' };

function change(before: FileState, after: FileState, more: Partial<FileChange> = {}): FileChange {
  return { path: '/home/n/shop/orders/process.go', before, after, seen: 'written', ...more };
}

test('[W21] the name of a file comes first, and its end is never cut', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['/home/n/shop/orders/process.go', 'pr|ocess.go', 'shop/orders'],
    ['C:\\work\\shop\\a.ts', '|a.ts', 'work/shop'],
    ['/Makefile', 'Mak|efile', ''],
    ['/w/.gitignore', '.giti|gnore', 'w'],
    ['/w/a\u001b[1mb\u202e.go', 'ab⟦U+|202E⟧.go', 'w'],
  ];
  for (const [path, name, folder] of rows) {
    const words = pathWords(path);
    assert.deepEqual([`${words.stem}|${words.ending}`, words.folder], [name, folder]);
    assert.ok(words.full.endsWith(words.stem + words.ending));
  }
});

test('[W21] a file in a folder of the window is called as it is called there', () => {
  const rows: readonly (readonly [string, readonly string[], string])[] = [
    ['/home/n/shop/made.txt', ['/home/n/shop'], ''],
    ['/home/n/shop/shop/deep/in/it/a.go', ['/home/n/shop'], 'shop/deep/in/it'],
    ['/home/n/shopping/list/a.go', ['/home/n/shop'], 'shopping/list'],
    ['/home/n/store/made.txt', ['/home/n/shop', '/home/n/store'], 'store'],
    ['c:\\work\\shop\\in\\a.ts', ['c:\\work\\shop'], 'in'],
  ];
  for (const [path, roots, folder] of rows) assert.equal(pathWords(path, roots).folder, folder, path);
});

test('[W21] a letter says what became of a file, and its title what is not known', () => {
  const rows: readonly (readonly [FileChange, Decision | undefined, string, string])[] = [
    [change(file, file), undefined, 'M', 'Modified'],
    [change(absent, file), 'kept', 'A', 'Added|Kept'],
    [change(file, absent), 'undone', 'D', 'Deleted|Undone'],
    [change(file, file, { seen: 'disk' }), undefined, 'M', 'Modified, seen on disk'],
    [change(unknown, file), undefined, 'M', 'Modified|What was there before is not known'],
    [change(large, file), undefined, 'M', 'Modified|What was there before was not kept'],
    [change(file, unknown), undefined, 'M', 'Modified|What it became is not known'],
    [change(file, large), 'undone', 'M', 'Modified|What it became was not kept, so it cannot be made again|Undone'],
  ];
  for (const [one, decision, letter, title] of rows) {
    assert.equal(statusWords(one).letter, letter);
    assert.equal(fileTitle(one, decision), `${one.path}\n${title.replaceAll('|', '\n')}`);
  }
});

test('[W21] the sum is of the files of which it is known', () => {
  assert.equal(sumOf([change(file, file)]), null);
  const counted = (added: number, removed: number) => change(file, file, { lines: { added, removed } });
  assert.deepEqual(sumOf([counted(20, 3), change(file, file), counted(4, 4)]), { added: 24, removed: 7 });
});

test('[W21] the heading says what was decided, and offers what is left', () => {
  const rows: readonly (readonly [
    readonly FileChange[],
    readonly (Decision | undefined)[],
    boolean,
    string,
    string,
  ])[] = [
    [[change(file, file)], [undefined], false, '1 file changed', 'undo keep'],
    [[change(file, file), change(absent, file)], [undefined, undefined], true, '2 files changed', ''],
    [[change(file, file), change(absent, file)], ['kept', undefined], false, '2 files changed', 'undo keep'],
    [[change(file, file), change(unknown, file)], ['undone', undefined], false, '2 files changed', 'keep'],
    [[change(file, file), change(absent, file)], ['kept', 'kept'], false, '2 files changed, kept', 'undo'],
    [[change(unknown, file)], ['kept'], false, '1 file changed, kept', ''],
    [[change(file, file)], ['undone'], false, '1 file changed, undone', 'redo'],
    [[change(file, large)], ['undone'], false, '1 file changed, undone', ''],
  ];
  for (const [files, decisions, running, words, offers] of rows) {
    const found = heading(files, decisions, running);
    assert.deepEqual([found.words, found.offers.join(' ')], [words, offers]);
    assert.equal(found.isKept, words.endsWith('kept'));
  }
});

test('[W110] an imported change offers no decision, and is shown as it was', () => {
  const foreign = asForeign(change(absent, file));
  for (const one of [foreign, change(absent, { kind: 'file', is, elsewhere: is })]) {
    for (const decision of [undefined, 'kept', 'undone'] as const) assert.deepEqual(offersFor(one, decision), []);
    assert.equal(statusWords(one).letter, 'A');
    assert.match(fileTitle(one, undefined), /\nAdded\nImported: view only$/);
  }
  assert.deepEqual(heading([foreign], [undefined], false), {
    words: '1 file changed, imported',
    isKept: false,
    offers: [],
  });
  assert.deepEqual(heading([foreign, change(file, file)], ['undone', undefined], false).offers, ['undo', 'keep']);
  // Of this machine's own changes, all that can be decided is offered.
  assert.deepEqual(offersFor(change(absent, file), undefined), ['undo', 'keep']);
  assert.deepEqual(offersFor(change(absent, file), 'undone'), ['redo']);
});

test('[W21] the last decision about a file of this message counts', () => {
  const files = [change(file, file, { path: 'a' }), change(file, file, { path: 'b' })];
  const decided = [
    { message: 'a', path: 'a', decision: 'kept' },
    { message: 'other', path: 'b', decision: 'kept' },
    { message: 'a', path: 'a', decision: 'undone' },
  ] as const;
  assert.deepEqual(decisionsOn('a', files, decided), ['undone', undefined]);
});

test('[W21] all changes of a message are one list, and news when the answer is complete', () => {
  const block = (...paths: string[]): Block => ({
    kind: 'changes',
    mime: 'application/json',
    files: paths.map(path => change(file, file, { path })),
  });
  const [first, last] = transcript.messages;
  assert.ok(first && last);
  const answer: Message = { ...last, blocks: [block('a'), block('b', 'c')], end: { reason: 'end_turn', at: 1 } };
  assert.deepEqual(
    changedIn(answer).map(one => one.path),
    ['a', 'b', 'c'],
  );
  const ended = { ...transcript, messages: [first, answer], turn: null };
  assert.equal(turnNews({ message: 'a', cancelling: false }, ended), 'Answer complete. 3 files changed');
});
