// What was written while a turn ran and waits to be sent. Promises: it is kept with the session, because the window may
// go before it was sent; on the disk a prompt stays until it is in the conversation, so that no words are lost.

import type { Queued } from '../../model/agentState.ts';
import type { SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import { queueValue } from './opening.ts';

export interface QueuePorts {
  readonly session: SessionId;
  readonly writer: string;
  readonly waiting: () => readonly Queued[];
  readonly show: (event: TranscriptEvent) => void;
  readonly save: (facts: readonly Fact[]) => void;
}

export class Queue {
  private readonly ports: QueuePorts;

  constructor(ports: QueuePorts) {
    this.ports = ports;
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
  async send(send: (next: Queued) => Promise<string | null>): Promise<void> {
    const [next, ...rest] = this.ports.waiting();
    if (!next) return;
    this.ports.show({ type: 'queueChanged', queue: rest });
    const words = await send(next);
    const waiting = this.ports.waiting();
    this.set(words === null ? waiting : [{ ...next, trouble: words }, ...waiting]);
  }

  private has(id: string): boolean {
    return this.ports.waiting().some(one => one.id === id);
  }

  private set(queue: readonly Queued[]): void {
    const { show, save, session, writer } = this.ports;
    show({ type: 'queueChanged', queue });
    save([{ type: 'set', session, name: 'queue', value: queueValue(queue, writer) }]);
  }
}
