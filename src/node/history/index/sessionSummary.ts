// From rows of the index to what is said of a session. It only shapes: which sessions, and in what order, is the
// query's.

import type { AgentRef, Cost, Json } from '../../../model/message.ts';
import type { FieldName } from '../../../model/record.ts';
import type { SessionSummary, Totals } from '../../../core/history/history.ts';
import type { SqlDatabase, SqlRow } from './projection.ts';

/** What was set, by session, then by name and by what it is of. */
export type Fields = ReadonlyMap<string, Json>;

/** In the metadata: the system prompt that was used last, before it had a field of its own. Exports still have it there. */
export const formerSystemPromptKey = 'systemPrompt';

const noFields: Fields = new Map();

export function fieldKey(name: string, of = ''): string {
  return `${name}\n${of}`;
}

/** All that is set of one session. */
export function fieldsOf(db: SqlDatabase, session: string): Fields {
  return readFields(db, 'WHERE session = ?1', [session]).get(session) ?? noFields;
}

/** What a summary says of these sessions, or of all of them. Some other fields are long. */
export function listedFields(db: SqlDatabase, sessions: readonly string[] | null): ReadonlyMap<string, Fields> {
  const among = sessions ? ` AND session IN (${sessions.map((_, at) => `?${at + 1}`).join()})` : '';
  return readFields(db, `WHERE name IN (${listed.map(name => `'${name}'`).join()})${among}`, sessions ?? []);
}

function readFields(db: SqlDatabase, where: string, values: readonly string[]): ReadonlyMap<string, Fields> {
  // The same may have been set because of several messages: the value is that of the row with the latest clock.
  const rows = db.all(`SELECT session, name, of, value, max(h) FROM field ${where} GROUP BY session, name, of`, values);
  const fields = new Map<string, Map<string, Json>>();
  for (const row of rows) {
    const id = String(row['session']);
    const known = fields.get(id) ?? new Map<string, Json>();
    known.set(fieldKey(String(row['name']), String(row['of'])), JSON.parse(String(row['value'])) as Json);
    fields.set(id, known);
  }
  return fields;
}

/** What all messages of a session took. It reads a row for each of them. */
export function totalsOf(db: SqlDatabase, session: string): Totals {
  const sums = 'sum(input) AS input, sum(output) AS output, sum(cost) AS cost';
  const rows = db.all(`SELECT currency, ${sums} FROM usage WHERE session = ?1 GROUP BY currency`, [session]);
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
  const costs = rows.flatMap(({ cost, currency }): readonly Cost[] =>
    typeof currency === 'string' ? [{ amount: Number(cost), currency }] : [],
  );
  return { inputTokens: sum('input'), outputTokens: sum('output'), costs };
}

/** The fields that a summary is made of. */
const listed = [
  'title',
  'givenTitle',
  'agent',
  'model',
  'mode',
  'expires',
  'trashed',
  'archived',
  'pinned',
  'label',
  'metadata',
] as const satisfies readonly FieldName[];
type ListedField = (typeof listed)[number];

export function summaryOf(row: SqlRow, fields: Fields = noFields): SessionSummary {
  const text = (name: ListedField): string | null => {
    const value = fields.get(fieldKey(name));
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const isOn = (name: ListedField): boolean => fields.get(fieldKey(name)) === true;
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
    messages: Number(row['messages']),
    forked: Number(row['forks']) > 0,
    trashed: isOn('trashed'),
    archived: isOn('archived'),
    pinned: isOn('pinned'),
    labels: named(fields, 'label').flatMap(([label, value]) => (value === true ? [label] : [])),
    // The system prompt that an older version kept there is for audit only.
    metadata: Object.fromEntries(
      named(fields, 'metadata').filter(([of, value]) => value !== null && of !== formerSystemPromptKey),
    ),
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
