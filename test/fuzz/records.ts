// What one window has read of the history: the records of one session, each taken once, and what they say. It says and
// refuses what `src/node/history/memoryStore.ts` does of the same facts (fuzz.test.ts compares them), and works out again
// only what a record changed, because a run of the fuzzer asks some hundred thousand times.

import { claimsIn, isClaimable } from '../../src/core/conversation/agentSessionClaims.ts';
import { assemble } from '../../src/core/history/assemble.ts';
import { isTooLarge } from '../../src/core/history/blobs.ts';
import type {
  SessionSummary,
  StoredFields,
  StoredQueued,
  StoredSession,
  TreeNode,
} from '../../src/core/history/history.ts';
import type { HistoryErrorCode } from '../../src/core/history/historyError.ts';
import { Tree } from '../../src/core/history/tree.ts';
import type { AgentRef, Json, Message, MessageId, SessionId } from '../../src/model/message.ts';
import type { Fact, MessageFact, QueuedValue, SetFact } from '../../src/model/record.ts';
import type { Branches } from '../../src/model/transcript.ts';

export interface StoredRecord {
  /** Its place among all records, as the clock of the real journal gives it. */
  readonly at: number;
  readonly writer: string;
  readonly facts: readonly Fact[];
}

interface Row extends TreeNode {
  readonly facts: Fact[];
  readonly writers: Set<string>;
  message: Message | null;
}

interface Field {
  readonly fact: SetFact;
  readonly order: number;
}

/** What is said of a message, where it is said of one. */
const ofMessages: ReadonlySet<string> = new Set(['name', 'note', 'trashed']);

export class Records {
  readonly session: SessionId;
  private readonly rows = new Map<MessageId, Row>();
  private readonly fields = new Map<string, Field>();
  private readonly erased: ReadonlySet<MessageId>;
  private beginning: { readonly created: number; readonly agent: AgentRef; readonly cwd: string | null } | null = null;
  private known: Tree<Row> | null = null;

  /** `erased` are the tombstones, which all windows share. */
  constructor(session: SessionId, erased: ReadonlySet<MessageId>) {
    this.session = session;
    this.erased = erased;
  }

  get isThere(): boolean {
    return this.beginning !== null;
  }

  take({ at, writer, facts }: StoredRecord): void {
    for (const fact of facts) {
      if (this.isErased(fact)) continue;
      switch (fact.type) {
        case 'session':
          this.beginning ??= { created: fact.created, agent: fact.agent, cwd: fact.cwd ?? null };
          break;
        case 'message':
          this.begin(fact, writer);
          break;
        case 'block':
        case 'text':
        case 'end':
          this.grow(fact, fact.message, writer);
          break;
        case 'set':
          this.set(fact, at);
      }
    }
  }

  /** Without the messages that are erased by now. */
  forgetErased(): void {
    for (const id of this.rows.keys()) if (this.erased.has(id)) this.rows.delete(id);
    for (const [key, { fact }] of this.fields) if (this.isErased(fact)) this.fields.delete(key);
    this.known = null;
  }

  /** Why these facts may not be appended; null where they may. `failed` may stand there from an attempt that failed. */
  refusalOf(facts: readonly Fact[], failed: ReadonlySet<MessageId>): HistoryErrorCode | null {
    const fresh = new Set<MessageId>();
    let known = this.isThere;
    for (const fact of facts) {
      if (fact.type === 'session') known = true;
      if (!known || fact.session !== this.session) return 'no-session';
      const refusal =
        fact.type === 'session'
          ? null
          : fact.type === 'set'
            ? this.refusalOfSet(fact, fresh)
            : fact.type === 'message'
              ? this.refusalOfMessage(fact, fresh, failed)
              : this.refusalOfMention(fact.message, fresh);
      if (refusal !== null) return refusal;
    }
    const isTaken = claimsIn(facts).some(claim => !isClaimable(this.bindingAt(claim.of), claim));
    return isTaken ? 'agent-session-taken' : null;
  }

  has(message: MessageId): boolean {
    return this.rows.has(message);
  }

  message(id: MessageId): Message | null {
    const row = this.rows.get(id);
    if (!row) return null;
    return (row.message ??= assemble(row.facts).get(id) ?? null);
  }

  get ids(): readonly MessageId[] {
    return [...this.rows.keys()];
  }

  get tree(): Tree<Row> {
    return (this.known ??= new Tree([...this.rows.values()], this.trashedMessages()));
  }

  branches(head: MessageId | null): Branches | undefined {
    return head === null || this.rows.has(head) ? this.tree.branches(head) : undefined;
  }

  nodes(): readonly TreeNode[] {
    const { tree } = this;
    return [...this.rows.values()]
      .toSorted((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
      .map(({ id, parent, role, created, label, preview, name, note }) => {
        return { id, parent, role, created, label, preview, name, note, trashed: tree.isTrashed(id) };
      });
  }

  summary(): SessionSummary {
    const { created = 0, agent = { id: '', name: '' }, cwd = null } = this.beginning ?? {};
    const text = (name: string) => {
      const value = this.value(name);
      return typeof value === 'string' && value !== '' ? value : null;
    };
    return {
      id: this.session,
      title: text('givenTitle') ?? text('title') ?? '',
      agent: (this.value('agent') as AgentRef | null) ?? agent,
      model: text('model'),
      mode: text('mode'),
      cwd,
      key: null,
      origin: null,
      created,
      active: created,
      expires: null,
      messages: this.rows.size,
      forked: false,
      trashed: this.value('trashed') === true,
      archived: false,
      pinned: false,
      labels: [],
      metadata: {},
    };
  }

  /** `alive` are the windows that gave a sign of life lately, `own` the one that asks. */
  open(at: MessageId | null, alive: ReadonlySet<string>, own: string): StoredSession {
    const { tree } = this;
    const fields = this.storedFields(alive, own, at);
    const path = tree.pathTo(fields.head).flatMap(id => this.message(id) ?? []);
    return { ...fields, path, branches: tree.branches(fields.head) };
  }

  storedFields(alive: ReadonlySet<string>, own: string, at: MessageId | null = null): StoredFields {
    const saved = this.value('head');
    const head = at ?? this.tree.headFrom(typeof saved === 'string' ? saved : null);
    const last = head === null ? null : this.message(head);
    const writers = (last && this.rows.get(last.id)?.writers) ?? new Set();
    const isWritten = [...writers].some(writer => writer !== own && alive.has(writer));
    return {
      ...this.summary(),
      totals: { inputTokens: 0, outputTokens: 0, costs: [] },
      ...this.leftQueue(alive, own),
      named: typeof this.value('givenTitle') === 'string',
      bindings: this.newestFirst('binding'),
      options: this.newestFirst('option'),
      decisions: this.newestFirst('decision'),
      head,
      writing: last && !last.end && isWritten ? last.id : null,
    };
  }

  /** As `src/node/history/index/leftQueue.ts` does: a prompt that waits is the others' once its window is gone. */
  private leftQueue(alive: ReadonlySet<string>, own: string): Pick<StoredFields, 'queue' | 'queued'> {
    const isLeft = (writer: string) => writer === own || !alive.has(writer);
    const queued = this.fieldsNamed('queued').flatMap(({ fact: { of, from, value } }): readonly StoredQueued[] => {
      if (value === null || of === undefined || from === undefined || this.rows.has(from)) return [];
      const { content, data, writer = '', position = null } = value as QueuedValue;
      if (!isLeft(writer)) return [];
      const bytes = data.map(one => (one instanceof Uint8Array ? one : null));
      const text = typeof content === 'string' ? content : null;
      return [{ field: of, message: from, position, content: text, data: bytes }];
    });
    return { queue: null, queued };
  }

  /** The last one by the clock counts, in whatever order they are read. */
  private set(fact: SetFact, order: number): void {
    const key = `${fact.name}\n${fact.of ?? ''}`;
    if ((this.fields.get(key)?.order ?? -1) > order) return;
    this.fields.set(key, { fact, order });
    if (fact.name === 'trashed') this.known = null;
  }

  private begin(fact: MessageFact, writer: string): void {
    const { id, parent, role, created, label = null } = fact.message;
    const row = this.rows.get(id);
    if (row) return void row.writers.add(writer);
    const node: TreeNode = { id, parent, role, created, label, preview: '', trashed: false, name: null, note: null };
    this.rows.set(id, { ...node, facts: [fact], writers: new Set([writer]), message: null });
    this.known = null;
  }

  private grow(fact: Fact, message: MessageId, writer: string): void {
    const row = this.rows.get(message);
    if (!row) return;
    row.facts.push(fact);
    row.writers.add(writer);
    row.message = null;
  }

  private isErased(fact: Fact): boolean {
    const isGone = (id: MessageId | undefined) => id !== undefined && this.erased.has(id);
    if (fact.type === 'set') return isGone(fact.of) || isGone(fact.from);
    if (fact.type === 'message') return isGone(fact.message.id);
    return fact.type !== 'session' && isGone(fact.message);
  }

  private refusalOfMention(message: MessageId, fresh: ReadonlySet<MessageId>): HistoryErrorCode | null {
    if (this.erased.has(message)) return 'erased';
    return this.rows.has(message) || fresh.has(message) ? null : 'no-message';
  }

  private refusalOfSet(fact: SetFact, fresh: ReadonlySet<MessageId>): HistoryErrorCode | null {
    if (this.isErased(fact)) return 'erased';
    const refusal = fact.of !== undefined && ofMessages.has(fact.name) ? this.refusalOfMention(fact.of, fresh) : null;
    return refusal ?? (isTooLarge(fact) ? 'too-large' : null);
  }

  private refusalOfMessage(
    { message: { id, parent } }: MessageFact,
    fresh: Set<MessageId>,
    failed: ReadonlySet<MessageId>,
  ): HistoryErrorCode | null {
    if (parent !== null) {
      if (this.erased.has(parent)) return 'erased';
      if (!this.rows.has(parent) && !fresh.has(parent)) return 'no-parent';
      if (this.tree.isTrashed(parent)) return 'trashed';
    }
    if (this.erased.has(id)) return 'erased';
    if (fresh.has(id) || (this.rows.has(id) && !failed.has(id))) return 'exists';
    fresh.add(id);
    return null;
  }

  private trashedMessages(): readonly MessageId[] {
    return this.fieldsNamed('trashed').flatMap(({ fact }) => (fact.of && fact.value === true ? [fact.of] : []));
  }

  private newestFirst(name: string): readonly Json[] {
    return this.fieldsNamed(name)
      .map(({ fact }) => fact.value as Json)
      .toReversed();
  }

  /** The oldest first. */
  private fieldsNamed(name: string): readonly Field[] {
    const found: Field[] = [];
    for (const field of this.fields.values()) if (field.fact.name === name) found.push(field);
    return found.sort((one, other) => one.order - other.order);
  }

  private bindingAt(of: string): Json | undefined {
    return this.fields.get(`binding\n${of}`)?.fact.value as Json | undefined;
  }

  private value(name: string): Json {
    return (this.fields.get(`${name}\n`)?.fact.value as Json | undefined) ?? null;
  }
}
