// The profile that f23b1dd wrote, opened by the version of today: everything that is in it is there, and nothing of what was
// never kept. What it must answer is answers.json, which f23b1dd gave itself.

import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';
import { bindingsOf } from '../../../src/core/conversation/agentLink.ts';
import { openingTranscript } from '../../../src/core/conversation/opening.ts';
import { restoreQueue } from '../../../src/core/conversation/storedQueue.ts';
import { claimHome } from '../../../src/node/history/home/home.ts';
import { knownHistories } from '../../../src/node/history/home/knownHistories.ts';
import { retentionFile } from '../../../src/node/history/retentionFile.ts';
import { parseSavedState } from '../../../src/webview/vscodeApi.ts';
import { answersOf, type Answers } from '../../fixtures/profile-f23b1dd/answers.ts';
import {
  canary,
  erased,
  exportFile,
  fixture,
  keptByVsCode,
  parts,
  restore,
  restoreHistory,
} from '../../fixtures/profile-f23b1dd/profile.ts';
import { todaysEngine } from '../../fixtures/profile-f23b1dd/todaysEngine.ts';
import { repository } from '../../vscode/places.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

const expected = JSON.parse(readFileSync(join(fixture, 'answers.json'), 'utf8')) as Answers;
const kept = keptByVsCode();
const running = { signal: new AbortController().signal, onProgress: () => {} };

/** In the fixture. */
const historyFolder = join(fixture, parts.workspace, 'history');

function filesOf(...names: readonly string[]): readonly string[] {
  return names.flatMap(name =>
    statSync(join(fixture, name)).isFile()
      ? [name]
      : globSync('**', { cwd: join(fixture, name) })
          .map(file => join(name, file))
          .filter(file => statSync(join(fixture, file)).isFile()),
  );
}

const written = filesOf(...Object.values(parts), 'vscode.json', basename(exportFile), 'answers.json');

/** The files that hold these words, in any form in which a program stores text. */
function filesWith(words: string, files: readonly string[]): readonly string[] {
  // Of three places in a group of Base64, two hide the first or the last letter.
  const base64 = [0, 1, 2].map(skipped => Buffer.from(words.slice(skipped)).toString('base64').slice(0, -4));
  const forms = [Buffer.from(words), Buffer.from(words, 'utf16le'), ...base64.map(text => Buffer.from(text))];
  return files.filter(file => {
    const bytes = readFileSync(join(fixture, file));
    return forms.some(form => bytes.includes(form));
  });
}

test('[L9] the profile holds what it is kept for', () => {
  const sessions = Object.values(expected.sessions);
  const some = (what: string, isSo: (session: (typeof sessions)[number]) => boolean) =>
    assert.ok(sessions.some(isSo), `no session with ${what}`);
  const text = (value: unknown) => JSON.stringify(value);
  some('branches', ({ tree }) => tree.length >= 12);
  some('a binding', ({ bindings }) => bindings.length > 0);
  some('waiting prompts', ({ queue }) => text(queue).includes('The second that waits'));
  some('a draft', ({ draft }) => String(draft).startsWith('A draft that was not sent'));
  some('something attached to a draft', ({ attached }) => String(attached).includes('retry.go'));
  some('a date on which it went to the trash', ({ trashedSince }) => typeof trashedSince === 'number');
  some(
    'a branch in the trash',
    ({ trashedSince, tree }) => trashedSince === null && text(tree).includes('"trashed":true'),
  );
  some('a name and a note on a branch', ({ tree }) =>
    /"name":"The fourth fact".*"note":"Look here first"/.test(text(tree)),
  );
  some(
    'a title that a user gave, a pin and a label',
    ({ named, summary }) => named === true && /"pinned":true,"labels":\["orders"\]/.test(text(summary)),
  );
  some('a place in the archive', ({ summary }) => text(summary).includes('"archived":true'));
  some('a file that a turn changed and the user put back', ({ decisions }) => text(decisions).includes('undone'));
  some('an imported subagent', ({ tree }) => text(tree).includes('subagent:reviewer:1'));
  some('a picture', ({ messages }) => text(messages).includes('image/png'));
  const erasedNames = globSync('*', { cwd: join(historyFolder, 'erased') });
  assert.deepEqual(
    [...Map.groupBy(erasedNames, name => name.includes('~')).keys()].length,
    2,
    'a session and a branch',
  );
  const large = globSync('*/*', { cwd: join(historyFolder, 'blobs') }).map(
    name => statSync(join(historyFolder, 'blobs', name)).size,
  );
  assert.ok(large.some(size => size > 256 * 1024) && large.some(size => size < 1000), `blobs of ${large.join(', ')}`);
  const total = written.reduce((sum, file) => sum + statSync(join(fixture, file)).size, 0);
  assert.ok(total < 1_000_000, `${total} bytes`);
});

test('[L9] today’s version answers from the profile what f23b1dd answered', async t => {
  const folder = temporaryFolder(t);
  restoreHistory(folder);
  const now = await answersOf(todaysEngine, folder);
  // A later version may say more of a session, but not of more sessions or messages.
  assert.partialDeepStrictEqual(now, expected);
  assert.deepEqual(Object.keys(now.sessions).toSorted(), Object.keys(expected.sessions).toSorted());
  for (const [id, { tree, messages, path, bindings }] of Object.entries(expected.sessions)) {
    assert.equal(now.sessions[id]?.tree.length, tree.length, id);
    assert.deepEqual(Object.keys(now.sessions[id]?.messages ?? {}), Object.keys(messages), id);
    assert.deepEqual(now.sessions[id]?.path, path, id);
    assert.equal(now.sessions[id]?.bindings.length, bindings.length, id);
  }
  assert.deepEqual(now.found, expected.found);
});

test('[L9] a conversation of today has the waiting prompts and the agent sessions of the profile', async t => {
  const folder = temporaryFolder(t);
  restoreHistory(folder);
  const history = await openTestHistory(folder);
  const opened = await Promise.all(Object.keys(expected.sessions).map(id => history.open(id)));
  const conversations = opened.flatMap(stored => {
    if (!stored) return [];
    const state = openingTranscript(stored.id, { ref: stored.agent, about: null }, stored);
    return [{ stored, state }];
  });
  assert.deepEqual(
    conversations.flatMap(({ stored }) => restoreQueue(stored, ids.message).map(({ queued }) => queued.text)),
    ['The first that waits', 'The second that waits'],
  );
  assert.deepEqual(
    conversations.flatMap(({ state }) => state.decided.map(({ decision }) => decision)),
    ['undone'],
  );
  for (const { stored } of conversations) assert.equal(bindingsOf(stored).length, stored.bindings.length, stored.id);
});

test('[L9] nothing of the incognito session is in the profile, and nothing that was erased is in the history', () => {
  assert.ok(written.length > 20, `${written.length} files`);
  assert.ok(filesWith('factA', written).length > 2, 'the search finds what is there');
  assert.deepEqual(filesWith(canary, written), []);
  const stored = written.filter(file => !file.startsWith(parts.agent) && file !== 'answers.json');
  assert.deepEqual(filesWith(erased, stored), []);
  assert.deepEqual(expected.found[erased], []);
});

test('[L9] the profile names no place of the machine on which it was written', () => {
  const texts = written.map(file => readFileSync(join(fixture, file), 'latin1'));
  for (const place of ['/root', '/home/', '/Users/', '/work/'])
    assert.ok(!texts.some(text => text.includes(place)), place);
});

test('[L9] workspace.json, the note in global storage and the files of retention are read', async t => {
  const folder = temporaryFolder(t);
  for (const part of [parts.workspace, parts.global]) restore(part, join(folder, part));
  const history = join(folder, parts.workspace, 'history');
  const home = JSON.parse(readFileSync(join(history, 'workspace.json'), 'utf8')) as { readonly id: string };
  const claimed = await claimHome(history, [], { now: Date.now(), newId: ids.session });
  assert.deepEqual(claimed, home);
  const [known, ...others] = await knownHistories(join(folder, parts.global));
  assert.deepEqual(others, []);
  assert.equal(known?.id, home.id);
  assert.deepEqual(
    known.folders.map(({ name }) => name),
    ['orders'],
  );
  const retention = await retentionFile(history, 'putAway').read();
  assert.equal(retention?.answered?.key, '[0,3,true,"trash"]');
  assert.ok(retention.at > 0);
  assert.ok(((await retentionFile(history, 'emptyTrash').read())?.at ?? 0) > 0);
});

test('[L9] an export of f23b1dd is imported whole, and is known where it came from', async t => {
  const empty = await openTestHistory(temporaryFolder(t));
  const [added, ...others] = (await empty.importJson(exportFile, running)).added;
  assert.deepEqual(others, []);
  const session = expected.sessions[added?.id ?? ''];
  assert.equal((await empty.tree(added?.id ?? '')).length, session?.tree.length);

  const folder = temporaryFolder(t);
  restoreHistory(folder);
  const profile = await openTestHistory(folder);
  const again = await profile.importJson(exportFile, running);
  assert.deepEqual([again.added.length, again.grown.length, again.here.length, again.unread.length], [0, 0, 1, 0]);
});

test('[L9] a file cannot bring back what f23b1dd erased', async t => {
  const folder = temporaryFolder(t);
  restoreHistory(folder);
  const profile = await openTestHistory(folder);
  const tombstones = globSync('*', { cwd: join(historyFolder, 'erased') });
  const whole = tombstones.find(name => !name.includes('~')) ?? '';
  const [of = '', root = ''] = tombstones.find(name => name.includes('~'))?.split('~') ?? [];
  const exported = JSON.parse(readFileSync(exportFile, 'utf8')) as {
    readonly sessions: readonly [{ readonly id: string; readonly messages: readonly [object, ...object[]] }];
  };
  const [session] = exported.sessions;
  const [first] = session.messages;
  assert.equal(session.id, of, 'the session that lost the branch was exported');
  const file = join(folder, 'again.json');
  const messages = [...session.messages, { ...first, id: root }];
  const sessions = [
    { ...session, messages },
    { ...session, id: whole, messages: [{ ...first, id: ids.message() }] },
  ];
  writeFileSync(file, JSON.stringify({ ...exported, sessions }));
  const { added, erased: refused } = await profile.importJson(file, running);
  assert.equal(refused, 1);
  assert.equal((await profile.tree(of)).length, expected.sessions[of]?.tree.length);
  assert.equal(added.length, 1);
  assert.notEqual(added[0]?.id, whole, 'it comes as a session of its own');
});

test('[L9] the state that panels kept is read', () => {
  const shown = new Set(Object.keys(expected.sessions));
  const { webviewState } = JSON.parse(kept.chatState) as { readonly webviewState: string };
  for (const state of [webviewState, kept.editor.state]) {
    const { session, scroll } = parseSavedState(JSON.parse(state));
    assert.ok(session !== null && shown.has(session), state);
    assert.equal(scroll, null);
  }
});

test('[L9] docs/compatibility.md lists every kind of file that is in the profile', () => {
  const page = readFileSync(join(repository, 'docs/compatibility.md'), 'utf8');
  const names = [...page.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  const kinds = names
    .filter(name => /^[\w.<>~/-]+$/.test(name) && /[./]/.test(name))
    .map(name => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/<[^>]+>/g, '[^/~.]+')}$`));
  const files = [
    ...filesOf(parts.workspace).map(file => relative(join(parts.workspace, 'history'), file)),
    ...filesOf(parts.global).map(file => relative(parts.global, file)),
  ].map(file => file.replace(/\.raw$/, ''));
  assert.ok(files.length > 10);
  assert.deepEqual(
    files.filter(file => !kinds.some(kind => kind.test(file))),
    [],
  );
});
