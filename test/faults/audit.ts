// Compares the journal with what its writers said. Promises: every acknowledged append is one whole record, in its
// writer's order; at most the last ones, whose word died with their writer, may be there without it; each message
// reads exactly as its writer had it after the last append that is there. It knows nothing of the index.

import { assemble } from '../../src/core/history/assemble.ts';
import type { Message } from '../../src/model/message.ts';
import type { JournalRecord } from '../../src/model/record.ts';
import type { StoredRecord } from './engine.ts';
import { keyOf, keyOfWriter, stateOf, type Ledger, type Said } from './ledger.ts';

export interface Findings {
  lost: number;
  doubled: number;
  corrupt: number;
  dangling: number;
  /** The first few of each, in words. */
  readonly words: string[];
}

export interface Audit {
  /** By session and then by id, as they must read. */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, Message>>;
  /** The latest head and title of each session. */
  readonly latest: ReadonlyMap<
    string,
    { readonly head: string | null; readonly title: string; readonly trashed: boolean }
  >;
  /** Answers to what another process wrote. */
  readonly crossed: number;
}

export function audit(stored: readonly StoredRecord[], ledger: Ledger, findings: Findings): Audit {
  const states = new Map<string, string>();
  const writers = new Map<string, string>();
  const records = recordsOf(stored, findings);
  for (const [key, said] of ledger.said) {
    const there = records.get(key) ?? [];
    compare(key, there, said, findings);
    for (const { states: after } of said.slice(0, there.length))
      for (const [id, state] of Object.entries(after)) {
        states.set(id, state);
        writers.set(id, key);
      }
  }
  for (const key of records.keys()) if (!ledger.said.has(key)) note(findings, 'corrupt', `nobody wrote ${key}`);

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
  return { messages, latest: latestOf(inOrder), crossed };
}

export function note(findings: Findings, kind: Exclude<keyof Findings, 'words'>, words: string): void {
  findings[kind]++;
  if (findings.words.length < 20) findings.words.push(`${kind}: ${words}`);
}

/** By writer and session in the writer's order; the same record in two places is one. */
function recordsOf(stored: readonly StoredRecord[], findings: Findings): ReadonlyMap<string, readonly JournalRecord[]> {
  const bySession = new Map<string, JournalRecord[]>();
  for (const { record, place } of stored) {
    const session = record.facts[0]?.session ?? place.segment;
    const key = keyOfWriter(record.w, session);
    const others = bySession.get(key) ?? [];
    bySession.set(key, [...others, record]);
  }
  for (const [key, records] of bySession) {
    const sorted: JournalRecord[] = [];
    for (const record of records.toSorted((one, other) => one.n - other.n)) {
      const before = sorted.at(-1);
      if (before?.n === record.n) {
        if (JSON.stringify(before) !== JSON.stringify(record))
          note(findings, 'doubled', `record ${record.n} of ${key}`);
      } else {
        if (record.n !== (before?.n ?? -1) + 1) note(findings, 'lost', `records before ${record.n} of ${key}`);
        sorted.push(record);
      }
    }
    bySession.set(key, sorted);
  }
  return bySession;
}

function compare(key: string, records: readonly JournalRecord[], said: readonly Said[], findings: Findings): void {
  const keys = said.map(one => one.keys.join('\n'));
  const found = records.map(record => record.facts.map(keyOf).join('\n'));
  for (const [at, one] of found.entries()) {
    if (one === keys[at]) continue;
    note(findings, found.indexOf(one) < at ? 'doubled' : 'corrupt', `record ${at} of ${key} is not what was appended`);
    return;
  }
  for (const { acknowledged } of said.slice(found.length))
    if (acknowledged) note(findings, 'lost', `an append of ${key} after ${found.length} records`);
}

function reachable(message: Message, all: ReadonlyMap<string, Message>): boolean {
  const seen = new Set<string>();
  for (let at: Message | undefined = message; at; at = at.parent === null ? undefined : all.get(at.parent)) {
    if (seen.has(at.id)) return false;
    seen.add(at.id);
  }
  return true;
}

function latestOf(inOrder: readonly JournalRecord[]): Audit['latest'] {
  const latest = new Map<string, { head: string | null; title: string; trashed: boolean }>();
  for (const fact of inOrder.flatMap(record => record.facts)) {
    const session = latest.get(fact.session) ?? { head: null, title: '', trashed: false };
    if (fact.type === 'head') session.head = fact.head;
    if (fact.type === 'title') session.title = fact.title;
    if (fact.type === 'flag' && fact.flag === 'trashed') session.trashed = fact.on;
    latest.set(fact.session, session);
  }
  return latest;
}
