// The leash: a small process beside every run that ends all that the run started, when the run ends in whatever way.
// A SIGKILL cannot be caught, so somebody else has to notice it: the leash sees its pipe from the run close, or the
// `npm` above the run go away (npm's own death does not end what it started), and then kills every process that
// carries the mark of the run in its environment, and their descendants. It only ever ends processes of its run, and
// itself goes last. Linux and macOS; on Windows, where an environment cannot be read, only the tree below the run ends.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processOf, processes } from './processes.mjs';

/** @typedef {import('./processes.mjs').Process} Process */

const thisFile = fileURLToPath(import.meta.url);
const variable = 'THROUGHLINE_RUN';
const pollEvery = 500;

/**
 * Puts this process and all that it starts from now on onto a leash, and gives back the mark of the run. The mark is
 * the path of a folder: the temp folder of the run, which the leash removes. A run inside a run gets a folder inside
 * that of the outer one, so that the mark of the inner begins with the mark of the outer and the outer leash sees all.
 * @returns {string}
 */
export function startLeash() {
  const mark = mkdtempSync(join(shortTemporaryFolder(), 'tl-'));
  // Some tests are somebody else for a moment, who has to find the way through.
  chmodSync(mark, 0o711);
  // A file of `node --test` that is run directly goes with its runner.
  const runner = process.env.NODE_TEST_CONTEXT ? processes(process.ppid) : [];
  const watched = [...npmAbove(process.ppid), ...runner].map(({ pid, start }) => `${pid}/${start}`);
  const own = `${process.pid}/${processOf(process.pid)?.start}`;
  // The leash gets the environment as it was, so that it carries the mark of an outer run but not of its own.
  const leash = spawn(process.execPath, [thisFile, mark, own, ...watched], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: tmpdir(),
    windowsHide: true,
  });
  leash.unref();
  // Kept open for as long as this process lives, and not one moment longer. Nothing is ever written to it.
  const pipe = /** @type {import('node:net').Socket} */ (leash.stdin);
  pipe.unref();
  pipe.on('error', () => {
    // EPIPE: the leash was killed. There is no second one, and the run goes on without.
  });
  Object.assign(process.env, { [variable]: mark, TMPDIR: mark, TMP: mark, TEMP: mark });
  return mark;
}

/** VS Code makes sockets in the temp folder, and their paths may have 103 characters. macOS' own folder is too long. */
function shortTemporaryFolder() {
  const folder = tmpdir();
  return folder.length > 40 && process.platform === 'darwin' ? '/tmp' : folder;
}

/**
 * The processes from the given one up to the npm that runs this script, or none where it is not npm that runs it.
 * @param {number} first
 * @returns {Process[]}
 */
function npmAbove(first) {
  /** @type {Process[]} */
  const chain = [];
  if (!process.env.npm_lifecycle_event) {
    return chain;
  }
  // npm, then one or two shells, then this: what is further away is not the npm that started this.
  for (let pid = first; pid > 1 && chain.length < 5;) {
    const found = processOf(pid);
    if (!found) {
      break;
    }
    chain.push(found);
    if (
      /(^|[\s/\\])(npm|npx|pnpm|yarn)(-cli|\.js|\.cjs|\s|$)/.test(found.command) &&
      !/^\S*sh -c/.test(found.command)
    ) {
      return chain;
    }
    pid = found.parent;
  }
  return [];
}

/**
 * All processes of a run: those with its mark, or the mark of a run inside it, and all below them and below `roots`.
 * Chromium overwrites the environment of some of its processes, and sudo clears it: those are found as descendants.
 * @param {string} mark
 * @param {string[]} [roots] as `pid/start`
 * @returns {Process[]}
 */
export function processesOf(mark, roots = []) {
  const all = processes();
  const entry = `${variable}=${mark}`;
  const members = new Set(
    all.filter(one => {
      const own = one
        .environment()
        .split('\0')
        .find(line => line.startsWith(entry));
      return own === entry || own?.startsWith(`${entry}/`) || roots.includes(`${one.pid}/${one.start}`);
    }),
  );
  for (let before = -1; before !== members.size;) {
    before = members.size;
    const pids = new Set([...members].map(one => one.pid));
    for (const one of all) {
      if (pids.has(one.parent)) {
        members.add(one);
      }
    }
  }
  return [...members].filter(one => one.pid !== process.pid);
}

/**
 * Ends what carries the mark or one that begins with it, what is below `roots`, and all that these started.
 * @param {string} mark
 * @param {string[]} roots as `pid/start`
 */
export async function endAll(mark, roots) {
  // Looked for again until nothing is found twice: what is killed may have started another in the same moment.
  for (let quiet = 0, round = 0; quiet < 2 && round < 200; round++) {
    const found = processesOf(mark, roots);
    quiet = found.length === 0 ? quiet + 1 : 0;
    for (const { pid } of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It is gone already.
      }
    }
    await delay(25);
  }
  if (process.platform === 'win32') {
    for (const root of roots) {
      spawnSync('taskkill', ['/F', '/T', '/PID', root.split('/')[0] ?? ''], { stdio: 'ignore', windowsHide: true });
    }
  }
}

/**
 * @param {string} mark
 * @param {string} root
 * @param {string[]} watched
 */
async function keepWatch(mark, root, watched) {
  const alive = (/** @type {string} */ one) => processOf(Number(one.split('/')[0]))?.start === one.split('/')[1];
  let open = true;
  process.stdin.on('close', () => (open = false)).on('error', () => (open = false));
  process.stdin.resume();
  const closed = new Promise(resolve => process.stdin.once('close', resolve));
  while (open && watched.every(alive)) {
    await Promise.race([closed, delay(pollEvery)]);
  }
  // A run that ends by itself closes the pipe a moment before it is gone, and its exit code must not be spoilt.
  for (let waited = 0; !open && waited < 1000 && process.platform !== 'win32' && alive(root); waited += 10) {
    await delay(10);
  }
  await endAll(mark, [root]);
  if (basename(mark).startsWith('tl-')) {
    rmSync(mark, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const [, script, mark, root, ...watched] = process.argv;
if (script === thisFile && mark && root) {
  await keepWatch(mark, root, watched);
  process.exit(0);
}
