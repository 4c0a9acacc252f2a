// The composition root: every `new` of the extension is here or in what is called here, one function for each subject. The
// door loads it with the first thing that VS Code asks for; history, agents and the SDK are loaded when they are first
// used. Closing stops what runs and waits until it is saved.

import { join } from 'node:path';
import { window, workspace, type EventEmitter, type ExtensionContext, type TreeView, type Uri } from 'vscode';
import { systemClock } from '../node/clock.ts';
import { randomIds } from '../node/ids.ts';
import { gateIn } from './agents/entryGate.ts';
import { createWindowAgents } from './agents/windowAgents.ts';
import type { ChatPanels } from './chat/chatPanels.ts';
import type { ChatView } from './chat/chatView.ts';
import { follow } from './chat/deepLinks.ts';
import { incognitoMemory } from './chat/incognito.ts';
import { createWindowChat } from './chat/windowChat.ts';
import { pick, plainCommands } from './commands.ts';
import { schemes, type CommandTable } from './contributed.ts';
import { createWindowFiles } from './files/windowFiles.ts';
import { createWindowHistory } from './history/windowHistory.ts';
import { reportTo } from './report.ts';
import type { SessionTree } from './sessions/sessionTree.ts';
import type { SessionNode } from './sessions/sessionTreeModel.ts';
import { createWindowSessions } from './sessions/windowSessions.ts';
import { agentPlace } from './windowPlace.ts';

/** What the door has opened already. */
export interface Door {
  readonly view: TreeView<SessionNode>;
  readonly treeChanged: EventEmitter<SessionNode | undefined>;
  readonly textChanged: EventEmitter<Uri>;
}

/** Who answers what the door is asked. */
export interface Composition {
  readonly tree: SessionTree;
  readonly chat: ChatView;
  readonly panels: ChatPanels;
  readonly run: (command: string, given: readonly unknown[]) => unknown;
  /** A document of one of our schemes. */
  readonly text: (uri: Uri) => Promise<string>;
  /** A link from outside. */
  readonly follow: (uri: Uri) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function compose(context: ExtensionContext, door: Door): Composition {
  const log = window.createOutputChannel('Throughline', { log: true });
  const { secrets, gate } = gateIn(context);
  const report = reportTo(log, text => secrets.remove(text));
  const ids = randomIds();

  const history = createWindowHistory({ context, ids, report, openMemory: incognitoMemory });
  const files = createWindowFiles({ context, historyFolder: history.folder, report });
  const agents = createWindowAgents({
    context,
    report,
    secrets,
    gate,
    history: history.history,
    editors: files.editors,
    own: files.own,
    newId: ids.message,
  });
  const chat = createWindowChat({
    context,
    ids,
    report,
    history,
    files,
    agents,
    pickSession: pick,
    openTool: async (place, title) => (await import('./sessions/sessionActions.ts')).openTool(place, title),
    openPermission: async (of, asked) => (await import('./sessions/sessionActions.ts')).openPermission(of, asked),
  });
  const { conversations, view, panels, changes } = chat;
  const sessions = createWindowSessions({ ...door, report, history, agents: agents.agents, chat });

  context.subscriptions.push(
    log,
    history,
    ...sessions.subscriptions,
    panels,
    files.editors,
    workspace.onDidGrantWorkspaceTrust(chat.refresh),
    workspace.onDidChangeWorkspaceFolders(() => {
      chat.refresh();
      sessions.tree.refresh();
    }),
    workspace.onDidChangeConfiguration(event => {
      const isChanged = (name: string) => event.affectsConfiguration(`throughline.${name}`);
      if (['sendWith', 'agents'].some(isChanged)) chat.refresh();
      if (isChanged('retention')) sessions.retentionChanged();
      if (isChanged('agents')) void agents.agents.settingsChanged().then(() => conversations.agentsChanged());
    }),
  );
  const table: CommandTable = {
    ...chat.commands,
    ...sessions.commands,
    ...plainCommands({
      ...agents,
      conversations,
      chat: view,
      panels,
      recovery: history.recovery,
      installed: join(context.globalStorageUri.fsPath, 'agents'),
      place: agentPlace,
      extensionId: context.extension.id,
      secrets,
      gate,
      report,
      now: systemClock.now,
    }),
    'throughline.showLog': () => log.show(),
  };
  const links = { conversation: conversations.get.bind(conversations), show: view.show.bind(view) };
  return {
    tree: sessions.tree,
    chat: view,
    panels,
    run(command, given) {
      const run = table[command] as ((...given: readonly unknown[]) => unknown) | undefined;
      if (!run) throw new Error(`There is nothing behind the command ${command}.`);
      return run(...given);
    },
    text: uri => (uri.scheme === schemes.change ? changes.provideTextDocumentContent(uri) : sessions.text(uri)),
    follow: uri => follow(uri, links).catch(cause => report.failure('The link could not be followed.', cause)),
    async close() {
      await conversations.close();
      await agents.agents.stop();
      await files.close();
      await sessions.close();
      await history.close();
    },
  };
}
