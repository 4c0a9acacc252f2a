// What a panel shows when its page boots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import { lastShown, restore, type RestoringPorts } from '../../../src/host/chat/restoring.ts';
import { mementoOn } from './memento.ts';

const known = 'abcdefgh2345';
const gone = 'abcdefgh2346';
const one = (what: string) => Promise.resolve({ session: what } as unknown as Conversation);

async function shown(session: string | null, opensEmpty = false, opened: readonly string[] = []): Promise<string> {
  const told: string[] = [];
  const conversations: RestoringPorts['conversations'] = {
    getEnd: id => (id === known || opened.includes(id) ? one(id) : Promise.reject(new HistoryError('no-session'))),
    fresh: id => one(id === undefined ? 'empty' : `empty ${id}`),
    latest: () => one('latest'),
    incognito: () => one('incognito'),
    isOpen: id => opened.includes(id),
  };
  const conversation = await restore(session, {
    conversations,
    opensEmpty: () => opensEmpty,
    tell: words => void told.push(words),
  });
  return [conversation.session, ...told].join(': ');
}

const rows: readonly (readonly [string, Parameters<typeof shown>, string])[] = [
  ['at first, what was active last', [null], 'latest'],
  ['at first, an empty one where the setting says so', [null, true], 'empty'],
  ['after a reload, what it showed, whatever the setting', [known, true], known],
  ['after a reload, its empty session', [gone], `empty ${gone}`],
  ['for what looks like no session, the same as at first', ['../etc', true], 'empty'],
  ['an incognito session that is open', ['incognito~x', false, ['incognito~x']], 'incognito~x'],
];
for (const [what, given, is] of rows)
  test(`[H114] a panel shows ${what}`, async () => assert.equal(await shown(...given), is));

test('[H106] of an incognito session that is gone a new one is shown, and that is said', async () => {
  assert.match(await shown('incognito~x'), /^incognito: The incognito session ended with its window/);
});

test('[H114] trouble with the history is not taken for a session that is not there', async () => {
  const conversations = { getEnd: () => Promise.reject(new HistoryError('io')), opened: () => undefined };
  const ports = { conversations, opensEmpty: () => false, tell() {} } as unknown as RestoringPorts;
  await assert.rejects(restore(known, ports), new HistoryError('io'));
});

test('[H135] the session that the side bar showed last is known without its page, unless nothing may be kept of it', () => {
  const state = mementoOn({ text: '{}' });
  const last = lastShown(state);
  assert.equal(last.get(), null);
  last.set(known);
  assert.equal(last.get(), known);
  last.set('incognito~x');
  assert.deepEqual([last.get(), state.keys()], [null, []]);
  // Whoever has the workspace's state may have changed it.
  for (const kept of [1, '../x', { id: known }]) {
    void state.update('shownSession', kept);
    assert.equal(last.get(), null);
  }
});
