// The person chooses what the agent of a conversation is set to: its mode, its model, or whatever else it offers. An
// option that is only on or off is turned over.

import { QuickPickItemKind, type QuickPickItem } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { AgentOption, OptionChoice } from '../../model/agentState.ts';
import { pickOne } from '../notify/pickers.ts';

export async function pickOption(conversation: Conversation, id: string): Promise<void> {
  const option = conversation.transcript.options.find(one => one.id === id);
  if (!option) return;
  if (!option.choices) return conversation.setOption(id, !option.value);
  const picked = await pickOne(itemsOf(option, option.choices), {
    title: option.name,
    placeHolder: option.description || `What ${conversation.agent.name} works with from the next message on`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.value !== undefined && picked.value !== option.value) await conversation.setOption(id, picked.value);
}

type Item = QuickPickItem & { readonly value?: string };

/** In the agent's order, with its groups between lines. */
function itemsOf({ value: now }: AgentOption, choices: readonly OptionChoice[]): readonly Item[] {
  let group: string | undefined;
  return choices.flatMap((choice): readonly Item[] => {
    const item: Item = {
      value: choice.value,
      label: choice.name,
      ...(choice.value === now ? { description: 'now' } : {}),
      ...(choice.description === '' ? {} : { detail: choice.description }),
    };
    if (choice.group === group || choice.group === undefined) return [item];
    ({ group } = choice);
    return [{ label: choice.group, kind: QuickPickItemKind.Separator }, item];
  });
}
