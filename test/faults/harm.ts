// What happens to the files of a history while processes work on it. Promises: nothing that was acknowledged is touched:
// index files are a cache, and only a dead writer's segment gets an end that was never finished, as a power cut leaves.

import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pick } from './content.ts';
import { cachesOf, journalOf, segmentsOf } from './engine.ts';
import type { Line } from './ledger.ts';

/** Any of the caches may vanish, and a damaged one must be noticed. */
export function harmCaches(folder: string, random: () => number, counts: { deleted: number; damaged: number }): void {
  const caches = cachesOf(folder);
  if (caches.length === 0) return;
  const file = join(folder, pick(caches, random));
  try {
    if (random() < 0.6) {
      rmSync(file, { force: true });
      counts.deleted++;
    } else {
      truncateSync(file, Math.floor(random() * 50_000));
      counts.damaged++;
    }
  } catch {
    // A writer removed it first.
  }
}

/** Adds the beginning of a record, or zeros, to a segment of the writer whose log that is, and says how many. */
export function tearTail(folder: string, log: string, random: () => number): number {
  if (!existsSync(log)) return 0;
  const [text = ''] = readFileSync(log, 'utf8').split('\n', 1);
  if (text === '') return 0;
  const line = JSON.parse(text) as Line;
  const own = line.type === 'ready' ? segmentsOf(folder).filter(name => name.includes(`~${line.writer}.`)) : [];
  if (own.length === 0) return 0;
  const file = join(journalOf(folder), pick(own, random));
  let fd: number;
  try {
    // Never made anew: somebody may join or erase it at this moment.
    fd = openSync(file, constants.O_RDWR | constants.O_APPEND);
  } catch {
    return 0;
  }
  try {
    const [first = ''] = readFileSync(fd, 'latin1').split('\n', 1);
    const begun = Buffer.from(first.slice(0, Math.floor(random() * first.length)), 'latin1');
    writeSync(fd, random() < 0.5 ? begun : new Uint8Array(Math.ceil(random() * 5000)));
  } finally {
    closeSync(fd);
  }
  return 1;
}
