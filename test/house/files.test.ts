// What the house looks like from outside: the size of files, the packages of each room, the lock file.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

function filesUnder(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => pattern.test(file))
    .map(file => join(folder, file));
}

const sources = [...filesUnder('src', /\.(ts|tsx|css)$/), ...filesUnder('test', /\.(ts|tsx|mjs)$/)];

test('[L3] no file is over 400 lines', () => {
  const long = sources.filter(file => readFileSync(join(root, file), 'utf8').split('\n').length > 401);
  assert.deepEqual(long, []);
});

test('[L3] every file opens with what it is', () => {
  const silent = sources.filter(file => !/^(#!.*\n)?(\/\/|\/\*) \S/.test(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(silent, []);
});

/** The packages that each room may import. */
const packages: { readonly [room: string]: readonly string[] } = {
  model: [],
  core: ['zod'],
  node: ['node:', 'sql.js', 'nanoid', 'diff', '@agentclientprotocol/sdk'],
  agent: ['@agentclientprotocol/sdk', 'ai', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible'],
  host: ['node:', 'vscode'],
  webview: ['preact', '@preact/signals', 'marked', 'character-entities'],
};

test('[L1] a room imports its own packages only', () => {
  const foreign: string[] = [];
  for (const [room, allowed] of Object.entries(packages)) {
    for (const file of filesUnder(join('src', room), /\.tsx?$/)) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^;]*?from '([^'.][^']*)';/gm)) {
        const fits = allowed.some(one =>
          one.endsWith(':') ? name.startsWith(one) : name === one || name.startsWith(`${one}/`),
        );
        if (!fits) foreign.push(`${file}: ${name}`);
      }
    }
  }
  assert.deepEqual(foreign, []);
});

test('[L4] the lock file holds no download addresses', () => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  assert.ok(!lock.includes('"resolved"'));
  // The addresses of funding pages are the packages' own and download nothing.
  assert.deepEqual(
    [...lock.matchAll(/https?:\/\/[^"]*\.tgz/g)].map(([address]) => address),
    [],
  );
});

/** What `npm ci` reads of the lock: the packages by their folder, with the ones that each asks for. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

/** Optional packages that the lock does not hold anywhere Node.js would look for them. */
function missingOptionalPackages({ packages }: Lock): readonly string[] {
  return Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !searchedFolders(folder).some(searched => `${searched}node_modules/${name}` in packages))
      .map(([name, version]) => `${folder || 'package.json'} needs ${name}@${version}`),
  );
}

/** A package's own folder and those that it is nested in, as Node.js searches them. */
function searchedFolders(folder: string): readonly string[] {
  if (folder === '') return [''];
  const outer = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '');
  return [`${folder}/`, ...searchedFolders(outer)];
}

test('[L8] the lock file names the builds of every platform', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  assert.deepEqual(missingOptionalPackages(lock), []);
});

test('[L8] a missing build of another platform is noticed', () => {
  const lock: Lock = {
    packages: {
      'node_modules/tool': { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } },
      'node_modules/tool/node_modules/tool-linux': {},
    },
  };
  assert.deepEqual(missingOptionalPackages(lock), ['node_modules/tool needs tool-darwin@1.0.0']);
});

test('[L4] no stable release needs a proposed API', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly [key: string]: unknown };
  assert.equal(manifest['enabledApiProposals'], undefined);
  assert.equal(existsSync(join(root, 'vscode.proposed.d.ts')), false);
  const proposed = filesUnder('src', /\.(ts|tsx)$/).filter(file =>
    /vscode\.proposed|enabledApiProposals/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(proposed, []);
});
