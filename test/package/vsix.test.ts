// Opens the packed extension and looks at what people would get: exactly the files of a list, small enough, and asking
// VS Code for nothing that it does not give to everybody. That it also works is proved by test/e2e.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { vsixFile } from '../vscode/places.ts';

const expected = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/THIRD-PARTY-NOTICES.txt',
  'extension/dist/acp.js',
  'extension/dist/adding.js',
  'extension/dist/agent.js',
  'extension/dist/agents.js',
  'extension/dist/composition.js',
  'extension/dist/consent.js',
  'extension/dist/extension.js',
  'extension/dist/files.js',
  'extension/dist/history.js',
  'extension/dist/incognito.js',
  'extension/dist/local.js',
  'extension/dist/mcp.js',
  'extension/dist/recovery.js',
  'extension/dist/retention.js',
  'extension/dist/sdk.js',
  'extension/dist/sessions.js',
  'extension/dist/sql-wasm.wasm',
  'extension/dist/talk.js',
  'extension/dist/webview/find.js',
  'extension/dist/webview/highlight.js',
  'extension/dist/webview/late.js',
  'extension/dist/webview/main.css',
  'extension/dist/webview/main.js',
  'extension/dist/webview/markdown.js',
  'extension/dist/webview/shared.js',
  'extension/media/activity.svg',
  'extension/media/chat-dark.svg',
  'extension/media/chat-light.svg',
  'extension/media/guide-ask.svg',
  'extension/media/guide-branch.svg',
  'extension/media/guide-connect.svg',
  'extension/media/guide-find.svg',
  'extension/media/guide-resume.svg',
  'extension/media/icon.png',
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
];

/** What is loaded at once, together. */
const budgets: readonly (readonly [kibibytes: number, names: readonly string[]])[] = [
  [8, ['extension/dist/extension.js']],
  [120, ['extension/dist/composition.js']],
  [100, ['extension/dist/webview/main.js', 'extension/dist/webview/shared.js']],
];

type Manifest = { activationEvents?: string[]; enabledApiProposals?: string[] };

/** The files of a zip archive by name, read from its central directory. */
function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  // The end record is 22 bytes and a comment, which vsce leaves empty.
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  assert.ok(end >= 0, 'this is no zip archive');
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(at => archive.readUInt16LE(entry + at));
    assert.ok(nameLength !== undefined && extraLength !== undefined && commentLength !== undefined);
    const name = archive.toString('utf8', entry + 46, entry + 46 + nameLength);
    const packed = archive.readUInt32LE(entry + 20);
    const local = archive.readUInt32LE(entry + 42);
    // The local header has an extra field of its own, of another length.
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(from, from + packed);
    if (!name.endsWith('/')) {
      files.set(name, archive.readUInt16LE(entry + 10) === 0 ? bytes : inflateRawSync(bytes));
    }
    entry += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

const files = unzip(readFileSync(vsixFile));
const text = (name: string): string => files.get(name)?.toString('utf8') ?? assert.fail(`${name} is missing`);
const manifest = JSON.parse(text('extension/package.json')) as Manifest;

test('[L6] the package holds exactly these files', () => {
  assert.deepEqual([...files.keys()].toSorted(), expected.toSorted());
});

test('[L6] the package is at most 2 MiB', () => {
  assert.ok(statSync(vsixFile).size <= 2 * 1024 * 1024, `${statSync(vsixFile).size} bytes`);
});

for (const [limit, names] of budgets) {
  test(`[L6] ${names.join(' and ')}: at most ${limit} KiB`, () => {
    const length = names.reduce((sum, name) => sum + (files.get(name) ?? assert.fail(`${name} is missing`)).length, 0);
    assert.ok(length <= limit * 1024, `${(length / 1024).toFixed(1)} KiB`);
  });
}

test('[L4] it asks for no proposed API', () => {
  assert.equal(manifest.enabledApiProposals, undefined);
});

test('[L4] it does not start before it is needed', () => {
  const eager = (manifest.activationEvents ?? []).filter(event => event === '*' || event === 'onStartupFinished');
  assert.deepEqual(eager, []);
});

test('[L6] the vendor’s gateway of the AI SDK is in no bundle and in no notice', () => {
  const forbidden = /VERCEL_|ai-gateway\.vercel\.sh|api\.vercel\.com|@vercel\/oidc|@ai-sdk\/gateway \d/;
  const names = [...files.keys()].filter(name => /\.(js|txt)$/.test(name));
  assert.ok(names.includes('extension/dist/sdk.js') && names.includes('extension/dist/THIRD-PARTY-NOTICES.txt'));
  assert.deepEqual(
    names.flatMap(name => text(name).match(forbidden)?.[0] ?? []),
    [],
  );
});

test('[L6] no text in it names a file of the machine that built it', () => {
  const names = [...files.keys()].filter(name => /\.(js|css|json|md|xml|vsixmanifest)$/.test(name));
  const repository = process.cwd();
  assert.deepEqual(
    names.filter(name => text(name).includes(repository)),
    [],
  );
});
