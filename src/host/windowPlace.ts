// Where the window is: what a panel has to know of it, and the folders that an agent works in.

import { workspace } from 'vscode';
import type { AgentPlace } from '../core/agents.ts';
import type { Place } from '../model/wire.ts';
import { folderNameOf, type NamedFolder } from './folderNames.ts';
import { fromPerson } from './personSettings.ts';

export interface PlaceKnown {
  readonly isScoutAlone: boolean;
  readonly hasOtherWindow: boolean;
}

/** `cwd` is where the session works that the panel shows, where that is known. */
export function place(cwd: string | null, { isScoutAlone, hasOtherWindow }: PlaceKnown): Place {
  const { workspaceFolders: folders, isTrusted: trusted } = workspace;
  const sendWith = fromPerson('sendWith') === 'ctrlEnter' ? ({ sendWith: 'ctrlEnter' } as const) : {};
  const wanted = trusted && isScoutAlone ? ({ agentWanted: true } as const) : {};
  const workFolder = folderNameOf(cwd, namedFolders());
  const notes = notesOf(workFolder, hasOtherWindow);
  const beside = { ...(workFolder && { workFolder }), ...(notes.length > 0 && { notes }) };
  return {
    folder: folders?.[0]?.name ?? null,
    folders: workspaceFolders(),
    trusted,
    ...beside,
    ...sendWith,
    ...wanted,
  };
}

function notesOf(workFolder: string | null, hasOtherWindow: boolean): readonly string[] {
  const where =
    workFolder === null ? [] : [`This session works in ${workFolder}. Choose another folder below before you send.`];
  const window = 'Another window has this history open: what is said there appears here, and both can be used at once.';
  return hasOtherWindow ? [...where, window] : where;
}

/**
 * The folder that is wanted, where it is one of this window's, else the first, with the others beside it. A virtual one has
 * no files for an agent.
 */
export function agentPlace(wanted: string | null = null): AgentPlace {
  const folders = workspaceFolders();
  const cwd = folders.find(folder => folder === wanted) ?? folders[0] ?? null;
  return { cwd, alsoIn: folders.filter(folder => folder !== cwd) };
}

/** Those that are on this machine's disk. */
export function namedFolders(): readonly NamedFolder[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri, name }) => ({ path: uri.fsPath, name }));
}

export function workspaceFolders(): readonly string[] {
  return namedFolders().map(({ path }) => path);
}
