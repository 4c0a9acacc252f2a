// An agent of which only the speed counts: `chunks <count> <rate>` answers with so many pieces of text of twenty characters,
// so many a second (0: as fast as they go); anything else is answered at once. In raw lines, so that it is cheap.

import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] };
}

const send = (message: object) =>
  new Promise(resolve => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, resolve));
const step = 5;

async function chunks(sessionId: string, count: number, rate: number): Promise<void> {
  const line = `${JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'twenty characters.. ' } },
    },
  })}\n`;
  const began = performance.now();
  for (let sent = 0; sent < count;) {
    const due = rate === 0 ? sent + 500 : Math.floor(((performance.now() - began) / 1000) * rate);
    // Pieces come one by one, as a model says them, not in one write.
    for (const end = Math.min(due, count); sent < end; sent++) {
      if (!process.stdout.write(line)) await new Promise(resolve => process.stdout.once('drain', resolve));
    }
    if (rate > 0) await delay(step);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as Request;
  if (method === 'initialize') await send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === 'session/new') await send({ id, result: { sessionId: 'one' } });
  else if (method === 'session/prompt') {
    const [, count, rate] = /^chunks (\d+) (\d+)$/.exec(params?.prompt?.at(-1)?.text ?? '') ?? [];
    if (count !== undefined) await chunks(params?.sessionId ?? '', Number(count), Number(rate));
    await send({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) await send({ id, result: {} });
}
