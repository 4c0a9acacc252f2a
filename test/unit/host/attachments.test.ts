// What a panel may attach, as the host answers it: ids, never paths, and only what is in the workspace.

import assert from 'node:assert/strict';
import { matchesGlob } from 'node:path';
import { mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { attachedTextIn } from '../../../src/host/adding/attachedSession.ts';
import { sessionOf } from '../../../src/host/adding/chosenText.ts';
import { Attachments } from '../../../src/host/files/attachments.ts';
import type { Offered } from '../../../src/host/files/completions.ts';
import { Attaching } from '../../../src/host/files/attaching.ts';
import { excludeFrom, globFor } from '../../../src/host/files/fileGlob.ts';
import { largestPicture, madeUri, mostAttachments, type Attached } from '../../../src/model/attachment.ts';
import { wordsIn } from '../../../src/model/fuzzy.ts';
import { parseIntent } from '../../../src/model/intent.ts';
import type { HostEvent } from '../../../src/model/wire.ts';
import { attachedTextFrom } from '../../../src/node/files/attachedText.ts';
import { draftsIn } from '../../../src/node/drafts.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { stage } from '../conversation/stage.ts';
import { ids, temporaryFolder } from '../support/history.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

const never = new AbortController().signal;

function scene(t: TestContext) {
  const above = realpathSync(temporaryFolder(t));
  const folder = join(above, 'work');
  mkdirSync(join(folder, 'orders', 'sub'), { recursive: true });
  const paths = ['orders/retry.go', 'orders/sub/x.go', 'README.md', '.env'];
  for (const path of paths) writeFileSync(join(folder, path), `text of ${path}`);
  writeFileSync(join(above, 'outside.txt'), 'outside');
  symlinkSync(join(above, 'outside.txt'), join(folder, 'link.txt'));
  const guard = guardIn(() => [folder]);
  const found = paths.map(path => ({ path: join(folder, path), shown: path }));
  const offered: Offered[] = [];
  const drafts = draftsIn(above);
  let keeping: Promise<unknown> = Promise.resolve();
  /** As another window has them. */
  const open = () =>
    new Attachments({
      find: () => Promise.resolve({ files: found, isWhole: false }),
      offered: () => () => Promise.resolve(offered),
      guard,
      newId: ids.message,
      readAttached: async session => (await keeping, drafts.readAttached(session)),
      keepAttached: (session, text) => void (keeping = Promise.all([keeping, drafts.keepAttached(session, text)])),
    });
  const attachments = open();
  const uriOf = (path: string) => pathToFileURL(join(folder, path)).href;
  const complete = (typed: string) => attachments.openList('s')(typed, never);
  return { above, folder, guard, attachments, complete, offered, open, drafts, uriOf };
}

test('[H61] files and the folders that they are in are found by typed words, each with one id', async t => {
  const { attachments, complete, folder } = scene(t);
  const shown = async (typed: string) =>
    (await complete(typed)).map(({ kind, name, folder: at }) => `${kind} ${name} ${at}`);
  assert.deepEqual(await shown('ret'), ['file retry.go orders']);
  assert.deepEqual(await shown('sub'), ['folder sub orders', 'file x.go orders/sub']);
  assert.equal((await shown('')).length, 6);
  const [one] = await complete('retry');
  const [same] = await complete('retry');
  assert.ok(one && same);
  assert.equal(one.id, same.id);
  assert.doesNotMatch(JSON.stringify(one), new RegExp(folder));
  const [attached] = attachments.named([one.id]) ?? [];
  assert.deepEqual(attached?.block, {
    kind: 'resource',
    mime: '',
    uri: pathToFileURL(join(folder, 'orders/retry.go')).href,
    name: 'retry.go',
  });
});

test('[H61] what VS Code is asked for holds all that fits, and nothing that is typed is a pattern', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['', 'a/b.go', true],
    ['ret', 'orders/Retry.go', true],
    ['rtg', 'orders/retry.go', true],
    ['ret', 'retry/x.go', true],
    ['ord/ret', 'src/orders/retry.go', true],
    ['zz', 'orders/retry.go', false],
    ['{a}', 'x{a}.go', true],
    ['*', 'orders/retry.go', true],
    ['ORD retry', 'orders/retry.go', true],
  ];
  for (const [typed, path, fits] of rows)
    assert.equal(matchesGlob(path, globFor(wordsIn(typed))), fits, `${typed} ${path}`);
  assert.equal(excludeFrom({ '**/a': true, '**/b': false }, undefined, { '**/a': true, '**/c': true }), '{**/a,**/c}');
  assert.equal(excludeFrom(null, {}), undefined);
});

test('[H60] what was dropped is attached only where it is in the workspace', async t => {
  const { above, attachments, uriOf } = scene(t);
  const rows: readonly (readonly [string, string | RegExp])[] = [
    [uriOf('README.md'), 'file README.md'],
    [uriOf('orders'), 'folder orders'],
    [uriOf('orders/retry.go').replace('file://', 'vscode-remote://host'), 'file retry.go'],
    [uriOf('missing.go'), /it is not there/],
    [uriOf('link.txt'), /not in this workspace/],
    [pathToFileURL(join(above, 'outside.txt')).href, /not in this workspace/],
    ['file:///work/../etc/passwd', /not in this workspace/],
    ['https://example.com/a', /Only files/],
    ['no address', /Only files/],
  ];
  for (const [uri, expected] of rows) {
    const taken = await attachments.takeUri(uri);
    const words = 'words' in taken ? taken.words : `${taken.attachment.kind} ${taken.attachment.name}`;
    if (typeof expected === 'string') assert.equal(words, expected);
    else assert.match(words, expected, uri);
  }
});

test('[H60] a picture is what its bytes say, and not too large', t => {
  const { attachments } = scene(t);
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const rows: readonly (readonly [Uint8Array, string | RegExp])[] = [
    [png, 'image/png'],
    [jpeg, 'image/jpeg'],
    [Buffer.from('GIF89a......'), 'image/gif'],
    [Buffer.from('RIFF1234WEBPVP8 '), 'image/webp'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no PNG/],
    [new Uint8Array(largestPicture + 1), /larger than 10 MB/],
  ];
  for (const [bytes, expected] of rows) {
    const taken = attachments.takePicture('p.png', Buffer.from(bytes).toString('base64'));
    if (typeof expected !== 'string') assert.match('words' in taken ? taken.words : '', expected);
    else {
      assert.ok('attachment' in taken);
      const [attached] = attachments.named([taken.attachment.id]) ?? [];
      assert.equal(attached?.block.mime, expected);
      assert.deepEqual(Buffer.from(attached.block.data as Uint8Array), Buffer.from(bytes));
    }
  }
  assert.equal(attachments.named(['unknown']), null);
});

test('[H1] an intent that attaches holds ids, checked bytes or an address, and no path', () => {
  const send = { type: 'sendPrompt', request: 'r', session: 's', text: 'x' };
  const picture = { type: 'attachPicture', session: 's', request: 'r', name: 'p.png' };
  const many = Array.from({ length: mostAttachments + 1 }, (_, n) => `id${n}`);
  const hostile: readonly unknown[] = [
    { ...send, attached: [] },
    { ...send, attached: ['a', 'a'] },
    { ...send, attached: ['a', 7] },
    { ...send, attached: 'a' },
    { ...send, attached: many },
    { ...send, attached: [{ path: '/etc/passwd' }] },
    picture,
    { ...picture, base64: '' },
    { ...picture, base64: 'not base64' },
    { ...picture, base64: 'AAA' },
    { ...picture, base64: 'A'.repeat(Math.ceil(largestPicture / 3) * 4 + 4) },
    { type: 'complete', session: 's', request: 'r', list: 'l' },
    { type: 'complete', session: 's', request: 'r', text: 'x' },
    { type: 'complete', session: 's', request: 'r', list: 'l', text: 'x'.repeat(300) },
    { type: 'attachUri', session: 's', request: 'r', uri: 'x'.repeat(9000) },
    { type: 'clear' },
    { type: 'keepAttached', session: 's' },
    { type: 'keepAttached', session: 's', attached: ['a', 'a'] },
  ];
  for (const intent of hostile) assert.equal(parseIntent(intent), undefined, JSON.stringify(intent).slice(0, 100));
  assert.deepEqual(parseIntent({ ...send, attached: ['a', 'b'] }), { ...send, attached: ['a', 'b'] });
  assert.deepEqual(parseIntent({ ...picture, base64: 'AAA=', path: '/x' }), { ...picture, base64: 'AAA=' });
});

test('[H60] an agent that takes no images is said to, and only the last question is answered', async t => {
  const { attachments } = scene(t);
  const { conversation } = await stage(t);
  const posted: HostEvent[] = [];
  const attaching = new Attaching(
    { attachments: () => Promise.resolve(attachments), takesImages: () => Promise.resolve(false) },
    event => posted.push(event),
  );
  const session = conversation.session;
  const given = { type: 'attachPicture', session, name: 'p.png', base64: png.toString('base64') } as const;
  await attaching.attachPicture({ ...given, request: 'r1' }, conversation);
  assert.deepEqual(
    posted.map(event => ('words' in event ? event.words : event.type)),
    ['attached', 'Scripted agent takes no images.'],
  );
  posted.length = 0;
  await Promise.all(
    ['one', 'two'].map(request => attaching.complete({ type: 'complete', session, request, list: 'one', text: 'ret' })),
  );
  assert.deepEqual(
    posted.map(event => ('request' in event ? event.request : '')),
    ['two'],
  );
});

test('[T31] the text of a file is sent where it needs no question, is text and is not long', async t => {
  const { folder, guard, uriOf } = scene(t);
  writeFileSync(join(folder, 'long.txt'), 'x'.repeat(256 * 1024 + 1));
  writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  const open = new Map([[join(folder, 'README.md'), 'not saved yet']]);
  const textOf = attachedTextFrom(guard, { openText: path => Promise.resolve(open.get(path) ?? null) });
  const rows: readonly (readonly [string, string | null])[] = [
    [uriOf('orders/retry.go'), 'text of orders/retry.go'],
    [uriOf('README.md'), 'not saved yet'],
    [uriOf('.env'), null],
    [uriOf('long.txt'), null],
    [uriOf('binary'), null],
    [uriOf('orders'), null],
    [uriOf('missing'), null],
    [uriOf('link.txt'), null],
    ['https://example.com', null],
  ];
  for (const [uri, expected] of rows) assert.equal(await textOf(uri, never), expected, uri);
});

test('[H70] [H60] what is attached to a draft is there again, in a window that is opened later too', async t => {
  const { above, folder, attachments, complete, open, drafts, uriOf } = scene(t);
  const session = ids.session();
  const [one] = await complete('retry');
  const picture = attachments.takePicture('p.png', png.toString('base64'));
  const missing = await attachments.takeUri(uriOf('README.md'));
  assert.ok(one && 'attachment' in picture && 'attachment' in missing);
  const chosen: Attached = {
    id: 'chosen',
    block: {
      kind: 'resource',
      mime: 'text/plain',
      uri: `${uriOf('README.md')}#L1-2`,
      name: 'README.md:1-2',
      text: 'was',
    },
  };
  attachments.keep([chosen]);
  const all = [one.id, picture.attachment.id, missing.attachment.id, 'chosen', 'unknown'];
  attachments.keepDraft(session, all);
  rmSync(join(folder, 'README.md'));
  for (const window of [attachments, open()]) {
    assert.deepEqual(await window.draftOf(session), [
      { ...one, folder: '' },
      { ...picture.attachment, preview: `data:image/png;base64,${png.toString('base64')}` },
      { ...missing.attachment, gone: true },
      { id: 'chosen', kind: 'selection', name: 'README.md:1-2', folder: '' },
    ]);
    const [, bytes, , words] = window.named(all.slice(0, 4)) ?? [];
    assert.deepEqual(Buffer.from(bytes?.block.data as Uint8Array), png);
    assert.deepEqual(words?.block, chosen.block, 'what was chosen is as it was');
    assert.deepEqual(await window.draftOf('other'), []);
  }
  attachments.keepDraft(session, []);
  assert.deepEqual(await attachments.draftOf(session), []);
  assert.deepEqual(await open().draftOf(session), []);
  assert.deepEqual(readdirSync(join(above, 'drafts')), [], 'nothing of it is left on the disk');
  // Whatever stands in the file.
  for (const text of ['{', '7', '[{"id":7},{"id":"x","kind":"image","mime":"image/png","data":"?"}]']) {
    await drafts.keepAttached(session, text);
    assert.deepEqual(await open().draftOf(session), []);
  }
  await drafts.forget(session);
  await drafts.keepAttached(session, '[]');
  assert.deepEqual(readdirSync(join(above, 'drafts')), [], 'of what was erased nothing is written again');
});

test('[H72] what is selected, problems and past sessions are offered with the files, each with one id', async t => {
  const { attachments, complete, offered } = scene(t);
  const text = (uri: string, name: string): Offered['block'] => ({
    kind: 'resource',
    mime: 'text/plain',
    uri,
    name,
    text: 'x',
  });
  const past = (n: number, title: string) => ({ block: sessionOf(`abcdefghjkm${n}`, title), more: 'session · now' });
  offered.push(
    { block: text('file:///w/main.go#L1-3', 'main.go:1-3'), more: 'selected in the editor' },
    { block: text('throughline:problem/a', 'Problem in store.go:5'), more: 'undefined: Retry' },
    ...['Where are orders kept?', 'How does Retry wait?', 'Third', 'Fourth'].map((title, n) => past(n + 2, title)),
  );
  const shown = async (typed: string) =>
    (await complete(typed)).map(({ kind, name, folder }) => `${kind} ${name} | ${folder}`);
  assert.deepEqual((await shown('')).slice(0, 6), [
    'selection main.go:1-3 | selected in the editor',
    'problem Problem in store.go:5 | undefined: Retry',
    'session Where are orders kept? | session · now',
    'session How does Retry wait? | session · now',
    'session Third | session · now',
    'file retry.go | orders',
  ]);
  assert.deepEqual(await shown('retry'), [
    'file retry.go | orders',
    'session How does Retry wait? | session · now',
    'problem Problem in store.go:5 | undefined: Retry',
  ]);
  assert.deepEqual(await shown('hdrw'), ['session How does Retry wait? | session · now']);
  const [one] = await complete('main.go');
  const [same] = await complete('selected');
  assert.ok(one && same);
  assert.equal(one.id, same.id);
  assert.deepEqual(attachments.named([one.id])?.[0]?.block, offered[0]?.block);
});

test('[H72] a past session goes as a bounded text of its branch, read when it is sent', async t => {
  const { conversation, agent, history, ended } = await stage(t);
  const textOf = attachedTextIn(
    () => Promise.resolve(history),
    uri => Promise.resolve(`file ${uri}`),
  );
  for (let n = 0; n < 30; n++) {
    await conversation.send(`question ${n} ${'long '.repeat(2000)}`);
    const turn = await agent.nextTurn();
    turn.update({ type: 'text', text: `${'words '.repeat(2000)}answer ${n}.` });
    turn.end({ reason: 'end_turn' });
    await ended();
  }
  const { uri } = sessionOf(conversation.session, 'any');
  const text = (await textOf(uri, never)) ?? '';
  assert.match(text, /^From “question 0 long .*” \(\d+ of its 60 messages are left out\):\n\n\[User\]\nquestion 0 /);
  assert.match(text, /\[\d+ messages left out here\]/);
  assert.match(text, /answer 29\.$/);
  assert.ok(text.length < 80_000, `${text.length}`);
  assert.match((await textOf(madeUri('session', 'nobodyknows2'), never)) ?? '', /not in the history any more/);
  assert.equal(await textOf('file:///w/a.go', never), 'file file:///w/a.go');
});
