// Reading a flood of messages from an agent leaves room for everybody else on the event loop.

import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import { messageStream, tapped } from '../../../src/node/acp/wire.ts';

const message = { jsonrpc: '2.0', method: 'session/update', params: {} } as const;

/** Reads everything, and counts how often something else had its turn on the event loop meanwhile. */
async function turnsDuring(messages: ReadableStream<AnyMessage>): Promise<{ read: number; turns: number }> {
  const reader = messages.getReader();
  const counted = { read: 0, turns: 0 };
  let isOver = false;
  const count = () => {
    counted.turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  while (!(await reader.read()).done) counted.read++;
  isOver = true;
  return counted;
}

test('[A1] a flood of lines that is there already lets others have their turn while it is read', async () => {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  // An array gives its chunks in microtasks only, as a pipe does whose bytes have all arrived.
  async function* chunks() {
    for (let n = 0; n < 100_000; n++) yield line;
  }
  const stdout = { [Symbol.asyncIterator]: chunks } as unknown as Readable;
  const { readable } = messageStream(new PassThrough(), stdout, () => {});
  const { read, turns } = await turnsDuring(readable);
  assert.equal(read, 100_000);
  assert.ok(turns >= 3, `others had ${turns} turns`);
});

test('[A1] a flood of messages lets others have their turn while each is taken', async () => {
  const flood = new ReadableStream<AnyMessage>(
    {
      pull: controller => controller.enqueue(message),
    },
    { highWaterMark: 0 },
  );
  let left = 100_000;
  // Every tenth is given on, and the others are dealt with here.
  const taken = tapped(flood, given => (--left % 10 === 0 ? given : null));
  const reader = taken.getReader();
  let turns = 0;
  const count = () => {
    turns++;
    if (left > 0) setImmediate(count);
  };
  setImmediate(count);
  while (left > 0) await reader.read();
  await reader.cancel();
  assert.ok(turns >= 3, `others had ${turns} turns`);
});
