// The files that an answer names, in the panel: asked for once while the answer is shown, and not kept longer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Intent } from '../../../src/model/intent.ts';
import { createNamedFiles } from '../../../src/webview/transcript/namedFiles.ts';

const files = [{ words: 'store.go', at: 0 }] as const;
const found = { type: 'namedFiles', message: 'm', block: 1, files } as const;

test('[W97] what an answer names is asked for once while it is shown, and anew when it is shown again', () => {
  const posted: Intent[] = [];
  const named = createNamedFiles(intent => void posted.push(intent));
  const [one, other] = [named.show('m', 1), named.show('m', 1)];
  one.ask('s');
  other.ask('s');
  assert.deepEqual(posted, [{ type: 'wantFiles', session: 's', message: 'm', block: 1 }]);
  named.hear(found);
  assert.deepEqual([one.files.value, other.files.value], [files, files]);
  one.end();
  assert.equal(named.show('m', 1).files.value, files);
  for (let shown = 0; shown < 2; shown++) other.end();
  named.hear(found);
  const again = named.show('m', 1);
  assert.equal(again.files.value, null, 'nothing is kept of what nobody shows');
  again.ask('s');
  assert.equal(posted.length, 2);
});
