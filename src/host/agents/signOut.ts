// "Sign Out of Agent…": the person chooses an agent, and it forgets who they are. An agent that cannot do so says that in
// its own words; what it began before goes on to be in history.

import type { QuickPickItem } from 'vscode';
import type { AgentProgram } from '../../core/agents.ts';
import type { AgentRef } from '../../model/message.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';
import { showProgress } from '../notify/progress.ts';

export interface SignOutPorts {
  /** Those that somebody can be signed in to. */
  readonly list: () => readonly AgentRef[];
  readonly get: (id: string) => Promise<AgentProgram>;
}

/** Throws AgentError, in words for a person. */
export async function signOut({ list, get }: SignOutPorts): Promise<void> {
  const items = list().map(({ id, name }): QuickPickItem & { readonly id: string } => ({ id, label: name }));
  if (items.length === 0) {
    void showInfo('There is no agent to sign out of.');
    return;
  }
  const picked = await pickOne(items, { title: 'Sign out of which agent?' });
  if (!picked) return;
  const program = await get(picked.id);
  const title = `Signing out of ${program.ref.name}`;
  const isSignedOut = await showProgress({ title, cancellable: true }, async (_report, signal) => {
    try {
      const running = await program.start(signal);
      await running.signOut(signal);
      return true;
    } catch (cause) {
      // Nobody needs to be told what they did themselves.
      if (signal.aborted) return false;
      throw cause;
    }
  });
  if (!isSignedOut) return;
  void showInfo(`Signed out of ${program.ref.name}.`);
}
