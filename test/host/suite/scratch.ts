// Files for one case, in a folder below the workspace that goes away with it, and waiting for what VS Code does in its
// own time.

import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

export async function withScratch(run: (folder: string) => Promise<void>): Promise<void> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(workspace, 'no folder is open');
  const folder = mkdtempSync(join(realpathSync(workspace), 'scratch-'));
  try {
    await run(folder);
  } finally {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !isSo();) {
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
