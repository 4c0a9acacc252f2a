// An agent behind a stream: order, unknown kinds, and every way in which an answer can go wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { AgentUpdate } from '../../../src/core/ports.ts';
import { connectAgent } from '../../../src/node/acp/connection.ts';
import { memoryStreams } from '../../../src/node/acp/memoryStream.ts';
import { updateOf } from '../../../src/node/acp/updates.ts';

type Answerer = (
  message: AnyMessage & { id: number; method: string; params: never },
  send: (message: unknown) => void,
) => void;

/** The other end of the stream, raw: it may say what no SDK would let it say. */
async function rawAgent(stream: Stream, onPrompt: Answerer): Promise<void> {
  const writer = stream.writable.getWriter();
  const send = (message: unknown) =>
    void writer.write({ jsonrpc: '2.0', ...(message as object) } as AnyMessage).catch(() => {});
  const reader = stream.readable.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (!('method' in value) || !('id' in value)) continue;
    const { id, method } = value;
    if (method === 'initialize')
      send({ id, result: { protocolVersion: 1, agentCapabilities: { _meta: { throughline: { path: true } } } } });
    else if (method === 'session/new') send({ id, result: { sessionId: 's1' } });
    else if (method === 'session/prompt') onPrompt(value as never, send);
  }
}

const ref = { id: 'raw', name: 'Raw agent' };
const request = { session: 'session2', cwd: '/project', path: [], text: 'hello' };
const chunk = (text: string) => ({
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
});

async function promptWith(onPrompt: Answerer) {
  const [ours, theirs] = memoryStreams();
  void rawAgent(theirs, onPrompt);
  const agent = await connectAgent(ours, ref);
  const updates: AgentUpdate[] = [];
  const answer = await agent.prompt(request, update => updates.push(update), new AbortController().signal);
  agent.close();
  return { answer, updates };
}

test('[A1] two thousand updates arrive in wire order before the answer', async () => {
  const { answer, updates } = await promptWith((message, send) => {
    for (let n = 0; n < 2000; n++) send(chunk(`${n} `));
    send({ id: message.id, result: { stopReason: 'end_turn' } });
  });
  assert.deepEqual(answer, { reason: 'end_turn' });
  assert.deepEqual(
    updates.map(update => (update.type === 'text' ? update.text : '')),
    Array.from({ length: 2000 }, (_, n) => `${n} `),
  );
});

test('[A1] an unknown kind of update arrives whole', async () => {
  const odd = { sessionUpdate: 'hologram', light: [1, { deep: null }], _meta: { x: 1 } };
  const { updates } = await promptWith((message, send) => {
    send({ method: 'session/update', params: { sessionId: 's1', update: odd } });
    send({ id: message.id, result: { stopReason: 'end_turn' } });
  });
  assert.deepEqual(updates, [{ type: 'unknown', value: odd }]);
});

const shapes: readonly { readonly what: string; readonly raw: unknown; readonly update: AgentUpdate }[] = [
  {
    what: 'a thought',
    raw: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' }, messageId: 'm1' },
    update: { type: 'thought', text: 'hm', messageId: 'm1' },
  },
  {
    what: 'a tool call with all its fields',
    raw: {
      sessionUpdate: 'tool_call',
      toolCallId: 'c1',
      title: 'Read a.ts',
      kind: 'read',
      status: 'in_progress',
      locations: [{ path: '/a.ts', line: 3 }, { path: '/b.ts' }, 'odd'],
      rawInput: { file: 'a.ts' },
      content: [{ type: 'content' }],
    },
    update: {
      type: 'toolCall',
      callId: 'c1',
      changes: {
        title: 'Read a.ts',
        tool: 'read',
        status: 'in_progress',
        locations: [{ path: '/a.ts', line: 3 }, { path: '/b.ts' }],
        input: { file: 'a.ts' },
        output: [{ type: 'content' }],
      },
    },
  },
  {
    what: 'an update with nulls changes nothing',
    raw: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', title: null, status: null, content: null },
    update: { type: 'toolCall', callId: 'c1', changes: {} },
  },
  {
    what: 'an image',
    raw: { sessionUpdate: 'agent_message_chunk', content: { type: 'image' } },
    update: { type: 'unknown', value: { sessionUpdate: 'agent_message_chunk', content: { type: 'image' } } },
  },
  {
    what: 'a tool call without an id',
    raw: { sessionUpdate: 'tool_call' },
    update: { type: 'unknown', value: { sessionUpdate: 'tool_call' } },
  },
  { what: 'nothing', raw: undefined, update: { type: 'unknown', value: null } },
  { what: 'a list', raw: [1], update: { type: 'unknown', value: [1] } },
];

test('[A1] an update keeps what it says', async group => {
  for (const { what, raw, update } of shapes) await group.test(what, () => assert.deepEqual(updateOf(raw), update));
});

test('[A2] an answer with an unknown reason is a failure in words', async () => {
  for (const stopReason of ['bored', undefined, 7]) {
    const { answer } = await promptWith((message, send) => send({ id: message.id, result: { stopReason } }));
    assert.equal(answer.reason, 'failed');
    assert.match(answer.detail ?? '', /ACP does not know/);
  }
});

test('[A2] an error is a failure with its own words', async () => {
  const { answer } = await promptWith((message, send) =>
    send({ id: message.id, error: { code: -32603, message: 'model is down' } }),
  );
  assert.equal(answer.reason, 'failed');
  assert.match(answer.detail ?? '', /model is down/);
});

test('[A2] a connection that closes in the middle is a failure, not a wait', async () => {
  const [ours, theirs] = memoryStreams();
  const closed = new AbortController();
  void rawAgent(theirs, () => closed.abort());
  const agent = await connectAgent(ours, ref);
  closed.signal.addEventListener('abort', () => agent.close());
  const answer = await agent.prompt(request, () => {}, new AbortController().signal);
  assert.equal(answer.reason, 'failed');
  assert.notEqual(answer.detail ?? '', '');
});
