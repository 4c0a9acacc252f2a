// Looking with ripgrep, which VS Code ships. Promises: it is started without a shell and without anybody's configuration,
// which could name programs to run; what the model wants looked for is an argument and never an option; it is ended when
// there is enough.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { globTest } from '../ignore.ts';
import type { Looking, Wanted } from './lookup.ts';

/** Where VS Code keeps it, by its application's folder; null where it is not there. */
export function ripgrepIn(appRoot: string): string | null {
  const { platform, arch } = process;
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const inside = [
    join('@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    join('@vscode', 'ripgrep', 'bin', name),
  ];
  const folders = ['node_modules.asar.unpacked', 'node_modules'].map(folder => join(appRoot, folder));
  return folders.flatMap(folder => inside.map(path => join(folder, path))).find(path => existsSync(path)) ?? null;
}

/** Hidden files are work too, as those of CI; what version control keeps for itself is not. */
const always = ['--no-config', '--hidden', '--glob', '!.git', '--no-messages', '--color=never', '--no-require-git'];

export function ripgrep(program: string): Looking {
  return {
    files(folder, wanted, onFile, signal) {
      const fits = fitting(wanted);
      const take = (line: string) => !fits(nameOf(line)) || onFile(nameOf(line));
      return run(program, folder, [...always, '--files', ...whereOf(wanted)], take, signal);
    },
    lines(folder, { text, isPattern, matchCase, ...wanted }, onLine, signal) {
      const fits = fitting(wanted);
      return run(
        program,
        folder,
        [
          ...always,
          '--line-number',
          '--no-heading',
          '--with-filename',
          '--null',
          '--max-columns=1000',
          '--max-columns-preview',
          '--max-filesize=2M',
          ...(isPattern ? [] : ['--fixed-strings']),
          matchCase ? '--case-sensitive' : '--ignore-case',
          `--regexp=${text}`,
          ...whereOf(wanted),
        ],
        line => {
          const [, name = '', number = '', found = ''] = /^([^\0]*)\0(\d+)[:-](.*)$/s.exec(line) ?? [];
          return name === '' || !fits(nameOf(name)) || onLine(nameOf(name), Number(number), found);
        },
        signal,
      );
    },
  };
}

function whereOf({ under }: Wanted): readonly string[] {
  return ['--', under === '' ? '.' : `./${under}`];
}

/** Not by a glob of its own, which would bring back what version control ignores. */
function fitting({ glob }: Wanted): (name: string) => boolean {
  return glob === null ? () => true : globTest(glob);
}

function nameOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** `onLine` says whether it goes on. */
async function run(
  program: string,
  cwd: string,
  args: readonly string[],
  onLine: (line: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, args, { cwd, env: {}, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => (complaint = (complaint + data.toString('utf8')).slice(0, 500)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Who waits for its lines is told first.
  ended.catch(() => {});
  let hasEnough = false;
  try {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      hasEnough = !onLine(line);
      if (hasEnough) break;
    }
    if (hasEnough) stop();
    const code = await ended;
    signal.throwIfAborted();
    // 1 is its word for nothing found; with 2 it may have found some, and says what was wrong.
    if (!hasEnough && code === 2 && complaint !== '') throw new Error(`It cannot be looked for: ${complaint.trim()}`);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
