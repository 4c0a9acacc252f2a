// What is to be started for a command of an agent, and where. Promises: a command with arguments is started as it is,
// without a shell; a whole command line, as agents give one without arguments, goes to the person's shell where that
// understands what every shell does; what comes back is for the platform that is asked about.

import { basename, isAbsolute } from 'node:path';
import { resolveOnWindows, type WindowsDisk } from '../windowsCommand.ts';
import type { Environment } from '../commandLine.ts';

export interface Started {
  readonly file: string;
  readonly args: readonly string[];
  /** On Windows, the arguments are quoted already. */
  readonly isVerbatim: boolean;
}

type Platform = typeof process.platform;

const shells: readonly string[] = ['sh', 'bash', 'zsh', 'dash', 'ksh'];
const signs = /[\s|&;<>()$`\\"'*?[\]{}#~!]/;
const signsOfWindows = /[\s|&<>()^%"]/;

export function commandFor(
  command: string,
  args: readonly string[],
  env: Environment,
  platform: Platform,
  disk: WindowsDisk,
): Started {
  const isWindows = platform === 'win32';
  const isLine = args.length === 0 && (isWindows ? signsOfWindows : signs).test(command) && !disk.isFile(command);
  if (isWindows) return isLine ? inCmd(command, env) : onWindows(command, args, env, disk);
  if (!isLine) return { file: command, args, isVerbatim: false };
  // Both outputs in one pipe come in exactly the order in which they were written.
  return { file: shellOf(env), args: ['-c', `exec 2>&1; ${command}`], isVerbatim: false };
}

/** As a person would type it. */
export function wordsOf(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  return [command, ...args].map(word => (word === '' || signs.test(word) ? JSON.stringify(word) : word)).join(' ');
}

function shellOf(env: Environment): string {
  const own = env['SHELL'] ?? '';
  return isAbsolute(own) && shells.includes(basename(own)) ? own : '/bin/sh';
}

/** A batch file runs in a shell only, and one that npm, pnpm or yarn made is only the way to another program. */
function onWindows(command: string, args: readonly string[], env: Environment, disk: WindowsDisk): Started {
  const found = resolveOnWindows(command, variable(env, 'PATH') ?? '', disk);
  if (found) return { file: found.command, args: [...found.args, ...args], isVerbatim: false };
  return inCmd([command, ...args].map(quotedForCmd).join(' '), env);
}

function inCmd(line: string, env: Environment): Started {
  const cmd = variable(env, 'COMSPEC') ?? 'C:\\Windows\\System32\\cmd.exe';
  return { file: cmd, args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

function quotedForCmd(word: string): string {
  return word === '' || signsOfWindows.test(word) ? `"${word.replaceAll('"', '""')}"` : word;
}

/** On Windows the names of variables are the same in every case. */
function variable(env: Environment, name: string): string | undefined {
  return Object.entries(env).find(([one]) => one.toUpperCase() === name)?.[1];
}
