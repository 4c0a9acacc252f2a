// The files that a turn changed: in its answer, in history, kept, put back and changed again. With real files, and the
// real watch over them.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { changesIn, decideFiles } from '../../../src/core/conversation/decisions.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { fileWatch } from '../../../src/node/files/changes/fileWatch.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { temporaryFolder } from '../support/history.ts';
import type { ScriptedAgent } from '../support/scriptedAgent.ts';
import { converse, settled, stage } from './stage.ts';

const patience = { timeout: 60_000 };

async function scene(t: TestContext) {
  const work = join(realpathSync(temporaryFolder(t)), 'work');
  mkdirSync(work);
  const editors = { openText: () => Promise.resolve(null), writeOpen: () => Promise.resolve(false) };
  const warnings: string[] = [];
  const watch = fileWatch({
    folders: () => [work],
    store: join(work, '../kept'),
    own: [],
    clock: systemClock,
    editors,
    onWarning: words => warnings.push(words),
  });
  t.after(() => watch.close());
  const file = (name: string) => join(work, name);
  const write = (name: string, text: string) => writeFileSync(file(name), text);
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : null);
  write('a.ts', 'one\n');
  write('b.ts', 'two\n');
  const set = await stage(t, undefined, { files: watch });
  // Stock is taken, so that what was there is known.
  watch.prepare();
  await watch.settled();
  return { ...set, watch, file, write, read, warnings };
}

/** One turn, in which `change` happens; resolves when its files are in its answer. */
async function turn(conversation: Conversation, agent: ScriptedAgent, change: () => void): Promise<string> {
  await conversation.send('change files');
  const running = await agent.nextTurn();
  change();
  running.end({ reason: 'end_turn' });
  await settled(conversation);
  const message = conversation.transcript.messages.at(-1);
  assert.ok(message);
  const hasChanges = () =>
    conversation.transcript.messages.some(one => one.id === message.id && changesIn(one).length > 0);
  if (!hasChanges())
    await new Promise<void>(resolve => {
      const stop = conversation.onDidChange(() => {
        if (!hasChanges()) return;
        stop();
        resolve();
      });
    });
  return message.id;
}

test(
  '[T16] what a turn changed is in its answer and in history, and is put back and changed again',
  patience,
  async t => {
    const { conversation, agent, write, read, file, reopen, history, clock, watch } = await scene(t);
    const message = await turn(conversation, agent, () => {
      write('a.ts', 'ONE\n');
      write('new.ts', 'three\n');
    });
    const shown = () => changesIn(conversation.transcript.messages[1] ?? assert.fail());
    assert.deepEqual(
      shown().map(({ path }) => path),
      [file('a.ts'), file('new.ts')],
    );
    assert.equal(await conversation.decide(message, null, 'undo'), null);
    assert.deepEqual([read('a.ts'), read('new.ts'), read('b.ts')], ['one\n', null, 'two\n']);
    assert.equal(await conversation.decide(message, 0, 'redo'), null);
    assert.deepEqual([read('a.ts'), read('new.ts')], ['ONE\n', null]);
    assert.equal(await conversation.decide(message, 0, 'keep'), null);
    const decided = [
      { message, path: file('new.ts'), decision: 'undone' },
      { message, path: file('a.ts'), decision: 'kept' },
    ];
    assert.deepEqual(conversation.transcript.decided, decided);

    // A window that opens now knows the same, and what was there.
    const there = await (await reopen()).open(conversation.session);
    assert.ok(there);
    const again = converse(history, agent, clock, { stored: there }, { files: watch });
    const byPath = (one: { readonly path: string }, other: { readonly path: string }) =>
      one.path < other.path ? -1 : 1;
    assert.deepEqual(again.transcript.decided.toSorted(byPath), decided.toSorted(byPath));
    assert.equal(await again.decide(message, 1, 'redo'), null);
    assert.equal(read('new.ts'), 'three\n');
    assert.equal(await again.decide(message, 0, 'undo'), null);
    assert.equal(read('a.ts'), 'one\n');
  },
);

test('[T16] a file that is not what the turn left stays as it is, and the others are put back', patience, async t => {
  const { conversation, agent, write, read } = await scene(t);
  const message = await turn(conversation, agent, () => {
    write('a.ts', 'ONE\n');
    write('b.ts', 'TWO\n');
  });
  write('a.ts', 'mine\n');
  const words = await conversation.decide(message, null, 'undo');
  assert.match(words ?? '', /^1 of 2 changes were not undone\. “a\.ts”: /);
  assert.deepEqual([read('a.ts'), read('b.ts')], ['mine\n', 'two\n']);
  assert.equal(conversation.transcript.decided.length, 1);
  // What came before a later turn's change cannot be put back over it.
  const later = await turn(conversation, agent, () => write('b.ts', 'second\n'));
  assert.equal(await conversation.decide(later, null, 'keep'), null);
  assert.match((await conversation.decide(message, 1, 'redo')) ?? '', /not made again/);
  assert.equal(read('b.ts'), 'second\n');
});

test('[T16] nothing is put back for a message that is not there, or while its turn runs', patience, async t => {
  const { conversation, agent, write, read } = await scene(t);
  await conversation.send('change files');
  const running = await agent.nextTurn();
  write('a.ts', 'ONE\n');
  const [, answer] = conversation.transcript.messages;
  assert.equal(await conversation.decide(answer?.id ?? '', null, 'undo'), null);
  assert.equal(await conversation.decide('nobody', null, 'undo'), null);
  running.end({ reason: 'end_turn' });
  await settled(conversation);
  assert.equal(read('a.ts'), 'ONE\n');
});

test('[T16] only what is known is undone, and only what was undone is made again', patience, async t => {
  const { conversation, agent, write, read, history, watch } = await scene(t);
  const id = await turn(conversation, agent, () => write('a.ts', 'ONE\n'));
  const [message] = await history.messages([id]);
  assert.ok(message);
  const [change] = changesIn(message);
  assert.ok(change);
  const ports = {
    files: watch,
    bytes: () => assert.fail('nothing was put back'),
    onDecided: () => assert.fail('nothing was decided'),
  };
  const undone = new Set<string>();
  const unseen = { ...change, before: { kind: 'unknown' } } as const;
  const blocks = [{ kind: 'changes', mime: 'application/json', files: [unseen] }] as const;
  const signal = new AbortController().signal;
  assert.equal(
    await decideFiles({ message: { ...message, blocks }, file: null, deciding: 'undo', undone }, ports, signal),
    '1 of 1 change was not undone. “a.ts”: What was there before is not kept.',
  );
  assert.equal(await decideFiles({ message, file: null, deciding: 'redo', undone }, ports, signal), null);
  assert.equal(read('a.ts'), 'ONE\n');
});

test('[T16] two turns that change the same file at the same time both say so', patience, async t => {
  const one = await scene(t);
  const other = converse(one.history, one.agent, one.clock, { id: 'othersession' }, { files: one.watch });
  await one.conversation.send('first');
  const first = await one.agent.nextTurn();
  await other.send('second');
  const second = await one.agent.nextTurn();
  const told = { title: 'Edit', tool: 'edit', status: 'in_progress', locations: [{ path: one.file('a.ts') }] } as const;
  first.update({ type: 'toolCall', callId: 'c1', changes: told });
  one.write('a.ts', 'first\n');
  first.update({ type: 'toolCall', callId: 'c1', changes: { status: 'completed' } });
  second.update({ type: 'toolCall', callId: 'c2', changes: told });
  one.write('a.ts', 'second\n');
  const warned = (conversation: Conversation) =>
    conversation.transcript.messages.some(({ blocks }) =>
      blocks.some(block => block.kind === 'notice' && /Another turn.*a\.ts/.test(block.text)),
    );
  for (const conversation of [one.conversation, other])
    if (!warned(conversation))
      await new Promise<void>(resolve => {
        const stop = conversation.onDidChange(() => {
          if (!warned(conversation)) return;
          stop();
          resolve();
        });
      });
  first.end({ reason: 'end_turn' });
  second.end({ reason: 'end_turn' });
  await Promise.all([settled(one.conversation), settled(other)]);
});
