// What stands above the words in the composer: files and pictures that go with them. Promises: each is there once; what
// the host did not take is gone again, and it is said why; nothing is sent before the host has named it.

import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { attachmentOf, mostAttachments, type Attached, type Attachment } from '../../model/attachment.ts';
import type { Intent } from '../../model/intent.ts';
import type { SessionId } from '../../model/message.ts';
import type { HostEvent } from '../../model/wire.ts';

export interface Chip extends Omit<Attachment, 'id' | 'preview'> {
  /** The panel's own, where something was given to the host; else the host's. */
  readonly key: string;
  /** The host's; null until it has answered. */
  readonly id: string | null;
  /** A picture as a `data:` address. */
  readonly preview: string | null;
}

export interface GivenPicture {
  readonly name: string;
  readonly base64: string;
  readonly preview: string;
}

export interface AttachedChips {
  readonly chips: ReadonlySignal<readonly Chip[]>;
  /** Why something was not attached. */
  readonly trouble: Signal<string | null>;
  /** The host has named all of them. */
  readonly isReady: ReadonlySignal<boolean>;
  /** Runs once when the host has named all of them, and never where one of them goes before that. */
  readonly whenReady: (run: () => unknown) => void;
  readonly add: (attachment: Attachment) => void;
  readonly givePicture: (session: SessionId, picture: GivenPicture) => void;
  readonly giveUri: (session: SessionId, uri: string) => void;
  readonly remove: (key: string) => void;
  /** All of them, which are not here any more. */
  readonly take: () => readonly Chip[];
  /** Before those that are here. */
  readonly put: (chips: readonly Chip[]) => void;
  readonly hear: (event: HostEvent) => void;
}

export function createAttached(post: (intent: Intent) => void, born: string): AttachedChips {
  const chips = signal<readonly Chip[]>([]);
  const trouble = signal<string | null>(null);
  let count = 0;
  let waiting: (() => unknown) | null = null;

  const hasRoom = () => {
    const room = chips.value.length < mostAttachments;
    if (!room) trouble.value = `At most ${mostAttachments} things go with one prompt.`;
    return room;
  };
  const isThere = (id: string | null) => id !== null && chips.value.some(chip => chip.id === id);
  const give = (chip: Omit<Chip, 'key' | 'id' | 'folder'>, send: (request: string) => void) => {
    if (!hasRoom()) return;
    const key = `${born}+${count++}`;
    chips.value = [...chips.value, { ...chip, key, id: null, folder: '' }];
    send(key);
  };
  const add = (attachment: Attachment) => {
    if (!isThere(attachment.id) && hasRoom()) chips.value = [...chips.value, chipOf(attachment)];
  };
  const isReady = computed(() => chips.value.every(({ id }) => id !== null));
  return {
    chips,
    trouble,
    isReady,
    whenReady: run => void (waiting = run),
    add,
    givePicture(session, { name, base64, preview }) {
      give({ kind: 'image', name, preview }, request =>
        post({ type: 'attachPicture', session, request, name, base64 }),
      );
    },
    giveUri(session, uri) {
      give({ kind: 'file', name: '…', preview: null }, request => post({ type: 'attachUri', session, request, uri }));
    },
    remove(key) {
      waiting = null;
      chips.value = chips.value.filter(chip => chip.key !== key);
    },
    take() {
      const taken = chips.value;
      waiting = null;
      if (taken.length > 0) chips.value = [];
      trouble.value = null;
      return taken;
    },
    put(back) {
      const fresh = back.filter(({ id }) => !isThere(id));
      if (fresh.length > 0) chips.value = [...fresh, ...chips.value];
    },
    hear(event) {
      if (event.type === 'added') event.attachments.forEach(add);
      if (event.type === 'notAttached') {
        const isHere = chips.value.some(({ key }) => key === event.request);
        if (!isHere) return;
        waiting = null;
        chips.value = chips.value.filter(({ key }) => key !== event.request);
        trouble.value = event.words;
      } else if (event.type === 'attached') {
        const { attachment, request } = event;
        const isTwice = isThere(attachment.id);
        chips.value = chips.value.flatMap(chip =>
          chip.key !== request
            ? [chip]
            : isTwice
              ? []
              : [{ ...chipOf(attachment), preview: chip.preview, key: request }],
        );
        if (!isReady.value) return;
        const run = waiting;
        waiting = null;
        run?.();
      }
    },
  };
}

/** Of what waited in the queue. */
export function chipsOf(attached: readonly Attached[] | undefined): readonly Chip[] {
  return (attached ?? []).map(one => chipOf(attachmentOf(one)));
}

export function idsOf(chips: readonly Chip[]): readonly string[] {
  return [...new Set(chips.flatMap(({ id }) => id ?? []))];
}

export function chipOf({ preview, ...attachment }: Attachment): Chip {
  return { ...attachment, key: attachment.id, preview: preview ?? null };
}
