// The chat of this window: the conversations that are open, and the view and the editors that show them. Both ask each
// other, so both are made here.

import type { ExtensionContext } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { changesIn } from '../../core/conversation/decisions.ts';
import type { SessionId } from '../../model/message.ts';
import type { FocusOn } from '../../model/wire.ts';
import { systemClock } from '../../node/clock.ts';
import { judgePathsWith } from '../../node/files/judgePaths.ts';
import type { randomIds } from '../../node/ids.ts';
import { addCommands } from '../adding/addCommands.ts';
import { lastFolder } from '../agents/pickFolder.ts';
import type { WindowAgents } from '../agents/windowAgents.ts';
import type { CommandTable } from '../contributed.ts';
import { ChangesView } from '../files/changesView.ts';
import type { WindowFiles } from '../files/windowFiles.ts';
import { SessionList } from '../history/sessionList.ts';
import type { WindowHistory } from '../history/windowHistory.ts';
import { showWarning } from '../notify/messages.ts';
import { once } from '../once.ts';
import type { Report } from '../report.ts';
import { agentPlace } from '../windowPlace.ts';
import { addToShown } from './addToShown.ts';
import { ChatPanels } from './chatPanels.ts';
import { ChatView } from './chatView.ts';
import { Conversations } from './conversations.ts';
import { isKeepable, keepingOf } from './incognito.ts';
import { lastShown } from './restoring.ts';
import { createPanelPorts, type PanelPortsNeeds } from './panelPorts.ts';

export interface WindowChatPorts extends Pick<PanelPortsNeeds, 'openTool' | 'openPermission'> {
  readonly context: ExtensionContext;
  readonly ids: ReturnType<typeof randomIds>;
  readonly report: Report;
  readonly history: WindowHistory;
  readonly files: WindowFiles;
  readonly agents: WindowAgents;
  /** The person chooses a session; undefined where they did not. */
  readonly pickSession: (
    of: { readonly conversations: Conversations; readonly now: () => number },
    title: string,
  ) => Promise<SessionId | undefined>;
}

export interface WindowChat {
  readonly conversations: Conversations;
  /** All sessions, whether their conversations are open or not. */
  readonly list: SessionList;
  readonly view: ChatView;
  readonly panels: ChatPanels;
  readonly changes: ChangesView;
  readonly commands: CommandTable;
  readonly refresh: () => void;
  /** Where it is shown already, else in the view. */
  readonly show: (conversation: Conversation, on?: FocusOn) => Promise<void>;
  /** The session is gone for ever: whoever shows it shows something else. */
  readonly onErased: (session: SessionId) => Promise<void>;
}

export function createWindowChat(ports: WindowChatPorts): WindowChat {
  const { context, ids, report, files, pickSession, openTool, openPermission } = ports;
  const { history, memory, drafts, onDidChangeOthers } = ports.history;
  const { agents, rules, onDidGetModels } = ports.agents;
  const { guard, editors } = files;
  const { extensionUri, workspaceState: state } = context;
  const tell = (words: string) => void showWarning(words);
  const draftFailed = (cause: unknown) => report.warn('A draft could not be kept.', cause);

  const conversations = new Conversations({
    history,
    keeping: keepingOf({
      history,
      rules,
      files: files.watch,
      memory,
      onNoFiles: cause => report.warn('Changes to files are not recorded in a session that was just opened.', cause),
    }),
    agents,
    clock: systemClock,
    ids,
    place: agentPlace,
    startsIn: () => lastFolder(state),
    async onGone({ session, transcript: { title } }) {
      // First, so that the panel's last word on its draft finds nobody who keeps it.
      await drafts.forget(session);
      await onErased(session);
      tell(`“${title}” was deleted permanently in another window.`);
    },
    async attachedText(uri, signal) {
      const { attachedTextFrom, attachedTextIn } = await import('../adding/adding.ts');
      return attachedTextIn(history, attachedTextFrom(guard, editors))(uri, signal);
    },
    judgePaths: judgePathsWith(guard),
    isShown: session => view.session === session || panels.isShown(session),
  });
  const changes = new ChangesView({
    async changes(session, message) {
      const found = await conversations.message(session, message);
      return found ? changesIn(found) : [];
    },
    bytes: async (session, ref) => (await history()).blob(session, ref),
  });
  const list = new SessionList(of => conversations.list(of && { ids: of }));
  const adding = once(async () => {
    const { openAdding } = await import('../adding/adding.ts');
    return openAdding({
      guard,
      tell,
      sessions: () => list.read(),
      now: systemClock.now,
      add: attachments => addToShown(attachments, view, panels),
      newId: ids.message,
      readAttached: async session => (isKeepable(session) ? drafts.readAttached(session) : ''),
      keepAttached(session, text) {
        if (isKeepable(session)) drafts.keepAttached(session, text).catch(draftFailed);
      },
    });
  });
  const inPanels = createPanelPorts({
    conversations,
    agents,
    history: ports.history,
    guard,
    changes,
    adding,
    state,
    report,
    draftFailed,
    refresh,
    openTool,
    openPermission,
    tell,
  });
  const view = new ChatView(extensionUri, ids.nonce, inPanels, lastShown(state));
  const panels = new ChatPanels(extensionUri, {
    ...inPanels,
    nonce: ids.nonce,
    pickSession: title => pickSession({ conversations, now: systemClock.now }, title),
    conversation: session => conversations.getEnd(session),
  });
  onDidChangeOthers(refresh);
  onDidGetModels(() => void conversations.usualAgentChanged().then(refresh));

  function refresh(): void {
    view.refresh();
    panels.refresh();
  }
  async function onErased(session: SessionId): Promise<void> {
    panels.close(session);
    if (view.session === session) await view.replace(await conversations.fresh());
  }
  return {
    conversations,
    list,
    view,
    panels,
    changes,
    commands: addCommands(adding, report),
    refresh,
    async show(conversation, on) {
      if (panels.reveal(conversation.session, on)) return;
      await view.show(conversation);
      if (on) await view.focus(on);
    },
    onErased,
  };
}
