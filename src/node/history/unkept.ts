// The history of incognito sessions on this machine: in memory, with the hashes that the disk's history names contents by. A
// bundle of its own: a window in which nobody begins such a session never loads it.

import { createHash } from 'node:crypto';
import type { SessionHistory } from '../../core/history/history.ts';
import { memoryHistory } from '../../core/history/memory.ts';

export function unkeptHistory(writer: string): SessionHistory {
  return memoryHistory({ writer, hash: content => createHash('sha256').update(content).digest('hex') });
}
