// How much a history holds, as a calm page to read. Promises: what nobody told is left out or said to be unknown;
// money in each currency apart.

import type { History, HistoryStatistics, SessionSummary, SpentRow } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import { counted, titleWords } from '../sessions/sessionRows.ts';
import { sizeWords } from './sizeWords.ts';

export async function statistics(history: () => Promise<History>, now: number): Promise<string> {
  const opened = await history();
  const [counts, sessions] = await Promise.all([opened.statistics(), opened.sessions()]);
  return statisticsText(counts, sessions, now);
}

function statisticsText(
  { sizes, spent, bytes }: HistoryStatistics,
  sessions: readonly SessionSummary[],
  now: number,
): string {
  const of = new Map(sizes.map(one => [one.session, one]));
  const sum = (count: (one: SessionSummary) => number) => sessions.reduce((total, one) => total + count(one), 0);
  const trashed = sessions.filter(one => one.trashed).length;
  const archived = sessions.filter(one => one.archived && !one.trashed).length;
  const apart = [archived > 0 ? `${archived} archived` : '', trashed > 0 ? `${trashed} in the trash` : ''].filter(
    Boolean,
  );
  const rows: (readonly [string, string])[] = [
    ['Sessions', `${number(sessions.length)}${apart.length > 0 ? ` (${apart.join(', ')})` : ''}`],
    ['Messages', number(sum(one => one.messages))],
    ['Branches', number(sum(one => of.get(one.id)?.branches ?? 0))],
    ['On disk, with indexes', sizeWords(bytes)],
  ];
  const parts = [
    '# Your history',
    `As of ${new Date(now).toLocaleString()}. Counted on this machine, and sent nowhere.`,
    table(['', ''], rows),
    ...spentParts(spent, sessions),
    ...notable(sessions, of),
  ];
  return `${parts.join('\n\n')}\n`;
}

function spentParts(spent: readonly SpentRow[], sessions: readonly SessionSummary[]): readonly string[] {
  if (spent.length === 0) return ['## Tokens and costs', 'No agent has reported any yet.'];
  const names = new Map(sessions.map(({ id, agent }) => [id, agent.name]));
  const head = ['', 'Tokens in', 'Tokens out', 'Cost'];
  const byAgent = grouped(spent, ({ session }) => names.get(session) ?? 'Unknown agent');
  const byMonth = grouped(spent, ({ month }) => month);
  const line = ([name, sums]: readonly [string, Sums]) => [
    cell(name),
    number(sums.input),
    number(sums.output),
    money(sums),
  ];
  return [
    '## Tokens and costs',
    'As far as agents reported them. A session counts for the agent it used last.',
    table(
      ['Agent', ...head.slice(1)],
      [...byAgent].toSorted(([, one], [, other]) => other.input + other.output - one.input - one.output).map(line),
    ),
    table(['Month', ...head.slice(1)], [...byMonth].toSorted(([one], [other]) => (one < other ? 1 : -1)).map(line)),
  ];
}

interface Sums {
  input: number;
  output: number;
  readonly costs: Map<string, number>;
}

function grouped(spent: readonly SpentRow[], by: (row: SpentRow) => string): ReadonlyMap<string, Sums> {
  const groups = new Map<string, Sums>();
  for (const row of spent) {
    const key = by(row);
    const sums = groups.get(key) ?? { input: 0, output: 0, costs: new Map<string, number>() };
    sums.input += row.input;
    sums.output += row.output;
    if (row.currency !== null) sums.costs.set(row.currency, (sums.costs.get(row.currency) ?? 0) + row.cost);
    groups.set(key, sums);
  }
  return groups;
}

function notable(
  sessions: readonly SessionSummary[],
  of: ReadonlyMap<SessionId, { readonly bytes: number }>,
): readonly string[] {
  if (sessions.length === 0) return [];
  const best = (value: (one: SessionSummary) => number) =>
    sessions.reduce((one, other) => (value(other) > value(one) ? other : one));
  const oldest = best(one => -one.created);
  const largest = best(one => of.get(one.id)?.bytes ?? 0);
  const longest = best(one => one.messages);
  return [
    '## Of note',
    table(
      ['', 'Session', ''],
      [
        ['Oldest', cell(titleWords(oldest)), new Date(oldest.created).toLocaleDateString()],
        ['Largest', cell(titleWords(largest)), sizeWords(of.get(largest.id)?.bytes ?? 0)],
        ['Longest', cell(titleWords(longest)), counted(longest.messages, 'message')],
      ],
    ),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const marks = head.map((_, at) => (at > 0 && head.length > 3 ? '---:' : '---'));
  return [line(head), line(marks), ...rows.map(line)].join('\n');
}

/** A title may hold anything; in a cell it is words. */
function cell(words: string): string {
  return words.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(/[\\`*_{}[\]<>()#+!|~&$]/g, '\\$&');
}

function money({ costs }: Sums): string {
  const told = [...costs].map(
    ([currency, amount]) => `${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)} ${cell(currency)}`,
  );
  return told.join(', ') || '–';
}

function number(value: number): string {
  return value.toLocaleString('en');
}
