// One side of a change, as the text that is shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfState } from '../../../src/host/files/changeSide.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import type { FileState } from '../../../src/model/changes.ts';

const is = { sha256: 'a'.repeat(64), size: 3 };
const kept = (bytes: Uint8Array): FileState => ({ kind: 'file', is, content: bytes });
const utf8 = (text: string) => new TextEncoder().encode(text);

const rows: readonly [what: string, state: FileState, isFile: boolean, text: string | RegExp][] = [
  ['no file', { kind: 'absent' }, true, ''],
  ['a text', kept(utf8('one\r\ntwo')), true, 'one\r\ntwo'],
  ['an empty text', kept(utf8('')), true, ''],
  ['a byte order mark', kept(utf8('\ufeffone')), true, 'one'],
  ['half a character', kept(new Uint8Array([0x61, 0xc3])), false, /^This file is not text/],
  ['a zero', kept(new Uint8Array([0x61, 0, 0x62])), false, /^This file is not text/],
  ['what was not kept', { kind: 'file', is }, false, /^The content of this file was not kept/],
  ['what nobody had seen', { kind: 'unknown' }, false, /^What was here is not known/],
  ['what is gone', { kind: 'file', is, content: is }, false, /gone from the history folder/],
];

test('[H10] a side is the text of the file, or a sentence that says why it is not', async () => {
  for (const [what, state, isFile, text] of rows) {
    const shown = await textOfState(state, () => Promise.reject(new HistoryError('no-blob')));
    assert.equal(shown.isFile, isFile, what);
    if (typeof text === 'string') assert.equal(shown.text, text, what);
    else assert.match(shown.text, text, what);
  }
});

test('[H10] what was kept is fetched by its name', async () => {
  const shown = await textOfState({ kind: 'file', is, content: is }, ref => Promise.resolve(utf8(`${ref.size} bytes`)));
  assert.deepEqual(shown, { text: '3 bytes', isFile: true });
});
