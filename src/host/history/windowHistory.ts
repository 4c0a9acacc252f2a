// The history of this window and what goes with it: drafts, older histories to recover, and other windows that have it open.
// It is opened when it is first asked for; closing waits until everything is saved. Promises: what was found while opening
// stands in the log, without a word of any conversation; one that cannot be opened says so once, and is one that refuses.

import { join } from 'node:path';
import { commands, EventEmitter, type Disposable, type Event, type ExtensionContext } from 'vscode';
import { historyBeside, type Memory } from '../../core/history/beside.ts';
import type { History } from '../../core/history/history.ts';
import { historyErrorOf } from '../../core/history/historyError.ts';
import { unavailableHistory } from '../../core/history/unavailable.ts';
import { systemClock } from '../../node/clock.ts';
import { draftsBeside, draftsIn, type Drafts } from '../../node/drafts.ts';
import { openHistory, type HistoryStart } from '../../node/history/history.ts';
import type { randomIds } from '../../node/ids.ts';
import { once, type Once } from '../once.ts';
import { OtherWindows } from '../otherWindows.ts';
import type { Report } from '../report.ts';
import { historyFolder } from './historyFolder.ts';
import type { Recovery } from './recovery.ts';

export interface WindowHistoryPorts {
  readonly context: ExtensionContext;
  readonly ids: ReturnType<typeof randomIds>;
  readonly report: Report;
  /** Of the incognito sessions. */
  readonly openMemory: (writer: string, wasmFile: string) => Memory;
}

export interface WindowHistory extends Disposable {
  readonly folder: string;
  readonly history: Once<History>;
  readonly memory: Memory;
  readonly drafts: Drafts;
  readonly recovery: () => Promise<Recovery>;
  readonly otherWindows: Pick<OtherWindows, 'isThere'>;
  readonly onDidOpen: Event<void>;
  /** Another window has it open now, or none has any more. */
  readonly onDidChangeOthers: Event<void>;
  readonly close: () => Promise<void>;
}

interface OnDiskPorts extends Omit<HistoryStart, 'onWarning' | 'onCrash'> {
  readonly report: Report;
  /** What begins with a history that is open. */
  readonly onOpen: () => void;
}

export function createWindowHistory({ context, ids, report, openMemory }: WindowHistoryPorts): WindowHistory {
  const { extensionUri, storageUri, globalStorageUri, workspaceState } = context;
  const inBundle = (file: string) => join(extensionUri.fsPath, 'dist', file);
  const wasmFile = inBundle('sql-wasm.wasm');
  const folder = historyFolder(storageUri, globalStorageUri);
  const writer = ids.writer();
  const memory = openMemory(writer, wasmFile);
  const opened = new EventEmitter<void>();
  const othersChanged = new EventEmitter<void>();
  const history = once(async () => {
    const workerFile = inBundle('history.js');
    const disk = await openOnDisk({ folder, writer, workerFile, wasmFile, report, onOpen: () => opened.fire() });
    return historyBeside(disk, memory);
  });
  const recovery = once(async () => {
    const { Recovery } = await import('./recovery.ts');
    return new Recovery({
      folder,
      globalFolder: globalStorageUri.fsPath,
      history,
      state: workspaceState,
      report,
      now: systemClock.now,
      newId: ids.session,
      newWriter: ids.writer,
    });
  });
  const otherWindows = new OtherWindows({ history, clock: systemClock, onChange: () => othersChanged.fire() });
  opened.event(() => {
    void recovery().then(one => one.begin());
    void otherWindows.begin();
  });
  return {
    folder,
    history,
    memory,
    drafts: draftsBeside(draftsIn(folder)),
    recovery,
    otherWindows,
    onDidOpen: opened.event,
    onDidChangeOthers: othersChanged.event,
    dispose() {
      otherWindows.dispose();
      opened.dispose();
      othersChanged.dispose();
    },
    async close() {
      if (history.started()) await (await history()).close();
    },
  };
}

async function openOnDisk({ report, onOpen, ...where }: OnDiskPorts): Promise<History> {
  try {
    const onWarning = (cause: Error) => report.warn('A background task of the history failed.', cause);
    const onCrash = (cause: Error) => report.warn('The history stopped unexpectedly and is restarting.', cause);
    const opened = await openHistory({ ...where, onWarning, onCrash });
    const { segments, records, bad, tails, unreadable } = opened.recovery;
    report.info(`History is open: ${records} records in ${segments} segments.`);
    if (bad.length > 0) report.warn(`${bad.length} damaged records were passed over; nothing else is affected.`);
    if (unreadable.length > 0) report.warn(`${unreadable.length} files of the history could not be read.`);
    if (tails.length > 0) report.info(`${tails.length} segments end in a record that was never finished.`);
    onOpen();
    return opened;
  } catch (cause) {
    report.failure('The history could not be opened.', cause);
    void commands.executeCommand('setContext', 'throughline.historyFailed', true);
    return unavailableHistory(historyErrorOf(cause));
  }
}
