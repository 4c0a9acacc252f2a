// What a person sets of a session: its title, its pin, whether it is put away, its labels, and the name of a branch. Each
// is one fact in the history, which every window then shows.

import { QuickPickItemKind, type QuickPickItem } from 'vscode';
import { longestTitle } from '../../core/conversation/title.ts';
import type { History, SessionSummary } from '../../core/history/history.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { Fact, FieldName } from '../../model/record.ts';
import { branchRows, linesOf, type BranchRow } from './branchRows.ts';
import type { Conversations } from '../chat/conversations.ts';
import { relativeTime } from './sessionAge.ts';
import { askForText } from '../notify/inputs.ts';
import { showInfo } from '../notify/messages.ts';
import { Picker, pickOne } from '../notify/pickers.ts';

export interface EditPorts {
  readonly conversations: Pick<Conversations, 'opened'>;
  readonly history: () => Promise<History>;
  readonly now: () => number;
}

export async function rename(summary: SessionSummary, { conversations, history }: EditPorts): Promise<void> {
  const typed = await askForText({
    title: 'Rename Session',
    prompt: 'Leave it empty to go back to the automatic title.',
    value: summary.title,
    validate: text => (text.trim().length > longestTitle ? `At most ${longestTitle} characters.` : undefined),
  });
  if (typed === undefined) return;
  const title = oneLine(typed) || null;
  if (title === summary.title) return;
  const opened = await conversations.opened(summary.id)?.catch(() => undefined);
  if (opened) await opened.rename(title);
  else await (await history()).append(summary.id, [set(summary.id, 'givenTitle', title)]);
}

/** All of them, whatever they are now. */
export async function setFlag(
  sessions: readonly SessionSummary[],
  name: 'pinned' | 'archived',
  on: boolean,
  { history }: EditPorts,
): Promise<void> {
  for (const summary of sessions) {
    if (summary[name] !== on) await (await history()).append(summary.id, [set(summary.id, name, on)]);
  }
}

interface LabelItem extends QuickPickItem {
  readonly name?: string;
}

/** Those of all sessions to choose from; what is typed and is none yet becomes one. */
export async function editLabels(
  summary: SessionSummary,
  all: readonly SessionSummary[],
  { history }: EditPorts,
): Promise<void> {
  const existing = [...new Set(all.flatMap(({ labels }) => labels))].toSorted((one, other) => one.localeCompare(other));
  const chosen = await pickLabels(summary, existing);
  if (!chosen) return;
  const { id, labels } = summary;
  const facts = [...new Set([...labels, ...chosen])]
    .filter(label => labels.includes(label) !== chosen.has(label))
    .map(label => set(id, 'label', chosen.has(label), label));
  if (facts.length > 0) await (await history()).append(id, facts);
}

function pickLabels(summary: SessionSummary, existing: readonly string[]): Promise<ReadonlySet<string> | null> {
  const picker = new Picker<LabelItem>({ canSelectMany: true });
  const known = new Set(existing);
  const chosen = new Set(summary.labels);
  const show = () => {
    const typed = oneLine(picker.value);
    const items = [...known].map((name): LabelItem => ({ name, label: name }));
    const fresh: LabelItem[] =
      typed === '' || known.has(typed) ? [] : [{ name: typed, label: typed, description: 'new label' }];
    const rows = [...fresh, { label: '', kind: QuickPickItemKind.Separator }, ...items];
    picker.set({ rows, selected: rows.filter(({ name }) => name !== undefined && chosen.has(name)) });
  };
  picker.set({ title: `Labels of “${summary.title}”`, placeholder: 'Choose labels, or type a new one' });
  show();
  return new Promise<ReadonlySet<string> | null>(resolve => {
    picker.onChangeValue(show);
    picker.onChangeSelection(selected => {
      const names = new Set(selected.flatMap(({ name }) => name ?? []));
      for (const { name } of picker.rows) {
        if (name === undefined) continue;
        if (!names.has(name)) chosen.delete(name);
        else {
          chosen.add(name);
          known.add(name);
        }
      }
    });
    picker.onAccept(() => {
      // Who typed a new one and pressed Enter meant it.
      const typed = oneLine(picker.value);
      if (typed !== '' && !known.has(typed)) chosen.add(typed);
      resolve(chosen);
      picker.hide();
    });
    picker.onHide(() => resolve(null));
    picker.show();
  }).finally(() => picker.dispose());
}

/** Without a leaf the person chooses the branch. */
export async function nameBranch(session: SessionId, leaf: MessageId | undefined, ports: EditPorts): Promise<void> {
  const row = await branchOf(session, leaf, 'Name which branch?', ports);
  if (!row) return;
  const typed = await askForText({
    title: 'Name Branch',
    prompt: 'Leave it empty to use its last prompt again.',
    value: row.named ? row.label : '',
    placeHolder: row.label,
  });
  if (typed !== undefined) await setOfBranch(session, row, 'name', typed, ports);
}

export async function noteBranch(session: SessionId, leaf: MessageId | undefined, ports: EditPorts): Promise<void> {
  const row = await branchOf(session, leaf, 'Write a note on which branch?', ports);
  if (!row) return;
  const typed = await askForText({
    title: 'Note on Branch',
    prompt: `Shown beside “${row.label}” in the list. Leave it empty to remove it.`,
    value: row.note ?? '',
  });
  if (typed !== undefined) await setOfBranch(session, row, 'note', typed, ports);
}

/** The one that ends there, or that the person chooses. */
export async function branchOf(
  session: SessionId,
  leaf: MessageId | undefined,
  title: string,
  { history, now }: Pick<EditPorts, 'history' | 'now'>,
): Promise<BranchRow | undefined> {
  const rows = branchRows(linesOf(await (await history()).tree(session)));
  if (rows.length === 0) {
    void showInfo('This session has only one branch.');
    return undefined;
  }
  const items = rows.map(row => ({
    row,
    label: row.label,
    description: relativeTime(row.created, now()),
    ...(row.note === null ? {} : { detail: row.note }),
  }));
  return rows.find(one => one.leaf === leaf) ?? (await pickOne(items, { title }))?.row;
}

async function setOfBranch(
  session: SessionId,
  { leaf }: BranchRow,
  name: 'name' | 'note',
  typed: string,
  { history }: EditPorts,
): Promise<void> {
  await (await history()).append(session, [{ ...set(session, name, oneLine(typed) || null, leaf), from: leaf }]);
}

function set(session: SessionId, name: FieldName, value: string | boolean | null, of?: string): Fact & { type: 'set' } {
  return { type: 'set', session, name, value, ...(of === undefined ? {} : { of }) };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
