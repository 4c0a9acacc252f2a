// One turn: from a prompt that is already durable to the end of the agent's answer. Promises: streaming text is in the
// journal at most two seconds after it came; the turn always ends with an end fact, whatever the agent does; trouble in
// saving never ends it. It leaves the prompt, the queue and what is shown to the conversation.

import type { MessageEnd, MessageId } from '../../model/message.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { Agent, AgentAnswer, AgentRequest, Clock } from '../ports.ts';
import { Answer, type Step } from './answer.ts';
import type { Saver } from './saver.ts';

export interface TurnRequest {
  readonly agent: Agent;
  readonly request: AgentRequest;
  /** The assistant message, open in the journal. */
  readonly message: MessageId;
  readonly saver: Saver;
  readonly clock: Clock;
  readonly show: (event: TranscriptEvent) => void;
  readonly signal: AbortSignal;
}

/** Aborting with this is not a cancel: the window goes, and the message stays open, so that it is shown as interrupted. */
export const windowCloses = 'the window closes';

const checkpointInterval = 2000;
/** How long an agent may take to answer a cancel before the turn ends without its word. */
const cancelPatience = 100;

/** Null where the window closed: then the message has no end. */
export async function runTurn(turn: TurnRequest): Promise<MessageEnd | null> {
  const { session } = turn.request;
  const answer = new Answer(session, turn.message);
  let saved: Promise<unknown> = Promise.resolve();
  let over = false;

  const take = (step: Step) => {
    for (const event of step.events) turn.show(event);
    if (step.facts.length === 0) return;
    const durable = turn.saver.save(step.facts);
    saved = durable.then(() => {
      for (const event of step.after) turn.show(event);
    });
  };
  let stopCheckpoints = () => {};
  const checkpointLater = () => {
    stopCheckpoints = turn.clock.after(checkpointInterval, () => {
      take({ events: [], facts: answer.checkpoint(), after: [] });
      checkpointLater();
    });
  };
  checkpointLater();

  const { reason, detail } = await answerOf(turn, update => {
    // An update after our end of the turn has nowhere to go: the message is closed, on disk too.
    if (!over) take(answer.apply(update));
  });
  over = true;
  stopCheckpoints();
  if (turn.signal.reason === windowCloses) {
    take({ events: [], facts: answer.checkpoint(), after: [] });
    await saved;
    return null;
  }
  const end: MessageEnd = { reason, at: turn.clock.now(), ...(detail === undefined ? {} : { detail }) };
  const rest = answer.close(reason === 'cancelled' ? 'cancelled' : 'failed');
  take({ ...rest, facts: [...rest.facts, { type: 'end', session, message: turn.message, end }] });
  await saved;
  return end;
}

/** The agent's answer, or ours where it was cancelled and does not say so in time, or threw. */
async function answerOf(turn: TurnRequest, onUpdate: Parameters<Agent['prompt']>[1]): Promise<AgentAnswer> {
  const { signal, clock } = turn;
  let forget = () => {};
  const cancelled = new Promise<AgentAnswer>(resolve => {
    const onAbort = () => {
      if (signal.reason === windowCloses) resolve({ reason: 'cancelled' });
      else forget = clock.after(cancelPatience, () => resolve({ reason: 'cancelled' }));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    forget = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([turn.agent.prompt(turn.request, onUpdate, signal), cancelled]);
  } catch (cause) {
    return { reason: 'failed', detail: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    forget();
  }
}
