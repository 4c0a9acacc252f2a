// What an agent asks a person for besides permission: a form to fill in, or an address to open. Promises: only what fits
// the form goes back, and only when the person accepted it; where nobody is there to answer, or the agent takes its
// question back, the answer is `cancel`.

import type { CreateElicitationResponse } from '@agentclientprotocol/sdk';
import type { Elicitation, ElicitationAnswer } from '../../model/agentState.ts';
import { answerFits, filledIn } from '../../model/form.ts';
import type { AgentDesk } from './agentDesk.ts';
import type { ClientHandlers } from './clientHandlers.ts';

export interface ElicitationPorts {
  readonly newId: () => string;
}

type ElicitationHandlers = Required<Pick<ClientHandlers, 'createElicitation' | 'completeElicitation'>>;

/** Those of one running agent. */
export function elicitations(desk: AgentDesk, { newId }: ElicitationPorts): ElicitationHandlers {
  const open = new Map<string, AbortController>();
  return {
    async createElicitation({ elicitationId, message, asks }, turn, withdrawn) {
      if (!asks) return { action: 'decline' };
      const done = new AbortController();
      if (elicitationId !== null) open.set(elicitationId, done);
      try {
        const elicitation = { id: newId(), message, asks };
        const answer = await (turn ?? desk).elicit(elicitation, AbortSignal.any([withdrawn, done.signal]));
        // The person went there by another way than ours, and the agent knows it.
        return done.signal.aborted ? { action: 'accept' } : responseOf(elicitation, answer);
      } finally {
        if (elicitationId !== null && open.get(elicitationId) === done) open.delete(elicitationId);
      }
    },
    completeElicitation: ({ elicitationId }) => open.get(elicitationId)?.abort(),
  };
}

function responseOf(elicitation: Elicitation, answer: ElicitationAnswer): CreateElicitationResponse {
  if (answer.action !== 'accept') return { action: answer.action };
  if (!answerFits(elicitation, answer)) return { action: 'cancel' };
  const { asks } = elicitation;
  if (asks.kind === 'url') return { action: 'accept' };
  const content = filledIn(asks.fields, answer.content);
  // The SDK's type has lists that may be changed.
  return {
    action: 'accept',
    content: structuredClone(content) as { [field: string]: string | number | boolean | string[] },
  };
}
