// A person signs in to an agent at its command line, in a terminal of VS Code. Promises: the program is started with its
// arguments as they are, without a shell, and of our environment it has what it is given; the terminal goes when nobody
// waits for it any more; only a program that ends by itself with code 0 has signed anybody in.

import { readFileSync, statSync } from 'node:fs';
import { TerminalExitReason, ThemeIcon, window, type Disposable, type Terminal } from 'vscode';
import { AgentError } from '../../core/agentError.ts';
import type { CommandLine, Environment } from '../../node/acp/commandLine.ts';
import { resolveOnWindows } from '../../node/acp/windowsCommand.ts';
import { openTerminal } from '../notify/titles.ts';

/** Throws AgentError: `sign-in` where it did not end well, `cancelled` where the person or the signal ended it. */
export async function inTerminal(agent: string, line: CommandLine, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw cancelled();
  const { command, args } = process.platform === 'win32' ? onWindows(line) : line;
  const terminal = openTerminal({
    name: `Sign in: ${agent}`,
    shellPath: command,
    shellArgs: [...args],
    cwd: line.cwd,
    env: onlyThis(line.env),
    strictEnv: true,
    isTransient: true,
    iconPath: new ThemeIcon('key'),
  });
  const closed = untilClosed(terminal);
  const onAbort = () => terminal.dispose();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    terminal.show();
    await closed;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  const { code, reason } = terminal.exitStatus ?? { code: undefined, reason: TerminalExitReason.Unknown };
  if (signal.aborted || reason === TerminalExitReason.User) throw cancelled();
  if (code === 0) return;
  const how = code === undefined ? 'ended before it was done' : `ended with exit code ${code}`;
  throw new AgentError('sign-in', `${agent} is not signed in: the program in the terminal ${how}.`);
}

/** Where VS Code is a server it begins with its own environment, `strictEnv` or not: what is null there is taken out. */
function onlyThis(env: Environment): { [name: string]: string | null } {
  return { ...Object.fromEntries(Object.keys(process.env).map(name => [name, null])), ...env };
}

function untilClosed(terminal: Terminal): Promise<void> {
  let listening: Disposable | undefined;
  return new Promise<void>(resolve => {
    listening = window.onDidCloseTerminal(one => {
      if (one === terminal) resolve();
    });
  }).finally(() => listening?.dispose());
}

/** What npm puts in the place of a command there is a batch file, and would need a shell. */
function onWindows({ command, args, env }: CommandLine): Pick<CommandLine, 'command' | 'args'> {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const found = resolveOnWindows(command, path, { isFile, read: file => readFileSync(file, 'utf8') });
  if (!found) throw new AgentError('sign-in', `“${command}” was not found on this machine.`);
  return { command: found.command, args: [...found.args, ...args] };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function cancelled(): AgentError {
  return new AgentError('cancelled', 'The sign-in was cancelled.');
}
