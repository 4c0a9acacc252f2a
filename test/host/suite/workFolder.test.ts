// Where sessions work, inside a window that has one folder: nothing is said or asked of it there; and what the list of folders
// shows where there are several.

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { folderItems, pickFolder } from '../../../src/host/agents/pickFolder.ts';
import { agentPlace, place } from '../../../src/host/windowPlace.ts';
import { test } from './index.ts';

test('[H116] in a window with one folder every session works there, and nobody is asked', async () => {
  const [only] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(only);
  const here = { cwd: only.uri.fsPath, alsoIn: [] };
  for (const wanted of [null, only.uri.fsPath, '/gone']) assert.deepEqual(agentPlace(wanted), here);
  assert.equal(await pickFolder('Which?', null), only.uri.fsPath);
  const known = { isScoutAlone: false, hasOtherWindow: false };
  assert.deepEqual(place(here.cwd, known), { folder: only.name, folders: [only.uri.fsPath], trusted: true });
});

test('[H117] that another window has the same history open is a sentence of the empty panel', () => {
  const { notes } = place(null, { isScoutAlone: false, hasOtherWindow: true });
  assert.equal(notes?.length, 1);
  assert.match(notes[0] ?? '', /^Another window has this history open/);
});

test('[H116] the list of folders shows where each lies, and which it is now', () => {
  const items = folderItems(
    [
      { path: '/one/api', name: 'api' },
      { path: '/two/api', name: 'api' },
    ],
    '/two/api',
  );
  assert.deepEqual(
    items.map(({ label, description, iconPath }) => [label, description, iconPath.id]),
    [
      ['api (one)', '/one/api', 'folder'],
      ['api (two)', '/two/api · now', 'check'],
    ],
  );
});
