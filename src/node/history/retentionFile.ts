// What windows of one history tell each other of the rules by which sessions are put away, and of the days after which the
// trash may be emptied: a small file for each, beside the journal. Promises: what cannot be read is as if nobody had ever
// looked, so that the person is asked; each file is there whole or as it was.

import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastRun } from '../../core/retention.ts';
import type { TrashWatch } from '../../core/trashDays.ts';
import { viaTemporary } from './home/wholeFile.ts';
import { aloneIn, type Alone } from './oneWindow.ts';

export interface RunFile<Kept> {
  readonly read: () => Promise<Kept | null>;
  readonly write: (kept: Kept) => Promise<void>;
  readonly alone: Alone;
}

export type RetentionFile = RunFile<LastRun>;

export function retentionFileIn(historyFolder: string): RetentionFile {
  return runFileIn<LastRun>(historyFolder, 'retention', ({ at, agreed, declined }: Partial<LastRun>) => {
    if (typeof at !== 'number' || typeof agreed !== 'string') return null;
    const isWhole = typeof declined?.key === 'string' && typeof declined.at === 'number';
    return { at, agreed, ...(isWhole && { declined }) };
  });
}

export function trashFileIn(historyFolder: string): RunFile<TrashWatch> {
  return runFileIn<TrashWatch>(historyFolder, 'trash', ({ at, gaps, asked }: Partial<TrashWatch>) => {
    if (typeof at !== 'number' || !Array.isArray(gaps)) return null;
    const whole = (gaps as TrashWatch['gaps']).filter(
      one => typeof one?.from === 'number' && typeof one.to === 'number',
    );
    const isWhole = typeof asked?.days === 'number' && typeof asked.at === 'number';
    return { at, gaps: whole, ...(isWhole && { asked }) };
  });
}

function runFileIn<Kept>(
  historyFolder: string,
  name: string,
  known: (value: Partial<Kept>) => Kept | null,
): RunFile<Kept> {
  const file = join(historyFolder, `${name}.json`);
  return {
    async read() {
      try {
        return known(JSON.parse(await readFile(file, 'utf8')) as Partial<Kept>);
      } catch {
        // Nobody looked yet, or nobody knows what was agreed to.
        return null;
      }
    },
    write: kept =>
      viaTemporary(
        file,
        handle => handle.writeFile(JSON.stringify(kept)),
        temporary => rename(temporary, file),
      ),
    alone: aloneIn(historyFolder, `${name}.lock`),
  };
}
