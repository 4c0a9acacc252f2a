// A window of f23b1dd and one of today on one history at the same time, each in a process of its own: what one writes,
// branches, trashes and erases, the other has; nothing is lost, nothing is doubled, and neither refuses what it should take.

import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import type { Fact } from '../../src/model/record.ts';
import { answersOf } from '../fixtures/profile-f23b1dd/answers.ts';
import { restoreHistory } from '../fixtures/profile-f23b1dd/profile.ts';
import { todaysEngine } from '../fixtures/profile-f23b1dd/todaysEngine.ts';
import { sessionFact, setFact, userFact } from '../unit/support/facts.ts';
import { ids } from '../unit/support/history.ts';
import { oldEngine, unpackOldVersion } from './oldVersion.ts';
import { Refused, untilSo, VersionWindow } from './versions.ts';

const version = unpackOldVersion();
after(version.remove);

interface Pair {
  readonly folder: string;
  readonly old: VersionWindow;
  readonly today: VersionWindow;
  /** Each of them as the one that acts, with the other as the one that sees it. */
  readonly bothWays: readonly { readonly one: VersionWindow; readonly other: VersionWindow }[];
}

async function openBoth(t: TestContext, fill: (folder: string) => void = () => {}): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-versions-'));
  fill(folder);
  const windows: VersionWindow[] = [];
  t.after(async () => {
    await Promise.all(windows.map(window => window.close()));
    rmSync(folder, { recursive: true, force: true });
  });
  const open = async (name: string, where: string) => {
    const window = await VersionWindow.open(name, where, folder);
    windows.push(window);
    return window;
  };
  const [old, today] = [await open('old', version.folder), await open('new', 'today')];
  return { folder, old, today, bothWays: [old, today].map((one, at) => ({ one, other: at === 0 ? today : old })) };
}

/** A session with a prompt; gives its id and the prompt's. */
async function begin(window: VersionWindow, text = 'The beginning'): Promise<readonly [string, string]> {
  const [session, message] = [ids.session(), ids.message()];
  await window.append(session, [sessionFact(session, Date.now()), prompt(session, message, null, text)]);
  return [session, message];
}

function prompt(session: string, id: string, parent: string | null, text: string): Fact {
  return userFact(session, id, parent, text, Date.now());
}

/** The ids in the order of the alphabet: each as often as it is there. */
async function idsIn(window: VersionWindow, session: string): Promise<readonly string[]> {
  return (await window.tree(session)).map(({ id }) => id).toSorted();
}

async function untilBothHave({ old, today }: Pair, session: string, expected: readonly string[]): Promise<void> {
  const sorted = JSON.stringify(expected.toSorted());
  for (const window of [old, today]) {
    await untilSo(
      `all messages of ${session} in the ${window.name} window`,
      () => idsIn(window, session),
      found => JSON.stringify(found) === sorted,
    );
  }
}

/** Whether a file of the history holds these bytes. */
function filesWith(folder: string, words: string): readonly string[] {
  return globSync('**', { cwd: folder }).filter(name => {
    try {
      return statSync(join(folder, name)).isFile() && readFileSync(join(folder, name)).includes(words);
    } catch {
      // Gone since the folder was listed.
      return false;
    }
  });
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
    return 'done';
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}

test('[L9] each version sees what the other says, and both branch from one message', async t => {
  const pair = await openBoth(t);
  for (const { one, other } of pair.bothWays) {
    const [session, root] = await begin(one, `Begun by the ${one.name} window`);
    await untilBothHave(pair, session, [root]);
    const [left, right, below] = [ids.message(), ids.message(), ids.message()];
    await Promise.all([
      one.append(session, [prompt(session, left, root, 'One way')]),
      other.append(session, [prompt(session, right, root, 'The other way')]),
    ]);
    await untilBothHave(pair, session, [root, left, right]);
    await one.append(session, [prompt(session, below, right, 'On from there')]);
    await untilBothHave(pair, session, [root, left, right, below]);
    const ways = await Promise.all([one, other].map(window => window.open(session, below)));
    assert.deepEqual(ways[0]?.path, ways[1]?.path);
    assert.deepEqual(
      ways[0]?.path.map(({ id }) => id),
      [root, right, below],
    );
  }
});

test('[L9] what both write at the same moment is there once', async t => {
  const pair = await openBoth(t);
  const [session, root] = await begin(pair.old);
  await untilBothHave(pair, session, [root]);
  const many = Array.from({ length: 120 }, () => ids.message());
  await Promise.all(
    many.map((id, at) =>
      (at % 2 === 0 ? pair.old : pair.today).append(session, [prompt(session, id, root, `Number ${at}`)]),
    ),
  );
  await untilBothHave(pair, session, [root, ...many]);
  const texts = await Promise.all([pair.old, pair.today].map(window => window.messages(many)));
  assert.deepEqual(texts[0], texts[1]);
});

test('[L9] fields, long texts and heartbeats of one version reach the other', async t => {
  const pair = await openBoth(t);
  for (const { one, other } of pair.bothWays) {
    const [session, root] = await begin(one);
    await untilBothHave(pair, session, [root]);
    const long = ids.message();
    const text = `long äöü ${one.name} `.repeat(20_000);
    await one.append(session, [
      prompt(session, long, root, text),
      setFact(session, 'givenTitle', `Named by the ${one.name} window`),
      setFact(session, 'pinned', true),
      setFact(session, 'label', true, { of: 'later' }),
      setFact(session, 'name', 'A branch', { of: long, from: long }),
    ]);
    await untilBothHave(pair, session, [root, long]);
    const [found] = await other.messages([long]);
    assert.equal(found?.blocks[0]?.kind === 'text' && found.blocks[0].text === text, true, 'the long text is whole');
    const stored = await other.open(session);
    assert.deepEqual(
      [stored?.title, stored?.pinned, stored?.labels],
      [`Named by the ${one.name} window`, true, ['later']],
    );
    assert.equal((await other.tree(session)).find(({ id }) => id === long)?.name, 'A branch');
    const alive = await other.alive();
    assert.ok(alive.includes(one.writer), `the ${other.name} window knows that the ${one.name} window lives`);
  }
});

test('[L9] waiting prompts and agent sessions of a window that is gone are the other version’s to go on with', async t => {
  for (const leaving of ['old', 'today'] as const) {
    const pair = await openBoth(t);
    const { [leaving]: one } = pair;
    const other = leaving === 'old' ? pair.today : pair.old;
    const [session, root] = await begin(one);
    const waiting = ['first', 'second'].map(text => ({ id: ids.message(), text: `The ${text} that waits` }));
    const binding = {
      agent: 'a',
      agentSession: 's1',
      from: null,
      head: root,
      dirty: false,
      cwd: '/',
      owner: one.writer,
    };
    await one.append(session, [
      setFact(session, 'queue', { writer: one.writer, waiting }),
      setFact(session, 'binding', binding, { of: 'a\ns1' }),
    ]);
    await untilBothHave(pair, session, [root]);
    const queue = async () => (await other.open(session))?.queue ?? null;
    assert.equal(await queue(), null, 'the window that wrote them sends them');
    await one.close();
    const left = await untilSo('the prompts are the other window’s', queue, found => found !== null);
    assert.deepEqual(left, { writer: one.writer, waiting });
    assert.deepEqual((await other.open(session))?.bindings, [binding]);
  }
});

test('[L9] a session and a branch go to the trash and back between the versions', async t => {
  const pair = await openBoth(t);
  for (const { one, other } of pair.bothWays) {
    const [session, root] = await begin(one);
    const [left, right] = [ids.message(), ids.message()];
    await one.append(session, [prompt(session, left, root, 'Stays'), prompt(session, right, root, 'Goes')]);
    await untilBothHave(pair, session, [root, left, right]);
    const isTrashed = async () => (await other.sessions()).find(({ id }) => id === session)?.trashed;
    await one.trash(session);
    await untilSo('the session is in the trash', isTrashed, trashed => trashed === true);
    await other.restore(session);
    await untilSo(
      'the session is restored',
      async () => (await one.sessions()).find(({ id }) => id === session)?.trashed,
      trashed => trashed === false,
    );
    const branch = (window: VersionWindow) => async () =>
      (await window.tree(session)).find(({ id }) => id === right)?.trashed;
    await one.trash(session, { message: right, subtree: true });
    await untilSo('the branch is in the trash', branch(other), trashed => trashed === true);
    await other.restore(session, right);
    await untilSo('the branch is restored', branch(one), trashed => trashed === false);
  }
});

test('[L9] what one version erases is gone in the other and in every file', async t => {
  const pair = await openBoth(t);
  for (const { one, other } of pair.bothWays) {
    const word = `erased${ids.message()}`;
    const [whole, begun] = await begin(one, `${word} in a session`);
    const [session, root] = await begin(one);
    const [gone, stays] = [ids.message(), ids.message()];
    await one.append(session, [
      prompt(session, gone, root, `${word} on a branch`),
      prompt(session, stays, root, 'Stays'),
    ]);
    // The other version has them in its index, and in segments of its own that it still writes to.
    await untilBothHave(pair, whole, [begun]);
    await untilBothHave(pair, session, [root, gone, stays]);
    const [reply, below] = [ids.message(), ids.message()];
    await other.append(whole, [prompt(whole, reply, begun, `${word} again`)]);
    await other.append(session, [prompt(session, below, gone, `${word} below`)]);
    await untilBothHave(pair, whole, [begun, reply]);
    await untilBothHave(pair, session, [root, gone, stays, below]);

    await one.erase(whole);
    await one.erase(session, { message: gone, subtree: true });
    await untilBothHave(pair, session, [root, stays]);
    await untilSo('the session is gone', async () => (await other.open(whole)) === undefined, Boolean);
    assert.equal(await codeOf(other.append(whole, [setFact(whole, 'title', 'Again')])), 'erased');
    assert.equal(await codeOf(one.append(whole, [setFact(whole, 'title', 'Again')])), 'erased');
    await untilSo(
      'no file holds it',
      () => Promise.resolve(filesWith(pair.folder, word)),
      files => files.length === 0,
    );
  }
});

test('[L9] segments that one version joins are read and written on by the other', async t => {
  const pair = await openBoth(t);
  for (const { one, other } of pair.bothWays) {
    const [session, root] = await begin(one);
    const messages = [root];
    for (const window of [other, one, other]) {
      const next = ids.message();
      await untilBothHave(pair, session, messages);
      await window.append(session, [prompt(session, next, messages.at(-1) ?? null, `By the ${window.name} window`)]);
      messages.push(next);
    }
    await untilBothHave(pair, session, messages);
    await one.join(session);
    for (const window of [one, other]) {
      const next = ids.message();
      await window.append(session, [prompt(session, next, root, 'After the join')]);
      messages.push(next);
      await untilBothHave(pair, session, messages);
    }
  }
});

test('[L9] a version that is killed while it writes leaves what it acknowledged to the other', async t => {
  for (const killed of ['old', 'today'] as const) {
    const pair = await openBoth(t);
    const { [killed]: dying } = pair;
    const living = killed === 'old' ? pair.today : pair.old;
    const [session, root] = await begin(dying);
    const acknowledged: string[] = [];
    const asked: string[] = [];
    const writing = Array.from({ length: 400 }, async () => {
      const id = ids.message();
      asked.push(id);
      await dying.append(session, [prompt(session, id, root, 'While it is killed')]);
      acknowledged.push(id);
    });
    await untilSo(
      'some are acknowledged',
      () => Promise.resolve(acknowledged.length),
      count => count >= 20,
    );
    await dying.kill();
    await Promise.allSettled(writing);
    const found = await untilSo(
      'all that was acknowledged',
      () => idsIn(living, session),
      all => acknowledged.every(id => all.includes(id)),
    );
    assert.equal(new Set(found).size, found.length, 'nothing is there twice');
    assert.ok(found.every(id => id === root || asked.includes(id)));
  }
});

test('[L9] both versions open the profile at once, go on in it, and answer the same afterwards', async t => {
  const pair = await openBoth(t, restoreHistory);
  const sessions = (await pair.old.sessions()).filter(({ trashed }) => !trashed);
  assert.ok(sessions.length >= 5, `${sessions.length} sessions`);
  for (const [at, { id }] of sessions.entries()) {
    const [one, other] = at % 2 === 0 ? [pair.old, pair.today] : [pair.today, pair.old];
    const head = (await one.open(id))?.head ?? null;
    const before = await idsIn(one, id);
    const [mine, theirs] = [ids.message(), ids.message()];
    await Promise.all([
      one.append(id, [prompt(id, mine, head, 'It goes on here')]),
      other.append(id, [prompt(id, theirs, head, 'And there')]),
    ]);
    await untilBothHave(pair, id, [...before, mine, theirs]);
  }
  for (const window of [pair.old, pair.today]) {
    const { findings } = await window.check();
    assert.deepEqual(
      findings.filter(({ code }) => code !== 'unfinished-tail'),
      [],
      `the ${window.name} window finds nothing wrong`,
    );
  }
  await Promise.all([pair.old.close(), pair.today.close()]);
  const [before, now] = [
    await answersOf(await oldEngine(version), pair.folder),
    await answersOf(todaysEngine, pair.folder),
  ];
  // A version of today may say more than f23b1dd did.
  assert.partialDeepStrictEqual(now, before);
});
