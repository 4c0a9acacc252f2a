// Pictures of a conversation in the panel: asked for once, shown as an address of the page, given back when gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Intent } from '../../../src/model/intent.ts';
import { createPictures, isShowable } from '../../../src/webview/transcript/pictures.ts';

const place = { session: 's', message: 'm', block: 1 };

function made() {
  const posted: Intent[] = [];
  const live = new Set<string>();
  let count = 0;
  const addresses = {
    createObjectURL: (blob: Blob) => {
      const address = `blob:${blob.type}:${blob.size}:${++count}`;
      live.add(address);
      return address;
    },
    revokeObjectURL: (address: string) => void live.delete(address),
  };
  return { pictures: createPictures(intent => void posted.push(intent), addresses), posted, live };
}

test('[W64] a picture is asked for once, and its address is given back when nobody shows it', () => {
  const { pictures, posted, live } = made();
  const [one, other] = [pictures.show(place), pictures.show(place)];
  assert.deepEqual(posted, [{ type: 'wantMedia', ...place }]);
  assert.equal(one.picture.value, null);
  const media = { type: 'media', message: 'm', block: 1, mime: 'image/png', base64: 'AAEC' } as const;
  pictures.hear(media);
  pictures.hear(media);
  for (const { picture } of [one, other]) assert.deepEqual(picture.value, { address: 'blob:image/png:3:1' });
  one.end();
  one.end();
  assert.equal(live.size, 1);
  other.end();
  assert.equal(live.size, 0);
  pictures.hear(media);
  assert.equal(live.size, 0, 'nobody shows it any more');
  assert.equal(pictures.show(place).picture.value, null);
  assert.equal(posted.length, 2);
});

test('[W64] what cannot be shown is said to be so', () => {
  const { pictures } = made();
  const { picture } = pictures.show(place);
  pictures.hear({ type: 'media', message: 'm', block: 1, mime: 'image/png', base64: null });
  assert.equal(picture.value, 'none');
  assert.equal(isShowable('image/svg+xml', 10), false);
  assert.equal(isShowable('image/PNG; x=y', 10), true);
  assert.equal(isShowable('image/png', 11 * 1024 * 1024), false);
});
