// A fresh process that looks at a history folder and its ledger while nobody writes, and prints what it found as one
// line of JSON. It opens the folder once as a window does, which finishes what was left half done, and then asks the
// journal, the public history with and without its caches, and the index in other orders of records. It changes nothing
// of the folder but what opening a history does.

import { cpSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom, shuffled } from '../unit/support/random.ts';
import { audit } from './audit.ts';
import { tokensIn } from './content.ts';
import { cachesOf, readJournal, removeCaches, tablesAfterOpening, tablesOf, withBlobs, type Tables } from './engine.ts';
import { noFindings, note, type Findings } from './findings.ts';
import { Gone } from './gone.ts';
import { digestOf, readLedger } from './ledger.ts';
import { checkView, viewOf } from './views.ts';

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
  readonly erasedSessions: number;
  readonly erasedBranches: number;
  readonly joins: number;
  readonly workerKills: number;
  /** Appends that were rightly refused. */
  readonly turnedAway: number;
  /** Messages of which something erased was in a file still before the folder was opened again. */
  readonly halfErased: number;
  readonly tails: number;
  readonly caches: number;
  /** 1 where the folder was opened from a snapshot. */
  readonly fromSnapshot: number;
}

const [folder = '', ledgerFolder = '', copy = '', seed = '1'] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const findings = noFindings();
const ledger = readLedger(ledgerFolder);
const begun = new Gone(folder, ledger);
begun.check(findings);
const caches = cachesOf(folder).length;
const halfErased = goneIn(folder, begun).length;
const raw = readJournal(folder);
for (const place of raw.bad) note(findings, 'corrupt', `bad record at ${place.segment} ${place.offset}`);
for (const what of new Set(ledger.failed)) note(findings, 'refused', what);

// They are dead, and whoever opens the folder here comes later than their last signs of life would say.
for (const writer of readdirSync(join(folder, 'writers'))) utimesSync(join(folder, 'writers', writer), 0, 0);
cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
removeCaches(copy);
const asItIs = await viewOf(folder, randomFrom(Number(seed)), findings);
const fromJournal = await viewOf(copy, randomFrom(Number(seed)), findings);
const gone = new Gone(folder, ledger);
for (const [what, where] of Object.entries({ folder, copy }))
  for (const words of goneIn(where, gone)) note(findings, 'cameBack', `${words} of the ${what}`);
const journal = readJournal(folder);
const expected = audit(
  journal.records.map(one => withBlobs(folder, one)),
  ledger,
  gone,
  findings,
);
for (const [what, view] of Object.entries({ asItIs, fromJournal })) {
  checkView(view, expected, findings);
  const tokens = gone.tokens();
  for (const token of tokensIn(JSON.stringify(view)))
    if (tokens.has(token)) note(findings, 'cameBack', `${token} ${what}`);
}
if (digestOf(asItIs.sessions) !== digestOf(fromJournal.sessions))
  note(findings, 'differing', `the view with ${caches} caches and the one from the journal`);
await checkOrders();

const refused = [...ledger.said.values()].flat().filter(({ outcome }) => outcome === 'refused').length;
const { words, ...found } = findings;
const counts: Counts = {
  ...found,
  ...gone.counts(),
  acknowledged: ledger.acknowledged,
  records: journal.records.length,
  messages: [...expected.messages.values()].reduce((sum, session) => sum + session.size, 0),
  crossed: expected.crossed,
  writers: ledger.writers,
  joins: ledger.joins,
  workerKills: ledger.workerKills,
  turnedAway: refused,
  halfErased,
  tails: journal.tails.length,
  caches,
  fromSnapshot: Number(asItIs.fromSnapshot),
};
console.log(JSON.stringify({ counts, words } satisfies Verdict));

/** Files with something that is erased, in words. */
function goneIn(where: string, what: Gone): readonly string[] {
  const erased = what.tokens();
  return readdirSync(where, { recursive: true, encoding: 'utf8' }).flatMap(name => {
    const file = join(where, name);
    if (!statSync(file).isFile()) return [];
    return [...tokensIn(readFileSync(file, 'latin1'))].flatMap(token =>
      erased.has(token) ? [`${token} in ${name}`] : [],
    );
  });
}

/** The index of a window that opened the folder, and the ones that its records make in other orders, are the same. */
async function checkOrders(): Promise<void> {
  const { records } = journal;
  const straight = await tablesOf(records);
  const twice = [...records, ...records.filter(() => random() < 0.2)];
  compare('reversed', straight, await tablesOf(records.toReversed()));
  compare('shuffled, some twice', straight, await tablesOf(shuffled(twice, random)));
  const opened = await tablesAfterOpening(folder);
  compare(opened.fromSnapshot ? 'from a snapshot' : 'without a snapshot', straight, opened);
  // What was erased and not yet removed comes back in no order, for whoever knows of it. Its places are others.
  const unclean = await tablesOf(shuffled(raw.records, random), gone.erasure());
  compare('before cleaning', withoutPlaces(straight), withoutPlaces(unclean));
}

/** What does not depend on where a record lies, and which place a fact has in it. */
function withoutPlaces(tables: Tables): Tables {
  const kept = [...tables].filter(([table]) => table !== 'piece' && table !== 'applied');
  return new Map(kept.map(([table, rows]) => [table, rows.map(row => row.replace(/("h":"\w+)\.\d+"/, '$1"'))]));
}

function compare(what: string, straight: Tables, tables: Tables): void {
  for (const [table, rows] of straight) {
    const other = tables.get(table) ?? [];
    const at = rows.findIndex((row, index) => row !== other[index]);
    if (at >= 0 || rows.length !== other.length)
      note(
        findings,
        'differing',
        `table ${table}, ${what}: ${rows.length} and ${other.length} rows; ${rows[at]} and ${other[at]}`,
      );
  }
}
