// Journals of old versions, kept as they were written: they open for ever, and say what they always said.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answersOf } from '../../fixtures/journal/answers.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/journal');
const versions = readdirSync(fixtures, { withFileTypes: true }).filter(entry => entry.isDirectory());

test('[J33] every version that was ever written is here', () => {
  assert.deepEqual(
    versions.map(({ name }) => name),
    ['v1'],
  );
});

for (const { name } of versions) {
  test(`[J33] a journal of ${name} gives the answers that it always gave`, async () => {
    const expected = JSON.parse(readFileSync(join(fixtures, name, 'answers.json'), 'utf8')) as object;
    // What later versions say besides is no change of what was said.
    assert.partialDeepStrictEqual(await answersOf(join(fixtures, name)), expected);
  });
}
