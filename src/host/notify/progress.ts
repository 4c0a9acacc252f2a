// Progress of what takes long: in a notification, in the status bar, or as the bar of a view.

import { ProgressLocation, window } from 'vscode';
import { cleanLine, limits } from './outsideText.ts';

export interface ProgressOptions {
  readonly title: string;
  /** A notification unless said otherwise. */
  readonly where?: 'notification' | 'statusBar';
  /** Adds a “Cancel” button, which aborts the signal. */
  readonly cancellable?: boolean;
}

export interface ProgressStep {
  readonly message: string;
  /** In percent, added to what was reported before. */
  readonly increment?: number;
}

export async function showProgress<Value>(
  { title, where = 'notification', cancellable = false }: ProgressOptions,
  run: (report: (step: ProgressStep) => void, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const location = where === 'statusBar' ? ProgressLocation.Window : ProgressLocation.Notification;
  return window.withProgress({ location, title: cleanLine(title, limits.label), cancellable }, (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return run(step => progress.report({ ...step, message: cleanLine(step.message, limits.label) }), stop.signal);
  });
}

/** Shows a bar that moves at the top of a view. */
export async function showViewProgress(viewId: string, run: () => Promise<void>): Promise<void> {
  await window.withProgress({ location: { viewId } }, run);
}
