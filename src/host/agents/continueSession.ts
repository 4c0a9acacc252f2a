// "Continue a Session of an Agent…": first the agent, then one of the sessions that it keeps for this folder, the newest
// first, page by page; those that are here already say so. Picking one opens it here. What is asked of the agent can be
// stopped at any time.

import { commands, ThemeIcon, workspace, type QuickPickItem } from 'vscode';
import { agentErrorIn } from '../../core/agentError.ts';
import type { AgentPlace, AgentProgram } from '../../core/agents.ts';
import type { History } from '../../core/history/history.ts';
import type { AgentRef, SessionId } from '../../model/message.ts';
import { relativeTime } from '../sessions/sessionAge.ts';
import { pickFolder } from './pickFolder.ts';
import { broughtIn, offered, type AgentSessionsPorts, type OfferedSession } from './agentSessions.ts';
import { showInfo } from '../notify/messages.ts';
import { Picker, pickOne } from '../notify/pickers.ts';
import { showProgress } from '../notify/progress.ts';

export interface ContinuePorts {
  readonly agents: () => readonly AgentRef[];
  readonly program: (agent: string) => Promise<AgentProgram>;
  readonly place: (cwd: string | null) => AgentPlace;
  readonly history: () => Promise<History>;
  readonly now: () => number;
  readonly open: (session: SessionId) => Promise<void>;
}

interface Item extends QuickPickItem {
  readonly session?: OfferedSession;
  readonly more?: string;
}

export async function continueSession(ports: ContinuePorts): Promise<void> {
  if (!workspace.isTrusted) {
    const words = 'Agents are not started in a workspace that is not trusted, so their sessions cannot be listed.';
    void showInfo(words, 'Manage Trust').then(choice => {
      if (choice) void commands.executeCommand('workbench.trust.manage');
    });
    return;
  }
  const agent = await pickAgent(ports.agents());
  if (!agent) return;
  const program = await ports.program(agent.id);
  const { history, place, now } = ports;
  // It keeps them by folder.
  const folder = place(null).cwd === null ? null : await pickFolder('Of which folder?', null);
  if (folder === undefined) return;
  const of: AgentSessionsPorts = { program, place: place(folder), history: await history(), now };
  const picked = await pickListed(of);
  if (!picked) return;
  const session = picked.here ?? (await bringIn(picked, of));
  if (session !== null) await ports.open(session);
}

async function pickAgent(agents: readonly AgentRef[]): Promise<AgentRef | undefined> {
  if (agents.length === 0) {
    const words = 'No agent is set up that could keep sessions of its own.';
    void showInfo(words, 'Add Agent…').then(choice => {
      if (choice) void commands.executeCommand('throughline.addAgent');
    });
    return undefined;
  }
  if (agents.length === 1) return agents[0];
  const items = agents.map(agent => ({ agent, label: agent.name }));
  const picked = await pickOne(items, {
    title: 'Continue a session of which agent?',
    placeHolder: 'An agent that was used in a terminal or another editor',
  });
  return picked?.agent;
}

/** Throws what the first page is refused with; where a later one is, the list says so and stays. */
async function pickListed(of: AgentSessionsPorts): Promise<OfferedSession | null> {
  const { name } = of.program.ref;
  const stop = new AbortController();
  const picker = new Picker<Item>({ matchOnDescription: true, keepScrollPosition: true });
  picker.set({
    title: `Continue which session of ${name}?`,
    placeholder: `Asking ${name} for its sessions…`,
    busy: true,
  });
  let sessions: readonly OfferedSession[] = [];
  const add = async (cursor: string | null) => {
    picker.set({ busy: true });
    const page = await offered(of, cursor, stop.signal);
    sessions = [...sessions, ...page.sessions.filter(({ id }) => sessions.every(one => one.id !== id))];
    picker.set({
      busy: false,
      placeholder:
        sessions.length > 0
          ? 'Type to search titles'
          : `${name} keeps no sessions for this folder${page.next === null ? '.' : ' on this page.'}`,
      rows: [...sessions.map(one => itemOf(one, of.now())), ...moreOf(page.next)],
    });
  };
  try {
    return await new Promise<OfferedSession | null>((done, failed) => {
      picker.onAccept(() => {
        const [item] = picker.selected;
        if (item?.session) done(item.session);
        else if (item?.more !== undefined) {
          add(item.more).catch((cause: unknown) => {
            picker.set({ busy: false, placeholder: cause instanceof Error ? cause.message : String(cause) });
          });
        }
      });
      picker.onHide(() => done(null));
      picker.show();
      add(null).catch(failed);
    });
  } catch (cause) {
    if (stop.signal.aborted) return null;
    throw cause;
  } finally {
    stop.abort();
    picker.dispose();
  }
}

function itemOf(session: OfferedSession, now: number): Item {
  const when = session.updated === null ? '' : relativeTime(session.updated, now);
  const here = session.here === null ? '' : 'here already';
  return {
    session,
    label: session.title?.replaceAll(/\s+/g, ' ').trim() || 'Session without a title',
    description: [when, here].filter(Boolean).join(' · '),
    iconPath: new ThemeIcon(session.here === null ? 'cloud-download' : 'comment-discussion'),
  };
}

function moreOf(next: string | null): readonly Item[] {
  if (next === null) return [];
  return [{ more: next, label: 'Show more…', alwaysShow: true, iconPath: new ThemeIcon('ellipsis') }];
}

/** Null where it was stopped: then nothing of it is here. */
function bringIn(picked: OfferedSession, of: AgentSessionsPorts): Promise<SessionId | null> {
  const title = `Loading a session of ${of.program.ref.name}`;
  return showProgress({ title, cancellable: true }, async (_report, signal) => {
    try {
      return await broughtIn(picked, of, signal);
    } catch (cause) {
      if (signal.aborted && agentErrorIn(cause)?.code === 'cancelled') return null;
      throw cause;
    }
  });
}
