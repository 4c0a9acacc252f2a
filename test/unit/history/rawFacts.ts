// What a history must answer, computed from the list of its facts in the plainest way: no SQL, no index, no `Tree`,
// each question from the beginning. It is slow and short, which is the point: it is what the engine is compared with.

import { createHash } from 'node:crypto';
import type { SessionSummary, Totals, TreeNode } from '../../../src/core/history/history.ts';
import type { Block, Json, Message } from '../../../src/model/message.ts';
import type { Fact, JournalRecord, SetFact } from '../../../src/model/record.ts';

export class RawFacts {
  private readonly facts: readonly Fact[];
  /** Asked for again and again, of what does not change. */
  private readonly known = new Map<string, readonly Message[]>();

  /** In the order of their clock. */
  constructor(records: readonly JournalRecord[]) {
    this.facts = records.flatMap(({ facts }) => facts);
  }

  sessions(): readonly SessionSummary[] {
    const begun = this.facts.filter(({ type }) => type === 'session' || type === 'message');
    return [...new Set(begun.map(({ session }) => session))]
      .map(session => this.summary(session))
      .toSorted((one, other) => other.active - one.active || (one.id < other.id ? -1 : 1));
  }

  summary(session: string): SessionSummary {
    const beginning = this.of(session).find(fact => fact.type === 'session');
    const messages = this.messages(session);
    const spoken = messages.filter(({ label }) => label === undefined);
    const times = this.of(session).flatMap(fact =>
      fact.type === 'message'
        ? [fact.message.created, fact.message.end?.at ?? 0]
        : fact.type === 'end'
          ? [fact.end.at]
          : [],
    );
    const active = Math.max(0, beginning?.created ?? 0, ...times);
    const text = (name: string) => {
      const value = this.field(session, name);
      return typeof value === 'string' && value !== '' ? value : null;
    };
    const agent = this.field(session, 'agent');
    const expires = this.field(session, 'expires');
    const all = this.allOf(session);
    return {
      id: session,
      title: text('givenTitle') ?? text('title') ?? '',
      agent: isAgent(agent) ? agent : (beginning?.agent ?? { id: 'unknown', name: 'Unknown agent' }),
      model: text('model'),
      mode: text('mode'),
      cwd: beginning?.cwd ?? null,
      key: beginning?.key ?? null,
      origin: beginning?.origin ?? null,
      created: beginning?.created ?? active,
      active,
      expires: typeof expires === 'number' ? expires : null,
      messages: spoken.length,
      forked: new Set(spoken.map(({ parent }) => parent)).size < messages.length,
      trashed: this.field(session, 'trashed') === true,
      archived: this.field(session, 'archived') === true,
      pinned: this.field(session, 'pinned') === true,
      labels: all('label').flatMap(([of, value]) => (value === true ? [of] : [])),
      metadata: Object.fromEntries(all('metadata').filter(([, value]) => value !== null)),
    };
  }

  /** Oldest first. */
  messages(session: string): readonly Message[] {
    const known = this.known.get(session);
    if (known) return known;
    const begun = this.of(session).flatMap(fact => (fact.type === 'message' ? [fact.message.id] : []));
    const messages = [...new Set(begun)].map(id => this.message(session, id)).toSorted(byAge);
    this.known.set(session, messages);
    return messages;
  }

  tree(session: string): readonly TreeNode[] {
    return this.messages(session).map(({ id, parent, role, created, label }) => ({
      id,
      parent,
      role,
      created,
      label: label ?? null,
      preview: this.preview(session, id),
      trashed: this.above(session, id).some(one => this.field(session, 'trashed', one) === true),
      name: textOf(this.field(session, 'name', id)),
      note: textOf(this.field(session, 'note', id)),
    }));
  }

  /** The ends of what is shown, newest first. */
  leaves(session: string): readonly string[] {
    const shown = this.shown(session);
    return shown.filter(id => !shown.some(other => this.parent(session, other) === id)).toReversed();
  }

  head(session: string): string | null {
    const head = textOf(this.field(session, 'head'));
    const shown = this.shown(session);
    const left = head === null ? undefined : this.path(session, head).findLast(id => shown.includes(id));
    return left ?? this.leaves(session)[0] ?? null;
  }

  /** From the root; what a subagent said is on none but its own. */
  path(session: string, id: string): readonly string[] {
    const labels = new Map(this.messages(session).map(message => [message.id, message.label]));
    const path = this.above(session, id).toReversed();
    return labels.get(id) === undefined ? path.filter(one => labels.get(one) === undefined) : path;
  }

  private shown(session: string): readonly string[] {
    return this.tree(session).flatMap(({ id, label, trashed }) => (label === null && !trashed ? [id] : []));
  }

  /** The message and what it answers, up to its root; nothing where it is not there. */
  private above(session: string, id: string): readonly string[] {
    const path: string[] = [];
    const there = this.messages(session).some(message => message.id === id);
    for (let at: string | null = there ? id : null; at !== null; at = this.parent(session, at)) path.push(at);
    return path;
  }

  /** Null where it is not there, and for the oldest of a cycle. */
  private parent(session: string, id: string): string | null {
    const messages = this.messages(session);
    const parentOf = (of: string) => {
      const parent = messages.find(message => message.id === of)?.parent;
      return messages.find(message => message.id === parent);
    };
    const round = [id];
    for (let at = parentOf(id); at && !round.includes(at.id); at = parentOf(at.id)) round.push(at.id);
    const isRound = parentOf(round.at(-1) ?? '')?.id === id;
    const oldest = messages.find(message => round.includes(message.id))?.id;
    return isRound && oldest === id ? null : (parentOf(id)?.id ?? null);
  }

  private message(session: string, id: string): Message {
    const [first] = this.of(session).filter(fact => fact.type === 'message' && fact.message.id === id);
    if (first?.type !== 'message') throw new Error(`${id} never began.`);
    let { end } = first.message;
    const blocks = [...first.message.blocks];
    const after = this.of(session).slice(this.of(session).indexOf(first));
    for (const fact of after) {
      if (fact.type === 'message' || fact.type === 'session' || fact.type === 'set' || fact.message !== id) continue;
      if (fact.type === 'block') blocks[fact.at] = fact.block;
      if (fact.type === 'end') end = fact.end;
      if (fact.type !== 'text') continue;
      const { kind, mime } = fact;
      const old = blocks[fact.at];
      const begins = old?.kind === 'text' || old?.kind === 'thought' ? old : { text: '' };
      blocks[fact.at] = { ...begins, kind, mime, text: begins.text.slice(0, fact.offset) + fact.text };
    }
    return { ...first.message, session, blocks: blocks.map(asRead), ...(end ? { end } : {}) };
  }

  /** What came with the message; what is long is in a file of its own. */
  private preview(session: string, id: string): string {
    const begun = this.of(session).find(fact => fact.type === 'message' && fact.message.id === id);
    const isSaid = begun?.type === 'message' && begun.message.role !== 'assistant';
    const blocks = isSaid ? begun.message.blocks : [];
    const text = blocks.find(block => block.kind === 'text')?.text ?? '';
    if (text.length > 256 * 1024) return '';
    const line = text.slice(0, 240).replace(/\s+/g, ' ').slice(0, 120);
    return line.replace(/\p{Surrogate}/gu, '').trim();
  }

  private field(session: string, name: string, of?: string): Json | undefined {
    // No bytes are in these facts.
    return this.sets(session).findLast(fact => fact.name === name && (fact.of ?? '') === (of ?? ''))?.value as Json;
  }

  /** Of one name, by what it is of. */
  private allOf(session: string): (name: string) => readonly (readonly [string, Json])[] {
    return name => {
      const ofs = new Set(this.sets(session).flatMap(fact => (fact.name === name ? [fact.of ?? ''] : [])));
      const sorted = [...ofs].toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      return sorted.map(of => [of, this.field(session, name, of) ?? null] as const);
    };
  }

  private sets(session: string): readonly SetFact[] {
    return this.of(session).filter(fact => fact.type === 'set');
  }

  private of(session: string): readonly Fact[] {
    // Of a later version, or none at all.
    const known = new Set(['session', 'message', 'block', 'text', 'end', 'set']);
    return this.facts.filter(fact => fact.session === session && known.has(fact.type));
  }
}

export function byAge(one: Message, other: Message): number {
  return one.created - other.created || (one.id < other.id ? -1 : 1);
}

export function totalsOf(messages: readonly Message[]): Totals {
  const usages = messages.flatMap(({ end }) => end?.usage ?? []);
  const costs = usages.flatMap(({ cost }) => cost ?? []);
  const currencies = [...new Set(costs.map(({ currency }) => currency))].toSorted();
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    inputTokens: sum(usages.map(({ inputTokens = 0 }) => inputTokens)),
    outputTokens: sum(usages.map(({ outputTokens = 0 }) => outputTokens)),
    costs: currencies.map(currency => ({
      amount: sum(costs.flatMap(cost => (cost.currency === currency ? [cost.amount] : []))),
      currency,
    })),
  };
}

/** Bytes are given back as the place where they are. */
function asRead(block: Block): Block {
  if (!('data' in block) || !(block.data instanceof Uint8Array)) return block;
  const sha256 = createHash('sha256').update(block.data).digest('hex');
  return { ...block, data: { sha256, size: block.data.length } };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function isAgent(value: Json | undefined): value is { readonly id: string; readonly name: string } {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value;
}
