// The table of defences fits the code: what test/mutations/run.ts would only find out after minutes is known here.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mutate, type Row } from '../mutations/row.ts';
import { table } from '../mutations/table.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What is wrong with a row, in words. */
function faultsOf(row: Row): readonly string[] {
  const faults: string[] = [];
  try {
    mutate(row, existsSync(join(root, row.file)) ? read(row.file) : '');
  } catch (cause) {
    faults.push(cause instanceof Error ? cause.message : String(cause));
  }
  const missing = row.tests.filter(file => !existsSync(join(root, file)));
  for (const file of missing) faults.push(`Row “${row.defence}”: there is no ${file}.`);
  const { only, tests } = row;
  if (only !== undefined && missing.length === 0 && !tests.some(file => read(file).includes(only)))
    faults.push(`Row “${row.defence}”: no test is called “${only}”.`);
  return faults;
}

test('[L10] each row names code that is there and tests that are there', () => {
  assert.deepEqual(table.flatMap(faultsOf), []);
});

test('[L10] each defence is one row', () => {
  const defences = table.map(({ defence }) => defence);
  assert.deepEqual(
    defences.filter((one, at) => defences.indexOf(one) !== at),
    [],
  );
});

test('[L10] each attack has a defence that is tried', () => {
  const attacks = [...read('test/SAFETY.md').matchAll(/^\| (\d+) +\|/gm)].map(([, number]) => Number(number));
  assert.ok(attacks.length > 0);
  const tried = new Set(table.flatMap(({ attacks: held }) => held));
  assert.deepEqual(
    attacks.filter(number => !tried.has(number)),
    [],
  );
  assert.deepEqual(
    [...tried].filter(number => !attacks.includes(number)),
    [],
  );
});
