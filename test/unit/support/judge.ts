// The real judge of paths, for conversations of tests.

import type { JudgePaths } from '../../../src/core/files.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { judgePathsWith } from '../../../src/node/files/judgePaths.ts';

/** A window with these folders; with none, every path is outside. */
export function judgeIn(...folders: readonly string[]): JudgePaths {
  return judgePathsWith(guardIn(() => folders));
}
