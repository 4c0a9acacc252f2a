// The composition root: every `new` of the extension is here. The door loads it with the first thing that VS Code asks for;
// history, agents and the SDK are loaded when they are first used. Closing stops what runs and waits until it is saved.

import { join } from 'node:path';
import {
  commands,
  env,
  ViewColumn,
  window,
  workspace,
  type EventEmitter,
  type ExtensionContext,
  type TreeView,
  type Uri,
} from 'vscode';
import type { History } from '../core/history/history.ts';
import { changesIn } from '../core/conversation/decisions.ts';
import { historyBeside } from '../core/history/beside.ts';
import type { Conversation } from '../core/conversation/conversation.ts';
import type { SessionId } from '../model/message.ts';
import type { FocusOn } from '../model/wire.ts';
import { systemClock } from '../node/clock.ts';
import { draftsBeside, draftsIn } from '../node/drafts.ts';
import { guardIn } from '../node/files/guard.ts';
import { judgePathsWith } from '../node/files/judgePaths.ts';
import { randomIds } from '../node/ids.ts';
import { addToShown } from './chat/addToShown.ts';
import { addCommands } from './adding/addCommands.ts';
import { ChangesView } from './files/changesView.ts';
import type { ChatChannelPorts } from './chat/chatChannel.ts';
import { ChatPanels } from './chat/chatPanels.ts';
import { ChatView } from './chat/chatView.ts';
import { pick, plainCommands } from './commands.ts';
import { schemes, type CommandTable } from './contributed.ts';
import { Conversations } from './chat/conversations.ts';
import { restore } from './chat/restoring.ts';
import { follow } from './chat/deepLinks.ts';
import { openEditors } from './files/editors.ts';
import { incognitoMemory, isKeepable, keepingOf } from './chat/incognito.ts';
import { historyFolder } from './history/historyFolder.ts';
import { historyOnDisk } from './history/onDisk.ts';
import { openLink } from './chat/links.ts';
import { once } from './once.ts';
import { mentionPorts } from './files/mentionPorts.ts';
import { fromPerson, retentionSettings } from './personSettings.ts';
import { gateIn } from './agents/entryGate.ts';
import { chooseFolder, lastFolder } from './agents/pickFolder.ts';
import { pickOption } from './agents/pickOption.ts';
import { windowAgents } from './agents/windowAgents.ts';
import { OtherWindows } from './otherWindows.ts';
import { reportTo } from './report.ts';
import { agentPlace, namedFolders, place, workspaceFolders } from './windowPlace.ts';
import type { ErasingPorts } from './sessions/deleting.ts';
import { sessionCommands } from './sessions/sessionCommands.ts';
import { folderNameOf } from './folderNames.ts';
import { GuideSteps } from './guideSteps.ts';
import { SessionList } from './sessions/sessionList.ts';
import { showRunning } from './sessions/runningItem.ts';
import { SessionNews } from './sessions/sessionNews.ts';
import { showSessions } from './sessions/sessionsView.ts';
import { SessionTree } from './sessions/sessionTree.ts';
import type { SessionNode } from './sessions/sessionTreeModel.ts';
import { SharedDrafts } from './chat/sharedDrafts.ts';
import { showInfo, showWarning } from './notify/messages.ts';

/** What the door has opened already. */
export interface Door {
  readonly sessions: TreeView<SessionNode>;
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
  const { extensionUri, storageUri, globalStorageUri, workspaceState, subscriptions } = context;
  const log = window.createOutputChannel('Throughline', { log: true });
  const { secrets, gate } = gateIn(context);
  const report = reportTo(log, text => secrets.remove(text));
  const ids = randomIds();
  const wasmFile = join(extensionUri.fsPath, 'dist', 'sql-wasm.wasm');

  const folder = historyFolder(storageUri, globalStorageUri);
  // Of this window alone: what it holds is of no use to another.
  const keptFiles = join((storageUri ?? globalStorageUri).fsPath, 'files');
  const writer = ids.writer();
  const drafts = draftsBeside(draftsIn(folder));
  const memory = incognitoMemory(writer, wasmFile);
  const history = once(async (): Promise<History> => historyBeside(await onDisk(), memory));
  const onDisk = once(() =>
    historyOnDisk({
      folder,
      writer,
      workerFile: join(extensionUri.fsPath, 'dist', 'history.js'),
      wasmFile,
      report,
      onOpen() {
        void recovery().then(one => one.begin());
        void retention().then(one => one.begin());
        void otherWindows.begin();
      },
    }),
  );

  const recovery = once(async () => {
    const { Recovery } = await import('./history/recovery.ts');
    return new Recovery({
      folder,
      globalFolder: globalStorageUri.fsPath,
      history,
      state: workspaceState,
      report,
      now: systemClock.now,
      newId: ids.session,
      newWriter: ids.writer,
    });
  });

  const isOpen = (session: SessionId) => conversations.isOpen(session);
  const retention = once(async () => {
    const { startRetention } = await import('./sessions/retentionStart.ts');
    return startRetention({ folder, settings: retentionSettings, isOpen, clock: systemClock }, erasing);
  });

  const editors = openEditors(path => {
    if (files.started()) void files().then(watch => watch.savedByPerson(path));
  });
  const own = [folder, keptFiles];
  const files = once(async () => {
    const { fileWatch } = await import('../node/files/changes/fileWatch.ts');
    const onWarning = (words: string) => report.warn(words);
    return fileWatch({ folders: workspaceFolders, store: keptFiles, own, clock: systemClock, editors, onWarning });
  });
  const guard = guardIn(workspaceFolders, own);
  const { agents, found, local, rules } = windowAgents({
    context,
    report,
    secrets,
    gate,
    history,
    editors,
    own,
    newId: ids.message,
    onModels() {
      void conversations.usualAgentChanged().then(refreshPanels);
    },
  });

  const conversations = new Conversations({
    history,
    keeping: keepingOf({
      history,
      rules,
      files,
      memory,
      onNoFiles: cause => report.warn('Changes to files are not recorded in a session that was just opened.', cause),
    }),
    agents,
    clock: systemClock,
    ids,
    place: agentPlace,
    startsIn: () => lastFolder(workspaceState),
    async onGone({ session, transcript: { title } }) {
      // First, so that the panel's last word on its draft finds nobody who keeps it.
      await drafts.forget(session);
      await onErased(session);
      tell(`“${title}” was deleted permanently in another window.`);
    },
    async attachedText(uri, signal) {
      const { attachedTextFrom, attachedTextIn } = await import('./adding/adding.ts');
      return attachedTextIn(history, attachedTextFrom(guard, editors))(uri, signal);
    },
    judgePaths: judgePathsWith(guard),
    isShown: session => chat.session === session || panels.isShown(session),
  });
  const changes = new ChangesView({
    async changes(session, message) {
      const found = await conversations.message(session, message);
      return found ? changesIn(found) : [];
    },
    bytes: async (session, ref) => (await history()).blob(session, ref),
  });
  const sessionList = new SessionList(of => conversations.list(of && { ids: of }));
  const tree = new SessionTree({
    list: sessionList,
    totals: async session => (await (await history()).fields(session))?.totals,
    branches: async session => (await history()).tree(session),
    doing: id => (conversations.needsPerson(id) ? 'needsPerson' : conversations.isRunning(id) ? 'running' : 'nothing'),
    folderOf: cwd => folderNameOf(cwd, namedFolders()),
    clock: systemClock,
    onFailure: cause => report.warn('The list of sessions could not be read.', cause),
  });
  const tell = (words: string) => void showWarning(words);
  const draftFailed = (cause: unknown) => report.warn('A draft could not be kept.', cause);
  const adding = once(async () => {
    const { openAdding } = await import('./adding/adding.ts');
    return openAdding({
      guard,
      tell,
      sessions: () => sessionList.read(),
      now: systemClock.now,
      add: attachments => addToShown(attachments, chat, panels),
      newId: ids.message,
      readAttached: async session => (isKeepable(session) ? drafts.readAttached(session) : ''),
      keepAttached(session, text) {
        if (isKeepable(session)) drafts.keepAttached(session, text).catch(draftFailed);
      },
    });
  });
  const inPanels: ChatChannelPorts = {
    place: cwd => place(cwd, { isScoutAlone: agents.isScoutAlone, hasOtherWindow: otherWindows.isThere }),
    restore: session =>
      restore(session, {
        conversations,
        opensEmpty: () => fromPerson('openWith') === 'empty',
        tell: words => void showInfo(words),
      }),
    newSession: () => conversations.fresh(),
    onShownChanged: () => conversations.releaseUnseen(),
    resumeSession: () => void commands.executeCommand('throughline.resumeSession'),
    endSession: session => void commands.executeCommand('throughline.endIncognitoSession', session),
    selectAgent: () => void commands.executeCommand('throughline.selectAgent'),
    async chooseFolder(conversation) {
      await chooseFolder(conversation, workspaceState);
      refreshPanels();
    },
    askTitle: session => void commands.executeCommand('throughline.renameSession', session),
    exportSession: session => void commands.executeCommand('throughline.exportSession', session),
    connectAgent: () => void commands.executeCommand('throughline.addAgent'),
    manageTrust: () => void commands.executeCommand('workbench.trust.manage'),
    openFolder: () => void commands.executeCommand('vscode.openFolder'),
    readDraft: drafts.read,
    shared: new SharedDrafts(),
    attachments: async () => (await adding()).attachments,
    async takesImages({ agent }) {
      const running = await (await agents.get(agent.id)).start(AbortSignal.timeout(60_000));
      return running.abilities.images;
    },
    keepDraft(session, text) {
      if (!isKeepable(session)) return;
      drafts.keep(session, text).catch(draftFailed);
    },
    openChanges: of => changes.open(of),
    openTool: async (place, title) => (await import('./sessions/sessionActions.ts')).openTool(place, title),
    openPermission: async (of, asked) => (await import('./sessions/sessionActions.ts')).openPermission(of, asked),
    pickOption,
    tell,
    openLink: url => void openLink(url),
    copyText: text => void env.clipboard.writeText(text),
    insertCode: async text => (await import('./adding/adding.ts')).insertCode(text),
    openLocation: async location => (await import('./adding/adding.ts')).openLocation(location, guard),
    ...mentionPorts(workspaceFolders, guard),
    blob: async (session, ref) => (await history()).blob(session, ref),
    failure: report.failure,
  };
  const chat = new ChatView(extensionUri, ids.nonce, inPanels);
  const panels = new ChatPanels(extensionUri, {
    ...inPanels,
    nonce: ids.nonce,
    pickSession: title => pick({ conversations, now: systemClock.now }, title),
    conversation: session => conversations.get(session),
  });

  const refreshPanels = () => {
    chat.refresh();
    panels.refresh();
  };
  const show = async (conversation: Conversation, on?: FocusOn) => {
    if (panels.reveal(conversation.session, on)) return;
    await chat.show(conversation);
    if (on) await chat.focus(on);
  };
  const steps = new GuideSteps(name => void commands.executeCommand('setContext', `throughline.${name}`, true));
  const news = new SessionNews({
    clock: systemClock,
    isOn: () => fromPerson('notifications') !== false,
    isSeen: session => window.state.focused && (chat.isVisible(session) || panels.isVisible(session)),
    async tell(words, severity) {
      const button = 'Show Session';
      const shown = severity === 'warning' ? showWarning(words, button) : showInfo(words, button);
      return (await shown) === button;
    },
    open: conversation => show(conversation, 'lastMessage'),
  });
  const onErased = async (session: SessionId) => {
    panels.close(session);
    if (chat.session === session) await chat.replace(await conversations.fresh());
  };
  const erasing: ErasingPorts = {
    conversations,
    history,
    drafts,
    report,
    onErased,
    agents: () => agents.programsHere().map(({ id }) => id),
    agent: id => agents.get(id),
  };
  const sessionsView = showSessions({ view: door.sessions, tree, conversations, history, clock: systemClock, report });
  const otherWindows = new OtherWindows({ history, clock: systemClock, onChange: refreshPanels });
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
    clock: systemClock,
    refreshText: uri => door.textChanged.fire(uri),
    reveal: sessionsView.reveal,
    place: agentPlace,
    onErased,
  });
  subscriptions.push(
    log,
    otherWindows,
    news,
    conversations.onDidStir(conversation => {
      news.hear(conversation);
      steps.hear(conversation);
    }),
    running,
    sessionsView,
    ofSessions,
    tree.onDidChangeTreeData(node => door.treeChanged.fire(node)),
    panels,
    editors,
    workspace.onDidGrantWorkspaceTrust(refreshPanels),
    workspace.onDidChangeWorkspaceFolders(() => {
      refreshPanels();
      tree.refresh();
    }),
    workspace.onDidChangeConfiguration(event => {
      const isShown = ['sendWith', 'agents'].some(name => event.affectsConfiguration(`throughline.${name}`));
      if (isShown) refreshPanels();
      if (event.affectsConfiguration('throughline.retention') && history.started()) {
        void retention().then(one => one.begin());
      }
      if (!event.affectsConfiguration('throughline.agents')) return;
      void agents.settingsChanged().then(() => conversations.agentsChanged());
    }),
  );
  const table: CommandTable = {
    ...addCommands(adding, report),
    ...ofSessions.commands,
    ...sessionsView.commands,
    ...plainCommands({
      conversations,
      agents,
      found,
      local,
      installed: join(globalStorageUri.fsPath, 'agents'),
      place: agentPlace,
      chat,
      panels,
      extensionId: context.extension.id,
      recovery,
      rules,
      secrets,
      gate,
      report,
      now: systemClock.now,
    }),
    'throughline.showRunning': running.open,
    'throughline.showLog': () => log.show(),
  };
  const links = { conversation: conversations.get.bind(conversations), show: chat.show.bind(chat) };
  return {
    tree,
    chat,
    panels,
    run(command, given) {
      const run = table[command] as ((...given: readonly unknown[]) => unknown) | undefined;
      if (!run) throw new Error(`There is nothing behind the command ${command}.`);
      return run(...given);
    },
    text: uri => (uri.scheme === schemes.change ? changes.provideTextDocumentContent(uri) : ofSessions.text(uri)),
    follow: uri => follow(uri, links).catch(cause => report.failure('The link could not be followed.', cause)),
    async close() {
      await conversations.close();
      await agents.stop();
      if (files.started()) await (await files()).close();
      if (retention.started()) (await retention()).dispose();
      if (history.started()) await (await history()).close();
    },
  };
}
