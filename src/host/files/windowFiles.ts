// The files of this window, for agents: the documents that are open, which paths may be touched, and the watch over what
// turns change, which is loaded when the first one begins.

import { join } from 'node:path';
import type { Disposable, ExtensionContext } from 'vscode';
import type { OpenEditors } from '../../core/files.ts';
import { systemClock } from '../../node/clock.ts';
import type { DiskWatch } from '../../node/files/changes/fileWatch.ts';
import { guardIn, type Guard } from '../../node/files/guard.ts';
import { once } from '../once.ts';
import type { Report } from '../report.ts';
import { workspaceFolders } from '../windowPlace.ts';
import { openEditors } from './editors.ts';

export interface WindowFilesPorts {
  readonly context: ExtensionContext;
  readonly historyFolder: string;
  readonly report: Report;
}

export interface WindowFiles {
  readonly editors: OpenEditors & Disposable;
  readonly guard: Guard;
  readonly watch: () => Promise<DiskWatch>;
  /** Folders of ours, which no agent may read or write. */
  readonly own: readonly string[];
  readonly close: () => Promise<void>;
}

export function createWindowFiles({ context, historyFolder, report }: WindowFilesPorts): WindowFiles {
  const { storageUri, globalStorageUri } = context;
  // Of this window alone: what it holds is of no use to another.
  const store = join((storageUri ?? globalStorageUri).fsPath, 'files');
  const own = [historyFolder, store];
  const editors = openEditors(path => {
    if (watch.started()) void watch().then(one => one.savedByPerson(path));
  });
  const watch = once(async () => {
    const { fileWatch } = await import('../../node/files/changes/fileWatch.ts');
    const onWarning = (words: string) => report.warn(words);
    return fileWatch({ folders: workspaceFolders, store, own, clock: systemClock, editors, onWarning });
  });
  return {
    editors,
    guard: guardIn(workspaceFolders, own),
    watch,
    own,
    async close() {
      if (watch.started()) await (await watch()).close();
    },
  };
}
