// The processes of this machine, as far as the leash must know them: who started whom, when, and with which environment.
// Linux tells it in /proc, macOS through `ps`. On Windows an environment cannot be read, and the list is empty.

import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/**
 * One process: `start` tells it from a later one that got the same number.
 * @typedef {{ pid: number, parent: number, start: string, command: string, environment: () => string }} Process
 */

/**
 * Everything that runs, as far as this person may see it. Zombies are left out: they are dead already.
 * @param {number} [only]
 * @returns {Process[]}
 */
export function processes(only) {
  if (process.platform === 'linux') {
    const pids = only ? [String(only)] : readdirSync('/proc').filter(name => /^\d+$/.test(name));
    return pids.flatMap(pid => {
      const stat = read(`/proc/${pid}/stat`);
      // The second field is the name of the program, in parentheses, and may hold anything, parentheses too.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') {
        return [];
      }
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
      const environment = () => read(`/proc/${pid}/environ`);
      return [{ pid: Number(pid), parent: Number(fields[1]), start: fields[19] ?? '', command, environment }];
    });
  }
  if (process.platform === 'win32') {
    return [];
  }
  // `-E` adds the environment to the command. `lstart` is five words.
  const which = only ? ['-p', String(only)] : ['-ax'];
  const { stdout } = spawnSync('ps', ['-E', '-ww', ...which, '-o', 'pid=,ppid=,state=,lstart=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return (stdout ?? '').split('\n').flatMap(line => {
    const [, pid, parent, state, start, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){5})(.*)$/.exec(line) ?? [];
    if (!pid || !parent || !start || !command || state?.startsWith('Z')) {
      return [];
    }
    const environment = () => command.replaceAll(' ', '\0');
    return [
      { pid: Number(pid), parent: Number(parent), start: start.trim().replaceAll(' ', '_'), command, environment },
    ];
  });
}

/** @param {number} pid */
export function processOf(pid) {
  return processes(pid)[0];
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It ended between two looks, or belongs to somebody else.
    return '';
  }
}
