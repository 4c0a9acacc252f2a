// What an incognito session is said to leave behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyWords } from '../../../src/webview/copyWords.ts';

const about = { words: 'Not an AI.', examples: [] };
const option = (category: string) => ({ id: 'x', name: 'X', description: '', category, value: true }) as const;

test('[H106] a copy is spoken of where somebody may keep one', () => {
  assert.equal(copyWords('Codex', null, []), 'Codex may keep its own copy.');
  assert.equal(copyWords('Offline scout', about, [option('other')]), '');
  assert.equal(copyWords('Throughline', about, [option('model')]), 'The model’s provider may keep what it is sent.');
});
