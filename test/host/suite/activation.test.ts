// The extension inside a real extension host: it is found, it starts, and what the manifest offers is really there.
// What the commands do is tested with the panel, in test/e2e.

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { test } from './index.ts';

const extension = (): vscode.Extension<unknown> => {
  const found = vscode.extensions.getExtension('throughline.throughline');
  assert.ok(found, 'the extension is not there');
  return found;
};

test('[H4] the extension is found and activates', async () => {
  await extension().activate();
  assert.equal(extension().isActive, true);
});

test('[H4] it runs where the workspace is', () => {
  assert.equal(extension().extensionKind, vscode.ExtensionKind.Workspace);
});

test('[H4] every command of the manifest is registered', async () => {
  await extension().activate();
  const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
  const registered = new Set(await vscode.commands.getCommands(true));
  const missing = manifest.contributes.commands.map(({ command }) => command).filter(id => !registered.has(id));
  assert.deepEqual(missing, []);
});

test('[H4] a command that is given a session that is not there says so and does not throw', async () => {
  const ofSessions = ['resumeSession', 'deleteSession', 'restoreSession', 'cancelTurn', 'deletePermanently'];
  const setting = ['renameSession', 'pinSession', 'archiveSession', 'editLabels', 'nameBranch', 'exportSession'];
  for (const command of [...ofSessions, ...setting]) {
    assert.equal(await vscode.commands.executeCommand(`throughline.${command}`, '222222222222'), undefined);
  }
});

test('[H4] both views can be shown', async () => {
  await vscode.commands.executeCommand('throughline.sessions.focus');
  await vscode.commands.executeCommand('throughline.focusChat');
});
