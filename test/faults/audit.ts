// Compares the journal with what its writers said. Promises: every acknowledged append is one whole record, in its
// writer's order, without what was erased and with all the rest; those whose word died with their writer, or that were
// refused, are there whole or not at all; each message reads exactly as its writer had it after the last append that is
// there. It knows nothing of the index.

import type { Message } from '../../src/model/message.ts';
import type { JournalRecord } from '../../src/model/record.ts';
import { assemble } from '../../src/core/history/assemble.ts';
import { ownerOf } from '../../src/node/ids.ts';
import type { StoredRecord } from './engine.ts';
import { note, type Findings } from './findings.ts';
import type { Gone } from './gone.ts';
import { keyOfWriter, saidOf, stateOf, type Ledger, type Said } from './ledger.ts';

export interface Audit {
  /** By session and then by id, as they must read. */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, Message>>;
  /** Each record once, in the order of the clock. */
  readonly inOrder: readonly JournalRecord[];
  /** Answers to what another process wrote. */
  readonly crossed: number;
}

export function audit(stored: readonly StoredRecord[], ledger: Ledger, gone: Gone, findings: Findings): Audit {
  const states = new Map<string, string>();
  const writers = new Map<string, string>();
  const records = recordsOf(stored, findings);
  const trashes = trashesIn(ledger);
  for (const [key, said] of ledger.said) {
    checkRefusals(key, said, trashes, gone, findings);
    for (const { states: after, session } of compare(key, records.get(key) ?? [], said, gone, findings))
      for (const [id, state] of Object.entries(after)) {
        if (gone.covers(session, id)) continue;
        states.set(id, state);
        writers.set(id, key);
      }
  }
  for (const [key, written] of records)
    if (!ledger.said.has(key) && !written.every(isMovedHead)) note(findings, 'corrupt', `nobody wrote ${key}`);

  const inOrder = [...records.values()].flat().toSorted((one, other) => (one.h < other.h ? -1 : 1));
  const all = assemble(inOrder.flatMap(record => record.facts));
  const messages = new Map<string, Map<string, Message>>();
  let crossed = 0;
  for (const message of all.values()) {
    const { id, session, parent } = message;
    messages.set(session, (messages.get(session) ?? new Map<string, Message>()).set(id, message));
    if (states.get(id) !== stateOf(message)) note(findings, 'corrupt', `message ${id} of ${writers.get(id)}`);
    if (parent !== null && all.get(parent)?.session !== session) note(findings, 'dangling', `${id} answers ${parent}`);
    if (parent !== null && writers.get(parent) !== writers.get(id)) crossed++;
  }
  for (const id of states.keys()) if (!all.has(id)) note(findings, 'lost', `message ${id} of ${writers.get(id)}`);
  for (const message of all.values())
    if (!reachable(message, all)) note(findings, 'dangling', `${message.id} is in a cycle`);
  return { messages, inOrder, crossed };
}

/** By window and session in the window's order; the same record in two places is one. */
function recordsOf(stored: readonly StoredRecord[], findings: Findings): ReadonlyMap<string, readonly JournalRecord[]> {
  const byWriter = new Map<string, JournalRecord[]>();
  for (const { record, place } of stored) {
    const key = keyOfWriter(ownerOf(record.w), record.facts[0]?.session ?? place.segment);
    const others = byWriter.get(key);
    if (others) others.push(record);
    else byWriter.set(key, [record]);
  }
  for (const [key, records] of byWriter) {
    const known = new Map<string, JournalRecord>();
    for (const record of records) {
      const number = `${record.w} ${record.n}`;
      const before = known.get(number);
      if (!before) known.set(number, record);
      else if (JSON.stringify(before) !== JSON.stringify(record))
        note(findings, 'doubled', `record ${number} of ${key} says two things`);
    }
    // A window whose worker was restarted writes under more than one name, one after the other.
    byWriter.set(
      key,
      [...known.values()].toSorted((one, other) => (one.h < other.h ? -1 : 1)),
    );
  }
  return byWriter;
}

/** Gives those of the appends of which a record is there. */
function compare(
  key: string,
  records: readonly JournalRecord[],
  said: readonly Said[],
  gone: Gone,
  findings: Findings,
): readonly Said[] {
  const left = said.map(one => one.facts.filter(fact => !gone.covers(one.session, fact.about)).map(fact => fact.key));
  const places = new Map(left.map((keys, at) => [keys.join(' '), at]));
  const there: number[] = [];
  // Numbers that were taken by what the history itself wrote are no gap.
  // Of the writers before the first that is there, every record may have been erased.
  const writer = records[0]?.w ?? '';
  let next = { at: 0, n: 0, writer, isRestarted: writer !== ownerOf(writer) };
  for (const record of records) {
    if (record.w !== next.writer) next = { ...next, n: 0, writer: record.w, isRestarted: true };
    const keys = record.facts.map(fact => saidOf(fact).key);
    const at = places.get(keys.join(' '));
    if (at === undefined && isMovedHead(record)) {
      next = { ...next, n: next.n + 1 };
      continue;
    }
    if (at === undefined) {
      const isWhole = said.some(one => keys.every((fact, index) => fact === one.facts[index]?.key));
      note(findings, isWhole ? 'cameBack' : 'corrupt', `record ${record.n} of ${key} is not what has to be left of it`);
      continue;
    }
    if (at < next.at) note(findings, 'doubled', `record ${record.n} of ${key} is append ${at} again`);
    else checkGap(key, said.slice(next.at, at), record.n - next.n, next.isRestarted, findings);
    next = { ...next, at: at + 1, n: record.n + 1, isRestarted: false };
    there.push(at);
  }
  const found = new Set(there);
  for (const [at, { outcome }] of said.entries())
    if (outcome === 'acknowledged' && !found.has(at) && left[at] && left[at].length > 0)
      note(findings, 'lost', `append ${at} of ${key}`);
  return said.filter((_, at) => found.has(at));
}

/** Before a branch goes, the head is put above it where it was in it. */
function isMovedHead({ facts }: JournalRecord): boolean {
  const [fact] = facts;
  return facts.length === 1 && fact?.type === 'set' && fact.name === 'head';
}

/**
 * A writer's numbers have a gap where a record was erased, and may have one where an append was refused. How many were
 * erased at the end of the writer before a restart can't be told.
 */
function checkGap(
  key: string,
  between: readonly Said[],
  missing: number,
  isRestarted: boolean,
  findings: Findings,
): void {
  const least = isRestarted ? 0 : between.filter(({ outcome }) => outcome === 'acknowledged').length;
  if (missing < least || missing > between.length)
    note(findings, 'lost', `${missing} numbers of ${key} for ${between.length} appends, ${least} of them acknowledged`);
}

function checkRefusals(
  key: string,
  said: readonly Said[],
  trashes: ReadonlySet<string>,
  gone: Gone,
  findings: Findings,
): void {
  for (const one of said) {
    if (one.outcome !== 'refused' || gone.mayRefuse(one.code ?? '', one)) continue;
    if (one.code === 'trashed' && trashes.has(one.session)) continue;
    note(findings, 'refused', `${one.code}: an append of ${key}`);
  }
}

/** Sessions in which somebody put a message into the trash. */
function trashesIn({ said }: Ledger): ReadonlySet<string> {
  const all = [...said.values()].flat();
  return new Set(all.flatMap(({ session, facts }) => (facts.some(fact => fact.trashes) ? [session] : [])));
}

function reachable(message: Message, all: ReadonlyMap<string, Message>): boolean {
  const seen = new Set<string>();
  for (let at: Message | undefined = message; at; at = at.parent === null ? undefined : all.get(at.parent)) {
    if (seen.has(at.id)) return false;
    seen.add(at.id);
  }
  return true;
}
