// The pictures of a conversation, asked of the host when they are near the eye. Promises: each is asked for once; what came
// is an address of this page, which is given back when nobody shows it any more, and then
// nothing is kept of it; what cannot be shown is `none`.

import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Intent } from '../../model/intent.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { HostEvent } from '../../model/wire.ts';

/** Null until it has come; `none` where it cannot. */
export type Picture = { readonly address: string } | 'none' | null;

export interface PicturePlace {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly block: number;
}

export interface Pictures {
  /** It is shown from now on, until `end`. */
  show(place: PicturePlace): ShownPicture;
  readonly hear: (event: HostEvent) => void;
}

export interface ShownPicture {
  readonly picture: ReadonlySignal<Picture>;
  readonly end: () => void;
}

const shownMimes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const largest = 10 * 1024 * 1024;

/** What the host gives at all. */
export function isShowable(mime: string, bytes: number): boolean {
  return shownMimes.has(mime.toLowerCase().replace(/\s*;.*$/s, '')) && bytes <= largest;
}

interface Held {
  readonly picture: Signal<Picture>;
  shown: number;
}

/** `addresses` are those of the page. */
export function createPictures(
  post: (intent: Intent) => void,
  addresses: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'> = URL,
): Pictures {
  const all = new Map<string, Held>();
  const begin = (key: string, place: PicturePlace): Held => {
    const fresh = { picture: signal<Picture>(null), shown: 0 };
    all.set(key, fresh);
    post({ type: 'wantMedia', ...place });
    return fresh;
  };
  return {
    show(place) {
      const key = `${place.message} ${place.block}`;
      const held = all.get(key) ?? begin(key, place);
      held.shown += 1;
      let over = false;
      const end = () => {
        if (over) return;
        over = true;
        held.shown -= 1;
        if (held.shown > 0) return;
        const { value } = held.picture;
        if (value !== null && value !== 'none') addresses.revokeObjectURL(value.address);
        all.delete(key);
      };
      return { picture: held.picture, end };
    },
    hear(event) {
      // A snapshot may have come in the place of an answer.
      if (event.type !== 'media') return;
      const held = all.get(`${event.message} ${event.block}`);
      if (held?.picture.value !== null) return;
      held.picture.value =
        event.base64 === null
          ? 'none'
          : { address: addresses.createObjectURL(new Blob([bytesOf(event.base64)], { type: event.mime })) };
    },
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
}
