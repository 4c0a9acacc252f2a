// What a panel may ask of this window, whichever it is. What adds, inserts and opens files is loaded when it is first used.

import { commands, env, Uri, type Memento } from 'vscode';
import { allowedLink } from '../../model/links.ts';
import type { SessionId } from '../../model/message.ts';
import type { Guard } from '../../node/files/guard.ts';
import type { Adding } from '../adding/adding.ts';
import type { Agents } from '../agents/agents.ts';
import { chooseFolder } from '../agents/pickFolder.ts';
import { pickOption } from '../agents/pickOption.ts';
import type { ChangesView } from '../files/changesView.ts';
import type { WindowHistory } from '../history/windowHistory.ts';
import { showInfo } from '../notify/messages.ts';
import { fromPerson } from '../personSettings.ts';
import type { Report } from '../report.ts';
import { place, workspaceFolders } from '../windowPlace.ts';
import type { ChatChannelPorts } from './chatChannel.ts';
import type { Conversations } from './conversations.ts';
import { isKeepable } from './incognito.ts';
import { restore } from './restoring.ts';
import { SharedDrafts } from './sharedDrafts.ts';

export interface PanelPortsNeeds extends Pick<ChatChannelPorts, 'openTool' | 'openPermission' | 'tell'> {
  readonly conversations: Conversations;
  readonly agents: Agents;
  readonly history: Pick<WindowHistory, 'history' | 'drafts' | 'otherWindows'>;
  readonly guard: Guard;
  readonly changes: ChangesView;
  readonly adding: () => Promise<Adding>;
  readonly state: Memento;
  readonly report: Report;
  readonly draftFailed: (cause: unknown) => void;
  /** What panels show of the window has changed. */
  readonly refresh: () => void;
}

export function createPanelPorts(needs: PanelPortsNeeds): ChatChannelPorts {
  const { conversations, agents, guard, changes, adding, state, report, openTool, openPermission, tell } = needs;
  const { history, drafts, otherWindows } = needs.history;
  const run = (command: string, ...given: readonly SessionId[]) => void commands.executeCommand(command, ...given);
  return {
    place: cwd => place(cwd, { isScoutAlone: agents.isScoutAlone, hasOtherWindow: otherWindows.isThere }),
    restore: session =>
      restore(session, {
        conversations,
        opensEmpty: () => fromPerson('openWith') === 'empty',
        tell: words => void showInfo(words),
      }),
    newSession: () => conversations.fresh(),
    onShownChanged: () => conversations.releaseUnseen(),
    resumeSession: () => run('throughline.resumeSession'),
    endSession: session => run('throughline.endIncognitoSession', session),
    selectAgent: () => run('throughline.selectAgent'),
    async chooseFolder(conversation) {
      await chooseFolder(conversation, state);
      needs.refresh();
    },
    askTitle: session => run('throughline.renameSession', session),
    exportSession: session => run('throughline.exportSession', session),
    connectAgent: () => run('throughline.addAgent'),
    manageTrust: () => run('workbench.trust.manage'),
    openFolder: () => run('vscode.openFolder'),
    readDraft: drafts.read,
    shared: new SharedDrafts(),
    attachments: async () => (await adding()).attachments,
    async takesImages({ agent }) {
      const running = await (await agents.get(agent.id)).start(AbortSignal.timeout(60_000));
      return running.abilities.images;
    },
    keepDraft(session, text) {
      if (!isKeepable(session)) return;
      drafts.keep(session, text).catch(needs.draftFailed);
    },
    openChanges: of => changes.open(of),
    openTool,
    openPermission,
    pickOption,
    tell,
    openLink: url => void openLink(url),
    copyText: text => void env.clipboard.writeText(text),
    insertCode: async text => (await import('../adding/adding.ts')).insertCode(text),
    openLocation: async location => (await import('../adding/adding.ts')).openLocation(location, guard),
    async filesNamed(mentions) {
      const { filesNamed } = await import('../adding/adding.ts');
      return filesNamed(mentions, workspaceFolders(), guard);
    },
    async openMention({ words, path, line }) {
      const { fileNamed, openLocation } = await import('../adding/adding.ts');
      const file = await fileNamed(path, workspaceFolders(), guard);
      if (file === null) return `“${words}” is not there any more.`;
      return openLocation({ path: file, ...(line !== undefined && { line }) }, guard);
    },
    blob: async (session, ref) => (await history()).blob(session, ref),
    failure: report.failure,
  };
}

/** Only the web and mail; VS Code itself shows the whole address and asks before it leaves for a place that is not trusted. */
async function openLink(address: string): Promise<void> {
  const url = allowedLink(address);
  if (url !== undefined) await env.openExternal(Uri.parse(url, true));
}
