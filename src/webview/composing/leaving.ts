// The words that have left the queue and are not in the conversation yet, while the agent is being reached. The host
// takes a prompt out of the queue when no turn runs, and begins a turn with the very next event; what went for any
// other reason is not on its way.

import { signal, type ReadonlySignal } from '@preact/signals';
import type { Queued } from '../../model/agentState.ts';
import type { HostEvent } from '../../model/wire.ts';

export interface Leaving {
  readonly text: ReadonlySignal<string | null>;
  /** This one goes because the person takes it back. */
  readonly withdrawn: (id: string) => void;
  readonly hear: (event: HostEvent) => void;
}

export function createLeaving(): Leaving {
  const text = signal<string | null>(null);
  const withdrawn = new Set<string>();
  let queue: readonly Queued[] = [];
  let idle = true;
  let next: Queued | undefined;

  return {
    text,
    withdrawn: id => void withdrawn.add(id),
    hear(event) {
      const gone = next;
      next = undefined;
      if (event.type === 'queueChanged') {
        const stays = new Set(event.queue.map(one => one.id));
        if (idle) next = queue.find(one => !stays.has(one.id) && !withdrawn.has(one.id));
        queue = event.queue;
        for (const id of withdrawn) if (!stays.has(id)) withdrawn.delete(id);
      } else if (event.type === 'turnChanged') {
        const begins = idle && event.turn !== null && event.turn.message === null;
        idle = event.turn === null;
        if (begins) text.value = gone?.text ?? null;
        else if (idle) text.value = null;
      } else if (event.type === 'messageAdded' && event.message.role === 'user') {
        text.value = null;
      } else if (event.type === 'snapshot') {
        const { transcript } = event;
        queue = transcript.queue;
        idle = transcript.turn === null;
        if (transcript.turn?.message !== null) text.value = null;
      }
    },
  };
}
