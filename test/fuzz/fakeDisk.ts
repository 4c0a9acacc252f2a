// One folder of history, shared by the windows of a run: every record that is durable, what was deleted for ever, and which
// windows gave a sign of life lately. Each window's own way to it is in `diskOfWindow.ts`.

import type { Bytes, Json, MessageId, SessionId } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import type { DiskOfWindow } from './diskOfWindow.ts';
import { Records, type StoredRecord } from './records.ts';
import type { VirtualTime } from './virtualTime.ts';

/** So long a window that died counts as alive. */
const freshFor = 15_000;

export class FakeDisk {
  readonly session: SessionId;
  readonly time: VirtualTime;
  readonly log: StoredRecord[] = [];
  readonly erased = new Set<MessageId>();
  readonly blobs = new Map<string, Uint8Array>();
  /** What a reader sees that has read everything. */
  readonly truth: Records;
  readonly ways: DiskOfWindow[] = [];
  /** Something was sent that could not be written: what others go on from is not all that agents heard. */
  isUnsure = false;
  /** Told of each record that is durable. */
  onWritten: (facts: readonly Fact[], writer: string) => void = () => {};

  constructor(session: SessionId, time: VirtualTime) {
    this.session = session;
    this.time = time;
    this.truth = new Records(session, this.erased);
  }

  alive(asker: DiskOfWindow): ReadonlySet<string> {
    const { now } = this.time;
    const living = this.ways.filter(
      way => way === asker || (!way.isLeft && now < way.silentSince + freshFor && !(way.stalledUntil > now)),
    );
    return new Set(living.map(({ writer }) => writer));
  }

  write(by: DiskOfWindow, facts: readonly Fact[]): void {
    const at = this.log.length;
    const record: StoredRecord = { at, writer: by.writer, facts: facts.map(fact => this.withBlobs(fact)) };
    this.log.push(record);
    this.truth.take(record);
    this.onWritten(facts, by.writer);
    for (const way of this.ways)
      if (way === by) way.take(record);
      else way.inbox.push(record);
  }

  /** For ever, with all below it. */
  erase(message: MessageId): void {
    for (const id of this.truth.tree.subtree(message)) this.erased.add(id);
    this.truth.forgetErased();
    for (const way of this.ways) way.forgetErased();
  }

  /** Bytes are kept apart, and a place stands for them. */
  private withBlobs(fact: Fact): Fact {
    if (fact.type === 'block') return 'data' in fact.block ? { ...fact, block: this.kept(fact.block) } : fact;
    if (fact.type !== 'message') return fact;
    const { blocks } = fact.message;
    if (!blocks.some(block => 'data' in block)) return fact;
    return { ...fact, message: { ...fact.message, blocks: blocks.map(block => this.kept(block)) } };
  }

  private kept<Block extends object>(block: Block): Block {
    const { data } = block as { readonly data?: Bytes };
    if (!(data instanceof Uint8Array)) return block;
    const sha256 = `blob${this.blobs.size}`;
    this.blobs.set(sha256, data.slice());
    return { ...block, data: { sha256, size: data.length } };
  }
}

/** Everything of a fact in which a person's words may stand, as one text. */
export function wordsIn(fact: Fact): string {
  if (fact.type === 'message') return fact.message.blocks.map(block => ('text' in block ? block.text : '')).join('\n');
  if (fact.type !== 'set' || (fact.name !== 'queue' && fact.name !== 'queued')) return '';
  return JSON.stringify(fact.value as Json, (_key, value: unknown) => (value instanceof Uint8Array ? null : value));
}
