// Makes the names in a folder durable: a file that was made or renamed is found again after a power cut.

import { closeSync, constants, fsyncSync, openSync } from 'node:fs';

export function syncFolder(folder: string): void {
  // Windows knows no sync of a folder; its file systems journal the names themselves.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
