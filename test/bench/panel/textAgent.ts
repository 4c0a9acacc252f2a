// An agent of which only the text counts. `prose <pieces> <rate>` answers with pieces of twenty characters, so many a
// second; `burst <letters>` with so many in one piece; `hostile <kind> <pause>` with pieces of 64 KB, so many milliseconds
// apart; anything else with one short sentence. When the last piece went out, it writes the time to the file that TEXT_AGENT_LOG names.

import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { hostile, prose } from './texts.ts';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] };
}

export const pieceLength = 20;
const hostilePiece = 64 * 1024;
const step = 5;
/** In ms: the person types already. */
const burstAfter = 1500;

async function write(line: string): Promise<void> {
  if (!process.stdout.write(line)) await new Promise(resolve => process.stdout.once('drain', resolve));
}

const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const say = (sessionId: string, text: string) =>
  send({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });

async function stream(sessionId: string, count: number, rate: number): Promise<void> {
  const text = prose(count * pieceLength);
  const began = performance.now();
  for (let sent = 0; sent < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * rate));
    for (; sent < due; sent++) await say(sessionId, text.slice(sent * pieceLength, (sent + 1) * pieceLength));
    await delay(step);
  }
}

async function answer(sessionId: string, words: string): Promise<void> {
  const [, count, rate] = /^prose (\d+) (\d+)/.exec(words) ?? [];
  const [, kind = '', pause] = /^hostile (.+) (\d+)/.exec(words) ?? [];
  const [, letters] = /^burst (\d+)/.exec(words) ?? [];
  if (letters !== undefined) {
    await say(sessionId, 'This is what I found. ');
    await delay(burstAfter);
    await say(sessionId, prose(Number(letters)));
  } else if (count !== undefined) await stream(sessionId, Number(count), Number(rate));
  else if (hostile[kind]) {
    const text = hostile[kind]();
    for (let at = 0; at < text.length; at += hostilePiece) {
      await say(sessionId, text.slice(at, at + hostilePiece));
      await delay(Number(pause));
    }
  } else {
    await say(sessionId, 'That is done: ');
    await say(sessionId, 'the order is **accepted** once.');
  }
  await say(sessionId, `\n\n${ending(words)}`);
  const log = process.env.TEXT_AGENT_LOG;
  if (log) appendFileSync(log, `${performance.timeOrigin + performance.now()}\n`);
}

/** The last words of an answer, by which it is known to be all there. */
export function ending(words: string): string {
  return `So ends ${words.trim().split(/\s+/).at(-1) ?? ''}.`;
}

async function serve(): Promise<void> {
  let sessions = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line) as Request;
    if (method === 'initialize') await send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    else if (method === 'session/new') await send({ id, result: { sessionId: `s${++sessions}` } });
    else if (method === 'session/prompt') {
      await answer(params?.sessionId ?? '', params?.prompt?.at(-1)?.text ?? '');
      await send({ id, result: { stopReason: 'end_turn' } });
    } else if (id !== undefined) await send({ id, result: {} });
  }
}

if (import.meta.main) await serve();
