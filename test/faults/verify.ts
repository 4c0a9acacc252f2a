// A fresh process that looks at a history folder and its ledger while nobody writes, and prints what it found as one
// line of JSON. It asks the journal, the public history with and without its caches, and the index in three orders of
// records. It changes nothing of the folder but what opening a history does.

import { cpSync } from 'node:fs';
import type { History, StoredSession } from '../../src/core/ports.ts';
import type { Message } from '../../src/model/message.ts';
import { randomFrom, shuffled } from '../unit/support/random.ts';
import { audit, note, type Audit, type Findings } from './audit.ts';
import {
  cachesOf,
  openEngine,
  readJournal,
  removeCaches,
  tablesAfterOpening,
  tablesOf,
  type StoredRecord,
  type Tables,
} from './engine.ts';
import { digestOf, readLedger, stateOf } from './ledger.ts';

export interface Verdict {
  readonly counts: Counts;
  /** The first few findings. */
  readonly words: readonly string[];
}

export interface Counts extends Omit<Findings, 'words'> {
  readonly acknowledged: number;
  readonly records: number;
  readonly messages: number;
  readonly crossed: number;
  readonly writers: number;
  readonly tails: number;
  readonly refused: number;
  /** Views or tables that are not the same where they must be. */
  readonly differing: number;
  readonly caches: number;
  /** 1 where the folder was opened from a snapshot. */
  readonly fromSnapshot: number;
}

const [folder = '', ledgerFolder = '', copy = '', seed = '1'] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const findings: Findings = { lost: 0, doubled: 0, corrupt: 0, dangling: 0, words: [] };
let differing = 0;

const ledger = readLedger(ledgerFolder);
const journal = readJournal(folder);
for (const place of journal.bad) note(findings, 'corrupt', `bad record at ${place.segment} ${place.offset}`);
const expected = audit(journal.records, ledger, findings);

const caches = cachesOf(folder).length;
cpSync(folder, copy, { recursive: true });
removeCaches(copy);
const opened = await tablesAfterOpening(folder);
await checkOrders(journal.records);
const asItIs = await viewOf(folder);
const fromJournal = await viewOf(copy);
if (digestOf(asItIs) !== digestOf(fromJournal)) differs(`the view with ${caches} caches and the one from the journal`);
checkView(fromJournal);
await checkLeaves(copy);

if (ledger.refused.length > 0) findings.words.push(`refused: ${[...new Set(ledger.refused)].join(', ')}`);
const { words, ...found } = findings;
const counts: Counts = {
  ...found,
  acknowledged: ledger.acknowledged,
  records: journal.records.length,
  messages: [...expected.messages.values()].reduce((sum, session) => sum + session.size, 0),
  crossed: expected.crossed,
  writers: ledger.writers,
  tails: journal.tails.length,
  refused: ledger.refused.length,
  differing,
  caches,
  fromSnapshot: Number(opened.fromSnapshot),
};
console.log(JSON.stringify({ counts, words } satisfies Verdict));

function differs(words: string): void {
  differing++;
  findings.words.push(`differing: ${words}`);
}

async function viewOf(of: string): Promise<readonly StoredSession[]> {
  const { history } = await openEngine(of);
  try {
    const sessions: StoredSession[] = [];
    for (const { id } of await history.sessions()) {
      const session = await history.open(id);
      if (session) sessions.push(session);
      else note(findings, 'lost', `session ${id} is listed and cannot be opened`);
    }
    return sessions;
  } finally {
    await history.close();
  }
}

/** The public history says what the records say, by a way that does not go through SQL. */
function checkView(view: readonly StoredSession[]): void {
  for (const [id, messages] of expected.messages) {
    const session = view.find(one => one.id === id);
    const latest = expected.latest.get(id);
    if (!session || !latest) note(findings, 'lost', `session ${id}`);
    else {
      if (session.messages !== messages.size)
        note(findings, 'lost', `${session.messages} of ${messages.size} messages of ${id}`);
      for (const key of ['head', 'title', 'trashed'] as const)
        if (session[key] !== latest[key])
          note(findings, 'corrupt', `${key} of ${id}: ${session[key]}, not ${latest[key]}`);
      checkPath(session.path, latest.head, messages);
    }
  }
}

function checkPath(path: readonly Message[], head: string | null, messages: ReadonlyMap<string, Message>): void {
  const right: Message[] = [];
  for (let at = head === null ? undefined : messages.get(head); at; at = messages.get(at.parent ?? ''))
    right.unshift(at);
  if (path.length !== right.length)
    note(findings, 'dangling', `path to ${head}: ${path.length} of ${right.length} messages`);
  for (const [at, message] of right.entries()) {
    const given = path[at];
    if (given && stateOf(given) !== stateOf(message)) note(findings, 'corrupt', `message ${at} of the path to ${head}`);
  }
}

/** Branches that no head leads to: a head is put on some leaves of each session, in the copy only. */
async function checkLeaves(of: string): Promise<void> {
  const { history } = await openEngine(of);
  try {
    for (const [session, messages] of expected.messages) {
      const parents = new Set([...messages.values()].map(message => message.parent));
      const leaves = [...messages.keys()].filter(id => !parents.has(id));
      for (const leaf of shuffled(leaves, random).slice(0, 4)) await checkLeaf(history, session, leaf, messages);
    }
  } finally {
    await history.close();
  }
}

type Messages = Audit['messages'] extends ReadonlyMap<string, infer Value> ? Value : never;

async function checkLeaf(history: History, session: string, leaf: string, messages: Messages): Promise<void> {
  await history.append(session, [{ type: 'head', session, head: leaf }]);
  checkPath((await history.open(session))?.path ?? [], leaf, messages);
}

/** The index of a window that opened the folder, and the ones that its records make in other orders, are the same. */
async function checkOrders(records: readonly StoredRecord[]): Promise<void> {
  const straight = await tablesOf(records);
  const twice = [...records, ...records.filter(() => random() < 0.2)];
  compare('reversed', straight, await tablesOf(records.toReversed()));
  compare('shuffled, some twice', straight, await tablesOf(shuffled(twice, random)));
  compare(opened.fromSnapshot ? 'from a snapshot' : 'without a snapshot', straight, opened);
}

function compare(what: string, straight: Tables, tables: Tables): void {
  for (const [table, rows] of straight) {
    const other = tables.get(table) ?? [];
    const at = rows.findIndex((row, index) => row !== other[index]);
    if (at >= 0 || rows.length !== other.length)
      differs(`table ${table}, ${what}: ${rows.length} and ${other.length} rows; ${rows[at]} and ${other[at]}`);
  }
}
