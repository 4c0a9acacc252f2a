// "Export…": sessions as Markdown to read or as JSON with everything in it, or the whole history as one SQLite file, where
// the person says. Promises: a file appears whole or not at all; what takes long shows how far it is and can be stopped.

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { commands, env, QuickPickItemKind, UIKind, Uri, window, workspace } from 'vscode';
import type { Exchanging, History, SessionSummary } from '../../core/history/history.ts';
import { HistoryError, historyErrorOf } from '../../core/history/historyError.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { writeAtomic } from '../../node/atomicWrite.ts';
import { counted, titleWords } from '../sessions/sessionRows.ts';
import { markdownOf, markdownOfTree } from '../sessions/sessionText.ts';
import { exchangeTrouble } from './exchangeWords.ts';
import { askWhereToSave } from '../notify/inputs.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';
import { showProgress } from '../notify/progress.ts';

type Format = 'branch' | 'tree' | 'json' | 'sqlite';

const files = {
  branch: { name: 'Markdown', ending: 'md' },
  tree: { name: 'Markdown', ending: 'md' },
  json: { name: 'JSON', ending: 'json' },
  sqlite: { name: 'SQLite', ending: 'sqlite' },
} as const;

/** `leaf` is the end of the branch that is meant where there is one session; null is where it was left. */
export async function exportSessions(
  summaries: readonly SessionSummary[],
  leaf: MessageId | null,
  history: () => Promise<History>,
): Promise<void> {
  const [first] = summaries;
  if (!first) return;
  const format = await pickFormat(
    summaries,
    summaries.some(({ forked }) => forked),
  );
  if (!format) return;
  const { name, ending } = files[format];
  const stem = summaries.length > 1 ? 'throughline-sessions' : fileName(titleWords(first));
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const file = `${format === 'sqlite' ? 'throughline-history' : stem}.${ending}`;
  const target = await askWhereToSave({
    title: `Export as ${name}`,
    filters: { [name]: [ending] },
    ...(folder ? { defaultUri: Uri.joinPath(folder, file) } : {}),
  });
  if (!target) return;
  const sessions = summaries.map(({ id }) => id);
  const title = `Exporting to ${basename(target.path)}`;
  try {
    const isWritten = await withExchange(title, running =>
      writeTo(target, at => write({ format, sessions, leaf, at }, history, running)),
    );
    if (!isWritten) return;
  } catch (cause) {
    throw exchangeTrouble(cause, 'written');
  }
  const open = format === 'sqlite' ? 'Show' : 'Open';
  void showInfo(`Exported to ${basename(target.path)}.`, open).then(choice => {
    if (choice) void (format === 'sqlite' ? revealed(target) : window.showTextDocument(target));
  });
}

async function pickFormat(summaries: readonly SessionSummary[], isForked: boolean): Promise<Format | undefined> {
  const [first] = summaries;
  const several = summaries.length > 1;
  const name = several ? counted(summaries.length, 'session') : `“${titleWords(first ?? { title: '' })}”`;
  const items = [
    { label: several ? 'These sessions' : 'This session', kind: QuickPickItemKind.Separator },
    {
      format: 'branch',
      label: 'Markdown',
      description: several ? 'the latest branch of each' : 'the branch that is shown',
      detail: 'To read, print or share: what was said, with tools folded to a line.',
    },
    ...(isForked
      ? [
          {
            format: 'tree',
            label: 'Markdown, all branches',
            description: 'each from where it branches off',
            detail: 'To read everything that was tried.',
          },
        ]
      : []),
    {
      format: 'json',
      label: 'JSON',
      description: 'everything: all branches, tools, attachments',
      detail: 'To move elsewhere (“Import Sessions…” reads it), or for other programs.',
    },
    { label: 'The whole history', kind: QuickPickItemKind.Separator },
    {
      format: 'sqlite',
      label: 'SQLite',
      description: 'every session of this workspace, trash included',
      detail: 'As a backup, or to query with other tools.',
    },
  ] as const;
  // JSON and SQLite are made of what is on the disk, where nothing of an incognito session is.
  const isUnkept = summaries.some(({ id }) => isIncognito(id));
  const shown = isUnkept ? items.filter(item => 'format' in item && /^(branch|tree)$/.test(item.format)) : items;
  const picked = await pickOne(shown, { title: `Export ${name}`, placeHolder: 'What is it for?' });
  return picked && 'format' in picked ? (picked.format as Format) : undefined;
}

interface Wanted {
  readonly format: Format;
  readonly sessions: readonly SessionId[];
  readonly leaf: MessageId | null;
  /** A path of this machine. */
  readonly at: string;
}

async function write(
  { format, sessions, leaf, at }: Wanted,
  history: () => Promise<History>,
  running: Exchanging,
): Promise<boolean> {
  const opened = await history();
  if (format === 'json') return opened.exportJson(sessions, at, running);
  if (format === 'sqlite') {
    await opened.exportSqlite(at);
    return true;
  }
  const parts: string[] = [];
  for (const [done, session] of sessions.entries()) {
    running.onProgress({ done, sessions: sessions.length });
    if (running.signal.aborted) return false;
    parts.push(await markdownIn(format, session, leaf, opened));
  }
  await writeAtomic(at, parts.join('\n---\n\n')).catch((cause: unknown) => {
    throw historyErrorOf(cause);
  });
  return true;
}

/** Throws HistoryError `no-session`. */
export async function markdownIn(
  format: 'branch' | 'tree',
  session: SessionId,
  leaf: MessageId | null,
  history: Pick<History, 'open' | 'tree' | 'messages'>,
): Promise<string> {
  const stored = await history.open(session, ...(leaf === null ? [] : [leaf]));
  if (!stored) throw new HistoryError('no-session');
  if (format === 'branch') return markdownOf(stored, stored.path);
  const nodes = await history.tree(session);
  const messages = await history.messages(nodes.filter(({ label }) => label === null).map(({ id }) => id));
  return markdownOfTree(stored, nodes, new Map(messages.map(message => [message.id, message])), stored.head);
}

/** With its progress in a notification, and a button that stops it. */
export function withExchange<Value>(title: string, run: (running: Exchanging) => Promise<Value>): Promise<Value> {
  return showProgress({ title, cancellable: true }, (report, signal) => {
    let last = 0;
    return run({
      signal,
      onProgress({ done, sessions }) {
        if (sessions < 2) return;
        const increment = Math.max(0, ((done - last) / sessions) * 100);
        report({ message: `${done + 1} of ${sessions} sessions`, increment });
        last = done;
      },
    });
  });
}

/** Through a file of this machine where it goes somewhere else, as to a virtual file system. */
async function writeTo(target: Uri, run: (file: string) => Promise<boolean>): Promise<boolean> {
  if (target.scheme === 'file') return run(target.fsPath);
  const between = join(tmpdir(), `throughline-${randomUUID()}`);
  try {
    if (!(await run(between))) return false;
    await workspace.fs.copy(Uri.file(between), target, { overwrite: true });
    return true;
  } finally {
    await rm(between, { force: true });
  }
}

/** Where it cannot be shown in the system's own window, as in a browser, the path is told. */
async function revealed(file: Uri): Promise<void> {
  if (env.uiKind === UIKind.Desktop && env.remoteName === undefined && file.scheme === 'file') {
    await commands.executeCommand('revealFileInOS', file);
  } else void showInfo(`The history is in ${file.fsPath}.`);
}

/** As a file may be called on every system. */
function fileName(title: string): string {
  const name = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return name || 'session';
}
