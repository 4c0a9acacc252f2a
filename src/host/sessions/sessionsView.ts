// The view of the sessions, which the door has opened: the tree in its place, with the number of sessions that need a person
// on its icon, and keys for what is selected. Times in its rows are drawn anew every minute while somebody can see them.

import { commands, Disposable, type TreeView } from 'vscode';
import type { History } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import type { SessionId } from '../../model/message.ts';
import type { Conversations } from '../chat/conversations.ts';
import { sessionsViewId, showMoreCommand, type CommandTable } from '../contributed.ts';
import type { Report } from '../report.ts';
import type { TreeFilter } from './sessionFilter.ts';
import { counted } from './sessionRows.ts';
import type { SessionTree } from './sessionTree.ts';
import type { SessionNode } from './sessionTreeModel.ts';
import { showViewProgress } from '../notify/progress.ts';
import { setViewBadge, setViewMessage } from '../notify/treeItems.ts';

const minute = 60_000;

export interface SessionsViewPorts {
  readonly view: TreeView<SessionNode>;
  readonly tree: SessionTree;
  readonly conversations: Pick<Conversations, 'onDidChange' | 'needing'>;
  readonly history: () => Promise<History>;
  readonly clock: Clock;
  readonly report: Report;
}

export interface SessionsView extends Disposable {
  readonly commands: CommandTable;
  /** Selects the first of them that is shown; what is in the trash or not there is passed over. */
  readonly reveal: (sessions: readonly SessionId[]) => Promise<void>;
}

export function showSessions({ view, tree, conversations, history, clock, report }: SessionsViewPorts): SessionsView {
  const badge = () => {
    const value = conversations.needing;
    const words = value === 1 ? '1 session needs you' : `${value} sessions need you`;
    setViewBadge(view, value, words);
  };
  let stop = () => {};
  const wait = () => {
    if (view.visible) stop = clock.after(minute, tick);
  };
  const tick = () => {
    stop();
    if (view.visible) tree.refresh();
    wait();
  };
  // It may have been visible before anybody listened.
  wait();
  const setFilter = async (filter: TreeFilter | null): Promise<void> => {
    await showViewProgress(sessionsViewId, () => tree.setFilter(filter));
    await commands.executeCommand('setContext', 'throughline.sessionsFiltered', filter !== null);
  };
  // A message hides what a view says when it is empty, so there is one only where something is filtered.
  const say = () => {
    const { shown, all } = tree.counts;
    const { filter } = tree;
    const some = `Filtered by “${filter?.text}”: ${shown} of ${counted(all, 'session')}.`;
    const none = `No session fits “${filter?.text}”. Clear the filter in the title bar to see all ${all}.`;
    setViewMessage(view, filter ? (shown === 0 ? none : some) : '');
  };
  const filtering = (run: () => Promise<void>) => () =>
    run().catch((cause: unknown) => report.failure('The sessions could not be filtered.', cause));
  const changed = (session: SessionId) => {
    tree.refresh(session);
    badge();
  };
  /** Keys have no row under a pointer: they are about what is selected. */
  const selected = (command: string, ofBranch: string) => async () => {
    const of = (kind: SessionNode['kind']) => view.selection.filter(node => node.kind === kind);
    const [sessions, branches] = [of('session'), of('branch')];
    if (sessions.length > 0) await commands.executeCommand(`throughline.${command}`, sessions[0], sessions);
    if (branches.length > 0) await commands.executeCommand(`throughline.${ofBranch}`, branches[0], branches);
  };
  const all = Disposable.from(
    tree,
    conversations.onDidChange(changed),
    view.onDidChangeVisibility(tick),
    tree.onDidChangeTreeData(say),
    { dispose: () => stop() },
  );
  return {
    dispose: () => void all.dispose(),
    commands: {
      [showMoreCommand]: (of: string) => tree.showMore(of),
      'throughline.filterSessions': filtering(async () => {
        const { askFilter } = await import('./sessionActions.ts');
        const filter = await askFilter(tree.filter?.text ?? '', { history, clock });
        if (filter === undefined) return;
        await commands.executeCommand(`${sessionsViewId}.focus`);
        await setFilter(filter);
      }),
      'throughline.clearSessionFilter': filtering(() => setFilter(null)),
      'throughline.deleteSessionSelected': selected('deleteSession', 'deleteBranch'),
      'throughline.renameSessionSelected': selected('renameSession', 'nameBranch'),
    },
    async reveal(sessions) {
      const node = await tree.nodeOf(sessions);
      if (node) await view.reveal(node, { select: true, focus: true });
    },
  };
}
