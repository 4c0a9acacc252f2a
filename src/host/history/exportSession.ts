// "Export…": one branch of a session as Markdown or JSON, or the whole history as one SQLite file, where the person says.

import { basename } from 'node:path';
import { ProgressLocation, Uri, window, workspace } from 'vscode';
import type { History, SessionSummary } from '../../core/history/history.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { titleWords } from '../sessions/sessionRows.ts';
import { hashesIn, jsonOf, markdownOf } from '../sessions/sessionText.ts';

type Format = 'markdown' | 'json' | 'sqlite';

const formats = [
  { format: 'markdown', label: 'Markdown', description: 'the branch that is shown, to read' },
  { format: 'json', label: 'JSON', description: 'the branch that is shown, with everything in it' },
  { format: 'sqlite', label: 'SQLite', description: 'the whole history: every session, every branch' },
] as const satisfies readonly { readonly format: Format; readonly label: string; readonly description: string }[];

const endings = { markdown: 'md', json: 'json', sqlite: 'sqlite' } as const;

/** `leaf` is the end of the branch; null is where the session was left. */
export async function exportSession(
  summary: SessionSummary,
  leaf: MessageId | null,
  history: () => Promise<History>,
): Promise<void> {
  const picked = await window.showQuickPick(formats, {
    title: `Export “${titleWords(summary)}” as`,
    placeHolder: 'Format',
  });
  if (!picked) return;
  const { format, label } = picked;
  const name = `${format === 'sqlite' ? 'throughline-history' : fileName(titleWords(summary))}.${endings[format]}`;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    title: `Export as ${label}`,
    filters: { [label]: [endings[format]] },
    ...(folder ? { defaultUri: Uri.joinPath(folder, name) } : {}),
  });
  if (!target) return;
  const title = `Exporting to ${basename(target.path)}`;
  await window.withProgress({ location: ProgressLocation.Notification, title }, async () => {
    const opened = await history();
    if (format === 'sqlite') await writeSqlite(opened, target);
    else await workspace.fs.writeFile(target, Buffer.from(await sessionAs(format, summary.id, leaf, opened), 'utf8'));
  });
  void window.showInformationMessage(`Exported to ${basename(target.path)}.`, 'Open').then(choice => {
    if (choice) void (format === 'sqlite' ? revealed(target) : window.showTextDocument(target));
  });
}

/** Throws HistoryError `no-session`. */
export async function sessionAs(
  format: 'markdown' | 'json',
  session: SessionId,
  leaf: MessageId | null,
  history: Pick<History, 'open' | 'blob'>,
): Promise<string> {
  const stored = await history.open(session, ...(leaf === null ? [] : [leaf]));
  if (!stored) throw new HistoryError('no-session');
  const { path, queue: _queue, bindings: _bindings, options: _options, decisions: _decisions, ...rest } = stored;
  const { writing: _writing, branches: _branches, named: _named, ...about } = rest;
  if (format === 'markdown') return markdownOf(about, path);
  const bytes = new Map<string, Uint8Array>();
  for (const ref of hashesIn(path)) {
    // Bytes that are gone or damaged stay a hash, which the check of the history tells.
    const found = await history.blob(session, ref).catch(() => null);
    if (found) bytes.set(ref.sha256, found);
  }
  return jsonOf(about, path, bytes);
}

async function writeSqlite(history: History, target: Uri): Promise<void> {
  if (target.scheme !== 'file') throw new Error('A SQLite file can only be written to a disk of this machine.');
  await history.exportSqlite(target.fsPath);
}

function revealed(file: Uri): Thenable<unknown> {
  return window.showInformationMessage(file.fsPath);
}

/** As a file may be called on every system. */
function fileName(title: string): string {
  const name = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return name || 'session';
}
