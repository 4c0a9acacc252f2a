// The commands of the extension. Each works from the palette (with a picker where it needs a session), from a menu of
// the tree, and from `executeCommand(id, sessionId)`. They decide nothing about history; they ask, do and report.

import { commands, window, type Disposable, type QuickPickItem } from 'vscode';
import type { SessionSummary } from '../core/history/history.ts';
import type { SessionId } from '../model/message.ts';
import type { ChatView } from './chatView.ts';
import type { Conversations } from './conversations.ts';
import type { Agents } from './agents.ts';
import { manageRules } from './manageRules.ts';
import { manageSecrets } from './manageSecrets.ts';
import type { Recovery } from './recovery.ts';
import type { Report } from './report.ts';
import type { WorkspaceRules } from './rules.ts';
import type { Secrets } from './secrets.ts';
import { relativeTime } from './sessionAge.ts';
import type { SessionNode } from './sessionTree.ts';
import { signOut } from './signOut.ts';

export interface CommandPorts {
  readonly conversations: Conversations;
  readonly agents: Agents;
  readonly chat: ChatView;
  readonly recovery: Recovery;
  readonly rules: WorkspaceRules;
  readonly secrets: Secrets;
  readonly report: Report;
  readonly now: () => number;
}

type Target = SessionId | SessionNode | undefined;

export function registerCommands(ports: CommandPorts): Disposable[] {
  const { conversations, agents, chat, recovery, rules, secrets, report } = ports;
  const command = (name: string, failed: string, run: (target: Target) => Promise<void>) =>
    commands.registerCommand(`throughline.${name}`, async (target: Target) => {
      try {
        await run(target);
      } catch (cause) {
        report.failure(failed, cause);
      }
    });
  return [
    command('newSession', 'A new session could not be opened.', async () => chat.show(await conversations.fresh())),
    command('newSessionFrom', 'No session could be begun from there.', async target => {
      const session = sessionOf(target) ?? (await pick(ports, 'Begin with what was said in which session?', false));
      if (!session) return;
      const conversation = await conversations.after(session);
      if (conversation) await chat.show(conversation);
      else void window.showInformationMessage('Nothing was said in that session yet.');
    }),
    command('focusChat', 'The chat could not be shown.', () => chat.focus()),
    command('resumeSession', 'The session could not be resumed.', async target => {
      const session = sessionOf(target) ?? (await pick(ports, 'Resume which session?', false));
      if (session) await chat.show(await conversations.get(session));
    }),
    command('deleteSession', 'The session could not be deleted.', async target => {
      const session = sessionOf(target) ?? (await pick(ports, 'Move which session to the trash?', false));
      if (session) await moveToTrash(ports, session);
    }),
    command('restoreSession', 'The session could not be restored.', async target => {
      const session = sessionOf(target) ?? (await pick(ports, 'Restore which session?', true));
      if (session) await (await conversations.get(session)).setTrashed(false);
    }),
    command('selectAgent', 'The agent could not be changed.', async target => {
      const session = sessionOf(target) ?? chat.session;
      if (!session) return chat.focus();
      const conversation = await conversations.get(session);
      const program = await agents.pick(conversation.agent);
      if (program) await conversation.setAgent(program);
    }),
    command('recoverHistory', 'No history could be recovered.', () => recovery.recover()),
    command('manageSecrets', 'The secrets could not be changed.', () => manageSecrets(secrets)),
    command('allowRules', 'The rules could not be shown.', () =>
      manageRules({ rules, agentName: id => agents.list().find(agent => agent.id === id)?.name ?? id }),
    ),
    command('signOut', 'You could not be signed out.', () =>
      signOut({ list: () => agents.configured(), get: id => agents.get(id) }),
    ),
    command('cancelTurn', 'The answer could not be stopped.', async target => {
      const session = sessionOf(target) ?? chat.session;
      if (session && conversations.isRunning(session)) await (await conversations.get(session)).cancel();
    }),
  ];
}

async function moveToTrash({ conversations, report }: CommandPorts, session: SessionId): Promise<void> {
  const conversation = await conversations.get(session);
  if (conversation.transcript.trashed) return;
  await conversation.setTrashed(true);
  // Not awaited: the command is done, and the notification stays for as long as it likes.
  void window
    .showInformationMessage(`Moved “${conversation.transcript.title}” to the trash.`, 'Undo')
    .then(async choice => {
      if (!choice) return;
      try {
        await conversation.setTrashed(false);
      } catch (cause) {
        report.failure('The session could not be restored.', cause);
      }
    });
}

function sessionOf(target: Target): SessionId | undefined {
  if (typeof target === 'string') return target;
  return target?.kind === 'session' ? target.summary.id : undefined;
}

async function pick(
  { conversations, now }: CommandPorts,
  title: string,
  trashed: boolean,
): Promise<SessionId | undefined> {
  const sessions = (await conversations.list()).filter(session => session.trashed === trashed);
  if (sessions.length === 0) {
    void window.showInformationMessage(trashed ? 'The trash is empty.' : 'There are no sessions yet.');
    return undefined;
  }
  const items = sessions.map(session => itemOf(session, now()));
  const picked = await window.showQuickPick(items, {
    title,
    placeHolder: 'Type to search titles',
    matchOnDescription: true,
  });
  return picked?.session;
}

function itemOf(summary: SessionSummary, now: number): QuickPickItem & { readonly session: SessionId } {
  const { id, title, agent, active, messages } = summary;
  return {
    session: id,
    label: title,
    description: `${agent.name} · ${messages} ${messages === 1 ? 'message' : 'messages'} · ${relativeTime(active, now)}`,
  };
}
