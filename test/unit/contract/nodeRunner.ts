// The contracts in plain Node.js: each row a test of `node:test`, on the sources as they are.

import { test } from 'node:test';
import { engineFiles } from '../support/history.ts';
import type { Runner } from './runner.ts';

export const nodeRunner: Runner = {
  test: (name, run) => void test(name, { timeout: 60_000 }, run),
  engine: engineFiles,
};
