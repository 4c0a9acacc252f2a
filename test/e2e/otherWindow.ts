// The history of a window that is open, opened by this process as another window of the same folder has it: what it
// appends, that window shows. For states that would take a person long to make.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { HybridClock } from '../../src/core/history/clock.ts';
import { createEncoder } from '../../src/core/history/codec.ts';
import { openHistory, type OpenedHistory } from '../../src/node/history/history.ts';
import { recordVersion, type Fact } from '../../src/model/record.ts';
import { setFact, userFact } from '../unit/support/facts.ts';
import { ids, wasmFile, workerFile } from '../unit/support/history.ts';

async function journalOf(home: string): Promise<string> {
  for (const end = Date.now() + 20_000; ;) {
    const journal = readdirSync(home, { recursive: true, encoding: 'utf8' }).find(file =>
      file.endsWith(join('history', 'journal')),
    );
    if (journal) return join(home, journal);
    assert.ok(Date.now() < end, 'the window has not opened its history');
    await setTimeout(50);
  }
}

/** Waits until a file of the window's history holds these words. */
export async function untilOnDisk(home: string, words: string): Promise<void> {
  const folder = dirname(await journalOf(home));
  for (const end = Date.now() + 20_000; ;) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
    if (files.some(file => readIfThere(join(file.parentPath, file.name)).includes(words))) return;
    assert.ok(Date.now() < end, `no file of the history holds “${words}”`);
    await setTimeout(50);
  }
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    // It was renamed since the folder was listed.
    return Buffer.alloc(0);
  }
}

/** To be closed by whoever opened it. The window has to have opened its history before, as it does for its panel. */
export async function historyOf(home: string): Promise<OpenedHistory> {
  const folder = dirname(await journalOf(home));
  return openHistory({ folder, writer: ids.writer(), workerFile, wasmFile });
}

/** As a window left it that many milliseconds ago, which no window can do now: each of these is a record. */
export async function leftBehind(home: string, session: string, ago: number, records: readonly (readonly Fact[])[]) {
  const writer = ids.writer();
  const clock = new HybridClock(writer, () => Date.now() - ago);
  const encode = createEncoder(crc32);
  const lines = records.map((facts, n) => encode({ v: recordVersion, w: writer, n, h: clock.next(), facts }).slice());
  writeFileSync(join(await journalOf(home), `${session}~${writer}.0.seg`), Buffer.concat(lines));
}

export interface Told {
  /** Its title is the first prompt. */
  readonly prompts: readonly string[];
  readonly ago?: number;
  readonly agent?: string;
  readonly more?: (session: string, messages: readonly string[]) => readonly Fact[];
}

const minute = 60_000;

/** A session as a person has it: each prompt with an answer, one after the other; gives the ids in their order. */
export async function tell(
  history: OpenedHistory,
  { prompts, ago = 5 * minute, agent = 'Offline scout', more }: Told,
): Promise<{ readonly session: string; readonly messages: readonly string[] }> {
  const session = ids.session();
  const created = Date.now() - ago;
  const messages = prompts.flatMap(() => [ids.message(), ids.message()]);
  const ref = { id: agent === 'Offline scout' ? 'scout' : agent, name: agent };
  const facts = prompts.flatMap((prompt, at): Fact[] => {
    const [mine = '', theirs = ''] = messages.slice(2 * at);
    const parent = messages[2 * at - 1] ?? null;
    const text = `Here is what I found about “${prompt}”.`;
    const message = {
      id: theirs,
      parent: mine,
      role: 'assistant',
      created: created + 2 * at + 1,
      agent: ref,
      blocks: [{ kind: 'text', mime: 'text/markdown', text }],
      end: { reason: 'end_turn', at: created + 2 * at + 1 },
    } as const;
    return [userFact(session, mine, parent, prompt, created + 2 * at), { type: 'message', session, message }];
  });
  await history.append(session, [
    { type: 'session', session, created, agent: ref },
    setFact(session, 'title', prompts[0] ?? ''),
    ...facts,
    ...(more?.(session, messages) ?? []),
  ]);
  return { session, messages };
}
