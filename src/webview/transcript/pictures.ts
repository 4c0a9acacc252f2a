// The pictures of a conversation, asked of the host when they are near the eye. Promises: each is asked for once; what came
// is an address of this page, which is given back when nobody shows it any more; what cannot be shown is `none`.

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
  of(place: PicturePlace): ReadonlySignal<Picture>;
  /** It is shown from now on. What is answered ends that. */
  show(place: PicturePlace): () => void;
  readonly hear: (event: HostEvent) => void;
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
  asked: boolean;
}

/** `addresses` are those of the page. */
export function createPictures(
  post: (intent: Intent) => void,
  addresses: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'> = URL,
): Pictures {
  const all = new Map<string, Held>();
  const held = ({ message, block }: Pick<PicturePlace, 'message' | 'block'>): Held => {
    const key = `${message} ${block}`;
    const known = all.get(key) ?? { picture: signal<Picture>(null), shown: 0, asked: false };
    all.set(key, known);
    return known;
  };
  return {
    of: place => held(place).picture,
    show(place) {
      const one = held(place);
      one.shown += 1;
      if (!one.asked) post({ type: 'wantMedia', ...place });
      one.asked = true;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        one.shown -= 1;
        const { value } = one.picture;
        if (one.shown > 0) return;
        if (value !== null && value !== 'none') addresses.revokeObjectURL(value.address);
        one.picture.value = null;
        one.asked = false;
      };
    },
    hear(event) {
      // A snapshot may have come in the place of an answer.
      if (event.type !== 'media') return;
      const one = held(event);
      if (one.shown === 0 || one.picture.value !== null) return;
      one.picture.value =
        event.base64 === null
          ? 'none'
          : { address: addresses.createObjectURL(new Blob([bytesOf(event.base64)], { type: event.mime })) };
    },
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
}
