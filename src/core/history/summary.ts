// From rows of the index to what is said of a session. It only shapes: which sessions, and in what order, is the
// query's.

import type { AgentRef, Cost, Json } from '../../model/message.ts';
import type { SessionSummary, Totals } from './history.ts';
import type { SqlDatabase, SqlRow } from './projection.ts';

/** What was set, by session, then by name and by what it is of. */
export type Fields = ReadonlyMap<string, Json>;

/** In the metadata: the system prompt that was used last, before it had a field of its own. Exports still have it there. */
export const formerSystemPromptKey = 'systemPrompt';

const noFields: Fields = new Map();

export function fieldKey(name: string, of = ''): string {
  return `${name}\n${of}`;
}

/** The fields of these sessions, or of all of them. */
export function fieldsOf(db: SqlDatabase, sessions: readonly string[] | null): ReadonlyMap<string, Fields> {
  // The same may have been set because of several messages: the value is that of the row with the latest clock.
  const select = 'SELECT session, name, of, value, max(h) FROM field';
  const rows = rowsOf(db, select, 'GROUP BY session, name, of', sessions);
  const fields = new Map<string, Map<string, Json>>();
  for (const row of rows) {
    const id = String(row['session']);
    const known = fields.get(id) ?? new Map<string, Json>();
    known.set(fieldKey(String(row['name']), String(row['of'])), JSON.parse(String(row['value'])) as Json);
    fields.set(id, known);
  }
  return fields;
}

/** How many messages a conversation has; those of subagents are beside it. */
export function countsOf(db: SqlDatabase, sessions: readonly string[] | null): ReadonlyMap<string, number> {
  const rows = rowsOf(db, 'SELECT session, sum(label IS NULL) AS count FROM message', 'GROUP BY session', sessions);
  return new Map(rows.map(row => [String(row['session']), Number(row['count'])]));
}

export function totalsOf(db: SqlDatabase, sessions: readonly string[] | null): ReadonlyMap<string, Totals> {
  const sums = 'sum(input) AS input, sum(output) AS output, sum(cost) AS cost';
  const rows = rowsOf(db, `SELECT session, currency, ${sums} FROM usage`, 'GROUP BY session, currency', sessions);
  const totals = new Map<string, Totals>();
  for (const row of rows) {
    const id = String(row['session']);
    const known = totals.get(id) ?? nothingSpent;
    const currency = row['currency'];
    const cost: readonly Cost[] = typeof currency === 'string' ? [{ amount: Number(row['cost']), currency }] : [];
    totals.set(id, {
      inputTokens: known.inputTokens + Number(row['input']),
      outputTokens: known.outputTokens + Number(row['output']),
      costs: [...known.costs, ...cost],
    });
  }
  return totals;
}

/** One question for all of them: the first times that SQL runs after an opening, each question is dear. */
function rowsOf(db: SqlDatabase, select: string, end: string, sessions: readonly string[] | null): readonly SqlRow[] {
  if (sessions === null) return db.all(`${select} ${end}`, []);
  const places = sessions.map((_, at) => `?${at + 1}`).join(', ');
  return db.all(`${select} WHERE session IN (${places}) ${end}`, sessions);
}

const nothingSpent: Totals = { inputTokens: 0, outputTokens: 0, costs: [] };

export function summaryOf(
  row: SqlRow,
  messages = 0,
  fields: Fields = noFields,
  totals: Totals = nothingSpent,
): SessionSummary {
  const text = (name: string): string | null => {
    const value = fields.get(fieldKey(name));
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const isOn = (name: string): boolean => fields.get(fieldKey(name)) === true;
  const expires = fields.get(fieldKey('expires'));
  const agent = fields.get(fieldKey('agent'));
  const key = row['key'];
  return {
    id: String(row['id']),
    title: text('givenTitle') ?? text('title') ?? '',
    agent: isAgent(agent) ? agent : agentOf(row),
    model: text('model'),
    mode: text('mode'),
    cwd: typeof row['cwd'] === 'string' ? row['cwd'] : null,
    key: typeof key === 'string' ? { key, generation: Number(row['generation']) } : null,
    origin: typeof row['origin'] === 'string' ? row['origin'] : null,
    // One that lost its beginning was there when it was last active, at the latest.
    created: Number(row['created'] ?? row['active']),
    active: Number(row['active']),
    expires: typeof expires === 'number' ? expires : null,
    messages,
    trashed: isOn('trashed'),
    archived: isOn('archived'),
    pinned: isOn('pinned'),
    labels: named(fields, 'label').flatMap(([label, value]) => (value === true ? [label] : [])),
    // The system prompt that an older version kept there is for audit only.
    metadata: Object.fromEntries(
      named(fields, 'metadata').filter(([of, value]) => value !== null && of !== formerSystemPromptKey),
    ),
    totals,
  };
}

/** Of one name, by what it is of. */
export function named(fields: Fields, name: string): readonly (readonly [string, Json])[] {
  const prefix = fieldKey(name);
  return [...fields].flatMap(([key, value]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
  );
}

function agentOf({ agent, agent_name: name }: SqlRow): AgentRef {
  return typeof agent === 'string' ? { id: agent, name: String(name) } : { id: 'unknown', name: 'Unknown agent' };
}

function isAgent(value: Json | undefined): value is { readonly id: string; readonly name: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'id' in value && 'name' in value && typeof value['id'] === 'string' && typeof value['name'] === 'string';
}
