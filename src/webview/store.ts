// What the host said, as signals. Promises: events are applied in order with the reducer that the host runs; a gap,
// or an event that does not fit, asks for one snapshot and nothing is applied until it comes; what is shown changes
// at most once per frame, and a part that did not change keeps its identity. It owns no truth: all of it may be lost.

import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { MessageId, SessionId } from '../model/message.ts';
import { keepSame, letGo, reduce, type Transcript } from '../model/transcript.ts';
import type { Intent } from '../model/intent.ts';
import { wireVersion, type HostEvent, type HostMessage, type Place } from '../model/wire.ts';

/** `otherVersion`: the extension was updated under this page, which only a reload of the window mends. */
export type Link = 'waiting' | 'live' | 'resyncing' | 'otherVersion';

export interface Outside {
  readonly post: (intent: Intent) => void;
  /** Calls back once, with a frame. */
  readonly later: (draw: () => void) => void;
  /** The session that was shown before a reload, and the message where it was scrolled to. */
  readonly session: SessionId | null;
  readonly message?: MessageId;
}

export interface Store {
  readonly transcript: ReadonlySignal<Transcript | undefined>;
  readonly place: ReadonlySignal<Place>;
  readonly link: ReadonlySignal<Link>;
  /** One field of the transcript; it changes only when that field does. */
  part<Key extends keyof Transcript>(key: Key): ReadonlySignal<Transcript[Key] | undefined>;
  /** Posts `ready`. */
  start(): void;
  /** What stands before this place of the path is not kept, and is asked for again where it is wanted. */
  letGo(first: number): void;
  /** Takes whatever came from the host, or from anyone who may post to this page. */
  receive(data: unknown): void;
  /** Hears every event that was believed, before it is drawn. */
  onEvent(listener: (event: HostEvent) => void): void;
  /** Called with what it is now, and after each event, drawn or not. Gives what ends that. */
  onTranscript(listener: (transcript: Transcript) => void): () => void;
}

const noPlace: Place = { folder: null, trusted: true };

export function createStore(outside: Outside): Store {
  const transcript = signal<Transcript | undefined>(undefined);
  const place = signal(noPlace);
  const link = signal<Link>('waiting');
  const listeners: ((event: HostEvent) => void)[] = [];
  const readers = new Set<(transcript: Transcript) => void>();
  const parts = new Map<keyof Transcript, ReadonlySignal<unknown>>();
  let current: Transcript | undefined;
  let expected = 0;
  let drawing = false;

  function change(next: Transcript) {
    current = next;
    for (const read of readers) read(next);
    if (drawing) return;
    drawing = true;
    outside.later(() => {
      drawing = false;
      transcript.value = current;
    });
  }

  function resync() {
    if (link.value !== 'live') return;
    link.value = 'resyncing';
    outside.post({ type: 'requestSnapshot' });
  }

  /** Whether the event was believed. */
  function apply({ seq, event }: HostMessage): boolean {
    if (event.type === 'snapshot') {
      expected = seq + 1;
      link.value = 'live';
      place.value = event.place;
      change(current ? keepSame(current, event.transcript) : event.transcript);
      return true;
    }
    const inOrder = link.value === 'live' && seq === expected;
    if (inOrder) expected += 1;
    else resync();
    // These stand for themselves: the words of a refused prompt must come back even across a gap.
    if (event.type === 'focus' || event.type === 'refused' || event.type === 'draftChanged') return true;
    if (event.type === 'media' || event.type === 'namedFiles') return true;
    if (event.type === 'completions' || event.type === 'attached' || event.type === 'notAttached') return true;
    if (event.type === 'added') return true;
    if (!inOrder || current === undefined) return false;
    const next = reduce(current, event);
    if (next === undefined) {
      resync();
      return false;
    }
    change(next);
    return true;
  }

  return {
    transcript,
    place,
    link,
    part<Key extends keyof Transcript>(key: Key) {
      const known = parts.get(key) ?? computed(() => transcript.value?.[key]);
      parts.set(key, known);
      return known as ReadonlySignal<Transcript[Key] | undefined>;
    },
    start() {
      const { session, message } = outside;
      outside.post({ type: 'ready', session, ...(message !== undefined && { message }) });
    },
    letGo(first) {
      if (!current || link.value !== 'live') return;
      outside.post({ type: 'letGo', session: current.session, first });
      change(letGo(current, first));
    },
    receive(data) {
      if (!isNumbered(data)) return;
      if (data.v !== wireVersion) {
        link.value = 'otherVersion';
        return;
      }
      const message = data as HostMessage;
      if (apply(message)) for (const listener of listeners) listener(message.event);
    },
    onEvent: listener => void listeners.push(listener),
    onTranscript(listener) {
      readers.add(listener);
      if (current) listener(current);
      return () => void readers.delete(listener);
    },
  };
}

function isNumbered(data: unknown): data is { readonly v: number; readonly seq: number } {
  if (typeof data !== 'object' || data === null || !('v' in data) || !('seq' in data) || !('event' in data))
    return false;
  return (
    typeof data.v === 'number' && typeof data.seq === 'number' && typeof data.event === 'object' && data.event !== null
  );
}
