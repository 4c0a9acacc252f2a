// From words to what a person is shown: first the sessions whose title has them, then the messages, each the newest
// first. Promises: everything that is given was read anew and holds what was asked for; nothing from the trash is in it;
// snippets are made for what is given and for nothing else.

import type { SearchHit, SearchQuery, SearchResult, SessionSummary } from '../../../core/history/history.ts';
import { fitsSession, fitsTime, type SearchFilter } from '../../../core/history/searchFilter.ts';
import { snippetOf } from '../../../core/history/snippet.ts';
import { findInTitle, findTerms, type Span, type Term } from '../../../core/history/wordQuery.ts';
import type { Tree } from '../../../core/history/tree.ts';
import type { Message, MessageId, SessionId } from '../../../model/message.ts';
import { matchOf, type Candidate, type ProseTables } from './proseTables.ts';
import { findSession, listSessions } from '../index/listSessions.ts';
import { branchName, headOf, treeOf, type NodeRow } from '../index/messageTree.ts';
import type { SqlDatabase } from '../index/projection.ts';
import { readFound } from '../index/readMessages.ts';
import type { RecordStore } from '../index/recordStore.ts';
import { countSearched } from './searchedCount.ts';
import { Slices } from './slices.ts';

const usually = 50;

/** Whether files were changed in a session. */
type HasChanges = (session: SessionId) => boolean;

export async function findHits(
  tables: ProseTables | null,
  store: RecordStore,
  terms: readonly Term[],
  {
    limit = usually,
    titles,
    perSession = Infinity,
    session = null,
    filter = {},
    count: isCounted = false,
  }: Omit<SearchQuery, 'session'> & OfSession,
  hasChanges: HasChanges,
): Promise<SearchResult> {
  const match = matchOf(terms) ?? '';
  const slices = new Slices();
  const places = new Places(store.db, filter, hasChanges);
  // Whoever looks into one session has its title before them.
  const named = session === null || titles !== undefined ? titleHits(store.db, terms, session, places) : [];
  const hits = named.slice(0, titles ?? limit + 1);
  const seen = new Set<MessageId>();
  const counts = new Map<SessionId, number>();
  for (let count = 2 * limit + 2, more = match !== ''; more && hits.length <= limit; count *= 4) {
    const candidates = tables?.candidates(match, session, count) ?? { found: [], more: false };
    for (const candidate of candidates.found) {
      // A message that still grew when it was added is in the tables more than once.
      if (seen.has(candidate.message)) continue;
      seen.add(candidate.message);
      const count = counts.get(candidate.session) ?? 0;
      if (count >= perSession || !fitsTime(candidate.created, filter)) continue;
      const hit = messageHit(store, places, candidate, terms);
      if (hit) {
        hits.push(hit);
        counts.set(candidate.session, count + 1);
      }
      if (hits.length > limit) break;
      await slices.rest();
    }
    more = candidates.more;
  }
  const found = { hits: hits.slice(0, limit), more: hits.length > limit || named.length > (titles ?? named.length) };
  if (!isCounted) return found;
  return { ...found, searched: await countSearched(tables, store.db, session === null ? {} : { session }, places) };
}

interface OfSession {
  readonly session?: SessionId | null;
}

function titleHits(db: SqlDatabase, terms: readonly Term[], session: SessionId | null, places: Places): SearchHit[] {
  const summaries = session === null ? listSessions(db) : [findSession(db, session)];
  return summaries.flatMap(summary => {
    if (!summary) return [];
    if (!fitsTime(summary.active, places.filter)) return [];
    const spans = findInTitle(summary.title, terms);
    return spans.every(found => found.length > 0) && places.fits(summary) ? [hitInTitle(summary, spans.flat())] : [];
  });
}

export function hitInTitle(summary: SessionSummary, spans: readonly Span[]): SearchHit {
  const { id, title, active } = summary;
  const nowhere = { message: null, role: null, leaf: null, block: 0 };
  const where = { ...ofSession(summary), dormant: false, branch: null, label: null };
  return { session: id, title, ...nowhere, where, created: active, ...around(title, spans) };
}

function ofSession({ agent, archived, trashed }: SessionSummary) {
  return { agent: agent.name, archived, trashed };
}

function messageHit(
  store: RecordStore,
  places: Places,
  { session, message: id }: Candidate,
  terms: readonly Term[],
): SearchHit | null {
  const place = places.of(session, id);
  const message = place && readFound(store, session, [id]).get(id);
  const found = message && findIn(message, terms);
  return found ? { ...place, ...hitIn(message, found.block, found.text, found.spans) } : null;
}

/** All terms are in the message, and the block is the first that has most of them. */
function findIn(message: Message, terms: readonly Term[]): Found | null {
  const missing = new Set(terms.keys());
  let best: (Found & { readonly count: number }) | null = null;
  for (const [at, block] of message.blocks.entries()) {
    if (block.kind !== 'text') continue;
    const found = findTerms(block.text, terms);
    let count = 0;
    found.forEach((spans, term) => {
      if (spans.length === 0) return;
      missing.delete(term);
      count++;
    });
    if (count > (best?.count ?? 0)) best = { block: at, text: block.text, spans: found.flat(), count };
  }
  return missing.size === 0 ? best : null;
}

interface Found {
  readonly block: number;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** What a hit says of a place in a message. */
export function hitIn(
  { id, role, created }: Message,
  block: number,
  text: string,
  spans: readonly Span[],
): Omit<SearchHit, keyof Standing> {
  return { message: id, role, created, block, ...around(text, spans) };
}

function around(text: string, spans: readonly Span[]): Pick<SearchHit, 'position' | 'snippet' | 'marks'> {
  // Of a session that is only filtered for, nothing is marked.
  const position = spans.length === 0 ? 0 : Math.min(...spans.map(({ at }) => at));
  return { position, ...snippetOf(text, position, spans) };
}

type Standing = Pick<SearchHit, 'session' | 'title' | 'leaf' | 'where'>;

interface Known {
  readonly summary: SessionSummary;
  readonly tree: Tree<NodeRow>;
  /** What is shown where the session was left. */
  readonly shown: ReadonlySet<MessageId>;
}

/** Where messages stand, asked once for each session. */
export class Places {
  readonly filter: SearchFilter;
  private readonly sessions = new Map<SessionId, Known | null>();
  private readonly db: SqlDatabase;
  private readonly hasChanges: HasChanges;

  constructor(db: SqlDatabase, filter: SearchFilter, hasChanges: HasChanges) {
    this.db = db;
    this.filter = filter;
    this.hasChanges = hasChanges;
  }

  fits(summary: SessionSummary): boolean {
    return fitsSession(summary, this.filter) && (!this.filter.changes || this.hasChanges(summary.id));
  }

  /** Null for what is filtered out, in the trash where that is not wanted, or nowhere. */
  of(session: SessionId, message: MessageId): Standing | null {
    const known = this.known(session);
    const row = known?.tree.rows.get(message);
    if (!known || !row) return null;
    const { summary, tree, shown } = known;
    const trashed = tree.isTrashed(message);
    if (trashed && !this.filter.trash) return null;
    // A subagent's message is on no branch: it hangs beside the message that it was made for.
    const beside = tree.pathTo(message).findLast(id => tree.rows.get(id)?.label === null);
    const leaf = beside === undefined ? null : tree.leafBelow(beside);
    const { label } = row;
    const dormant = beside !== undefined && !shown.has(beside);
    const branch = leaf === null ? null : branchName(this.db, session, leaf);
    const where = { ...ofSession(summary), trashed: trashed || summary.trashed, dormant, branch, label };
    return { session, title: summary.title, leaf, where };
  }

  private known(session: SessionId): Known | null {
    const before = this.sessions.get(session);
    if (before !== undefined) return before;
    const known = this.look(session);
    this.sessions.set(session, known);
    return known;
  }

  private look(session: SessionId): Known | null {
    const summary = findSession(this.db, session);
    if (!summary || !this.fits(summary)) return null;
    const tree = treeOf(this.db, session);
    return { summary, tree, shown: new Set(tree.pathTo(tree.headFrom(headOf(this.db, session)))) };
  }
}
