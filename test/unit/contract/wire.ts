// What goes between us and an agent, kept message by message as it passes, and the agent's process, so that a test can
// end it. Nothing is changed on the way.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import type { Transport } from '../../../src/node/acp/transport.ts';
import { tapped } from '../../../src/node/acp/wire.ts';

/** A message of JSON-RPC, of any kind. */
export interface Passed {
  readonly from: 'us' | 'agent';
  readonly id?: string | number | null;
  readonly method?: string;
  // What the protocol says of them is the rows' matter.
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: Fields;
}

export interface Fields {
  readonly [field: string]: unknown;
}

/** All processes of one agent that were started in a test, one after another. */
export class Wire {
  readonly passed: Passed[] = [];
  readonly processes: ChildProcess[] = [];
  opened = 0;

  /** The same transport, seen. */
  async open(open: () => Promise<Transport>): Promise<Transport> {
    this.opened++;
    const began = (message: unknown) => {
      this.processes.push((message as { readonly process: ChildProcess }).process);
    };
    // The agent is started at once; whoever watches over it comes later.
    subscribe('child_process', began);
    const opening = open();
    unsubscribe('child_process', began);
    const transport = await opening;
    const { stream, ended } = transport;
    const readable = tapped(stream.readable, message => {
      this.keep('agent', message);
      return message;
    });
    const writer = stream.writable.getWriter();
    const writable = new WritableStream<AnyMessage>({
      write: message => {
        this.keep('us', message);
        return writer.write(message);
      },
      close: () => writer.close(),
      abort: reason => writer.abort(reason),
    });
    return { stream: { readable, writable }, ended, close: () => transport.close() };
  }

  /** As the system does when it needs memory. */
  kill(): void {
    if (!this.processes.at(-1)?.kill('SIGKILL')) throw new Error('There is no process to kill.');
  }

  /** The requests of that method, each with its answer. */
  asked(method: string): readonly { readonly request: Passed; readonly answers: readonly Passed[] }[] {
    return this.passed.flatMap((request, at) => {
      if (request.method !== method || request.id === undefined) return [];
      const next = this.passed.findIndex(
        (one, later) => later > at && one.method === method && one.id === request.id && one.from === request.from,
      );
      const until = this.passed.slice(at + 1, next < 0 ? undefined : next);
      const answers = until.filter(one => !one.method && one.id === request.id && one.from !== request.from);
      return [{ request, answers }];
    });
  }

  private keep(from: Passed['from'], message: AnyMessage): void {
    this.passed.push({ ...(message as unknown as Omit<Passed, 'from'>), from });
  }
}
