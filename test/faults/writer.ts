// One of the processes that are killed: it appends turns to the sessions it was given until it dies, two at a time, and
// says on its stdout what it is about to append and what history acknowledged. It answers what it finds in history, so
// also what other processes wrote. What it says leaves this process before the next thing happens.

import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { HistoryError } from '../../src/core/history/historyError.ts';
import { markdown, type Block, type Message } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { randomFrom } from '../unit/support/random.ts';
import { pick, sizeOf, textBlock, textOf, toolCall } from './content.ts';
import { ids, openEngine } from './engine.ts';
import { keyOf, stateOf, type Line } from './ledger.ts';

const [folder = '', seed = '1', ...sessions] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const { history, writer } = await openEngine(folder);
const agent = { id: 'scripted', name: 'Scripted agent' };
let appends = 0;

/** A message as its fact has it, in which the session stands beside it. */
type Begun = Omit<Message, 'session'>;

function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function append(session: string, facts: readonly Fact[], messages: readonly Message[] = []): Promise<void> {
  const number = appends++;
  const states = Object.fromEntries(messages.map(message => [message.id, stateOf(message)]));
  say({ type: 'intends', append: number, session, keys: facts.map(keyOf), states });
  try {
    await history.append(session, facts);
    say({ type: 'acknowledged', append: number });
  } catch (cause) {
    say({ type: 'refused', append: number, code: cause instanceof HistoryError ? cause.code : String(cause) });
    throw cause;
  }
}

/** Mostly the last message; sometimes an older one, or none, so that the tree has branches and does not grow deep. */
function parentIn(path: readonly Message[]): string | null {
  if (path.length === 0 || random() < 0.03) return null;
  if (path.length > 40) return path[Math.floor(random() * 15)]?.id ?? null;
  const back = random() < 0.7 ? 1 : 1 + Math.floor(random() * Math.min(path.length, 12));
  return path.at(-back)?.id ?? null;
}

async function turn(session: string): Promise<void> {
  const known = await history.open(session);
  const created = Date.now();
  const prompt: Begun = {
    id: ids.message(),
    parent: parentIn(known?.path ?? []),
    role: 'user',
    created,
    blocks: [textBlock('text', textOf(random, sizeOf(random)))],
    end: { reason: 'end_turn', at: created },
  };
  const id = ids.message();
  const blocks: Block[] = [];
  const begun = (): Begun => ({ id, parent: prompt.id, role: 'assistant', created, agent, blocks: [...blocks] });
  const answer = (): Message => ({ ...begun(), session });
  const facts: Fact[] = [];
  // Two windows may create the same session at the same time, each with its own idea of when and where.
  if (!known) facts.push({ type: 'session', session, created, agent, cwd: `/home/${writer}` });
  if (random() < 0.3) facts.push({ type: 'title', session, title: `Title ${writer} ${appends}` });
  facts.push({ type: 'message', session, message: prompt }, { type: 'message', session, message: begun() });
  if (random() < 0.8) facts.push({ type: 'head', session, head: id });
  await append(session, facts, [{ ...prompt, session }, answer()]);

  for (let steps = Math.floor(random() * 4); steps > 0; steps--) {
    await delay(random() * 25);
    const at = blocks.length;
    if (random() < 0.35) {
      const callId = ids.message();
      for (const status of ['pending', 'completed'] as const) {
        const block = toolCall(random, callId, status);
        blocks[at] = block;
        await append(session, [{ type: 'block', session, message: id, at, block }], [answer()]);
      }
    } else {
      const kind = random() < 0.3 ? 'thought' : 'text';
      const whole = textOf(random, sizeOf(random));
      for (let offset = 0; offset < whole.length;) {
        const text = whole.slice(offset, offset + 1 + Math.floor(random() * whole.length));
        blocks[at] = textBlock(kind, whole.slice(0, offset) + text);
        await delay(random() * 15);
        await append(
          session,
          [{ type: 'text', session, message: id, at, kind, mime: markdown, offset, text }],
          [answer()],
        );
        offset += text.length;
      }
    }
  }
  if (random() < 0.9) {
    const end = { reason: 'end_turn', at: Date.now() } as const;
    await append(session, [{ type: 'end', session, message: id, end }], [{ ...answer(), end }]);
  }
  const path = known?.path ?? [];
  if (random() < 0.1) await append(session, [{ type: 'flag', session, flag: 'trashed', on: random() < 0.3 }]);
  if (random() < 0.1 && path.length > 0)
    await append(session, [{ type: 'head', session, head: pick(path, random).id }]);
}

async function work(): Promise<void> {
  for (;;) {
    await turn(pick(sessions, random));
    await delay(random() * 60);
  }
}

say({ type: 'ready', writer });
await Promise.all([work(), work()]);
