// What runs, in the status bar: how many sessions are being answered and how many need a person; a click leads there.
// Nothing stands there while nothing runs.

import { Disposable, type QuickPickItem } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { SessionId } from '../../model/message.ts';
import type { Conversations } from '../chat/conversations.ts';
import type { Report } from '../report.ts';
import { shownTitle } from './sessionNews.ts';
import { runningWords } from './runningWords.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';
import { createStatusItem } from '../notify/statusItem.ts';

export interface RunningItemPorts {
  readonly conversations: Pick<Conversations, 'onDidChange' | 'active' | 'needsPerson'>;
  /** Where it is shown already, else in the chat. */
  readonly show: (conversation: Conversation) => Promise<void>;
  readonly report: Report;
}

/** Leads to what runs; a choice where that is more than one. */
export interface RunningItem extends Disposable {
  readonly open: () => Promise<void>;
}

export function showRunning({ conversations, show, report }: RunningItemPorts): RunningItem {
  const name = 'Throughline: Running Sessions';
  const item = createStatusItem('throughline.running', name, 'throughline.showRunning');
  const needsPerson = ({ session }: Conversation) => conversations.needsPerson(session);
  const draw = () => {
    const { active } = conversations;
    const needing = active.filter(needsPerson).length;
    if (active.length === 0) return item.show(null);
    const { icon, text, spoken } = runningWords(active.length - needing, needing);
    const titles = active.map(one => `• ${titleOf(one)}${needsPerson(one) ? ' (needs you)' : ''}`);
    const isWarning = needing > 0;
    item.show({ icon, text, tooltip: [spoken, ...titles], spoken: `Throughline: ${spoken}`, isWarning });
  };
  const open = async (): Promise<void> => {
    const { active } = conversations;
    if (active.length === 0) return void showInfo('No session is running.');
    const [first, second] = active.toSorted((one, other) => Number(needsPerson(other)) - Number(needsPerson(one)));
    const needing = active.filter(needsPerson).length;
    // Where only one needs a person, that is what the click is about.
    const only = !second || needing === 1 ? first : await choose(active, needsPerson);
    if (only) await show(only);
  };
  const all = Disposable.from(item, conversations.onDidChange(draw));
  return {
    dispose: () => void all.dispose(),
    open: () => open().catch((cause: unknown) => report.failure('The session could not be shown.', cause)),
  };
}

async function choose(
  active: readonly Conversation[],
  needsPerson: (conversation: Conversation) => boolean,
): Promise<Conversation | undefined> {
  const items = active.map((conversation): QuickPickItem & { readonly conversation: Conversation } => ({
    conversation,
    label: titleOf(conversation),
    description: `${conversation.agent.name} · ${needsPerson(conversation) ? 'needs you' : 'running'}`,
  }));
  return (await pickOne(items, { title: 'Show which running session?' }))?.conversation;
}

function titleOf({
  session,
  transcript,
}: {
  readonly session: SessionId;
  readonly transcript: Conversation['transcript'];
}) {
  return shownTitle(session, transcript.title);
}
