// The view of the sessions: the tree in its place, with the number of sessions that need a person on its icon, and keys
// for what is selected. Times in its rows are drawn anew every minute while somebody can see them.

import { commands, Disposable, window } from 'vscode';
import type { Clock } from '../../core/ports.ts';
import type { SessionId } from '../../model/message.ts';
import type { Conversations } from '../chat/conversations.ts';
import { showMoreCommand } from './sessionItems.ts';
import type { SessionNode, SessionTree } from './sessionTree.ts';

const minute = 60_000;

export interface SessionsViewPorts {
  readonly tree: SessionTree;
  readonly conversations: Pick<Conversations, 'onDidChange' | 'needing'>;
  readonly clock: Clock;
}

export interface SessionsView extends Disposable {
  /** Selects the first of them that is shown; what is in the trash or not there is passed over. */
  readonly reveal: (sessions: readonly SessionId[]) => Promise<void>;
}

export function showSessions({ tree, conversations, clock }: SessionsViewPorts): SessionsView {
  const view = window.createTreeView('throughline.sessions', {
    treeDataProvider: tree,
    canSelectMany: true,
    showCollapseAll: true,
  });
  const badge = () => {
    const value = conversations.needing;
    const words = value === 1 ? '1 session needs you' : `${value} sessions need you`;
    view.badge = value === 0 ? undefined : { value, tooltip: words };
  };
  let stop = () => {};
  const tick = () => {
    stop();
    if (!view.visible) return;
    tree.refresh();
    stop = clock.after(minute, tick);
  };
  const changed = (session: SessionId) => {
    tree.refresh(session);
    badge();
  };
  /** Keys have no row under a pointer: they are about what is selected. */
  const selected = (command: string, ofBranch: string) =>
    commands.registerCommand(`throughline.${command}Selected`, async () => {
      const of = (kind: SessionNode['kind']) => view.selection.filter(node => node.kind === kind);
      const [sessions, branches] = [of('session'), of('branch')];
      if (sessions.length > 0) await commands.executeCommand(`throughline.${command}`, sessions[0], sessions);
      if (branches.length > 0) await commands.executeCommand(`throughline.${ofBranch}`, branches[0], branches);
    });
  const all = Disposable.from(
    view,
    tree,
    conversations.onDidChange(changed),
    view.onDidChangeVisibility(tick),
    commands.registerCommand(showMoreCommand, (of: string) => tree.showMore(of)),
    selected('deleteSession', 'deleteBranch'),
    selected('renameSession', 'nameBranch'),
    { dispose: () => stop() },
  );
  return {
    dispose: () => void all.dispose(),
    async reveal(sessions) {
      const node = await tree.nodeOf(sessions);
      if (node) await view.reveal(node, { select: true, focus: true });
    },
  };
}
