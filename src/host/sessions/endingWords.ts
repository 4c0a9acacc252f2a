// What a person is told before and after an incognito session ends. Pure.

import type { SessionSummary } from '../../core/history/history.ts';
import { canDelete, namesOf, type AgentCopy } from './agentCopies.ts';
import { counted } from './sessionRows.ts';

export interface EndQuestion {
  readonly text: string;
  readonly detail: readonly string[];
  /** The button that deletes the agents' copies too; null where no agent can. */
  readonly deleting: string | null;
  readonly ending: string;
}

export function endQuestion({ messages }: Pick<SessionSummary, 'messages'>, copies: readonly AgentCopy[]): EndQuestion {
  const gone = `${counted(messages, 'message')} on all branches will be gone. Nothing of it was kept here, so this cannot be undone.`;
  const [can, cannot] = [copies.filter(canDelete), copies.filter(copy => !canDelete(copy))];
  const deletable = can.length > 0 ? `${namesOf(can)} can delete the copy that it keeps itself.` : '';
  const rest = cannot.length > 0 ? `${namesOf(cannot)} may keep a copy, and offers no way to delete it from here.` : '';
  return {
    text: 'End this incognito session?',
    detail: [gone, deletable, rest].filter(Boolean),
    deleting: can.length > 0 ? `End and Delete at ${namesOf(can)}` : null,
    ending: can.length > 0 ? 'End Only' : 'End Session',
  };
}

export function endedWords(deleted: readonly AgentCopy[], failed: readonly string[]): string {
  const [first] = failed;
  if (first !== undefined) return `The incognito session ended here. The agent’s copy could not be deleted. ${first}`;
  const there = deleted.filter(canDelete);
  const also = there.length > 0 ? `, and ${namesOf(there)} deleted its copy` : '';
  return `The incognito session ended${also}.`;
}
