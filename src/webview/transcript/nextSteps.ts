// What helps after an answer that did not come to its own end, each way of ending with the fitting step. Pure, so that a
// table can prove it. Promises: nothing is offered where nothing helps.

import type { Message } from '../../model/message.ts';

/** `continue` says so to the agent; `retry` sends the same prompt again, `edit` in other words, each beside what is there. */
export interface NextStep {
  readonly does: 'continue' | 'retry' | 'edit';
  readonly name: 'Restart and continue' | 'Continue' | 'Retry' | 'Edit and resend';
}

/** A person's words, which stand in the conversation like any others. */
export const continueWords = 'Continue where you stopped.';

const goOn: NextStep = { does: 'continue', name: 'Continue' };
const retry: NextStep = { does: 'retry', name: 'Retry' };
const edit: NextStep = { does: 'edit', name: 'Edit and resend' };

export function nextSteps(answer: Message): readonly NextStep[] {
  if (answer.role !== 'assistant') return [];
  // Of an answer with nothing in it there is nothing to go on from: the prompt itself is sent again.
  const isBegun = answer.blocks.some(({ kind }) => kind !== 'notice' && kind !== 'changes');
  const { end } = answer;
  switch (end?.reason) {
    case undefined:
    case 'cancelled':
      return [isBegun ? goOn : retry];
    case 'max_tokens':
    case 'max_turn_requests':
      return [goOn];
    case 'refusal':
      return [edit];
    case 'failed':
      if (end?.cause === 'gone') return [{ does: isBegun ? 'continue' : 'retry', name: 'Restart and continue' }];
      return isBegun && end?.cause !== 'signIn' ? [goOn, retry] : [retry];
    default:
      // It came to its own end, or ended in a way of a later version, of which nobody here knows what helps.
      return [];
  }
}

/** As programs call it when no other machine answers them. */
const noNetwork =
  /\b(ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|EHOSTUNREACH|ETIMEDOUT)\b|fetch failed|connection error|network is unreachable|unable to connect/i;

/** What a person looks at first; empty where nothing is known. */
export function lookFirst({ end }: Message): string {
  return end?.reason === 'failed' && noNetwork.test(end.detail ?? '') ? 'Is this machine online?' : '';
}
