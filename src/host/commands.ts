// The commands of the extension. Each works from the palette (with a picker where it needs a session), from a menu of
// the tree, and from `executeCommand(id, sessionId)`. They decide nothing about history; they ask, do and report. Those of
// sessions' lives are in `sessionCommands.ts`.

import { commands, env, ViewColumn, window, type Disposable } from 'vscode';
import type { SessionSummary } from '../core/history/history.ts';
import type { SessionId } from '../model/message.ts';
import type { ChatPanels } from './chat/chatPanels.ts';
import type { ChatView } from './chat/chatView.ts';
import type { Conversations } from './chat/conversations.ts';
import type { Agents } from './agents/agents.ts';
import { linkTo } from './chat/deepLinks.ts';
import { manageRules } from './agents/manageRules.ts';
import { manageSecrets } from './agents/manageSecrets.ts';
import type { Recovery } from './history/recovery.ts';
import type { Report } from './report.ts';
import type { WorkspaceRules } from './agents/rules.ts';
import type { Secrets } from './agents/secrets.ts';
import { pickSession, sessionOf, type Target } from './sessions/sessionTargets.ts';
import { signOut } from './agents/signOut.ts';

export interface CommandPorts {
  readonly conversations: Conversations;
  readonly agents: Agents;
  readonly chat: ChatView;
  readonly panels: ChatPanels;
  /** This extension's own id, of which links are made. */
  readonly extensionId: string;
  readonly recovery: Recovery;
  readonly rules: WorkspaceRules;
  readonly secrets: Secrets;
  readonly report: Report;
  readonly now: () => number;
}

export function registerCommands(ports: CommandPorts): Disposable[] {
  const { conversations, agents, chat, panels, recovery, rules, secrets, report } = ports;
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
      const session = sessionOf(target) ?? (await pick(ports, 'Begin with what was said in which session?'));
      if (!session) return;
      const conversation = await conversations.after(session);
      if (conversation) await chat.show(conversation);
      else void window.showInformationMessage('Nothing was said in that session yet.');
    }),
    command('focusChat', 'The chat could not be shown.', () => chat.focus()),
    command('focusLastMessage', 'The last message could not be shown.', () => chat.focus('lastMessage')),
    command('findInConversation', 'The chat could not be shown.', () => chat.focus('find')),
    command('openInEditor', 'The session could not be opened in an editor.', async target => {
      const session = sessionOf(target) ?? chat.session ?? (await pick(ports, 'Open which session?'));
      if (session) panels.open(await conversations.get(session));
    }),
    command('openToSide', 'The session could not be opened to the side.', async target => {
      const session = sessionOf(target) ?? chat.session ?? (await pick(ports, 'Open which session?'));
      if (session) panels.open(await conversations.get(session), ViewColumn.Beside);
    }),
    command('copyLink', 'The link could not be copied.', async target => {
      const session = sessionOf(target) ?? (await pick(ports, 'Copy the link to which session?'));
      if (session) await env.clipboard.writeText(linkTo(session, ports.extensionId));
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
      const shown = [chat.session, panels.active];
      const session = sessionOf(target) ?? shown.find(one => one !== null && conversations.isRunning(one));
      if (session && conversations.isRunning(session)) await (await conversations.get(session)).cancel();
    }),
  ];
}

export async function pick(
  { conversations, now }: Pick<CommandPorts, 'conversations' | 'now'>,
  title: string,
): Promise<SessionId | undefined> {
  const asked = { title, fits: (one: SessionSummary) => !one.trashed, none: 'There are no sessions yet.' };
  return (await pickSession(await conversations.list(), asked, now()))?.id;
}
