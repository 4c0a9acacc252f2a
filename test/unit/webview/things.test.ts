// The words for plans, pictures, files and settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentOption } from '../../../src/model/agentState.ts';
import type { MediaBlock, ResourceBlock } from '../../../src/model/message.ts';
import { optionWords } from '../../../src/webview/composing/options.ts';
import { planWords, sizeWords, thingWords } from '../../../src/webview/transcript/things.ts';

test('[W16] a plan says how far it is', () => {
  const entry = (status: 'pending' | 'completed') => ({ content: 'x', priority: 'low', status }) as const;
  assert.equal(planWords([]), 'Plan');
  assert.equal(planWords([entry('completed'), entry('pending')]), 'Plan · 1 of 2 done');
});

test('[W16] a picture or a file is a line with its name, kind and size', () => {
  const data = { sha256: 'x', size: 2048 };
  const rows: readonly (readonly [MediaBlock | ResourceBlock, string, string])[] = [
    [{ kind: 'image', mime: 'image/png', data }, 'Image', 'image/png · 2 KiB'],
    [{ kind: 'audio', mime: 'audio/wav', name: 'a\u001b[1mb.wav' }, 'ab.wav', 'audio/wav'],
    [{ kind: 'resource', mime: '', uri: 'file:///x/y.go?z' }, 'y.go', ''],
    [{ kind: 'image', mime: 'image/png', uri: 'data:image/png;base64,AA/AA' }, 'Image', 'image/png'],
    [{ kind: 'video', mime: 'video/mp4', data: new Uint8Array(3) }, 'Video', 'video/mp4 · 3 bytes'],
  ];
  for (const [block, name, facts] of rows) assert.deepEqual(thingWords(block), { name, facts });
  assert.deepEqual([1, 1023, 1536, 200_000, 1_040_000, 5e7].map(sizeWords), [
    '1 byte',
    '1023 bytes',
    '1.5 KiB',
    '195 KiB',
    '1 MiB',
    '48 MiB',
  ]);
});

test('[W26] model and mode come first, and every setting says what it is now', () => {
  const option = (id: string, category: string, value: string | boolean): AgentOption => ({
    id,
    name: id === 'o' ? 'Engine' : id,
    description: '',
    category,
    value,
    choices: [{ value: 'opus-4', name: 'Opus\u001b[1m', description: '' }],
  });
  const options = [
    option('effort', 'thought_level', 'high'),
    option('tone', 'x', 'dry'),
    option('m', 'mode', 'ask'),
    option('web', 'x', true),
    option('o', 'model', 'opus-4'),
    option('empty', 'x', ''),
  ];
  assert.deepEqual(optionWords(options), [
    { id: 'o', name: 'Model', value: 'Opus', title: 'Engine: Opus' },
    { id: 'm', name: 'Mode', value: 'ask', title: 'm: ask' },
    { id: 'effort', name: 'effort', value: 'effort: high', title: 'effort: high' },
    { id: 'tone', name: 'tone', value: 'dry', title: 'tone: dry' },
    { id: 'web', name: 'web', value: 'web: on', title: 'web: on' },
  ]);
});
