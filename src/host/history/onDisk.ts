// The history of this window on the disk, opened when it is first asked for. Promises: what was found while opening stands
// in the log, without a word of any conversation; one that cannot be opened says so once, and is one that refuses.

import { commands } from 'vscode';
import type { History } from '../../core/history/history.ts';
import { historyErrorOf } from '../../core/history/historyError.ts';
import { unavailableHistory } from '../../core/history/unavailable.ts';
import { openHistory, type HistoryStart } from '../../node/history/history.ts';
import type { Report } from '../report.ts';

export interface OnDiskPorts extends Omit<HistoryStart, 'onWarning' | 'onCrash'> {
  readonly report: Report;
  /** What begins with a history that is open. */
  readonly onOpen: () => void;
}

export async function historyOnDisk({ report, onOpen, ...where }: OnDiskPorts): Promise<History> {
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
