// What was written while a turn ran and waits to be sent. Promises: it is kept with the session, because the window may
// go before it was sent; on the disk a prompt stays until it is in the conversation, so that no words are lost.

import type { Queued } from '../../model/agentState.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { StoredSession } from '../history/history.ts';
import { recordQueue, restoreQueue, type Apart } from './storedQueue.ts';

export interface QueuePorts {
  readonly session: SessionId;
  readonly writer: string;
  readonly newMessage: () => MessageId;
  readonly isStored: () => boolean;
  readonly waiting: () => readonly Queued[];
  readonly show: (event: TranscriptEvent) => void;
  readonly save: (facts: readonly Fact[]) => void;
}

export class Queue {
  /** What is in history in fields of its own. */
  private apart: ReadonlyMap<string, Apart> = new Map();
  private readonly ports: QueuePorts;

  constructor(ports: QueuePorts) {
    this.ports = ports;
  }

  /** What waited when its window went. */
  restore(stored: StoredSession | undefined): readonly Queued[] {
    const { queue, apart } = stored ? restoreQueue(stored) : { queue: [], apart: new Map<string, Apart>() };
    this.apart = apart;
    return queue;
  }

  add(one: Queued): void {
    this.set([...this.ports.waiting(), one]);
  }

  /** Other words, or none, which takes it back. What was attached stays with it. */
  change(id: string, text: string | null): void {
    if (!this.has(id)) return;
    const changed = ({ trouble: _before, ...rest }: Queued) => (text === null ? [] : [{ ...rest, text }]);
    this.set(this.ports.waiting().flatMap(one => (one.id === id ? changed(one) : [one])));
  }

  /** False where it does not wait any more. */
  toFront(id: string): boolean {
    if (!this.has(id)) return false;
    const waiting = this.ports.waiting();
    this.set([...waiting.filter(one => one.id === id), ...waiting.filter(one => one.id !== id)]);
    return true;
  }

  /** The first leaves what is shown, and the disk when it was sent; with words it comes back, for they say why not. */
  async send(send: (next: Queued, message: MessageId | undefined) => Promise<string | null>): Promise<void> {
    const [next, ...rest] = this.ports.waiting();
    if (!next) return;
    this.ports.show({ type: 'queueChanged', queue: rest });
    const words = await send(next, this.apart.get(next.id)?.message);
    const waiting = this.ports.waiting();
    this.set(words === null ? waiting : [{ ...next, trouble: words }, ...waiting]);
  }

  private has(id: string): boolean {
    return this.ports.waiting().some(one => one.id === id);
  }

  /** The session is in history from now on, and what waits goes there too. */
  stored(): void {
    if (this.ports.waiting().length > 0) this.record(this.ports.waiting());
  }

  private set(queue: readonly Queued[]): void {
    this.ports.show({ type: 'queueChanged', queue });
    if (this.ports.isStored()) this.record(queue);
  }

  private record(queue: readonly Queued[]): void {
    const { facts, apart } = recordQueue(queue, this.apart, this.ports);
    this.apart = apart;
    this.ports.save(facts);
  }
}
