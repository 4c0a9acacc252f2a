// What the bench of the side bar and the host that it starts have to agree on.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface SidebarRun {
  readonly results: string;
  readonly home: string;
  /** Null in the run that only makes the folder of the history. */
  readonly folder: string | null;
  readonly writer: string;
  readonly oursFirst: boolean;
  readonly rounds: number;
  readonly words: readonly string[];
}

/** The journal of the only workspace below a home of VS Code; null where there is none yet. */
export function journalIn(home: string): string | null {
  if (!existsSync(home)) return null;
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const found = names.find(name => name.endsWith(join('throughline.throughline', 'history', 'journal')));
  return found === undefined ? null : join(home, found);
}
