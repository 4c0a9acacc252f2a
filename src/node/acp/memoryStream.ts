// The two ends of an ACP stream inside one process, for the built-in agent: what is written at one end is read at the
// other, in order. Messages are plain data and are not changed by either side.

import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

export function memoryStreams(): readonly [Stream, Stream] {
  const there = new TransformStream<AnyMessage, AnyMessage>();
  const back = new TransformStream<AnyMessage, AnyMessage>();
  return [
    { writable: there.writable, readable: back.readable },
    { writable: back.writable, readable: there.readable },
  ];
}
