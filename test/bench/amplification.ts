// How much is written for what a person keeps: a history that streams in as agents send it, through the same functions
// that makes the checkpoints of the product, into the history as the host has it, snapshots and all. Content is the
// prompts, texts, thoughts, tool inputs and outputs as they stand at the end, in UTF-8, and nothing of what holds them.
// Promises: time is played, not waited for; on Linux every byte that this process hands to the system counts.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GrowingAnswer } from '../unit/support/growingAnswer.ts';
import type { History } from '../../src/core/history/history.ts';
import type { AgentUpdate } from '../../src/core/agentTurn.ts';
import type { Block } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { openHost } from './engine.ts';
import { seed } from './fixture.ts';
import { against, alone, type Row } from './measure.ts';
import { Workload, type Turn } from './workload.ts';

/** An agent says about 200 characters a second; a checkpoint is due every two seconds. */
const piece = 20;
const piecesPerCheckpoint = 20;
const megabyte = 1024 * 1024;

export async function measureAmplification(parent: string, turns: number): Promise<readonly Row[]> {
  const folder = join(parent, 'amplification');
  const history = await openHost(folder);
  const before = bytesWritten();
  let content = 0;
  let left = turns;
  for (const turn of new Workload(seed + 5).history(Infinity)) {
    if (left-- === 0) break;
    content += await stream(history, turn);
  }
  await history.close();
  const journal = sizeOf(join(folder, 'journal'));
  const index = Math.max(0, ...readdirSync(folder).map(name => statSync(join(folder, name)).size));
  const after = bytesWritten();
  const all = before === null || after === null ? sizeOf(folder) : after - before;
  const note = before === null ? 'files that are left only: this system does not count what is written' : undefined;
  return [
    against('amplification/all MB', all / megabyte, 'final content', content / megabyte, 3, note),
    against('amplification/journal MB', journal / megabyte, 'final content', content / megabyte),
    alone('amplification/snapshots and the rest MB', (all - journal) / megabyte),
    alone('amplification/index KB per turn', index / 1024 / turns, null, `${turns} turns of two messages`),
  ];
}

/** One turn as a conversation saves it: prompt and open answer, what the answer gives out, the end. */
async function stream(history: History, { session, facts, messages }: Turn): Promise<number> {
  const [prompt, ...answers] = messages;
  const last = answers.at(-1);
  if (!prompt || !last) return 0;
  const message = last.id;
  const opened = { ...last, parent: prompt.id, blocks: [], session: undefined, end: undefined };
  const start = facts.filter(fact => fact.type === 'session' || (fact.type === 'set' && fact.name === 'title'));
  await history.append(session, [
    ...start,
    ...facts.filter(fact => fact.type === 'message' && fact.message.id === prompt.id),
    { type: 'message', session, message: JSON.parse(JSON.stringify(opened)) as typeof last },
    { type: 'set', session, name: 'head', value: message },
  ]);
  const answer = new GrowingAnswer(session, message);
  const save = async (saved: readonly Fact[]) => {
    if (saved.length > 0) await history.append(session, saved);
  };
  const blocks = answers.flatMap(one => one.blocks);
  let pieces = 0;
  for (const update of blocks.flatMap(updatesOf)) {
    await save(answer.apply(update).facts);
    if (++pieces % piecesPerCheckpoint === 0) await save(answer.checkpoint());
  }
  const end = { reason: 'end_turn', at: last.created + 1000 } as const;
  await save([...answer.close('failed').facts, { type: 'end', session, message, end }]);
  return [...prompt.blocks, ...blocks].reduce((sum, block) => sum + contentOf(block), 0);
}

function updatesOf(block: Block): readonly AgentUpdate[] {
  if (block.kind === 'text' || block.kind === 'thought') {
    const { kind: type, text } = block;
    return Array.from({ length: Math.ceil(text.length / piece) }, (_, at) => ({
      type,
      text: text.slice(at * piece, (at + 1) * piece),
    }));
  }
  if (block.kind !== 'toolCall') return [];
  const { callId, title, tool, locations, input = null, output } = block;
  return [
    { type: 'toolCall', callId, changes: { title, tool, status: 'pending' } },
    { type: 'toolCall', callId, changes: { status: 'in_progress', locations, input } },
    { type: 'toolCall', callId, changes: { status: 'completed', output } },
  ];
}

function contentOf(block: Block): number {
  if (block.kind === 'text' || block.kind === 'thought') return Buffer.byteLength(block.text);
  if (block.kind !== 'toolCall') return 0;
  return Buffer.byteLength(block.title + textIn(block.input) + textIn(block.output));
}

/** The strings inside, as they are, without quotes and names. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textIn).join('');
}

/** By all threads of this process, to files and elsewhere; null where the system does not say. */
function bytesWritten(): number | null {
  if (process.platform !== 'linux') return null;
  const [, count] = /^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
  return count === undefined ? null : Number(count);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}
