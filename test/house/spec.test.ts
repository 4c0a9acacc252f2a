// Every rule of src/core/SPEC.md has a test that carries its number, and every number in a test's name is a rule.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

function numbers(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(([, number]) => number ?? ''));
}

const rules = numbers(readFileSync(join(root, 'src/core/SPEC.md'), 'utf8'), /^- \*\*([A-Z]\d+)\*\*/gm);
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(file =>
  /\.test\.tsx?$/.test(file),
);
const cited = numbers(
  tests.map(file => readFileSync(join(root, 'test', file), 'utf8')).join('\n'),
  /['"`]\[([A-Z]\d+)\]/g,
);

test('[L2] every rule has a test', () => {
  assert.ok(rules.size > 0, 'the SPEC has rules');
  assert.deepEqual(
    [...rules].filter(rule => !cited.has(rule)),
    [],
  );
});

test('[L2] every test that cites a rule cites one that exists', () => {
  assert.deepEqual(
    [...cited].filter(rule => !rules.has(rule)),
    [],
  );
});
