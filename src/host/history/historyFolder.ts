// Where the history of this window lies. A second window on the same folder of a server is given a storage folder of
// its own, `<id>-1`, and uses the first one's: one workspace, one history. An empty window has the global storage.

import { basename, dirname, join } from 'node:path';
import type { Uri } from 'vscode';

export function historyFolder(storageUri: Uri | undefined, globalStorageUri: Uri): string {
  if (!storageUri) return join(globalStorageUri.fsPath, 'history');
  return join(firstWindowsFolder(storageUri.fsPath), 'history');
}

/**
 * `…/workspaceStorage/<id>-1/<extension>` is `…/workspaceStorage/<id>/<extension>`. An id is an MD5 on the desktop, and on a
 * server a hash of 32 bits in hex, which may be negative.
 */
export function firstWindowsFolder(storage: string): string {
  const workspace = dirname(storage);
  const id = /^([0-9a-f]{32}|-?[0-9a-f]{1,8})-\d+$/.exec(basename(workspace))?.[1];
  return id === undefined ? storage : join(dirname(workspace), id, basename(storage));
}
