// Whether a text of a file may go with a prompt. Promises: of what is outside of the workspace, or may be a secret, nothing
// goes before the person said so in a question that names it.

import type { Uri } from 'vscode';
import type { Guard } from '../../node/files/guard.ts';
import { ask } from '../notify/messages.ts';

/** Null where nobody needs to be asked; else why, as it follows on “because”. */
export async function doubtAbout(uri: Uri, guard: Guard): Promise<string | null> {
  // What is on no disk, as an unsaved text, is nobody's secret file.
  if (uri.scheme !== 'file') return null;
  const guarded = await guard.resolve(uri.fsPath, 'read');
  if (guarded.kind === 'inside') return null;
  return guarded.kind === 'ask' ? guarded.why : 'it is not in a folder of this workspace';
}

export async function mayBeAdded(uri: Uri, what: string, guard: Guard): Promise<boolean> {
  const doubt = await doubtAbout(uri, guard);
  if (doubt === null) return true;
  const detail = [`You are asked because ${doubt}. The agent is told what you add, and it stays in the history.`];
  const text = `Add ${what} to the chat?`;
  return (await ask({ severity: 'warning', text, detail, buttons: ['Add'] })) === 'Add';
}
