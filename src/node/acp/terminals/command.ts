// A command that runs for an agent. Promises: it and what it starts are one process group, which ends when the command
// does, when it is told to, and with this process, whatever happens to that; it reads nothing; what it prints is given on
// as text in the order of its arrival, no character in two pieces, and all of it before its end.

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { RequestError } from '@agentclientprotocol/sdk';
import type { Clock } from '../../../core/ports.ts';
import type { CommandLine } from '../commandLine.ts';
import { leash } from '../leash.ts';
import { atMost } from '../quiet.ts';
import { commandFor } from './commandFor.ts';
import { endGroup } from './processGroup.ts';
import type { TerminalExit } from './terminalNews.ts';

const afterTerm = 2000;
/** What a command started may keep its pipes open after it is gone. */
const pipesOutlive = 500;
const isWindows = process.platform === 'win32';

export interface Command {
  /** Rejected with words where it cannot start. */
  readonly started: Promise<void>;
  /** Rejected where it did not start. */
  readonly ended: Promise<TerminalExit>;
  /** The whole group: TERM, and two seconds later KILL. */
  end(): void;
}

interface Watcher {
  readonly onPrint: (text: string) => void;
  readonly onWarning: (words: string) => void;
  readonly clock: Clock;
}

export function startCommand(line: CommandLine, { onPrint, onWarning, clock }: Watcher): Command {
  const child = spawned(line);
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).on('error', cause => reject(refusal(cause, line)));
  });
  started.catch(() => {
    // Whoever asked for the command is told.
  });
  const decoders = [child.stdout, child.stderr].map(pipe => printed(pipe, onPrint));
  // Not awaited: SIGKILL may come to us in any moment.
  const letGo = isWindows || child.pid === undefined ? () => {} : leash(child.pid, onWarning);
  let isEnding = false;
  const ended = started.then(async () => {
    await exited;
    await atMost(clock, pipesOutlive, closed);
    letGo();
    child.stdout.destroy();
    child.stderr.destroy();
    for (const finish of decoders) finish();
    return { code: child.exitCode, signal: child.signalCode };
  });
  ended.catch(letGo);
  return {
    started,
    ended,
    end() {
      const { pid } = child;
      if (isEnding || pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      isEnding = true;
      endGroup(pid, 'SIGTERM');
      const forget = clock.after(afterTerm, () => endGroup(pid, 'SIGKILL'));
      exited.then(forget, forget);
    },
  };
}

function spawned(line: CommandLine): ChildProcessByStdio<null, Readable, Readable> {
  const { command, args, cwd, env } = line;
  const { file, args: all, isVerbatim } = commandFor(command, args, env, process.platform, { isFile, read });
  try {
    return spawn(file, all, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      // On Windows a detached child would outlive us.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    });
  } catch (cause) {
    throw refusal(cause, line);
  }
}

/** The answer is called when nothing more comes. */
function printed(pipe: Readable, onPrint: (text: string) => void): () => void {
  const decoder = new StringDecoder('utf8');
  const print = (text: string) => {
    if (text !== '') onPrint(text);
  };
  pipe
    .on('data', (bytes: Buffer) => print(decoder.write(bytes)))
    .on('error', () => {
      // It printed all that it could.
    });
  return () => print(decoder.end());
}

function refusal(cause: unknown, { command, cwd }: CommandLine): RequestError {
  const { code, message } = cause as NodeJS.ErrnoException;
  // The system says the same of a missing program and of a missing folder.
  const words = !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()
    ? `The folder “${cwd}”, in which “${command}” should run, does not exist.`
    : code === 'ENOENT'
      ? `“${command}” was not found on this machine.`
      : code === 'EACCES' || code === 'EPERM'
        ? `“${command}” may not be run on this machine.`
        : `“${command}” could not be started: ${message}`;
  return new RequestError(-32603, words);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
