// "Sign Out of Agent…": the person chooses an agent, and it forgets who they are. An agent that cannot do so says that in
// its own words; what it began before goes on to be in history.

import { ProgressLocation, window, type QuickPickItem } from 'vscode';
import type { AgentProgram } from '../../core/agents.ts';
import type { AgentRef } from '../../model/message.ts';

export interface SignOutPorts {
  /** Those that somebody can be signed in to. */
  readonly list: () => readonly AgentRef[];
  readonly get: (id: string) => Promise<AgentProgram>;
}

/** Throws AgentError, in words for a person. */
export async function signOut({ list, get }: SignOutPorts): Promise<void> {
  const items = list().map(({ id, name }): QuickPickItem & { readonly id: string } => ({ id, label: name }));
  if (items.length === 0) {
    void window.showInformationMessage('There is no agent to sign out of.');
    return;
  }
  const picked = await window.showQuickPick(items, { title: 'Sign out of which agent?' });
  if (!picked) return;
  const program = await get(picked.id);
  const title = `Signing out of ${program.ref.name}`;
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  const abort = new AbortController();
  try {
    await window.withProgress(options, async (_progress, token) => {
      token.onCancellationRequested(() => abort.abort());
      const running = await program.start(abort.signal);
      await running.signOut(abort.signal);
    });
  } catch (cause) {
    // Nobody needs to be told what they did themselves.
    if (abort.signal.aborted) return;
    throw cause;
  }
  void window.showInformationMessage(`Signed out of ${program.ref.name}.`);
}
