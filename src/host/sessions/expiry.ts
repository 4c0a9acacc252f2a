// The day on which a session is put away, as a person sets it. Promises: a day that is over is not taken; nothing changes
// where the person leaves it.

import type { QuickPickItem } from 'vscode';
import type { History, SessionSummary } from '../../core/history/history.ts';
import { dayIn } from './retentionStrings.ts';
import { counted, titleWords } from './sessionRows.ts';
import { askForText } from '../notify/inputs.ts';
import { pickOne } from '../notify/pickers.ts';

const day = 86_400_000;
const choices: readonly (QuickPickItem & { readonly days: number | null | 'date' })[] = [
  { label: 'Never', days: null },
  { label: 'Tomorrow', days: 1 },
  { label: 'In a Week', days: 7 },
  { label: 'In 30 Days', days: 30 },
  { label: 'On a Date…', days: 'date' },
];

export async function setExpiry(
  sessions: readonly SessionSummary[],
  history: () => Promise<Pick<History, 'append'>>,
  now: () => number,
): Promise<void> {
  const [only] = sessions;
  const what = only && sessions.length === 1 ? `“${titleWords(only)}”` : counted(sessions.length, 'session');
  const current = only?.expires ?? null;
  const chosen = await pickOne(choices, {
    title: `Put ${what} away when?`,
    placeHolder: current === null ? 'It is kept until you delete it' : `Now: ${new Date(current).toLocaleDateString()}`,
  });
  if (!chosen) return;
  const { days } = chosen;
  const expires = days === 'date' ? await askDate(now()) : days === null ? null : startOf(now() + days * day);
  if (expires === undefined) return;
  const opened = await history();
  for (const { id } of sessions)
    await opened.append(id, [{ type: 'set', session: id, name: 'expires', value: expires }]);
}

async function askDate(now: number): Promise<number | undefined> {
  const typed = await askForText({
    title: 'Put Away on Which Day?',
    prompt: 'Year, month and day, such as 2027-03-31.',
    validate: text => dayIn(text, now).words,
  });
  return typed === undefined ? undefined : dayIn(typed, now).at;
}

function startOf(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
