// "Check History": reads everything and says what it found in plain sentences; what can be repaired is repaired when the
// person says so, and then checked again. And the folder itself, for who wants to see it.

import { env, ProgressLocation, UIKind, Uri, window, workspace, commands } from 'vscode';
import type { CheckReport, History } from '../../core/history/history.ts';
import { counted } from '../sessions/sessionRows.ts';

export async function checkHistory(history: () => Promise<History>): Promise<void> {
  const report = await busy('Checking the history', async () => (await history()).check());
  await tell(report, history);
}

async function tell(report: CheckReport, history: () => Promise<History>): Promise<void> {
  const { findings } = report;
  if (findings.length === 0) {
    void window.showInformationMessage(`The history is whole: ${sizes(report)}.`);
    return;
  }
  const repair = findings.some(({ repairable }) => repairable) ? ['Repair'] : [];
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void window
    .showWarningMessage(`The check found ${counted(findings.length, 'thing')} to know of.`, ...repair, 'Show Findings')
    .then(async choice => {
      if (choice === 'Repair') {
        await tell(await busy('Repairing the history', async () => (await history()).repair()), history);
      } else if (choice) await show(report);
    })
    .then(undefined, (cause: unknown) => {
      void window.showErrorMessage(
        `The history could not be repaired. ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    });
}

export function findingsText(report: CheckReport): string {
  const lines = report.findings.map(({ words, file, repairable }) => {
    const where = file === undefined ? '' : ` (${file})`;
    return `- ${words}${where}${repairable ? ' It can be repaired.' : ''}`;
  });
  return `# What the check of the history found\n\nRead: ${sizes(report)}.\n\n${lines.join('\n')}\n`;
}

/** Where it cannot be shown in the system's own window, as in a browser, the path is told. */
export async function revealHistoryFolder(folder: string): Promise<void> {
  if (env.uiKind === UIKind.Desktop && env.remoteName === undefined) {
    await commands.executeCommand('revealFileInOS', Uri.file(folder));
    return;
  }
  void window.showInformationMessage(`The history is in ${folder}.`, 'Copy Path').then(choice => {
    if (choice) void env.clipboard.writeText(folder);
  });
}

async function show(report: CheckReport): Promise<void> {
  const document = await workspace.openTextDocument({ language: 'markdown', content: findingsText(report) });
  await window.showTextDocument(document);
}

function busy<Value>(title: string, run: () => Promise<Value>): Thenable<Value> {
  return window.withProgress({ location: ProgressLocation.Notification, title }, run);
}

function sizes({ sessions, messages, blobs, bytes }: CheckReport): string {
  const megabytes = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return [counted(sessions, 'session'), counted(messages, 'message'), counted(blobs, 'attachment'), megabytes].join(
    ', ',
  );
}
