// An agent as a child process. Promises: it is started with its arguments as they are, never through a shell, and in a
// process group of its own; it is asked to end in the friendliest way first (end of input, TERM, KILL), and its group goes
// with it; neither outlives this process, whatever happens to it; how it ended is told with the last that it wrote.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '../../core/agentError.ts';
import type { Clock } from '../../core/ports.ts';
import type { CommandLine } from './commandLine.ts';
import { redactNothing, type Redact } from './errors.ts';
import { LastWords } from './lastWords.ts';
import { leash } from './leash.ts';
import { atMost } from './quiet.ts';
import type { Transport, TransportEnd } from './transport.ts';
import { resolveOnWindows } from './windowsCommand.ts';
import { messageStream, type OnWarning } from './wire.ts';

const isWindows = process.platform === 'win32';
const afterInputEnds = 100;
const afterTerm = 1500;
/** What an agent started may keep its pipes open after it is gone. */
const pipesOutlive = 500;

/** Throws AgentError `cannot-start`, in words for a person. */
export async function openChild(
  line: CommandLine,
  clock: Clock,
  onWarning: OnWarning,
  redact = redactNothing,
): Promise<Transport> {
  const child = await started(line, redact);
  const letGo = isWindows || child.pid === undefined ? () => {} : leash(child.pid, onWarning);
  const lastWords = new LastWords(redact);
  child.stderr.on('data', (bytes: Buffer) => lastWords.add(bytes));
  child.stdin.on('error', () => {
    // It closed its input or is gone: whoever wrote is told by the write.
  });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  let closing: Promise<void> | null = null;
  return {
    stream: messageStream(child.stdin, child.stdout, onWarning),
    ended: endOf(),
    close: () => (closing ??= close()),
  };

  async function endOf(): Promise<TransportEnd> {
    await exited;
    letGo();
    await atMost(clock, pipesOutlive, closed);
    child.stdout.destroy();
    child.stderr.destroy();
    return { code: child.exitCode, signal: child.signalCode, lastWords: lastWords.text() };
  }

  async function close(): Promise<void> {
    child.stdin.end();
    for (const [signal, patience] of [
      ['SIGTERM', afterInputEnds],
      ['SIGKILL', afterTerm],
    ] as const) {
      await atMost(clock, patience, exited);
      if (child.exitCode !== null || child.signalCode !== null) break;
      endGroup(child, signal);
    }
    await exited;
  }
}

function started(line: CommandLine, redact: Redact): Promise<ChildProcessWithoutNullStreams> {
  const { command, cwd, env } = line;
  const { file, args } = isWindows ? onWindows(line) : { file: command, args: line.args };
  return new Promise((resolve, reject) => {
    const refuse = (cause: unknown) => reject(new AgentError('cannot-start', redact(wordsFor(cause, command, cwd))));
    try {
      const child = spawn(file, args, {
        cwd,
        env,
        stdio: 'pipe',
        shell: false,
        // On Windows a detached child would outlive us.
        detached: !isWindows,
        windowsHide: true,
      });
      child.once('error', refuse).once('spawn', () => resolve(child.off('error', refuse).on('error', () => {})));
    } catch (cause) {
      refuse(cause);
    }
  });
}

function wordsFor(cause: unknown, command: string, cwd: string): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  // The system says the same of a missing program and of a missing folder.
  if (!isFolder(cwd)) return `The folder “${cwd}”, in which “${command}” should run, does not exist.`;
  if (code === 'ENOENT') return `“${command}” was not found on this machine.`;
  if (code === 'EACCES' || code === 'EPERM') return `“${command}” may not be run on this machine.`;
  return `“${command}” could not be started: ${message}`;
}

function endGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (isWindows) {
    const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    spawn(taskkill, ['/F', '/T', '/PID', String(child.pid)], { stdio: 'ignore', windowsHide: true }).on('error', () =>
      child.kill(),
    );
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone, and we shall be told of it in a moment.
  }
}

function onWindows({ command, args, env }: CommandLine): { readonly file: string; readonly args: readonly string[] } {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const found = resolveOnWindows(command, path, { isFile, read: file => readFileSync(file, 'utf8') });
  if (!found) throw new AgentError('cannot-start', `“${command}” was not found on this machine.`);
  return { file: found.command, args: [...found.args, ...args] };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
