// The sessions of this window: the tree in the side bar, what a person is told of those that they do not look at, what is
// done to sessions, and the rules by which old ones go.

import { commands, ViewColumn, window, type Disposable, type EventEmitter, type TreeView, type Uri } from 'vscode';
import { systemClock } from '../../node/clock.ts';
import type { Agents } from '../agents/agents.ts';
import type { WindowChat } from '../chat/windowChat.ts';
import type { CommandTable } from '../contributed.ts';
import { folderNameOf } from '../folderNames.ts';
import { GuideSteps } from '../guideSteps.ts';
import type { WindowHistory } from '../history/windowHistory.ts';
import { showInfo, showWarning } from '../notify/messages.ts';
import { once } from '../once.ts';
import { fromPerson, retentionSettings } from '../personSettings.ts';
import type { Report } from '../report.ts';
import { agentPlace, namedFolders } from '../windowPlace.ts';
import { showRunning } from './runningItem.ts';
import { sessionCommands } from './sessionCommands.ts';
import { SessionNews } from './sessionNews.ts';
import { SessionTree } from './sessionTree.ts';
import type { SessionNode } from './sessionTreeModel.ts';
import { showSessions } from './sessionsView.ts';

export interface WindowSessionsPorts {
  readonly view: TreeView<SessionNode>;
  readonly treeChanged: EventEmitter<SessionNode | undefined>;
  readonly textChanged: EventEmitter<Uri>;
  readonly report: Report;
  readonly history: WindowHistory;
  readonly agents: Agents;
  readonly chat: WindowChat;
}

export interface WindowSessions {
  readonly tree: SessionTree;
  readonly commands: CommandTable;
  /** A document of one of our schemes. */
  readonly text: (uri: Uri) => Promise<string>;
  readonly subscriptions: readonly Disposable[];
  /** The rules of retention are other ones. */
  readonly retentionChanged: () => void;
  readonly close: () => Promise<void>;
}

export function createWindowSessions(ports: WindowSessionsPorts): WindowSessions {
  const { view, treeChanged, textChanged, report, agents } = ports;
  const { history, folder, drafts, onDidOpen } = ports.history;
  const { conversations, list, view: chat, panels, show, onErased } = ports.chat;
  const clock = systemClock;
  const tree = new SessionTree({
    list,
    totals: async session => (await (await history()).fields(session))?.totals,
    branches: async session => (await history()).tree(session),
    doing: id => (conversations.needsPerson(id) ? 'needsPerson' : conversations.isRunning(id) ? 'running' : 'nothing'),
    folderOf: cwd => folderNameOf(cwd, namedFolders()),
    clock,
    onFailure: cause => report.warn('The list of sessions could not be read.', cause),
  });
  const retention = once(async () => {
    const { startRetention } = await import('./retentionStart.ts');
    return startRetention(
      { folder, settings: retentionSettings, isOpen: session => conversations.isOpen(session), clock },
      {
        conversations,
        history,
        drafts,
        report,
        onErased,
        agents: () => agents.programsHere().map(({ id }) => id),
        agent: id => agents.get(id),
      },
    );
  });
  const beginRetention = () => void retention().then(one => one.begin());
  onDidOpen(beginRetention);
  const steps = new GuideSteps(name => void commands.executeCommand('setContext', `throughline.${name}`, true));
  const news = new SessionNews({
    clock,
    isOn: () => fromPerson('notifications') !== false,
    isSeen: session => window.state.focused && (chat.isVisible(session) || panels.isVisible(session)),
    async tell(words, severity) {
      const button = 'Show Session';
      const shown = severity === 'warning' ? showWarning(words, button) : showInfo(words, button);
      return (await shown) === button;
    },
    open: conversation => show(conversation, 'lastMessage'),
  });
  const sessionsView = showSessions({ view, tree, conversations, history, clock, report });
  const running = showRunning({ conversations, show, report });
  const ofSessions = sessionCommands({
    conversations,
    agents,
    chat,
    openToSide: (conversation, on) => panels.open(conversation, ViewColumn.Beside, on),
    history,
    historyFolder: folder,
    drafts,
    report,
    clock,
    refreshText: uri => textChanged.fire(uri),
    reveal: sessionsView.reveal,
    place: agentPlace,
    onErased,
  });
  const heard = conversations.onDidStir(conversation => {
    news.hear(conversation);
    steps.hear(conversation);
  });
  const drawn = tree.onDidChangeTreeData(node => treeChanged.fire(node));
  return {
    tree,
    commands: {
      ...ofSessions.commands,
      ...sessionsView.commands,
      'throughline.showRunning': running.open,
    },
    text: ofSessions.text,
    subscriptions: [news, heard, running, sessionsView, ofSessions, drawn],
    retentionChanged() {
      if (history.started()) beginRetention();
    },
    async close() {
      if (retention.started()) (await retention()).dispose();
    },
  };
}
