// The history of this window and what goes with it: drafts, older histories to recover, and other windows that have it open.
// It is opened when it is first asked for; closing waits until everything is saved.

import { join } from 'node:path';
import { EventEmitter, type Disposable, type Event, type ExtensionContext } from 'vscode';
import { historyBeside, type Memory } from '../../core/history/beside.ts';
import type { History } from '../../core/history/history.ts';
import { systemClock } from '../../node/clock.ts';
import { draftsBeside, draftsIn, type Drafts } from '../../node/drafts.ts';
import type { randomIds } from '../../node/ids.ts';
import { once, type Once } from '../once.ts';
import { OtherWindows } from '../otherWindows.ts';
import type { Report } from '../report.ts';
import { historyFolder } from './historyFolder.ts';
import { historyOnDisk } from './onDisk.ts';
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
    const disk = await historyOnDisk({ folder, writer, workerFile, wasmFile, report, onOpen: () => opened.fire() });
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
