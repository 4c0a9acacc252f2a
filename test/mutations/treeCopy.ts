// A copy of a source tree to break things in: what git tracks or would add, with the installed packages linked.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../vscode/places.ts';

/** Gives the folder of the copy, which goes with the run. */
export function copyTree(tree: string): string {
  const copy = temporaryFolder('mutations');
  for (const file of filesOf(tree)) {
    const from = join(tree, file);
    // A file that was deleted and not committed is still in git's list.
    if (!lstatSync(from, { throwIfNoEntry: false })) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(from, join(copy, file), { recursive: true });
  }
  for (const folder of ['node_modules', '.vscode-test'])
    if (existsSync(join(tree, folder))) symlinkSync(join(tree, folder), join(copy, folder), 'junction');
  return copy;
}

function filesOf(tree: string): readonly string[] {
  const args = ['-C', tree, 'ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { status, stdout, stderr, error } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`git could not list the files of ${tree}: ${error?.message ?? stderr.trim()}`);
  return [...new Set(stdout.split('\0').filter(file => file !== ''))];
}
