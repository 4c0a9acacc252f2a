// "Check History": reads everything and says what it found in plain sentences; what can be repaired is repaired when the
// person says so, and then checked again. And the folder itself, for who wants to see it.

import { env, UIKind, Uri, commands } from 'vscode';
import type { CheckReport, History } from '../../core/history/history.ts';
import { counted } from '../sessions/sessionRows.ts';
import { sizeWords } from './sizeWords.ts';
import { showInfo, showWarning } from '../notify/messages.ts';
import { showProgress } from '../notify/progress.ts';
import { openTerminal } from '../notify/titles.ts';

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
    void showInfo(words);
    return;
  }
  const repair = findings.some(({ repairable }) => repairable) ? ['Repair'] : [];
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void showWarning(words, ...repair, 'Show Findings')
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

/**
 * On another machine, or in a browser, the system's own window cannot show it: then it is said where it lies, and a terminal
 * opens there.
 */
export async function revealHistoryFolder(folder: string): Promise<void> {
  if (env.uiKind === UIKind.Desktop && env.remoteName === undefined) {
    await commands.executeCommand('revealFileInOS', Uri.file(folder));
    return;
  }
  const [inTerminal, copy] = ['Open in Terminal', 'Copy Path'] as const;
  void showInfo(whereWords(folder, env.remoteName), inTerminal, copy).then(choice => {
    if (choice === copy) void env.clipboard.writeText(folder);
    if (choice === inTerminal) openTerminal({ name: 'History', cwd: folder }).show();
  });
}

/** `remote` is what VS Code calls the other machine, where this window is on one. */
export function whereWords(folder: string, remote: string | undefined): string {
  const kind = kinds.find(([name]) => remote?.startsWith(name))?.[1] ?? 'the remote machine';
  return remote === undefined
    ? `The history is in ${folder}.`
    : `The history lies on ${kind}, where this workspace is, in ${folder}.`;
}

const kinds = [
  ['ssh-remote', 'the machine that is reached over SSH'],
  ['wsl', 'the Linux of this computer (WSL)'],
  ['dev-container', 'the disk of the dev container'],
  ['attached-container', 'the disk of the container'],
  ['codespaces', 'the codespace'],
  ['tunnel', 'the machine at the other end of the tunnel'],
] as const;

function busy<Value>(title: string, run: () => Promise<Value>): Promise<Value> {
  return showProgress({ title }, run);
}

function sizes({ sessions, messages, blobs, bytes }: CheckReport): string {
  const counts = [counted(sessions, 'session'), counted(messages, 'message')];
  return [...counts, ...(blobs > 0 ? [counted(blobs, 'attachment')] : []), sizeWords(bytes)].join(', ');
}
