// "Fork from Here…" as a command: the next prompt of a session begins a branch at a message. From the palette a person
// chooses the message; with a session alone it is the last one, with a branch its end.

import type { QuickPickItem } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { textOf, type Message, type MessageId } from '../../model/message.ts';
import { showInfo } from '../notify/messages.ts';
import { pickOne } from '../notify/pickers.ts';

/** `at` is a message on the shown path, null the last; undefined asks. False where nothing was forked. */
export async function forkHere(conversation: Conversation, at: MessageId | null | undefined): Promise<boolean> {
  const { messages, turn } = conversation.transcript;
  const last = messages.at(-1);
  if (!last) {
    void showInfo('Nothing has been said in this session, so there is nothing to fork from.');
    return false;
  }
  if (turn) {
    void showInfo('An answer is being written. Stop it to fork from this session.');
    return false;
  }
  const from = at === undefined ? await pickMessage(messages) : (at ?? last.id);
  if (from === undefined) return false;
  await conversation.forkFrom(from);
  return true;
}

async function pickMessage(messages: readonly Message[]): Promise<MessageId | undefined> {
  const items = messages.map((message, at): QuickPickItem & { readonly id: MessageId } => ({
    id: message.id,
    label: firstWords(message),
    description: `${speaker(message)} · ${at + 1} of ${messages.length}`,
  }));
  const options = {
    title: 'Fork from which message?',
    placeHolder: 'Your next prompt continues from it, as a new branch',
  };
  return (await pickOne(items.toReversed(), options))?.id;
}

function speaker({ role, agent }: Message): string {
  return role === 'user' ? 'You' : role === 'summary' ? 'Summary' : (agent?.name ?? 'Agent');
}

function firstWords(message: Message): string {
  const words = textOf(message).replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(words.slice(0, 400));
  if (characters.length === 0) return 'Without words';
  return characters.length > 100 ? `${characters.slice(0, 99).join('')}…` : words;
}
