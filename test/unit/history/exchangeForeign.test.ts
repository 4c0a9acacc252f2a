// The file changes of imported sessions: they are shown, and never applied to this workspace, whatever the file says of
// them and whichever version reads them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { changesIn, decideFiles } from '../../../src/core/conversation/decisions.ts';
import type { BlobRef } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { isForeign, isRedoable, isUndoable, type FileChange, type FileState } from '../../../src/model/changes.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { fileWatch } from '../../../src/node/files/changes/fileWatch.ts';
import type { OpenedHistory } from '../../../src/node/history/history.ts';
import { answerFact, blockFact, sessionFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { counts, exported, imported } from './exchangeStage.ts';

const known = 'what a stranger knows';
const is = { sha256: createHash('sha256').update(known).digest('hex'), size: known.length };
const absent: FileState = { kind: 'absent' };
const file: FileState = { kind: 'file', is };
const kept: FileState = { kind: 'file', is, content: is };

/** As versions before `foreign` decided it. */
const wasKept = (state: FileState) => state.kind === 'absent' || (state.kind === 'file' && state.content !== undefined);
const wasUndoable = ({ before, after }: FileChange) => wasKept(before) && after.kind !== 'unknown';
const wasRedoable = ({ before, after }: FileChange) => wasKept(after) && before.kind !== 'unknown';

/** All that a file may claim, for a path that is in the workspace of whoever imports it. */
function claims(path: (name: string) => string): readonly object[] {
  const named = ['source.ts', '.git/HEAD', '.env'].map(path);
  const states: readonly (readonly [FileState, FileState])[] = [
    [absent, file],
    [absent, kept],
    [file, absent],
    [kept, absent],
    [kept, kept],
    [absent, absent],
  ];
  const plain = named.flatMap(one => states.map(([before, after]) => ({ path: one, before, after, seen: 'written' })));
  const [first] = plain;
  return [
    ...plain,
    { ...first, foreign: { before: absent, after: file } },
    { ...first, after: { ...file, elsewhere: is, surprise: 1 } },
  ];
}

async function scene(t: TestContext) {
  const base = realpathSync(temporaryFolder(t));
  const work = join(base, 'work');
  const path = (name: string) => join(work, name);
  for (const name of ['source.ts', '.git/HEAD', '.env']) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), known);
  }
  const watch = fileWatch({
    folders: () => [work],
    store: join(base, 'kept'),
    own: [],
    clock: systemClock,
    editors: { openText: async () => null, writeOpen: async () => false },
    onWarning() {},
  });
  t.after(() => watch.close());
  const contents = () => readdirSync(work, { recursive: true, encoding: 'utf8' }).toSorted();
  const there = contents();
  /** Decides all of the message's changes in every way: nothing may come of it. */
  const tryAll = async (history: OpenedHistory, session: string, message: string) => {
    const [read] = await history.messages([message]);
    assert.ok(read);
    for (const one of changesIn(read)) assert.ok(one.foreign && !isUndoable(one) && !isRedoable(one));
    const ports = {
      files: watch,
      bytes: (ref: BlobRef) => history.blob(session, ref),
      onDecided: () => assert.fail('something was decided'),
    };
    const all = new Set(changesIn(read).map(one => one.path));
    for (const deciding of ['undo', 'redo', 'keep'] as const) {
      for (const undone of [all, new Set<string>()]) {
        const asked = { message: read, file: null, deciding, undone };
        const words = await decideFiles(asked, ports, new AbortController().signal);
        assert.match(words ?? '', /This change was imported, so it can only be viewed\./);
      }
    }
    assert.deepEqual(contents(), there);
    for (const name of ['source.ts', '.git/HEAD', '.env']) assert.equal(readFileSync(path(name), 'utf8'), known);
  };
  return { base, path, tryAll };
}

const sessionId = '222222222222';

function exchange(files: readonly object[]): string {
  const blocks = [{ kind: 'changes', mime: 'application/json', files }];
  const user = { id: 'one', parent: null, role: 'user', created: 1000, blocks: [] };
  const answer = { id: 'two', parent: 'one', role: 'assistant', created: 1000, blocks };
  const fields = files.map(one => {
    const { path } = one as FileChange;
    return { name: 'decision', of: `two:${path}`, value: { message: 'two', path, decision: 'undone' }, from: 'two' };
  });
  const agent = { id: 'a', name: 'A' };
  const session = { id: sessionId, created: 900, agent, fields, messages: [user, answer], blobs: {} };
  return JSON.stringify({ format: 'throughline-sessions', version: 1, sessions: [session] });
}

test('[H130] an imported change can be seen and never be kept, undone or redone', async t => {
  const { base, path, tryAll } = await scene(t);
  const history = await openTestHistory(temporaryFolder(t));
  const files = claims(path);
  const text = exchange(files);
  assert.deepEqual(counts(await imported(history, base, text)), [1, 0, 0, []]);
  const [answer] = await history.messages(['two']);
  const changes = answer ? changesIn(answer) : [];
  assert.equal(changes.length, files.length);
  for (const [at, one] of changes.entries()) {
    assert.ok(isForeign(one) && !isUndoable(one) && !isRedoable(one), JSON.stringify(one));
    assert.equal(one.foreign?.before.kind, (files[at] as FileChange).before.kind);
  }
  // A journal that somebody else wrote may claim both.
  const both: FileChange = {
    path: 'x',
    before: kept,
    after: kept,
    seen: 'disk',
    foreign: { before: kept, after: kept },
  };
  assert.ok(isForeign(both) && !isUndoable(both) && !isRedoable(both));
  assert.deepEqual((await history.open(sessionId))?.decisions, []);
  await tryAll(history, sessionId, 'two');
  // Exported again it is as it came, and stays foreign wherever it goes.
  const again = await exported(history, base, [sessionId]);
  const [{ messages }] = (
    JSON.parse(again) as { sessions: [{ messages: [object, { blocks: [{ files: object[] }] }] }] }
  ).sessions;
  assert.deepEqual(messages[1].blocks[0].files.slice(0, -1), files.toSpliced(-2, 2, files[0] as object));
  const other = await openTestHistory(temporaryFolder(t));
  await imported(other, base, again);
  await tryAll(other, sessionId, 'two');
});

test('[H130] what an older version reads of an imported change cannot be applied by it', async t => {
  const { base, path } = await scene(t);
  const folder = temporaryFolder(t);
  const history = await openTestHistory(folder);
  await imported(history, base, exchange(claims(path)));
  const journal = join(folder, 'journal');
  const lines = readdirSync(journal).flatMap(name => readFileSync(join(journal, name), 'utf8').split('\n'));
  const facts = lines.flatMap(line => {
    const json = line.slice(line.indexOf('{'));
    return json.startsWith('{') ? (JSON.parse(json) as { readonly facts: readonly Fact[] }).facts : [];
  });
  const written = facts.flatMap(fact => (fact.type === 'message' ? changesIn({ ...fact.message, session: '' }) : []));
  assert.equal(written.length, claims(path).length);
  for (const one of written) {
    assert.deepEqual([one.before, one.after], [{ kind: 'unknown' }, { kind: 'unknown' }]);
    assert.ok(!wasUndoable(one) && !wasRedoable(one));
  }
});

test('[H130] changes that an older version imported are foreign, too', async t => {
  const { path, tryAll } = await scene(t);
  const history = await openTestHistory(temporaryFolder(t));
  const [session, question, whole, rest] = [ids.session(), ids.message(), ids.message(), ids.message()];
  // It wrote messages whole, with `elsewhere` in the place of contents; the end of one that was cut off, in facts.
  const files = [
    { path: path('source.ts'), before: absent, after: file, seen: 'written' },
    { path: path('.env'), before: absent, after: { ...file, elsewhere: is }, seen: 'written' },
  ] as const;
  const block = { kind: 'changes', mime: 'application/json', files } as const;
  await history.append(session, [
    sessionFact(session),
    userFact(session, question, null, 'x'),
    answerFact(session, whole, question, { blocks: [block] }),
    answerFact(session, rest, question),
    blockFact(session, rest, 0, { ...block, files: files.slice(1) }),
  ]);
  for (const message of [whole, rest]) await tryAll(history, session, message);
});

test('[H130] the changes of a turn of this machine are not foreign', async t => {
  const history = await openTestHistory(temporaryFolder(t));
  const [session, question, answer] = [ids.session(), ids.message(), ids.message()];
  const files = [{ path: '/w/a', before: absent, after: file, seen: 'written' }] as const;
  await history.append(session, [
    sessionFact(session),
    userFact(session, question, null, 'x'),
    answerFact(session, answer, question),
    blockFact(session, answer, 0, { kind: 'changes', mime: 'application/json', files }),
  ]);
  const [read] = await history.messages([answer]);
  assert.deepEqual(read && changesIn(read), files);
});
