// Shows what was found: its session, on its branch, at the very message; or the trace of the subagent that said it.
// Promises: a running answer is not taken from under a person; what is in the trash is shown only after they wanted it
// back; what is gone meanwhile is said in words.

import type { History } from '../../core/history/history.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { FocusOn } from '../../model/wire.ts';
import type { Conversations } from '../chat/conversations.ts';
import { openTrace } from '../sessions/trace.ts';
import type { SearchRow } from './searchRows.ts';
import { showInfo } from '../notify/messages.ts';

export interface OpenHitPorts {
  readonly conversations: Pick<Conversations, 'get'>;
  readonly history: () => Promise<Pick<History, 'tree' | 'restore' | 'list'>>;
  readonly show: (conversation: Conversation, on?: FocusOn) => Promise<void>;
  readonly openToSide: (conversation: Conversation, on?: FocusOn) => void;
}

export async function openHit(
  { session, message, where }: NonNullable<SearchRow['hit']>,
  toSide: boolean,
  ports: OpenHitPorts,
): Promise<void> {
  if (message !== null && where.label !== null) return openTrace({ session, label: where.label }, message, toSide);
  const conversation = await ports.conversations.get(session);
  const on = message === null ? undefined : { message };
  if (message !== null && !isShown(conversation, message) && !(await goTo(conversation, message, ports))) return;
  if (toSide) ports.openToSide(conversation, on);
  else await ports.show(conversation, on);
}

/** False where the person does not want to see it. */
async function goTo(conversation: Conversation, message: string, { history }: OpenHitPorts): Promise<boolean> {
  const opened = await history();
  const node = (await opened.tree(conversation.session)).find(({ id }) => id === message);
  if (!node) throw new HistoryError('no-message');
  if (conversation.transcript.turn) {
    // The branch that is being answered stays in view.
    void showInfo('An answer is being written. Stop it to see another branch.');
    return true;
  }
  if (node.trashed) {
    const choice = await showInfo('This was said on a branch that is in the trash.', 'Restore');
    if (!choice) return false;
    await opened.restore(conversation.session, message);
  }
  await conversation.goTo(message);
  return true;
}

function isShown(conversation: Conversation, message: string): boolean {
  return conversation.transcript.messages.some(({ id }) => id === message);
}
