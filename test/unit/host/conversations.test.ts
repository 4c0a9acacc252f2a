// What the conversations of a window tell of changes in history: lists, rows and texts look again only where they may differ.

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { History } from '../../../src/core/history/history.ts';
import { changeBy, changedAltogether, type HistoryChange } from '../../../src/core/history/historyChange.ts';
import type { ConversationsPorts } from '../../../src/host/chat/conversations.ts';
import { endFact, sessionFact, setFact, textFact } from '../support/facts.ts';

const recorder = new URL('../support/recordedVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: recorder, shortCircuit: true } : next(name, context)),
});
const { Conversations } = await import('../../../src/host/chat/conversations.ts');

test('[T24] a change is told to the lists where they may show it, and only there', async () => {
  const session = 'session22222';
  let tell: (change: HistoryChange) => void = () => {};
  const history = {
    sessions: () => Promise.resolve([]),
    onDidAppend(listener: typeof tell) {
      tell = listener;
      return () => {};
    },
  } as unknown as History;
  const conversations = new Conversations({
    history: () => Promise.resolve(history),
  } as unknown as ConversationsPorts);
  const told: string[] = [];
  conversations.onDidChange(one => void told.push(one));
  const written: string[] = [];
  conversations.onDidWrite(one => void written.push(one));
  await conversations.list();
  const tells = (change: HistoryChange) => {
    told.length = 0;
    tell(change);
    return told.length === 1;
  };
  const by = (...facts: Parameters<typeof changeBy>[2][number][]) => changeBy('writer22', session, facts);
  assert.equal(tells(changedAltogether(session)), true);
  assert.equal(tells(by(sessionFact(session))), true);
  assert.equal(tells(by(endFact(session, 'm1'))), true);
  written.length = 0;
  for (let at = 0; at < 50; at++) assert.equal(tells(by(textFact(session, 'm1', 0, at, 'x'))), false, 'it streams');
  assert.equal(written.length, 50, 'texts of the session look again');
  assert.equal(tells(by(textFact(session, 'm1', 0, 50, 'x'), endFact(session, 'm1'))), true);
  assert.equal(tells(by(setFact(session, 'pinned', true), setFact(session, 'queue', null))), true);
  for (const name of ['queue', 'queued', 'option', 'binding', 'decision', 'systemPrompt'] as const) {
    assert.equal(tells(by(setFact(session, name, null))), false, name);
  }
});
