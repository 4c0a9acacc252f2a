// Writes a file that is under its name whole or not at all: first under another name, synced, then renamed. Promises:
// when it throws, the other name is gone as well. That the new name is found after a power cut is for who syncs the
// folders. For the worker, where all is synchronous; `home/wholeFile.ts` is for the host.

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

export function writeWhole(file: string, unfinished: string, parts: Iterable<Uint8Array>): void {
  try {
    const fd = openSync(unfinished, 'w', 0o600);
    try {
      for (const bytes of parts) for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(unfinished, file);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw cause;
  }
}
