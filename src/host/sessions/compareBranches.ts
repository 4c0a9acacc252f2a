// "Compare with…": two branches of a session side by side in VS Code's own diff editor, as text to read, from where they
// part. Promises: nothing can be written there; what is shown follows what is said in either of them.

import { Uri, type QuickPickItem } from 'vscode';
import type { History, SessionSummary } from '../../core/history/history.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { schemes } from '../contributed.ts';
import { branchRows, linesOf, type BranchRow } from './branchRows.ts';
import { comparedText, comparedWith } from './compareText.ts';
import { relativeTime } from './sessionAge.ts';
import { titleWords } from './sessionRows.ts';
import { showInfo } from '../notify/messages.ts';
import { documentName } from '../notify/outsideText.ts';
import { pickOne } from '../notify/pickers.ts';
import { showDiff } from '../notify/titles.ts';

interface Side {
  readonly session: SessionId;
  readonly leaf: MessageId;
  readonly other: MessageId;
}

/** `chosen` are the ends of branches that were chosen already: none, one or two. */
export async function compareBranches(
  summary: SessionSummary,
  chosen: readonly MessageId[],
  history: History,
  now: number,
): Promise<void> {
  const rows = branchRows(linesOf(await history.tree(summary.id)));
  if (rows.length < 2) {
    void showInfo(`“${titleWords(summary)}” has one branch, and nothing to compare it with.`);
    return;
  }
  const [one, other] = [rows.find(({ leaf }) => leaf === chosen[0]), rows.find(({ leaf }) => leaf === chosen[1])];
  // Of two there is nothing to choose.
  const first = one ?? (rows.length === 2 ? rows[0] : await pickBranch(rows, 'Compare which branch?', now));
  if (!first) return;
  const rest = rows.filter(({ leaf }) => leaf !== first.leaf);
  const second =
    other ?? (rest.length === 1 ? rest[0] : await pickBranch(rest, `Compare “${first.label}” with which branch?`, now));
  if (!second) return;
  const [left, right] = first.created <= second.created ? [first, second] : [second, first];
  await showDiff(
    uriOf({ session: summary.id, leaf: left.leaf, other: right.leaf }, left.label),
    uriOf({ session: summary.id, leaf: right.leaf, other: left.leaf }, right.label),
    `${shortened(left.label)} ↔ ${shortened(right.label)}`,
    true,
  );
}

/** What VS Code asks for to show one side. */
export async function branchText(uri: Uri, history: () => Promise<History>): Promise<string> {
  const side = JSON.parse(uri.query) as Side;
  const opened = await history();
  const compared = comparedWith(await opened.tree(side.session), side.leaf, side.other);
  if (!compared) return '_This branch is not in the history any more._\n';
  return comparedText(compared, await opened.messages(compared.ids));
}

async function pickBranch(rows: readonly BranchRow[], title: string, now: number): Promise<BranchRow | undefined> {
  const items = rows.map((row): QuickPickItem & { readonly row: BranchRow } => ({
    row,
    label: row.label,
    description: relativeTime(row.created, now),
    ...(row.note === null ? {} : { detail: row.note }),
  }));
  return (await pickOne(items, { title, matchOnDetail: true }))?.row;
}

/** The name of the branch is the name of the document. */
function uriOf(side: Side, label: string): Uri {
  const path = `/${documentName(label, 'branch')}.md`;
  return Uri.from({ scheme: schemes.branch, path, query: JSON.stringify(side) });
}

function shortened(label: string): string {
  const characters = Array.from(label);
  return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : label;
}
