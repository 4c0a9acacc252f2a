// The commands of the extension. Each works from the palette (with a picker where it needs a session), from a menu of
// the tree, and from `executeCommand(id, sessionId)`. They decide nothing about history; they ask, do and report. Those of
// sessions' lives are in `sessionCommands.ts`, and what those about agents do is in `agentActions.ts`.

import { env, ViewColumn } from 'vscode';
import type { SessionSummary } from '../core/history/history.ts';
import { isIncognito } from '../model/incognito.ts';
import type { SessionId } from '../model/message.ts';
import type { AgentActionPorts, AgentCommand } from './agents/agentActions.ts';
import type { ChatPanels } from './chat/chatPanels.ts';
import { linkTo } from './chat/deepLinks.ts';
import type { CommandTable } from './contributed.ts';
import type { Recovery } from './history/recovery.ts';
import { leafOf, pickSession, sessionOf, type Target } from './sessions/sessionTargets.ts';
import { showInfo } from './notify/messages.ts';

export interface CommandPorts extends AgentActionPorts {
  readonly panels: ChatPanels;
  /** This extension's own id, of which links are made. */
  readonly extensionId: string;
  readonly recovery: () => Promise<Recovery>;
}

/** What is said where one did not work. */
const aboutAgents: Readonly<Record<AgentCommand, string>> = {
  selectAgent: 'The agent could not be changed.',
  addAgent: 'The agent could not be added.',
  testAgent: 'The agent could not be tested.',
  connectModel: 'The model could not be connected.',
  manageSecrets: 'The secrets could not be changed.',
  allowRules: 'The rules could not be shown.',
  signOut: 'You could not be signed out.',
};

export function plainCommands(ports: CommandPorts): CommandTable {
  const { conversations, chat, panels, recovery, report } = ports;
  const command = (name: string, failed: string, run: (target: Target) => Promise<void>) => {
    const safely = async (target: Target) => {
      try {
        await run(target);
      } catch (cause) {
        report.failure(failed, cause);
      }
    };
    return [`throughline.${name}`, safely] as const;
  };
  return Object.fromEntries([
    command('newSession', 'A new session could not be opened.', async () => chat.show(await conversations.fresh())),
    command('newIncognitoSession', 'An incognito session could not be begun.', async () =>
      chat.show(await conversations.incognito()),
    ),
    command('newSessionFrom', 'No session could be begun from there.', async target => {
      const session = sessionOf(target) ?? (await pick(ports, 'Begin with what was said in which session?'));
      if (!session) return;
      const conversation = await conversations.after(session);
      if (conversation) await chat.show(conversation);
      else void showInfo('Nothing was said in that session yet.');
    }),
    command('focusChat', 'The chat could not be shown.', () => chat.focus()),
    command('focusLastMessage', 'The last message could not be shown.', () => chat.focus('lastMessage')),
    command('findInConversation', 'The chat could not be shown.', () => chat.focus('find')),
    command('openInEditor', 'The session could not be opened in an editor.', async target => {
      const session = sessionOf(target) ?? chat.session ?? (await pick(ports, 'Open which session?'));
      if (session) panels.open(await conversations.getEnd(session));
    }),
    command('openToSide', 'The session could not be opened to the side.', async target => {
      const session = sessionOf(target) ?? chat.session ?? (await pick(ports, 'Open which session?'));
      if (!session) return;
      const conversation = await conversations.get(session);
      const leaf = leafOf(target);
      // The branch that is being answered stays in view.
      if (leaf !== undefined && !conversation.transcript.turn) await conversation.setHead(leaf);
      panels.open(conversation, ViewColumn.Beside);
    }),
    command('copyLink', 'The link could not be copied.', async target => {
      const session =
        sessionOf(target) ?? (await pick(ports, 'Copy the link to which session?', ({ id }) => !isIncognito(id)));
      if (session) await env.clipboard.writeText(linkTo(session, ports.extensionId));
    }),
    command('recoverHistory', 'No history could be recovered.', async () => (await recovery()).recover()),
    command('cancelTurn', 'The answer could not be stopped.', async target => {
      const shown = [chat.session, panels.active];
      const session = sessionOf(target) ?? shown.find(one => one !== null && conversations.isRunning(one));
      if (session && conversations.isRunning(session)) await (await conversations.get(session)).cancel();
    }),
    ...Object.entries(aboutAgents).map(([name, failed]) =>
      command(name, failed, async target => {
        const { agentActions } = await import('./agents/agentActions.ts');
        await agentActions(ports)[name as AgentCommand](target);
      }),
    ),
  ]);
}

export async function pick(
  { conversations, now }: Pick<CommandPorts, 'conversations' | 'now'>,
  title: string,
  isMeant: (summary: SessionSummary) => boolean = () => true,
): Promise<SessionId | undefined> {
  const asked = {
    title,
    fits: (one: SessionSummary) => !one.trashed && isMeant(one),
    none: 'There are no sessions yet.',
  };
  return (await pickSession(await conversations.list(), asked, now()))?.id;
}
