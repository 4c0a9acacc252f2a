// The chat in editors, as VS Code has them: one per session, brought to the front, and restored; and links to sessions.

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chatPanelType } from '../../../src/host/contributed.ts';
import { follow, linkTo } from '../../../src/host/chat/deepLinks.ts';
import { test } from './index.ts';
import { until } from './scratch.ts';

const open = (session?: string) => vscode.commands.executeCommand('throughline.openInEditor', session);

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(chatPanelType));
}

test('[H50] a session is opened in one editor, and opening it again brings that one to the front', async () => {
  await vscode.extensions.getExtension('throughline.throughline')?.activate();
  await vscode.commands.executeCommand('throughline.newSession');
  await vscode.commands.executeCommand('throughline.focusChat');
  await open();
  await until('the editor is there', () => tabs().length === 1);
  assert.equal(tabs()[0]?.label, 'New session');
  await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
  await until('another editor is in front', () => tabs()[0]?.isActive === false);
  await open();
  await until('it is in front again', () => tabs()[0]?.isActive === true);
  await vscode.commands.executeCommand('throughline.openToSide');
  assert.equal(tabs().length, 1);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until('it is closed', () => tabs().length === 0);
});

test('[H50] a session that is not there opens no editor', async () => {
  await open('222222222222');
  assert.deepEqual(tabs(), []);
});

test('[H53] a link leads to a session, and to nothing else', async () => {
  const shown: string[] = [];
  const failures: unknown[] = [];
  const ports = {
    conversation: (session: string) => Promise.resolve({ session } as never),
    show: ({ session }: { readonly session: string }) => Promise.resolve(void shown.push(session)),
    failure: (_what: string, cause: unknown) => void failures.push(cause),
  };
  const id = 'abcdefgh2345';
  const link = linkTo(id, 'throughline.throughline');
  assert.equal(link, `${vscode.env.uriScheme}://throughline.throughline/session/${id}`);
  await follow(vscode.Uri.parse(link), ports);
  await follow(vscode.Uri.parse(`${link}/?text=hello#send`), ports);
  assert.deepEqual(shown, [id, id]);
  for (const path of ['', '/', '/session', '/session/', '/session/../etc', `/session/${id}/send`, `/other/${id}`])
    await follow(vscode.Uri.from({ scheme: 'vscode', path }), ports);
  assert.deepEqual([shown.length, failures], [2, []]);
});
