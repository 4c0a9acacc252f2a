// One session that lives in memory only: its facts in their order, and what they say. Promises: it says what the journal
// and the index would say of the same facts; what was erased is in nothing that is kept here. Whether facts may be added
// is `memory.ts`'s to know.

import type { Cost, Json, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact, FieldName, SessionFact, SetFact } from '../../model/record.ts';
import { assemble } from './assemble.ts';
import type { Erasure } from './erasure.ts';
import type { SessionAudit, SessionSummary, StoredFields, StoredSession, Totals, TreeNode } from './history.ts';
import { fieldKey, formerSystemPromptKey, named, summaryOf } from './summary.ts';
import { Tree } from './tree.ts';

/** What the facts say, worked out once for as long as none is added. */
interface Said {
  readonly fields: ReadonlyMap<string, Json>;
  readonly messages: ReadonlyMap<MessageId, Message>;
  readonly tree: Tree<TreeNode>;
  readonly trashed: ReadonlySet<MessageId>;
}

export class MemorySession {
  readonly id: SessionId;
  private facts: readonly Fact[] = [];
  private known: Said | null = null;

  constructor(id: SessionId) {
    this.id = id;
  }

  add(facts: readonly Fact[]): void {
    this.facts = [...this.facts, ...facts];
    this.known = null;
  }

  /** Without what is erased. */
  forget(erasure: Erasure): void {
    this.facts = this.facts.filter(fact => !erasure.covers(fact));
    this.known = null;
  }

  get beginning(): SessionFact | undefined {
    return this.facts.find(fact => fact.type === 'session');
  }

  audit(): SessionAudit | undefined {
    const { beginning } = this;
    const isPrompt = ({ name, of, value }: SetFact) =>
      (name === 'systemPrompt' || (name === 'metadata' && of === formerSystemPromptKey)) && value !== null;
    const last = this.facts.findLast((fact): fact is SetFact => fact.type === 'set' && isPrompt(fact));
    const lastSystemPrompt = last && systemPromptIn(valueOf(last));
    return beginning && lastSystemPrompt !== undefined ? { ...beginning, lastSystemPrompt } : beginning;
  }

  get tree(): Tree<TreeNode> {
    return this.said.tree;
  }

  /** The messages that were put into the trash, without what is in it because of them. */
  get trashed(): ReadonlySet<MessageId> {
    return this.said.trashed;
  }

  get messages(): ReadonlyMap<MessageId, Message> {
    return this.said.messages;
  }

  summary(): SessionSummary {
    const { beginning } = this;
    const messages = [...this.messages.values()];
    const times = this.facts.flatMap(fact => {
      if (fact.type === 'end') return [fact.end.at];
      return fact.type === 'message' ? [fact.message.created, fact.message.end?.at ?? 0] : [];
    });
    const created = beginning?.created ?? null;
    const row = {
      id: this.id,
      created,
      active: Math.max(created ?? 0, ...times),
      agent: beginning?.agent.id ?? null,
      agent_name: beginning?.agent.name ?? null,
      cwd: beginning?.cwd ?? null,
      key: beginning?.key?.key ?? null,
      generation: beginning?.key?.generation ?? null,
      origin: beginning?.origin ?? null,
    };
    const count = messages.filter(({ label }) => label === undefined).length;
    return summaryOf(row, count, this.said.fields, totalsOf(messages));
  }

  stored(at: MessageId | null): StoredSession {
    const { tree } = this.said;
    const fields = this.storedFields(at);
    const path = tree.pathTo(fields.head).flatMap(id => this.messages.get(id) ?? []);
    return { ...fields, path, branches: tree.branches(fields.head) };
  }

  /** Nothing of it waits in another window's queue or is written there. */
  storedFields(at: MessageId | null = null): StoredFields {
    const { tree, fields } = this.said;
    return {
      ...this.summary(),
      named: textIn(fields.get(fieldKey('givenTitle'))) !== null,
      queue: null,
      queued: [],
      bindings: this.newestFirst('binding'),
      options: this.newestFirst('option'),
      decisions: this.newestFirst('decision'),
      head: at ?? tree.headFrom(textIn(fields.get(fieldKey('head')))),
      writing: null,
    };
  }

  /** Of a field that there are many of, each as it was last set. */
  private newestFirst(name: FieldName): readonly Json[] {
    const last = new Map<string, Json>();
    for (const fact of this.facts) {
      if (fact.type !== 'set' || fact.name !== name) continue;
      last.delete(fact.of ?? '');
      last.set(fact.of ?? '', valueOf(fact));
    }
    return [...last.values()].reverse();
  }

  private get said(): Said {
    return (this.known ??= this.read());
  }

  private read(): Said {
    const fields = new Map<string, Json>();
    for (const fact of this.facts) if (fact.type === 'set') fields.set(fieldKey(fact.name, fact.of), valueOf(fact));
    const messages = assemble(this.facts);
    const begun = this.facts.flatMap(fact => (fact.type === 'message' ? [fact.message] : []));
    const trashed = new Set(named(fields, 'trashed').flatMap(([of, on]) => (of !== '' && on === true ? [of] : [])));
    const row = (message: Omit<Message, 'session'>): TreeNode => ({
      id: message.id,
      parent: message.parent,
      role: message.role,
      created: message.created,
      label: message.label ?? null,
      preview: previewOf(message),
      trashed: false,
      name: textIn(fields.get(fieldKey('name', message.id))),
      note: textIn(fields.get(fieldKey('note', message.id))),
    });
    return { fields, messages, trashed, tree: new Tree(begun.map(row), trashed) };
  }
}

const longestPreview = 120;

/** Branches are called by what a person said. */
function previewOf({ role, blocks }: Omit<Message, 'session'>): string {
  const text = role === 'assistant' ? '' : (blocks.find(block => block.kind === 'text')?.text ?? '');
  const line = text.slice(0, longestPreview * 2).replace(/\s+/g, ' ');
  return line
    .slice(0, longestPreview)
    .replace(/\p{Surrogate}/gu, '')
    .trim();
}

function totalsOf(messages: readonly Message[]): Totals {
  let [inputTokens, outputTokens] = [0, 0];
  const sums = new Map<string, number>();
  for (const { end } of messages) {
    inputTokens += end?.usage?.inputTokens ?? 0;
    outputTokens += end?.usage?.outputTokens ?? 0;
    const { cost } = end?.usage ?? {};
    if (cost) sums.set(cost.currency, (sums.get(cost.currency) ?? 0) + cost.amount);
  }
  const costs = [...sums].map(([currency, amount]): Cost => ({ currency, amount }));
  return {
    inputTokens,
    outputTokens,
    costs: costs.toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}

/** Bytes are references by now. */
function valueOf({ value }: SetFact): Json {
  return value as Json;
}

/** As its field has it, or as an older version kept it. */
function systemPromptIn(value: Json): string | undefined {
  const content = typeof value === 'object' && value !== null && 'content' in value ? value['content'] : value;
  return typeof content === 'string' ? content : undefined;
}

function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
