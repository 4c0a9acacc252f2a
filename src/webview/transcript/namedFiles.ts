// The files that answers name, as the host found them. Promises: of each block that is whole they are asked for once, when
// nothing else is to be done; until they have come, and where there are none, the words are words.

import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Intent } from '../../model/intent.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { HostEvent, NamedFile } from '../../model/wire.ts';

export interface NamedFiles {
  /** Null where none is known. */
  of(message: MessageId, block: number): ReadonlySignal<readonly NamedFile[] | null>;
  ask(session: SessionId, message: MessageId, block: number): void;
  readonly hear: (event: HostEvent) => void;
}

export function createNamedFiles(post: (intent: Intent) => void): NamedFiles {
  const all = new Map<string, Signal<readonly NamedFile[] | null>>();
  const asked = new Set<string>();
  const of = (message: MessageId, block: number) => {
    const key = `${message} ${block}`;
    const known = all.get(key) ?? signal<readonly NamedFile[] | null>(null);
    all.set(key, known);
    return known;
  };
  return {
    of,
    ask(session, message, block) {
      const key = `${message} ${block}`;
      if (!asked.has(key)) post({ type: 'wantFiles', session, message, block });
      asked.add(key);
    },
    hear(event) {
      if (event.type === 'namedFiles') of(event.message, event.block).value = event.files;
    },
  };
}
