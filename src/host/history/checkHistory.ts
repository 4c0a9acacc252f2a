// "Check History": reads everything and says what it found in plain sentences; what can be repaired is repaired when the
// person says so, and then checked again. And the folder itself, for who wants to see it.

import { env, ProgressLocation, UIKind, Uri, window, commands } from 'vscode';
import type { CheckReport, History } from '../../core/history/history.ts';
import { counted } from '../sessions/sessionRows.ts';
import { sizeWords } from './sizeWords.ts';

export interface CheckPorts {
  readonly history: () => Promise<History>;
  readonly failure: (what: string, cause: unknown) => void;
  /** Shows a text that can be read and not be written to. */
  readonly showText: (name: string, text: string) => Promise<void>;
}

export async function checkHistory(ports: CheckPorts): Promise<void> {
  tell(await busy('Checking the history', async () => (await ports.history()).check()), false, ports);
}

function tell(report: CheckReport, isRepaired: boolean, ports: CheckPorts): void {
  const words = checkWords(report, isRepaired);
  const { findings } = report;
  if (findings.length === 0) {
    void window.showInformationMessage(words);
    return;
  }
  const repair = findings.some(({ repairable }) => repairable) ? ['Repair'] : [];
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void window
    .showWarningMessage(words, ...repair, 'Show Findings')
    .then(async choice => {
      if (choice === 'Repair') {
        tell(await busy('Repairing the history', async () => (await ports.history()).repair()), true, ports);
      } else if (choice) await ports.showText('Findings.md', findingsText(report));
    })
    .then(undefined, (cause: unknown) => ports.failure('The history could not be repaired.', cause));
}

/** With one finding its own sentence, with more how many and whether something can be done. */
export function checkWords(report: CheckReport, isRepaired: boolean): string {
  const { findings } = report;
  const [first] = findings;
  if (!first) return `${isRepaired ? 'Repaired. ' : ''}The history is whole: ${sizes(report)}.`;
  const repairable = findings.filter(one => one.repairable).length;
  const what =
    findings.length === 1 ? first.words : `${findings.length} things in the history are not as they should be.`;
  const can =
    repairable === 0
      ? ' Nothing can be repaired, and everything else is whole.'
      : repairable < findings.length
        ? ` ${repairable} of them can be repaired.`
        : findings.length === 1
          ? ' It can be repaired.'
          : ' They can be repaired.';
  return `${isRepaired ? 'What could be repaired is. ' : ''}${what}${can}`;
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

function busy<Value>(title: string, run: () => Promise<Value>): Thenable<Value> {
  return window.withProgress({ location: ProgressLocation.Notification, title }, run);
}

function sizes({ sessions, messages, blobs, bytes }: CheckReport): string {
  const counts = [counted(sessions, 'session'), counted(messages, 'message')];
  return [...counts, ...(blobs > 0 ? [counted(blobs, 'attachment')] : []), sizeWords(bytes)].join(', ');
}
