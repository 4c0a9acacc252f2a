// What the page of a chat may load, directive by directive. `e2e/safety.test.ts` sees that the browser obeys it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentPolicy } from '../../../src/host/chat/contentPolicy.ts';

test('[W94] the page may load its own script and style and pictures that the host gives, and nothing else', () => {
  const directives = contentPolicy('n0nce', 'https://own.example').split('; ');
  assert.deepEqual(
    new Map(directives.map(one => one.split(/ (.*)/s).slice(0, 2) as [string, string])),
    new Map([
      // Connections, frames, fonts, media, workers and whatever is added to the standard.
      ['default-src', "'none'"],
      ['script-src', "'nonce-n0nce'"],
      ['style-src', 'https://own.example'],
      ['img-src', 'data: blob:'],
      ['base-uri', "'none'"],
      ['form-action', "'none'"],
      ['require-trusted-types-for', "'script'"],
      ['trusted-types', "'none'"],
    ]),
  );
});
