// What an agent is reached by: messages in both directions, an end, and how it ended. A child process is one, and the
// built-in agent in this very process is another.

import type { Stream } from '@agentclientprotocol/sdk';
import type { AgentDeath } from '../../core/agents.ts';

export type TransportEnd = Omit<AgentDeath, 'unexpected'>;

export interface Transport {
  readonly stream: Stream;
  /** Once it is gone, whoever ended it. It is never rejected. */
  readonly ended: Promise<TransportEnd>;
  /** Resolved when it is gone; may be called twice. */
  close(): Promise<void>;
}

/** An agent in this process, at the other end of a pair of `memoryStreams`. */
export function memoryTransport(stream: Stream, close: () => void): Transport {
  let end: (end: TransportEnd) => void = () => {};
  return {
    stream,
    ended: new Promise(resolve => (end = resolve)),
    close() {
      close();
      end({ code: null, signal: null, lastWords: '' });
      return Promise.resolve();
    },
  };
}
