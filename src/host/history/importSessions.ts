// "Import Sessions…": files of exported sessions come into this history. Promises: each session whole or not at all, none
// twice; what came, what was here and what could not be read is said in one sentence; what came is shown in the list.

import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Uri, workspace } from 'vscode';
import type { Exchanging, History } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import { exchangeTrouble, importWords, type ImportedFrom } from './exchangeWords.ts';
import { withExchange } from './exportSession.ts';
import { askForFiles } from '../notify/inputs.ts';
import { showInfo, showWarning } from '../notify/messages.ts';

export interface ImportPorts {
  readonly history: () => Promise<History>;
  /** Shows a text that can be read and not be written to. */
  readonly showText: (name: string, text: string) => Promise<void>;
  /** Shows them in the list. */
  readonly reveal: (sessions: readonly SessionId[]) => Promise<void>;
}

/** `given` are addresses of files; else the person is asked for some. */
export async function importSessions(given: unknown, ports: ImportPorts): Promise<void> {
  const asked = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  const named = asked.filter(one => one instanceof Uri);
  const files = named.length > 0 ? named : await askForFiles(dialog);
  if (files.length === 0) return;
  const title = files.length === 1 ? `Importing ${basename(files[0]?.path ?? '')}` : `Importing ${files.length} files`;
  const results: ImportedFrom[] = [];
  try {
    await withExchange(title, async running => {
      const history = await ports.history();
      for (const file of files) {
        if (running.signal.aborted) break;
        results.push({ file: basename(file.path), ...(await importOne(file, history, running)) });
      }
    });
  } catch (cause) {
    throw exchangeTrouble(cause, 'imported');
  }
  const came = results.flatMap(({ added, grown }) => [...added, ...grown].map(({ id }) => id));
  if (came.length > 0) await ports.reveal(came);
  const { words, details, isTrouble } = importWords(results);
  const show = isTrouble ? showWarning : showInfo;
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void show(words, ...(details === null ? [] : ['Show Details'])).then(async choice => {
    if (choice) await ports.showText('Import.txt', details ?? '');
  });
}

const dialog = {
  title: 'Import Sessions',
  openLabel: 'Import',
  canSelectMany: true,
  filters: { 'Exported sessions': ['json'], 'All files': ['*'] },
};

/** Through a file of this machine where it is somewhere else. */
async function importOne(file: Uri, history: History, running: Exchanging) {
  if (file.scheme === 'file') return history.importJson(file.fsPath, running);
  const between = join(tmpdir(), `throughline-${randomUUID()}`);
  try {
    await writeFile(between, await workspace.fs.readFile(file), { mode: 0o600 });
    return await history.importJson(between, running);
  } finally {
    await rm(between, { force: true });
  }
}
