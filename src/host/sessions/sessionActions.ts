// What the commands of `sessionCommands.ts` do, loaded when the first of them is used: they find out which sessions they
// are about, ask where they must, and do it. They decide nothing about history.

import type { SessionSummary } from '../../core/history/history.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import { checkHistory, revealHistoryFolder } from '../history/checkHistory.ts';
import { erase, moveToTrash, restore, type ErasingPorts } from './deleting.ts';
import { linesOf, trashedRows } from './branchRows.ts';
import { eraseBranch, restoreBranches, trashBranches, type Branch } from './deletingBranch.ts';
import { setExpiry } from './expiry.ts';
import { endIncognito } from './ending.ts';
import { branchOf, editLabels, nameBranch, noteBranch, rename, setFlag, type EditPorts } from './editSession.ts';
import { relativeTime } from './sessionAge.ts';
import { openHit } from '../search/openHit.ts';
import { searchPicker } from '../search/searchPicker.ts';
import { exportSessions } from '../history/exportSession.ts';
import { continueSession } from '../agents/continueSession.ts';
import { importSessions } from '../history/importSessions.ts';
import { showStatistics } from '../history/showStatistics.ts';
import { compareBranches } from './compareBranches.ts';
import { forkHere } from './forkHere.ts';
import { resumePicker } from './resumePicker.ts';
import type { Action, SessionCommand, SessionCommandPorts } from './sessionCommands.ts';
import {
  branchesOf,
  known,
  leafOf,
  leavesOf,
  pickSession,
  sessionOf,
  sessionsOf,
  type Asked,
  type Target,
} from './sessionTargets.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';

export { askFilter } from './sessionFilter.ts';
export { statistics } from '../history/statisticsPage.ts';
export { branchText } from './compareBranches.ts';
export { answerReview, openPermission, openTool, toolDocument } from './toolDocument.ts';
export { traceText, openTrace } from './trace.ts';

type Run = (sessions: readonly SessionSummary[], target: Target, selected?: unknown) => Promise<void>;

const live = ({ trashed }: SessionSummary) => !trashed;
const isEnding = ({ id }: SessionSummary) => isIncognito(id);
const forkAsked = { title: 'Fork from which session?', fits: live, none: 'There are no sessions yet.' };
const noSessions = 'There are no sessions yet.';

export function sessionActions(ports: SessionCommandPorts): Record<SessionCommand, Action> {
  const { conversations, history, clock, report } = ports;
  const { now } = clock;
  const edit: EditPorts = { conversations, history, now };
  /** About the sessions that it is given, else about one that is picked. */
  const about = (asked: Asked, run: Run): Action => {
    return async (target, selected) => {
      const all = await conversations.list();
      const given = known(all, sessionsOf(target, selected));
      const picked = given.length > 0 ? undefined : await pickSession(all, asked, now());
      const sessions = picked ? [picked] : given;
      if (sessions.length > 0) await run(sessions, target, selected);
    };
  };
  const one = (run: (summary: SessionSummary, target: Target) => Promise<void>): Run => {
    return async ([first], target) => (first ? run(first, target) : undefined);
  };
  const flag = (field: 'pinned' | 'archived', on: boolean, asked: Omit<Asked, 'fits'>) =>
    about({ ...asked, fits: summary => live(summary) && summary[field] !== on }, sessions =>
      setFlag(sessions, field, on, edit),
    );
  /** About the branches whose rows are selected, else about some of a session that is picked. */
  const branches = (
    title: string,
    choose: (summary: SessionSummary) => Promise<readonly MessageId[] | undefined>,
    run: (some: readonly Branch[]) => Promise<void>,
  ): Action => {
    return async (target, selected) => {
      const all = await conversations.list();
      const given = branchesOf(target, selected).flatMap(({ session, from }) =>
        all.filter(({ id }) => id === session).map(summary => ({ summary, from })),
      );
      if (given.length > 0) return run(given);
      const [named] = known(all, sessionsOf(target, undefined));
      const summary = named ?? (await pickSession(all, { title, fits: live, none: noSessions }, now()));
      if (!summary) return;
      const chosen = await choose(summary);
      if (chosen) await run(chosen.map(from => ({ summary, from })));
    };
  };
  const deletedOf = async ({ id }: SessionSummary, title: string) => {
    const rows = trashedRows(linesOf(await (await history()).tree(id)));
    if (rows.length === 0) void showInfo('No branch of this session is in the trash.');
    const items = rows.map(row => ({
      row,
      label: row.label,
      description: relativeTime(row.created, now()),
    }));
    const picked = items.length > 0 ? await pickOne(items, { title }) : undefined;
    return picked && [picked.row.from];
  };
  const erasing: ErasingPorts = {
    ...ports,
    agents: () => ports.agents.programsHere().map(({ id }) => id),
    agent: id => ports.agents.get(id),
  };
  const end = (sessions: readonly SessionId[]) => endIncognito(sessions, erasing);
  /** Incognito ones have no trash: they end. */
  const remove = async (sessions: readonly SessionSummary[], kept: Run = some => moveToTrash(some, ports)) => {
    const [incognito, others] = [sessions.filter(isEnding), sessions.filter(one => !isEnding(one))];
    if (others.length > 0) await kept(others, undefined);
    await end(incognito.map(({ id }) => id));
  };
  const open = (session: SessionId, leaf: MessageId | null) => openAt(session, leaf, ports);
  return {
    async resumeSession(target) {
      const [session] = sessionsOf(target, undefined);
      if (session !== undefined) return open(session, leafOf(target) ?? null);
      await resumePicker({
        list: () => conversations.list(),
        history,
        clock,
        open,
        remove: async id => remove(known(await conversations.list(), [id])),
        failure: report.failure,
      });
    },
    async searchHistory(target) {
      await searchPicker(typeof target === 'string' ? target : '', {
        list: () => conversations.list(),
        history,
        clock,
        keys: ports.searchKeys,
        open: (hit, toSide) => openHit(hit, toSide, { ...ports, show: (shown, on) => ports.chat.show(shown, on) }),
        failure: report.failure,
      });
    },
    renameSession: about(
      { title: 'Rename which session?', fits: live, none: noSessions },
      one(summary => rename(summary, edit)),
    ),
    pinSession: flag('pinned', true, { title: 'Pin which session?', none: 'There is no session to pin.' }),
    unpinSession: flag('pinned', false, { title: 'Unpin which session?', none: 'No session is pinned.' }),
    archiveSession: flag('archived', true, {
      title: 'Archive which session?',
      none: 'There is no session to archive.',
    }),
    unarchiveSession: flag('archived', false, {
      title: 'Unarchive which session?',
      none: 'The archive is empty.',
    }),
    editLabels: about(
      { title: 'Change the labels of which session?', fits: live, none: noSessions },
      one(async summary => editLabels(summary, await conversations.list(), edit)),
    ),
    nameBranch: about(
      { title: 'Name a branch of which session?', fits: live, none: noSessions },
      one((summary, target) => nameBranch(summary.id, leafOf(target), edit)),
    ),
    noteBranch: about(
      { title: 'Write a note on a branch of which session?', fits: live, none: noSessions },
      one((summary, target) => noteBranch(summary.id, leafOf(target), edit)),
    ),
    deleteBranch: branches(
      'Delete a branch of which session?',
      async summary => {
        const row = await branchOf(summary.id, undefined, 'Move which branch to the trash?', edit);
        return row && [row.from];
      },
      some => trashBranches(some, ports),
    ),
    restoreBranch: branches(
      'Restore a branch of which session?',
      summary => deletedOf(summary, 'Restore which branch?'),
      some => restoreBranches(some, ports),
    ),
    deleteBranchPermanently: branches(
      'Delete a branch of which session permanently?',
      async summary => {
        const row = await branchOf(summary.id, undefined, 'Delete which branch permanently?', edit);
        return row && [row.from];
      },
      async ([first]) => (first ? eraseBranch(first, erasing) : undefined),
    ),
    deleteSession: about({ title: 'Move which session to the trash?', fits: live, none: noSessions }, sessions => {
      const alive = sessions.filter(live);
      // The key on what is in the trash already can only mean for ever, which is asked about.
      return alive.length > 0 ? remove(alive) : remove(sessions, kept => erase(kept, erasing));
    }),
    restoreSession: about(
      { title: 'Restore which session?', fits: ({ trashed }) => trashed, none: 'The trash is empty.' },
      sessions => restore(sessions, ports),
    ),
    deletePermanently: about(
      { title: 'Delete which session permanently?', fits: () => true, none: noSessions },
      sessions => remove(sessions, kept => erase(kept, erasing)),
    ),
    async endIncognitoSession(target, selected) {
      // One in which nothing was said yet is in no list.
      const shown = ports.chat.session;
      const asked = sessionsOf(target, selected);
      const given = (asked.length === 0 && shown !== null ? [shown] : asked).filter(isIncognito);
      if (given.length > 0) return end(given);
      const which = { title: 'End which incognito session?', none: 'No incognito session is open.' };
      await about({ ...which, fits: isEnding }, ([picked]) => end(picked ? [picked.id] : []))(undefined, undefined);
    },
    async emptyTrash() {
      const trashed = (await conversations.list()).filter(summary => summary.trashed);
      if (trashed.length > 0) await erase(trashed, erasing, true);
      else void showInfo('The trash is empty.');
    },
    setExpiry: about({ title: 'Put away which session on a date?', fits: live, none: noSessions }, sessions =>
      setExpiry(sessions, history, now),
    ),
    exportSession: about({ title: 'Export which session?', fits: live, none: noSessions }, async (sessions, target) => {
      const [only] = sessions.length === 1 ? sessions : [];
      const leaf = only ? (leafOf(target) ?? (await shownIn(only.id, ports))) : null;
      await exportSessions(sessions, leaf, history);
    }),
    compareBranches: about(
      { title: 'Compare branches of which session?', fits: live, none: noSessions },
      async ([first], target, selected) => {
        if (!first) return;
        const chosen = leavesOf(target, selected, first.id);
        await compareBranches(first, chosen, await history(), now());
      },
    ),
    async forkHere(target) {
      const given = sessionOf(target);
      const session =
        given ?? ports.chat.session ?? (await pickSession(await conversations.list(), forkAsked, now()))?.id;
      if (session === undefined) return;
      const leaf = leafOf(target);
      const conversation = await conversations.get(session);
      if (leaf !== undefined) await openAt(session, leaf, ports);
      if (await forkHere(conversation, given === undefined ? undefined : null)) await ports.chat.show(conversation);
    },
    showStatistics: () => showStatistics(ports.refreshText),
    continueAgentSession: () =>
      continueSession({
        agents: () => ports.agents.programsHere(),
        program: id => ports.agents.get(id),
        place: ports.place,
        history,
        now,
        open: session => open(session, null),
      }),
    importSessions: target => importSessions(target, ports),
    checkHistory: () => checkHistory({ history, failure: report.failure, showText: ports.showText }),
    revealHistoryFolder: () => revealHistoryFolder(ports.historyFolder),
  };
}

async function openAt(session: SessionId, leaf: MessageId | null, { conversations, chat }: SessionCommandPorts) {
  const conversation = await conversations.getEnd(session);
  const { messages, turn } = conversation.transcript;
  if (leaf !== null && messages.at(-1)?.id !== leaf) {
    // The branch that is being answered stays in view.
    if (turn) void showInfo('An answer is being written. Stop it to see another branch.');
    else await conversation.setHead(leaf);
  }
  await chat.show(conversation);
}

/** The end of what a panel of this window shows of it, as far as it is in history. */
async function shownIn(session: SessionId, { conversations }: SessionCommandPorts): Promise<MessageId | null> {
  const opened = await conversations.opened(session)?.catch(() => undefined);
  if (!opened || opened.transcript.unsaved) return null;
  return opened.transcript.messages.at(-1)?.id ?? null;
}
