// One turn: from a prompt that is already durable to the end of the agent's answer. Promises: streaming text is in the
// journal at most two seconds after it came; the turn always ends with an end fact, whatever the agent does; trouble in
// saving never ends it. It leaves the prompt, the queue and what is shown to the conversation.

import type { MessageEnd, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { AgentAnswer, TurnDesk } from '../agents.ts';
import type { Clock } from '../ports.ts';
import { Answer, type Step } from './answer.ts';
import type { Saver } from './saver.ts';

export interface TurnRequest {
  readonly session: SessionId;
  /** The assistant message, open in the journal. */
  readonly message: MessageId;
  /** Sends the prompt. */
  readonly prompt: (desk: TurnDesk, signal: AbortSignal) => Promise<AgentAnswer>;
  readonly ask: TurnDesk['ask'];
  /** What else is true from the end on, in the same record. */
  readonly endFacts: (answer: AgentAnswer) => readonly Fact[];
  readonly saver: Saver;
  readonly clock: Clock;
  readonly show: (event: TranscriptEvent) => void;
  readonly signal: AbortSignal;
}

export interface TurnEnd {
  /** Null where the window closed: then the message has no end. */
  readonly end: MessageEnd | null;
  /** What the agent answers to a cancel after we ended without its word. */
  readonly late: Promise<AgentAnswer> | null;
}

/** Aborting with this is not a cancel: the window goes, and the message stays open, so that it is shown as interrupted. */
export const windowCloses = 'the window closes';

const checkpointInterval = 2000;
/** How long an agent may take to answer a cancel before the turn ends without its word. */
const cancelPatience = 100;

export async function runTurn(turn: TurnRequest): Promise<TurnEnd> {
  const { session, message, signal, saver, clock } = turn;
  const answer = new Answer(session, message);
  let saved: Promise<unknown> = Promise.resolve();
  let over = false;

  const take = (step: Step) => {
    for (const event of step.events) turn.show(event);
    if (step.facts.length === 0) return;
    const durable = saver.save(step.facts);
    saved = durable.then(() => {
      for (const event of step.after) turn.show(event);
    });
  };
  let stopCheckpoints = () => {};
  const checkpointLater = () => {
    stopCheckpoints = clock.after(checkpointInterval, () => {
      take({ events: [], facts: answer.checkpoint(), after: [] });
      checkpointLater();
    });
  };
  checkpointLater();

  const desk: TurnDesk = {
    // An update after our end of the turn has nowhere to go: the message is closed, on disk too.
    onUpdate(update) {
      if (!over) take(answer.apply(update));
    },
    async ask(permission, asked) {
      const choice = await turn.ask(permission, AbortSignal.any([asked, signal]));
      const chosen = permission.choices.find(({ id }) => id === choice);
      const allowed = chosen?.kind === 'allow_once' || chosen?.kind === 'allow_always';
      if (!over) take(answer.answered(permission.callId, { choice: chosen?.name ?? null, allowed }));
      return choice;
    },
  };
  const { answered, late } = await answerOf(turn, desk);
  over = true;
  stopCheckpoints();
  if (signal.reason === windowCloses) {
    take({ events: [], facts: answer.checkpoint(), after: [] });
    await saved;
    return { end: null, late: null };
  }
  const { reason, detail, usage } = answered;
  const end: MessageEnd = {
    reason,
    at: clock.now(),
    ...(detail === undefined ? {} : { detail }),
    ...(usage === undefined ? {} : { usage }),
  };
  const rest = answer.close(reason === 'cancelled' ? 'cancelled' : 'failed');
  take({ ...rest, facts: [...rest.facts, { type: 'end', session, message, end }, ...turn.endFacts(answered)] });
  await saved;
  return { end, late };
}

/** The agent's answer, or ours where it was cancelled and does not say so in time, or threw. */
async function answerOf(
  { prompt, signal, clock }: TurnRequest,
  desk: TurnDesk,
): Promise<{ readonly answered: AgentAnswer; readonly late: Promise<AgentAnswer> | null }> {
  const ours: AgentAnswer = { reason: 'cancelled', agreed: false };
  let forget = () => {};
  const cancelled = new Promise<AgentAnswer>(resolve => {
    const onAbort = () => {
      if (signal.reason === windowCloses) resolve(ours);
      else forget = clock.after(cancelPatience, () => resolve(ours));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    forget = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  const asked = prompt(desk, signal).catch((cause: unknown): AgentAnswer => ({
    reason: 'failed',
    detail: cause instanceof Error ? cause.message : String(cause),
    agreed: false,
  }));
  try {
    const answered = await Promise.race([asked, cancelled]);
    return { answered, late: answered === ours ? asked : null };
  } finally {
    forget();
  }
}
