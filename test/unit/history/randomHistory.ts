// Random histories: what two windows might write to three sessions, and what no window should have written, as parents
// that are not there, cycles, a session that begins twice, a record that was written again, facts of a later version.

import type { Block, Json, Message } from '../../../src/model/message.ts';
import type { Fact, FieldName, JournalRecord } from '../../../src/model/record.ts';
import { agentRef, record, setFact, textFact } from '../support/facts.ts';

export type Random = () => number;

export interface RandomHistory {
  /** In the order of their clock. Bytes are in the facts as they are. */
  readonly records: readonly JournalRecord[];
  readonly sessions: readonly string[];
}

interface Growing {
  readonly id: string;
  /** The length of the text of each block; null where it has none. */
  readonly blocks: (number | null)[];
}

const sessions = ['session2', 'session3', 'session4'];
const writers = ['writer22', 'writer33'];
const words = ['alpha', 'beta ', 'gamma\n', ' delta', 'ε', '汉字', '😀'];

function idOf(session: string, at: number): string {
  return `message${at}of${session}`;
}

export function randomHistory(random: Random, length = 40): RandomHistory {
  const below = (most: number) => Math.floor(random() * most);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const chance = (share: number) => random() < share;
  const messages = new Map(sessions.map(session => [session, [] as Growing[]]));
  const numbers = new Map<string, number>();
  const records: JournalRecord[] = [];
  let clock = 0;

  const someText = () => Array.from({ length: 1 + below(70) }, () => one(words)).join('');

  const someBlock = (): Block => {
    const extra = chance(0.2) ? { extra: { [one(words)]: below(9), nested: [{ a: null }] } } : {};
    switch (below(chance(0.1) ? 5 : 4)) {
      case 0:
        return { kind: 'text', mime: 'text/markdown', text: someText(), ...extra };
      case 1:
        return { kind: 'thought', mime: 'text/plain', text: someText(), ...extra };
      case 2:
        return { kind: 'unknown', mime: 'application/json', value: { [one(words)]: [below(9), one(words)] }, ...extra };
      case 3:
        return { kind: 'image', mime: 'image/png', data: new Uint8Array([below(5), 1, 2]), ...extra };
      default:
        return { kind: 'text', mime: 'text/plain', text: 'long '.repeat(60_000 + below(3)), ...extra };
    }
  };

  const someParent = (session: string): string | null => {
    const known = messages.get(session) ?? [];
    if (chance(0.05)) return `missing${below(4)}`;
    // One that is still to come, and may come to answer this one.
    if (chance(0.05)) return idOf(session, known.length + below(3));
    return chance(0.1) || known.length === 0 ? null : one(known).id;
  };

  const begin = (session: string): Fact => ({
    type: 'session',
    session,
    created: clock + below(50),
    agent: chance(0.5) ? agentRef : { id: 'other', name: 'Another agent' },
    ...(chance(0.5) ? { cwd: '/a', origin: 'import' } : {}),
    ...(chance(0.5) ? { key: { key: session, generation: below(3) } } : {}),
    ...(chance(0.5) ? { systemPrompt: someText() } : {}),
  });

  const someMessage = (session: string): Fact => {
    const isUser = chance(0.4);
    const label = chance(0.2) ? { label: one(['subagent:a:1', 'subagent:a:2', 'subagent:b:1']) } : {};
    const message: Omit<Message, 'session'> = {
      id: idOf(session, messages.get(session)?.length ?? 0),
      parent: someParent(session),
      role: isUser ? 'user' : 'assistant',
      // Clocks of two computers: an answer may seem older than its question, and two messages as old as each other.
      created: Math.max(0, clock + below(9) - 4),
      blocks: isUser ? [someBlock()] : [],
      ...(isUser ? { end: { reason: 'end_turn', at: clock + below(9) } } : { agent: agentRef }),
      ...label,
    };
    const lengths = message.blocks.map(block => (block.kind === 'text' ? block.text.length : null));
    messages.get(session)?.push({ id: message.id, blocks: lengths });
    return { type: 'message', session, message };
  };

  const growth = (session: string, { id, blocks }: Growing): Fact => {
    if (chance(0.3)) {
      const usage = chance(0.7) ? { usage: someUsage() } : {};
      return { type: 'end', session, message: id, end: { reason: 'end_turn', at: clock + below(20), ...usage } };
    }
    const at = below(blocks.length + 1);
    const known = blocks[at];
    if (at === blocks.length ? chance(0.5) : typeof known === 'number') {
      // Sometimes what was told already is told again, from where it was.
      const offset = chance(0.2) ? below(known ?? 0) : (known ?? 0);
      const text = someText();
      blocks[at] = offset + text.length;
      return textFact(session, id, at, offset, text);
    }
    const block = someBlock();
    blocks[at] = block.kind === 'text' ? block.text.length : null;
    return { type: 'block', session, message: id, at, block };
  };

  const someUsage = () => ({
    ...(chance(0.7) ? { inputTokens: below(100) } : {}),
    ...(chance(0.7) ? { outputTokens: below(100) } : {}),
    // In quarters, so that their sum is the same in any order.
    ...(chance(0.5) ? { cost: { amount: below(100) / 4, currency: one(['USD', 'EUR']) } } : {}),
  });

  const someField = (session: string): Fact => {
    const known = messages.get(session) ?? [];
    const message = known.length > 0 && chance(0.9) ? one(known).id : 'missing0';
    const from = chance(0.5) ? { from: message } : {};
    const rows: readonly (readonly [FieldName, Json, { readonly of?: string; readonly from?: string }])[] = [
      ['title', one(words), from],
      ['title', one(words), from],
      ['givenTitle', chance(0.5) ? '' : one(words), {}],
      ['head', chance(0.1) ? null : message, {}],
      ['head', message, {}],
      ['trashed', chance(0.5), from],
      ['trashed', chance(0.7), { of: message, from: message }],
      ['archived', chance(0.5), {}],
      ['pinned', chance(0.5), {}],
      ['agent', chance(0.8) ? { id: one(['x', 'y']), name: 'X' } : 'no agent', {}],
      ['model', one(words), {}],
      ['mode', chance(0.8) ? one(words) : null, {}],
      ['expires', below(1000), {}],
      ['label', chance(0.6), { of: one(words), ...from }],
      ['metadata', chance(0.8) ? { a: below(9) } : null, { of: one([...words, '__proto__']) }],
      ['name', chance(0.8) ? one(words) : null, { of: message, ...from }],
      ['note', one(words), { of: message, from: message }],
    ];
    return setFact(session, ...one(rows));
  };

  const someFact = (session: string): Fact => {
    const known = messages.get(session) ?? [];
    if (chance(0.02)) return { type: 'hologram', session, light: 1 } as unknown as Fact;
    if (chance(0.02)) return begin(session);
    if (known.length === 0 || chance(0.3)) return someMessage(session);
    return chance(0.6) ? growth(session, one(known)) : someField(session);
  };

  const write = (session: string, facts: readonly Fact[]): void => {
    const writer = one(writers);
    const number = numbers.get(`${session} ${writer}`) ?? 0;
    numbers.set(`${session} ${writer}`, number + 1);
    clock++;
    records.push(record(number, facts, writer, `${String(clock).padStart(10, '0')}${writer}`));
  };

  for (let n = 0; n < length; n++) {
    const session = one(sessions);
    const facts = Array.from({ length: 1 + below(4) }, () => someFact(session));
    // Without its beginning now and then, as after a damaged record.
    if (!records.some(({ facts: [first] }) => first?.session === session) && chance(0.9)) facts.unshift(begin(session));
    write(session, facts);
    // Its writer was told that it had failed, and wrote it again.
    if (chance(0.05)) write(session, facts);
  }
  return { records, sessions };
}
