// One turn as a writer appends it: a prompt, an answer that grows in steps, its end, and sometimes what a person does
// afterwards (a name, a note, the trash, another head). Promises: what it appends is told to `append` with the state of
// each message that it touches; which turn it is comes from the random numbers and from what history knows.

import { setTimeout as delay } from 'node:timers/promises';
import type { StoredSession } from '../../src/core/history/history.ts';
import { markdown, type Block, type Message } from '../../src/model/message.ts';
import type { Fact, SetFact } from '../../src/model/record.ts';
import { pick, promptOf, sizeOf, textBlock, textOf, tokenOf, toolCall } from './content.ts';
import { ids } from './engine.ts';

export type Append = (session: string, facts: readonly Fact[], messages?: readonly Message[]) => Promise<void>;

export interface Turn {
  readonly session: string;
  readonly known: StoredSession | undefined;
  readonly random: () => number;
  readonly append: Append;
  /** Another text each time it is asked, and no other writer has it. */
  readonly mark: () => string;
}

const agent = { id: 'scripted', name: 'Scripted agent' };

/** A message as its fact has it, in which the session stands beside it. */
type Begun = Omit<Message, 'session'>;

export async function takeTurn(turn: Turn): Promise<void> {
  const { session, known, random, append, mark } = turn;
  const path = known?.path ?? [];
  const created = Date.now();
  const id = ids.message();
  const prompt: Begun = {
    id,
    parent: parentIn(path, random),
    role: 'user',
    created,
    blocks: promptOf(random, tokenOf(id)),
    end: { reason: 'end_turn', at: created },
  };
  const answer: Begun = { id: ids.message(), parent: id, role: 'assistant', created, agent, blocks: [] };
  const facts: Fact[] = [];
  // Two windows may create the same session at the same time, each with its own idea of when and where.
  if (!known) facts.push({ type: 'session', session, created, agent, cwd: `/home/${mark()}` });
  const title = `Title ${tokenOf(id)} ${mark()}`;
  if (random() < 0.3) facts.push({ type: 'set', session, name: 'title', value: title, from: id });
  facts.push({ type: 'message', session, message: prompt }, { type: 'message', session, message: answer });
  // With a mark, because the same head may be set again.
  if (random() < 0.8) facts.push({ type: 'set', session, name: 'head', value: answer.id }, marked(session, mark()));
  await append(session, facts, [
    { ...prompt, session },
    { ...answer, session },
  ]);
  await grow(turn, answer);
  await changeSomething(turn, pick([id, answer.id], random));
}

/** Mostly the last message; sometimes an older one, or none, so that the tree has branches and does not grow deep. */
function parentIn(path: readonly Message[], random: () => number): string | null {
  if (path.length === 0 || random() < 0.03) return null;
  if (path.length > 40) return path[Math.floor(random() * 15)]?.id ?? null;
  const back = random() < 0.7 ? 1 : 1 + Math.floor(random() * Math.min(path.length, 12));
  return path.at(-back)?.id ?? null;
}

async function grow({ session, random, append }: Turn, begun: Begun): Promise<void> {
  const { id } = begun;
  const token = tokenOf(id);
  const blocks: Block[] = [];
  const answer = (): Message => ({ ...begun, session, blocks: [...blocks] });
  for (let steps = Math.floor(random() * 4); steps > 0; steps--) {
    await delay(random() * 25);
    const at = blocks.length;
    if (random() < 0.35) {
      const callId = ids.message();
      for (const status of ['pending', 'completed'] as const) {
        const block = toolCall(random, callId, token, status);
        blocks[at] = block;
        await append(session, [{ type: 'block', session, message: id, at, block }], [answer()]);
      }
      continue;
    }
    const kind = random() < 0.3 ? 'thought' : 'text';
    for (let parts = 1 + Math.floor(random() * 3), whole = ''; parts > 0; parts--) {
      const text = `${token} ${textOf(random, sizeOf(random))}`;
      const offset = whole.length;
      whole += text;
      blocks[at] = textBlock(kind, whole);
      await delay(random() * 15);
      await append(
        session,
        [{ type: 'text', session, message: id, at, kind, mime: markdown, offset, text }],
        [answer()],
      );
    }
  }
  if (random() >= 0.9) return;
  const end = { reason: 'end_turn', at: Date.now(), ...(random() < 0.2 ? { detail: token } : {}) } as const;
  await append(session, [{ type: 'end', session, message: id, end }], [{ ...answer(), end }]);
}

async function changeSomething({ session, known, random, append, mark }: Turn, message: string): Promise<void> {
  const about = { type: 'set', session, of: message, from: message } as const;
  const path = known?.path ?? [];
  const changes: SetFact[] = [];
  if (random() < 0.1) changes.push({ ...about, name: 'name', value: `Name ${tokenOf(message)} ${mark()}` });
  if (random() < 0.1) changes.push({ ...about, name: 'note', value: `Note ${tokenOf(message)} ${mark()}` });
  if (random() < 0.02) changes.push({ ...about, name: 'trashed', value: random() < 0.7 });
  if (random() < 0.1) changes.push({ type: 'set', session, name: 'trashed', value: random() < 0.3 });
  if (random() < 0.1 && path.length > 0)
    changes.push({ type: 'set', session, name: 'head', value: pick(path, random).id });
  if (changes.length === 0) return;
  await append(session, [...changes, marked(session, mark())]);
}

/** So that no two records say the same. */
function marked(session: string, value: string): SetFact {
  return { type: 'set', session, name: 'metadata', of: 'mark', value };
}
