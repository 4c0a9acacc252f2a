// Where the window is: what a panel has to know of it, and the folders that an agent works in.

import { workspace } from 'vscode';
import type { AgentPlace } from '../core/agents.ts';
import type { Place } from '../model/wire.ts';
import { fromPerson } from './personSettings.ts';

export function place(isWithoutAgents: boolean): Place {
  const { workspaceFolders: folders, isTrusted: trusted } = workspace;
  const sendWith = fromPerson('sendWith') === 'ctrlEnter' ? ({ sendWith: 'ctrlEnter' } as const) : {};
  const wanted = trusted && isWithoutAgents ? ({ agentWanted: true } as const) : {};
  return { folder: folders?.[0]?.name ?? null, folders: workspaceFolders(), trusted, ...sendWith, ...wanted };
}

/** The first folder that is on this machine's disk, with the others: a virtual one has no files for an agent. */
export function agentPlace(): AgentPlace {
  const [cwd = null, ...alsoIn] = workspaceFolders();
  return { cwd, alsoIn };
}

export function workspaceFolders(): readonly string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(folder => folder.uri.scheme === 'file').map(folder => folder.uri.fsPath);
}
