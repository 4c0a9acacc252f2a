// Judges the paths that an agent names in a permission, for agents that read and write by themselves: by the same guard as
// reads and writes that go through this client.

import { fileURLToPath } from 'node:url';
import { isAbsolute } from 'node:path';
import type { FileUse, JudgePaths } from '../../core/files.ts';
import type { Guard } from './guard.ts';

const longestShown = 200;

export function judgePathsWith(guard: Guard): JudgePaths {
  return async (paths, use, cwd) => {
    const whys = await Promise.all(paths.map(path => judge(guard, path, use, cwd)));
    return whys.find(why => why !== null) ?? null;
  };
}

async function judge(guard: Guard, path: string, use: FileUse, cwd: string | null): Promise<string | null> {
  const whole = absolute(path, cwd);
  const guarded = whole === null ? null : await guard.resolve(whole, use);
  if (guarded?.kind === 'inside') return null;
  if (guarded?.kind === 'ask') return guarded.why;
  const shown = path.length > longestShown ? `${path.slice(0, longestShown)}…` : path;
  return `“${shown}” is not in a folder of this workspace`;
}

/** Null where it leads to no file here. The parts stay as they are: what “..” means after a link, only the guard decides. */
function absolute(path: string, cwd: string | null): string | null {
  if (/^file:/i.test(path)) {
    try {
      return fileURLToPath(path);
    } catch {
      // It is an address on another machine, or none.
      return null;
    }
  }
  if (isAbsolute(path)) return path;
  // A shell would take the first for a home folder.
  return path.startsWith('~') || cwd === null ? null : `${cwd}/${path}`;
}
