// The files that answers name, as the host found them. Promises: of each block that is whole they are asked for once while
// it is shown, when nothing else is to be done; until they have come, and where there are none, the words are words; of
// what is not shown any more nothing is kept.

import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Intent } from '../../model/intent.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { HostEvent, NamedFile } from '../../model/wire.ts';

export interface NamedFiles {
  /** It is shown from now on, until `end`. */
  show(message: MessageId, block: number): ShownNames;
  readonly hear: (event: HostEvent) => void;
}

export interface ShownNames {
  /** Null where none is known. */
  readonly files: ReadonlySignal<readonly NamedFile[] | null>;
  readonly ask: (session: SessionId) => void;
  readonly end: () => void;
}

interface Held {
  readonly files: Signal<readonly NamedFile[] | null>;
  shown: number;
  asked: boolean;
}

export function createNamedFiles(post: (intent: Intent) => void): NamedFiles {
  const all = new Map<string, Held>();
  return {
    show(message, block) {
      const key = `${message} ${block}`;
      const held = all.get(key) ?? { files: signal<readonly NamedFile[] | null>(null), shown: 0, asked: false };
      all.set(key, held);
      held.shown += 1;
      return {
        files: held.files,
        ask(session) {
          if (!held.asked) post({ type: 'wantFiles', session, message, block });
          held.asked = true;
        },
        end() {
          held.shown -= 1;
          if (held.shown === 0) all.delete(key);
        },
      };
    },
    hear(event) {
      if (event.type !== 'namedFiles') return;
      const held = all.get(`${event.message} ${event.block}`);
      if (held) held.files.value = event.files;
    },
  };
}
