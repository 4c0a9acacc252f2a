// The commands of sessions' lives: resume, search, rename, pin, archive, label, name a branch, delete, restore, erase,
// export, check. Each works from the palette (with a picker where it needs a session), from menus of the tree for all the rows that
// are selected, and from `executeCommand(id, sessionId)`. What they do is loaded when the first of them is used.

import { Disposable, Uri, window, workspace } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { History } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import type { SessionId } from '../../model/message.ts';
import type { Drafts } from '../../node/drafts.ts';
import type { Agents } from '../agents/agents.ts';
import type { ChatView } from '../chat/chatView.ts';
import type { ContinuePorts } from '../agents/continueSession.ts';
import type { Conversations } from '../chat/conversations.ts';
import type { DeletingPorts } from './deleting.ts';
import { openTraceCommand, schemes, type CommandTable } from '../contributed.ts';
import type { FocusOn } from '../../model/wire.ts';
import type { Report } from '../report.ts';
import type { SearchKeys } from '../search/searchPicker.ts';
import type { Target } from './sessionTargets.ts';
import type { TraceOf } from './trace.ts';

export interface SessionCommandPorts {
  readonly conversations: Conversations;
  readonly chat: Pick<ChatView, 'show' | 'session'>;
  readonly openToSide: (conversation: Conversation, on?: FocusOn) => void;
  readonly agents: Pick<Agents, 'get' | 'programsHere'>;
  readonly history: () => Promise<History>;
  readonly historyFolder: string;
  readonly drafts: Pick<Drafts, 'forget'>;
  readonly report: Report;
  readonly clock: Clock;
  readonly onErased: DeletingPorts['onErased'];
  readonly searchKeys: SearchKeys;
  /** A document that is made here is made anew. */
  readonly refreshText: (uri: Uri) => void;
  /** Shows a text that can be read and not be written to: it is nobody's file, and nobody is asked to save it. */
  readonly showText: (name: string, text: string) => Promise<void>;
  readonly place: ContinuePorts['place'];
  /** Shows them in the list of sessions. */
  readonly reveal: (sessions: readonly SessionId[]) => Promise<void>;
}

/** `selected` are the rows that are selected where a menu of the tree was opened. */
export type Action = (target: Target, selected: unknown) => Promise<void>;

export type SessionCommand = keyof typeof failures;

/** What these commands show as documents is made here, too. */
export interface SessionCommands extends Disposable {
  readonly commands: CommandTable;
  readonly text: (uri: Uri) => Promise<string>;
}

/** What is said where it did not work. */
const failures = {
  resumeSession: 'The session could not be resumed.',
  renameSession: 'The session could not be renamed.',
  pinSession: 'The session could not be pinned.',
  unpinSession: 'The session could not be unpinned.',
  archiveSession: 'The session could not be archived.',
  unarchiveSession: 'The session could not be moved out of the archive.',
  editLabels: 'The labels could not be changed.',
  nameBranch: 'The branch could not be named.',
  noteBranch: 'The note could not be kept.',
  deleteBranch: 'The branch could not be deleted.',
  restoreBranch: 'The branch could not be restored.',
  deleteBranchPermanently: 'The branch could not be deleted permanently.',
  deleteSession: 'The session could not be deleted.',
  restoreSession: 'The session could not be restored.',
  deletePermanently: 'The session could not be deleted permanently.',
  emptyTrash: 'The trash could not be emptied.',
  endIncognitoSession: 'The incognito session could not be ended.',
  setExpiry: 'The date could not be set.',
  exportSession: 'The session could not be exported.',
  searchHistory: 'The history could not be searched.',
  compareBranches: 'The branches could not be compared.',
  forkHere: 'The session could not be forked.',
  showStatistics: 'The statistics could not be shown.',
  continueAgentSession: 'The session of the agent could not be continued.',
  importSessions: 'The sessions could not be imported.',
  checkHistory: 'The history could not be checked.',
  revealHistoryFolder: 'The folder of the history could not be shown.',
};

export function sessionCommands(given: Omit<SessionCommandPorts, 'searchKeys' | 'showText'>): SessionCommands {
  const shown = new Map<string, string>();
  const showText = async (name: string, text: string) => {
    shown.set(name, text);
    const uri = Uri.from({ scheme: schemes.text, path: `/${name}` });
    given.refreshText(uri);
    await window.showTextDocument(uri, { preview: true });
  };
  const ports: SessionCommandPorts = { ...given, searchKeys: { toSide: null }, showText };
  const { conversations, history, refreshText } = ports;
  const names = Object.keys(failures) as SessionCommand[];
  const entries = names.map(name => {
    const run = async (target: Target, selected: unknown) => {
      try {
        const { sessionActions } = await import('./sessionActions.ts');
        await sessionActions(ports)[name](target, selected);
      } catch (cause) {
        ports.report.failure(failures[name], cause);
      }
    };
    return [`throughline.${name}`, run] as const;
  });
  const follow = conversations.onDidWrite(session => {
    for (const { uri } of workspace.textDocuments) {
      if (uri.scheme === schemes.branch && uri.query.includes(session)) refreshText(uri);
    }
  });
  const permission = async (session: SessionId, id: string) =>
    (await conversations.opened(session))?.transcript.permissions.find(one => one.id === id);
  const review = (wish: 'allow' | 'reject') => async (uri?: Uri) => {
    try {
      const { answerReview } = await import('./sessionActions.ts');
      const answer = async (session: SessionId, id: string, choice: string) =>
        (await conversations.opened(session))?.answerPermission(id, choice) ?? false;
      await answerReview(uri, wish, { permission, answer });
    } catch (cause) {
      ports.report.failure('The request could not be answered.', cause);
    }
  };
  const tool = async (uri: Uri) => {
    const { toolDocument } = await import('./sessionActions.ts');
    return toolDocument(uri, {
      message: ({ session, message }) => conversations.message(session, message),
      permission,
    });
  };
  return {
    dispose: () => follow.dispose(),
    commands: {
      ...Object.fromEntries(entries),
      [openTraceCommand]: async (of: TraceOf) => (await import('./sessionActions.ts')).openTrace(of),
      'throughline.searchOpenToSide': () => ports.searchKeys.toSide?.(),
      'throughline.allowReviewed': review('allow'),
      'throughline.rejectReviewed': review('reject'),
    },
    async text(uri) {
      // After a reload of the window it has to be asked for again.
      if (uri.scheme === schemes.text) return shown.get(uri.path.slice(1)) ?? 'This was not kept.\n';
      if (uri.scheme === schemes.tool) return tool(uri);
      const { branchText, statistics, traceText } = await import('./sessionActions.ts');
      if (uri.scheme === schemes.trace) return traceText(uri, history);
      return uri.scheme === schemes.statistics ? statistics(history, ports.clock.now()) : branchText(uri, history);
    },
  };
}
