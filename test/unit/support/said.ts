// Sessions in which something was said, and what a search finds of it.

import type { History } from '../../../src/core/history/history.ts';
import { sessionFact, userFact } from './facts.ts';
import { ids } from './history.ts';

/** A session with one message for each text, each the answer to the one before it. */
export async function say(
  history: History,
  texts: readonly string[],
  created = 1000,
): Promise<{ session: string; messages: string[] }> {
  const session = ids.session();
  const messages = texts.map(() => ids.message());
  const facts = texts.map((text, at) =>
    userFact(session, messages[at] ?? '', messages[at - 1] ?? null, text, created + at),
  );
  await history.append(session, [sessionFact(session, created), ...facts]);
  return { session, messages };
}

/** The messages of the hits, in their order; null for a title. */
export async function found(history: History, query: string, session?: string): Promise<readonly (string | null)[]> {
  const { hits } = await history.search(query, { limit: 100_000, ...(session === undefined ? {} : { session }) });
  return hits.map(({ message }) => message);
}
