// What outlives an update stays: nothing that the fixture names is missing from the code, and what the code has besides is
// named there and in docs/compatibility.md. A new name is added to `since` in the fixture, and to the page.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exchangeFormat } from '../../src/core/exchange/exchange.ts';
import { extensionId, repository } from '../vscode/places.ts';
import { currentContract, type Contract } from './contract.ts';

/** Read from commit f23b1dd, and never edited; `since` has what was added later, and only grows. */
interface Fixture {
  readonly f23b1dd: Contract;
  readonly since: Contract;
}

const file = 'test/fixtures/compatibility/contract.json';
const { f23b1dd, since } = JSON.parse(readFileSync(join(repository, file), 'utf8')) as Fixture;
const page = readFileSync(join(repository, 'docs/compatibility.md'), 'utf8');
const now = currentContract();
const lists = [...new Set([...Object.keys(f23b1dd), ...Object.keys(since), ...Object.keys(now)])].toSorted();

/** Everything that stands in code marks on the page. */
const named = new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words));

test('[L9] the part of the contract that f23b1dd wrote is as it was written', () => {
  const digest = createHash('sha256').update(JSON.stringify(f23b1dd)).digest('hex');
  assert.equal(
    digest,
    'f75fdc2940d6d76a419de4cd93ec43630f45b3983b331201b4d8f7758d21ac8d',
    `${file} lost or changed what f23b1dd had`,
  );
});

for (const list of lists) {
  test(`[L9] ${list}: nothing disappeared, and nothing is new without being listed`, () => {
    const promised = [...(f23b1dd[list] ?? []), ...(since[list] ?? [])];
    const current = now[list] ?? [];
    assert.deepEqual(
      promised.filter(name => !current.includes(name)),
      [],
      'users have these, and the code has them no longer',
    );
    assert.deepEqual(
      current.filter(name => !promised.includes(name)),
      [],
      `add these to "since" in ${file}`,
    );
  });

  test(`[L9] ${list}: docs/compatibility.md lists each`, () => {
    const missing = (now[list] ?? []).filter(name => !named.has(name));
    assert.deepEqual(missing, []);
  });
}

test('[L9] docs/compatibility.md names nothing of ours that is not in the contract', () => {
  const known = new Set(Object.values(now).flat());
  // The extension itself, and the format of exports, stand among other names in the lists.
  for (const name of [extensionId, exchangeFormat]) known.add(name);
  assert.deepEqual(
    [...named].filter(name => /^throughline[.-][\w.]+$/.test(name) && !known.has(name)),
    [],
  );
});
