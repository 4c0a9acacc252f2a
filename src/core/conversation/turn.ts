// One turn: from a prompt that is already durable to the end of the agent's answer. Promises: streaming text is in the
// journal at most two seconds after it came; the turn always ends with an end fact, whatever the agent does; trouble in
// saving never ends it. It leaves the prompt, the queue and what is shown to the conversation.

import type { MessageEnd, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { FileChange } from '../../model/changes.ts';
import type { AgentAnswer, AgentUpdate, TurnDesk } from '../agentTurn.ts';
import type { FileWatch, TurnFiles } from '../changes.ts';
import type { Clock } from '../ports.ts';
import { Answer, type Step } from './answer.ts';
import type { Asking } from './asking.ts';
import type { Saver } from './saver.ts';
import { toldPaths } from './toldPaths.ts';

export interface TurnRequest {
  readonly session: SessionId;
  /** The assistant message, open in the journal. */
  readonly message: MessageId;
  /** Sends the prompt. */
  readonly prompt: (desk: TurnDesk, signal: AbortSignal) => Promise<AgentAnswer>;
  readonly asking: Pick<Asking, 'permission' | 'elicit'>;
  /** Null where there are no files to watch. */
  readonly files: FileWatch | null;
  /** Said to the person before the agent says anything. */
  readonly notices: readonly string[];
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
  /** The files were looked at a last time, and what was found is saved. */
  readonly settled: Promise<unknown>;
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

  const broken = new AbortController();
  /** Ends the turn where something throws: the agent, a timer or the disk that called could do nothing with it. */
  const guarded = (run: () => void) => {
    try {
      run();
    } catch (cause) {
      broken.abort(cause);
    }
  };
  const show = (events: Step['events']) =>
    guarded(() => {
      for (const event of events) turn.show(event);
    });
  const take = (step: Step) => {
    // Saved also where it cannot be shown any more, as what is found on the disk after another branch was chosen.
    if (step.facts.length > 0) saved = saver.save(step.facts).then(() => show(step.after));
    show(step.events);
  };
  let stopCheckpoints = () => {};
  const checkpointLater = () => {
    stopCheckpoints = clock.after(checkpointInterval, () => {
      take({ events: [], facts: answer.checkpoint(), after: [] });
      checkpointLater();
    });
  };

  const files = turn.files?.begin({
    onChange(changes) {
      if (!over) take(answer.changed(changes, false));
    },
    onClash(path) {
      if (!over) take(answer.apply(warning(`Another turn that ran at the same time changed “${path}” too.`)));
    },
  });
  /** What had begun to be written when the turn was stopped. */
  const writing: Promise<void>[] = [];
  const desk: TurnDesk = {
    // An update after our end of the turn has nowhere to go: the message is closed, on disk too.
    onUpdate(update) {
      if (over) return;
      guarded(() => {
        take(answer.apply(update));
        const call = update.type === 'toolCall' ? answer.toolCallOf(update.callId) : null;
        const told = call && files ? toldPaths(call) : [];
        if (told.length > 0) files?.told(told);
      });
    },
    async ask(permission, asked) {
      const { choice, answer: given } = await turn.asking.permission(permission, AbortSignal.any([asked, signal]));
      if (!over) take(answer.answered(permission.callId, given));
      return choice;
    },
    elicit: (elicitation, asked) => turn.asking.elicit(elicitation, AbortSignal.any([asked, signal])),
    onWrite: write => guarded(() => files?.wrote(write)),
    onWriting: ended => void writing.push(ended),
  };
  checkpointLater();
  for (const words of turn.notices) desk.onUpdate(warning(words));
  const { answered, late } = await answerOf(turn, desk, broken.signal);
  over = true;
  stopCheckpoints();
  // Not waited for: whoever stopped the turn is not kept waiting while the disk is looked at.
  const settled = lastLook(files, writing, changes => {
    take(answer.changed(changes, true));
    return saved;
  });
  if (signal.reason === windowCloses) {
    take({ events: [], facts: answer.checkpoint(), after: [] });
    await saved;
    return { end: null, late: null, settled };
  }
  const { reason, detail, usage, isGone, needsSignIn } = answered;
  const cause = isGone ? 'gone' : needsSignIn ? 'signIn' : undefined;
  const end: MessageEnd = {
    reason,
    at: clock.now(),
    ...(detail === undefined ? {} : { detail }),
    ...(cause === undefined ? {} : { cause }),
    ...(usage === undefined ? {} : { usage }),
  };
  const rest = answer.close(reason === 'cancelled' ? 'cancelled' : 'failed');
  take({ ...rest, facts: [...rest.facts, { type: 'end', session, message, end }, ...turn.endFacts(answered)] });
  await saved;
  return { end, late, settled };
}

async function lastLook(
  files: TurnFiles | undefined,
  writing: readonly Promise<void>[],
  take: (changes: readonly FileChange[]) => Promise<unknown>,
): Promise<void> {
  await Promise.all(writing);
  if (files) await take(await files.end());
}

function warning(text: string): AgentUpdate {
  return { type: 'notice', severity: 'warning', text };
}

/** The agent's answer, or ours where it was cancelled and does not say so in time, or threw. */
async function answerOf(
  { prompt, signal, clock }: TurnRequest,
  desk: TurnDesk,
  broken: AbortSignal,
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
  const asked = prompt(desk, AbortSignal.any([signal, broken])).catch(failedWith);
  const brokenOff = new Promise<AgentAnswer>(resolve => {
    broken.addEventListener('abort', () => resolve(failedWith(broken.reason)), { once: true });
    if (broken.aborted) resolve(failedWith(broken.reason));
  });
  try {
    const answered = await Promise.race([asked, cancelled, brokenOff]);
    return { answered, late: answered === ours ? asked : null };
  } finally {
    forget();
  }
}

function failedWith(cause: unknown): AgentAnswer {
  return { reason: 'failed', detail: cause instanceof Error ? cause.message : String(cause), agreed: false };
}
