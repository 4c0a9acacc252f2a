// The import table of the house, proved by breaking it: every arrow that is not in the table of src/README.md is
// planted in a copy of src/, and the build must refuse each, `import type` included. The copy lies under out/, so that
// packages are found from there as from src/.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const house = join(root, 'out/planted');

/** What each room may import; an arrow that is not here must not build. */
const table: { readonly [room: string]: readonly string[] } = {
  model: [],
  core: ['model'],
  node: ['model', 'core'],
  agent: ['model', 'core'],
  host: ['model', 'core', 'node', 'agent'],
  webview: ['model'],
};

/** One exported file of each room, to import from. */
const doors: { readonly [room: string]: string } = {
  model: 'message.ts',
  core: 'ports.ts',
  node: 'ids.ts',
  agent: 'serve.ts',
  host: 'report.ts',
  webview: 'store.ts',
};

/** What a room must not see of the world, as a line of code. */
const foreign: readonly { readonly rooms: readonly string[]; readonly code: string }[] = [
  {
    rooms: ['model', 'core', 'node', 'agent', 'webview'],
    code: `import { window } from 'vscode';\nexport const seen = window;`,
  },
  {
    rooms: ['model', 'core', 'agent', 'webview'],
    code: `import { readFile } from 'node:fs';\nexport const seen = readFile;`,
  },
  { rooms: ['model', 'core', 'agent', 'webview'], code: `export const seen = process.pid;` },
  { rooms: ['model', 'core', 'node', 'agent', 'host'], code: `export const seen = document.title;` },
  { rooms: ['model', 'core'], code: `import type { Database } from 'sql.js';\nexport type Seen = Database;` },
  {
    rooms: ['model', 'core'],
    code: `import type { Stream } from '@agentclientprotocol/sdk';\nexport type Seen = Stream;`,
  },
  { rooms: ['model', 'core'], code: `import { h } from 'preact';\nexport const seen = h;` },
];

interface Planted {
  readonly what: string;
  readonly file: string;
}
const planted: Planted[] = [];
let complaints = '';

function plant(room: string, what: string, code: string): void {
  const file = `${room}/planted${planted.length}.ts`;
  writeFileSync(join(house, 'src', file), `${code}\n`);
  planted.push({ what, file });
}

function build(): string {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const rooms = Object.keys(table).map(room => join(house, 'src', room));
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-b', '--pretty', 'false', ...rooms], {
    cwd: house,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

before(() => {
  rmSync(house, { recursive: true, force: true });
  mkdirSync(house, { recursive: true });
  cpSync(join(root, 'src'), join(house, 'src'), { recursive: true });
  const clean = build();
  assert.equal(clean, '', 'the house builds before anything is planted');
  for (const from of Object.keys(table)) {
    for (const [to, door] of Object.entries(doors)) {
      if (from === to || table[from]?.includes(to)) continue;
      plant(from, `${from} imports ${to}`, `import * as other from '../${to}/${door}';\nexport const seen = other;`);
      plant(
        from,
        `${from} imports a type of ${to}`,
        `import type * as other from '../${to}/${door}';\nexport type Seen = typeof other;`,
      );
    }
  }
  for (const { rooms, code } of foreign)
    for (const room of rooms) plant(room, `${room} has: ${code.split('\n')[0]}`, code);
  complaints = build();
});

after(() => rmSync(house, { recursive: true, force: true }));

test('[L1] every room of src/ is in the table', () => {
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory());
  assert.deepEqual(rooms.map(entry => entry.name).toSorted(), Object.keys(table).toSorted());
});

test('[L1] an import against the table fails the build', async group => {
  assert.ok(planted.length > 60, `${planted.length} violations are planted`);
  for (const { what, file } of planted) {
    // Two files that import the same forbidden one share a complaint, which names both.
    const named = complaints.includes(`${file}(`) || complaints.includes(`/${file}'`);
    await group.test(what, () => assert.ok(named, `${file} was built without a word`));
  }
});
