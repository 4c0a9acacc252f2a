// The list after `@` as the host answers it: how often files and the editor are looked at, and what stays known of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attaching } from '../../../src/host/files/attaching.ts';
import { Attachments } from '../../../src/host/files/attachments.ts';
import type { Offered } from '../../../src/host/files/completions.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { ids } from '../support/history.ts';

const never = new AbortController().signal;

function scene() {
  const found = ['orders/retry.go', 'orders/sub/x.go', 'README.md'].map(path => ({ path: `/w/${path}`, shown: path }));
  const offered: Offered[] = [];
  const searched: { readonly typed: string; readonly signal: AbortSignal }[] = [];
  const searching = { answer: () => Promise.resolve({ files: found, isWhole: false }) };
  const opened: string[] = [];
  const attachments = new Attachments({
    find(typed, signal) {
      searched.push({ typed, signal });
      return searching.answer();
    },
    offered(session) {
      opened.push(session);
      return () => Promise.resolve(offered);
    },
    guard: guardIn(() => ['/w']),
    newId: ids.message,
    readAttached: () => Promise.resolve(''),
    keepAttached: () => {},
  });
  return { attachments, found, offered, opened, searched, searching };
}

test('[H61] a list that is open searches again only for what it has not found, and once at a time', async () => {
  const { attachments, found, searched, searching } = scene();
  const typing = () => {
    const complete = attachments.openList('s');
    let last = new AbortController();
    return (typed: string) => {
      last.abort();
      last = new AbortController();
      return complete(typed, last.signal);
    };
  };
  const typedIn = () => searched.splice(0).map(({ typed }) => typed);
  const small = typing();
  searching.answer = () => Promise.resolve({ files: found, isWhole: true });
  for (const typed of ['r', 're', 'ret']) await small(typed);
  assert.deepEqual(typedIn(), ['r'], 'all that fits was found');
  assert.deepEqual(
    (await small('retry')).map(({ name }) => name),
    ['retry.go'],
  );
  await small('o');
  assert.deepEqual(typedIn(), ['o'], 'what does not fit was not looked for');
  await typing()('re');
  assert.deepEqual(typedIn(), ['re'], 'another list looks anew');

  const large = typing();
  searching.answer = () => Promise.resolve({ files: found, isWhole: false });
  for (const typed of ['r', 're']) await large(typed);
  assert.deepEqual(typedIn(), ['r', 're']);

  const fast = typing();
  let running = 0;
  searching.answer = async () => {
    assert.equal(++running, 1, 'one at a time');
    await new Promise(resolve => setImmediate(resolve));
    running--;
    return { files: found, isWhole: false };
  };
  const answers = await Promise.all(['r', 're', 'ret', 'retr', 'retry'].map(fast));
  assert.deepEqual(
    answers.map(items => items.length),
    [0, 0, 0, 0, 1],
    'only the last question is answered',
  );
  assert.deepEqual(
    searched.map(({ typed, signal }) => `${typed} ${signal.aborted}`),
    ['retry false'],
  );
});

test('[H72] the list of a panel looks at the editor once while it is open', async () => {
  const { attachments, opened } = scene();
  const attaching = new Attaching(
    { attachments: () => Promise.resolve(attachments), takesImages: () => Promise.resolve(true) },
    () => {},
  );
  const type = (list: string, text: string) =>
    attaching.complete({ type: 'complete', session: 's', request: text, list, text });
  for (const text of ['', 'r', 're', 'ret']) await type('one', text);
  assert.deepEqual(opened, ['s']);
  await type('two', 'r');
  assert.equal(opened.length, 2);
});

test('[H61] what was offered long ago is forgotten, and what a draft holds is not', async () => {
  const { attachments, offered } = scene();
  const complete = attachments.openList('s');
  const selection = (n: number): Offered => ({
    block: {
      kind: 'resource',
      mime: 'text/plain',
      uri: `file:///w/a.go#L${n}`,
      name: `a.go:${n}`,
      text: 'x'.repeat(999),
    },
    more: 'selected in the editor',
  });
  offered.push(selection(1), selection(2));
  const [kept, other] = await complete('a.go', never);
  assert.ok(kept && other);
  attachments.keepDraft('draft', [kept.id]);
  const all = new Set<string>();
  for (let n = 3; n < 2000; n++) {
    offered.splice(0, 2, selection(n), selection(n + 1));
    for (const { id } of await complete('a.go', never)) all.add(id);
  }
  assert.equal(attachments.named([kept.id])?.[0]?.id, kept.id);
  assert.equal(attachments.named([other.id]), null);
  const still = [...all].filter(id => attachments.named([id]) !== null);
  assert.ok(still.length >= 400 && still.length <= 1000, `${still.length} of ${all.size}`);
  offered.splice(0, 2, selection(1999), selection(2000));
  const [last] = await complete('a.go:1999', never);
  assert.equal((await complete('1999', never))[0]?.id, last?.id, 'the same has the same id');
});
