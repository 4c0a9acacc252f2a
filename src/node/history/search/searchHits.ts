// From words to what a person is shown: first the sessions whose title has them, then the messages, each the newest
// first. Promises: everything that is given was read anew and holds what was asked for; nothing from the trash is in it;
// snippets are made for what is given and for nothing else.

import type { SearchHit, SearchResult, SessionSummary } from '../../../core/history/history.ts';
import { snippetOf } from '../../../core/history/snippet.ts';
import { findInTitle, findTerms, matchOf, type Span, type Term } from '../../../core/history/wordQuery.ts';
import type { Tree } from '../../../core/history/tree.ts';
import type { Message, MessageId, SessionId } from '../../../model/message.ts';
import type { Candidate, ProseTables } from './proseTables.ts';
import type { NodeRow, Queries } from '../queries.ts';
import { Slices } from './slices.ts';

const usually = 50;

export async function findHits(
  tables: ProseTables,
  queries: Queries,
  terms: readonly Term[],
  { limit = usually, session = null }: { readonly limit?: number; readonly session?: SessionId | null },
): Promise<SearchResult> {
  const match = matchOf(terms) ?? '';
  const slices = new Slices();
  const places = new Places(queries);
  // Whoever looks into one session has its title before them.
  const hits = session === null ? titleHits(queries, terms) : [];
  const seen = new Set<MessageId>();
  for (let count = 2 * limit + 2, more = true; more && hits.length <= limit; count *= 4) {
    const candidates = tables.candidates(match, session, count);
    for (const candidate of candidates.found) {
      // A message that still grew when it was added is in the tables more than once.
      if (seen.has(candidate.message)) continue;
      seen.add(candidate.message);
      const hit = messageHit(queries, places, candidate, terms);
      if (hit) hits.push(hit);
      if (hits.length > limit) break;
      await slices.rest();
    }
    more = candidates.more;
  }
  return { hits: hits.slice(0, limit), more: hits.length > limit };
}

function titleHits(queries: Queries, terms: readonly Term[]): SearchHit[] {
  return queries.sessions({ trashed: false }).flatMap(summary => {
    const spans = findInTitle(summary.title, terms);
    return spans.every(found => found.length > 0) ? [hitInTitle(summary, spans.flat())] : [];
  });
}

export function hitInTitle(
  { id, title, active }: Pick<SessionSummary, 'id' | 'title' | 'active'>,
  spans: readonly Span[],
): SearchHit {
  const nowhere = { message: null, role: null, leaf: null, block: 0 };
  return { session: id, title, ...nowhere, created: active, ...around(title, spans) };
}

function messageHit(
  queries: Queries,
  places: Places,
  { session, message: id }: Candidate,
  terms: readonly Term[],
): SearchHit | null {
  const place = places.of(session, id);
  const message = place && queries.read(session, [id]).get(id);
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
): Omit<SearchHit, 'session' | 'title' | 'leaf'> {
  return { message: id, role, created, block, ...around(text, spans) };
}

function around(text: string, spans: readonly Span[]): Pick<SearchHit, 'position' | 'snippet' | 'marks'> {
  const position = Math.min(...spans.map(({ at }) => at));
  return { position, ...snippetOf(text, position, spans) };
}

/** Where messages stand, asked once for each session. */
export class Places {
  private readonly sessions = new Map<
    SessionId,
    { readonly summary: SessionSummary; readonly tree: Tree<NodeRow> } | null
  >();
  private readonly queries: Queries;

  constructor(queries: Queries) {
    this.queries = queries;
  }

  /** Null for what is in the trash, or nowhere. */
  of(session: SessionId, message: MessageId): Pick<SearchHit, 'session' | 'title' | 'leaf'> | null {
    let known = this.sessions.get(session);
    if (known === undefined) {
      const summary = this.queries.summary(session);
      known = summary && !summary.trashed ? { summary, tree: this.queries.treeOf(session) } : null;
      this.sessions.set(session, known);
    }
    if (!known || !known.tree.rows.has(message) || known.tree.isTrashed(message)) return null;
    // A subagent's message is on no branch: it hangs beside the message that it was made for.
    const beside = known.tree.pathTo(message).findLast(id => known.tree.rows.get(id)?.label === null);
    return {
      session,
      title: known.summary.title,
      leaf: beside === undefined ? null : known.tree.leafBelow(beside),
    };
  }
}
