// What the windows of one history tell each other of a rule of retention: its state, in a small file beside the journal, and a
// lock. A state that can't be read is as if nobody had ever checked, so that the user is asked. The files outlive updates.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuleName, RuleState } from '../../core/retentionRules.ts';
import { writeAtomic } from '../atomicWrite.ts';
import { withWindowLock } from './windowLock.ts';

export interface RetentionFile {
  readonly read: () => Promise<RuleState | null>;
  readonly write: (state: RuleState) => Promise<void>;
  /** False, without running it, where another window is at it. */
  readonly lock: (run: () => Promise<void>) => Promise<boolean>;
}

/** Of either file, as JSON.parse gives it: anything may be missing or of another type. */
type Stored = Partial<Pick<RuleState, 'at' | 'agreed' | 'gaps'>> & {
  readonly declined?: RuleState['answered'];
  readonly asked?: { readonly days: number; readonly at: number };
};

const names = { putAway: 'retention', emptyTrash: 'trash' } satisfies Record<RuleName, string>;

export function retentionFile(historyFolder: string, rule: RuleName): RetentionFile {
  const file = join(historyFolder, `${names[rule]}.json`);
  return {
    async read() {
      try {
        return parse(JSON.parse(await readFile(file, 'utf8')) as Stored);
      } catch {
        return null;
      }
    },
    write: state => writeAtomic(file, JSON.stringify(toStored(state, rule))),
    lock: run => withWindowLock(join(historyFolder, `${names[rule]}.lock`), run),
  };
}

function toStored({ at, agreed, gaps, answered }: RuleState, rule: RuleName): Stored {
  if (rule === 'putAway') return { at, agreed, ...(answered && { declined: answered }) };
  return { at, gaps, ...(answered && { asked: { days: Number(answered.key), at: answered.at } }) };
}

function parse({ at, agreed = '', gaps = [], declined, asked }: Stored): RuleState | null {
  if (typeof at !== 'number' || typeof agreed !== 'string' || !Array.isArray(gaps)) return null;
  const whole = gaps.filter(gap => typeof gap?.from === 'number' && typeof gap.to === 'number');
  const answered = asked ? { key: String(asked.days), at: asked.at } : declined;
  const isWhole = typeof answered?.key === 'string' && typeof answered.at === 'number';
  return { at, agreed, gaps: whole, ...(isWhole && { answered }) };
}
