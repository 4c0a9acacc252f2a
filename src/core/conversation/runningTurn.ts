// A running turn, from the agent's first update to its end. Streaming text is in the journal at most two seconds after it
// came; the turn always ends with an end fact, whatever the agent does; trouble in saving never ends it.

import { AgentError } from '../agentError.ts';
import type { FileChange } from '../../model/changes.ts';
import type { MessageEnd, MessageId, PermissionAnswer, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { AgentAnswer, AgentUpdate } from '../agentTurn.ts';
import { longestInline } from '../history/blobs.ts';
import { bind, closeUnused, showContinuity } from './agentLink.ts';
import {
  applyUpdate,
  checkpoint,
  closeAnswer,
  recordPermission,
  setChanges,
  toolCallOf,
  type Growth,
} from './answer.ts';
import { bindingFact, type Binding } from './binding.ts';
import type { JobId } from './effect.ts';
import { holdSignIn } from './heldPrompt.ts';
import { rest } from './preparing.ts';
import { closeQuestionsOf } from './asking.ts';
import type { EndedTurn, RunningTurn, State } from './state.ts';
import { toldPaths } from './toldPaths.ts';
import type { Transition } from './transition.ts';

/** How long an agent may take to answer a cancel before the turn ends without its word. */
const cancelPatience = 100;
/** An agent that didn't answer a cancel for so long is restarted. */
const ignoredPatience = 10_000;
const checkpointInterval = 2000;

/** Aborting with this is not a cancel: the window goes, and the message stays open, so that it is shown as interrupted. */
export const windowCloses = 'the window closes';

/** The turn whose updates are taken. */
export function openTurn({ phase }: Pick<State, 'phase'>): RunningTurn | null {
  return phase.name === 'running' || phase.name === 'summarising' || phase.name === 'stopping' ? phase.turn : null;
}

export function takeUpdate(step: Transition, update: AgentUpdate): void {
  const turn = openTurn(step.state);
  if (!turn) return;
  const hasWords = turn.hasWords || (update.type === 'text' && update.text.trim() !== '');
  grow(step, { ...turn, hasWords }, applyUpdate(turn.answer, update));
  const call =
    update.type === 'toolCall' ? toolCallOf(openTurn(step.state)?.answer ?? turn.answer, update.callId) : null;
  const told = call && step.given.hasFiles ? toldPaths(call) : [];
  if (told.length > 0) step.act({ kind: 'toldFiles', turn: turn.id, paths: told });
}

export function filesChanged(step: Transition, changes: readonly FileChange[]): void {
  const turn = openTurn(step.state);
  if (turn) grow(step, turn, setChanges(turn.answer, changes, false));
}

export function fileClashed(step: Transition, path: string): void {
  takeUpdate(step, {
    type: 'notice',
    severity: 'warning',
    text: `Another turn that ran at the same time changed “${path}” too.`,
  });
}

/** What was answered to a question of the turn is kept with the call that it was for. */
export function permissionAnswered(step: Transition, callId: string, answer: PermissionAnswer): void {
  const turn = openTurn(step.state);
  if (turn) grow(step, turn, recordPermission(turn.answer, callId, answer));
}

export function checkpointDue(step: Transition): void {
  const turn = openTurn(step.state);
  if (!turn) return;
  grow(step, turn, checkpoint(turn.answer));
  step.act({ kind: 'startTimer', timer: 'checkpoint', after: checkpointInterval });
}

function grow(step: Transition, turn: RunningTurn, { answer, events, facts, after }: Growth): void {
  const { phase } = step;
  if (phase.name === 'running' || phase.name === 'summarising' || phase.name === 'stopping')
    step.enter({ name: phase.name, turn: { ...turn, answer } });
  // Saved also where it can't be shown any more, as what is found on the disk after another branch was chosen.
  if (facts.length > 0) step.save(facts, { after });
  for (const event of events) step.show(event);
}

/** The person stops the turn, or something that can't go on beside it does. */
export function stopTurn(step: Transition): void {
  const { phase, transcript } = step;
  if (phase.name !== 'running' && phase.name !== 'summarising') return;
  const { turn } = phase;
  step.enter({ name: 'stopping', turn });
  if (transcript.turn) step.show({ type: 'turnChanged', turn: { ...transcript.turn, cancelling: true } });
  closeQuestionsOf(step, turn.id);
  step.act({ kind: 'abort', job: turn.job });
  step.act({ kind: 'startTimer', timer: 'cancel', after: cancelPatience });
}

/** The agent doesn't answer the cancel: the turn ends without its word. */
export function cancelIgnored(step: Transition): void {
  const { phase } = step;
  if (phase.name !== 'stopping') return;
  const { turn } = phase;
  const { program } = step.state.link;
  step.set({ ignored: new Map(step.state.ignored).set(turn.job, { turn, program }) });
  step.act({ kind: 'startTimer', timer: 'ignoredStop', after: ignoredPatience });
  endTurn(step, turn, { reason: 'cancelled', agreed: false });
}

/** What it does from here on reaches nothing: its sessions end with it, and the next prompt begins another one. */
export function restartIgnoring(step: Transition): void {
  for (const { turn, program } of step.state.ignored.values()) {
    step.act({ kind: 'restartAgent', program });
    step.warn(`${program.ref.name} didn’t answer Stop, so it was restarted.`);
    if (step.state.link.session === turn.resolved.session) step.link({ session: null });
  }
  step.set({ ignored: new Map() });
}

/** It may agree after all, only later than a person should wait. */
export function answeredLate(step: Transition, job: JobId, answer: AgentAnswer): void {
  const late = step.state.ignored.get(job);
  if (!late) return;
  const ignored = new Map(step.state.ignored);
  ignored.delete(job);
  step.set({ ignored });
  if (ignored.size === 0) step.act({ kind: 'stopTimer', timer: 'ignoredStop' });
  if (!answer.agreed) return;
  step.save(learnt(step, late.turn, answer));
  if (step.phase.name === 'idle' || step.phase.name === 'unavailable') showContinuity(step);
}

/** Something of ours threw while the turn ran. */
export function turnBroke(step: Transition, cause: unknown): void {
  const turn = openTurn(step.state);
  if (!turn) return;
  step.act({ kind: 'abort', job: turn.job, reason: cause });
  endTurn(step, turn, { reason: 'failed', detail: wordsOf(cause), agreed: false });
}

export function endTurn(step: Transition, ending: RunningTurn, answer: AgentAnswer): void {
  stopTurnTimers(step);
  closeQuestionsOf(step, ending.id);
  // What was asked is recorded with its call.
  const turn = openTurn(step.state) ?? ending;
  const closed = closeAnswer(turn.answer, answer.reason === 'cancelled' ? 'cancelled' : 'failed');
  lookAtFiles(step, { ...turn, answer: closed.answer });
  const { reason, detail, usage, isGone, needsSignIn = false } = answer;
  const cause = isGone ? 'gone' : needsSignIn ? 'signIn' : undefined;
  const end: MessageEnd = {
    reason,
    at: step.given.now,
    ...(detail === undefined ? {} : { detail }),
    ...(cause === undefined ? {} : { cause }),
    ...(usage === undefined ? {} : { usage }),
  };
  const { session } = step.state;
  const facts = [...closed.facts, { type: 'end', session, message: turn.message, end } as const];
  const ended: EndedTurn = { ...turn, answer: closed.answer, end, needsSignIn };
  step.enter({ name: 'ending', turn: ended });
  const back: readonly Fact[] = isWithoutSummary(ended)
    ? [{ type: 'set', session, name: 'head', value: turn.path.at(-1)?.id ?? null }]
    : [];
  step.save([...facts, ...learnt(step, turn, answer), ...back], { purpose: 'end', after: closed.after });
}

/** Where a summary does not come to a good end, the conversation stands where it stood. */
function isWithoutSummary({ plan, end, hasWords }: EndedTurn): boolean {
  return plan.kind === 'summary' && (end.reason !== 'end_turn' || !hasWords);
}

/** Not waited for: whoever stopped the turn is not kept waiting while the disk is looked at. */
export function lookAtFiles(step: Transition, turn: RunningTurn): void {
  if (turn.plan.kind === 'summary') return;
  const job = step.run('endFiles', { turn: turn.id });
  step.set({ settling: new Map(step.state.settling).set(job, turn.answer) });
}

export function filesSettled(step: Transition, job: JobId, changes: readonly FileChange[]): void {
  const answer = step.state.settling.get(job);
  if (!answer) return;
  const settling = new Map(step.state.settling);
  settling.delete(job);
  step.set({ settling });
  const { facts, after } = setChanges(answer, changes, true);
  step.save(facts, { after });
}

export function stopTurnTimers(step: Transition): void {
  step.act({ kind: 'stopTimer', timer: 'checkpoint' });
  step.act({ kind: 'stopTimer', timer: 'cancel' });
}

/** The end is in history, or can't be saved now. */
export function finishTurn(step: Transition, turn: EndedTurn): void {
  const { plan, end, message, branches, resolved } = turn;
  step.show({ type: 'messageEnded', message, end });
  // What it was told only for this is not what the conversation goes on from.
  if (plan.kind === 'summary') closeUnused(step, resolved.session);
  if (isWithoutSummary(turn)) {
    const messages = step.transcript.messages.filter(({ id }) => id !== message);
    step.show({ type: 'pathChanged', messages, branches, elsewhere: null });
  }
  // After a stop or a failure the person says whether the rest goes out.
  const goesOn = end.reason !== 'cancelled' && end.reason !== 'failed' && !isWithoutSummary(turn);
  if (goesOn) step.set({ sendsNext: 'chained' });
  rest(step);
  if (turn.needsSignIn && !goesOn) {
    const refusal = new AgentError('sign-in', end.detail ?? 'The agent wants to know who you are.');
    holdSignIn(step, null, step.state.link.program, refusal);
  }
}

/** What the agent's session knows from the end on, where the agent itself said that this is the end. */
function learnt(step: Transition, { binding, message }: RunningTurn, answer: AgentAnswer): readonly Fact[] {
  const { session } = step.state;
  const audit = systemPromptFacts(session, message, answer);
  if (!binding) return audit;
  const after: Binding = { ...binding, head: message, dirty: !answer.agreed };
  bind(step, after);
  return [bindingFact(session, after), ...audit];
}

/** Of one that is too long to be in an exported file, in characters: whatever they are, these fit. */
const keptOfSystemPrompt = 40_000;

/** The system prompt that was used last, for whoever wants to know; it goes with the answer where that is erased. */
function systemPromptFacts(session: SessionId, from: MessageId, { systemPrompt }: AgentAnswer): readonly Fact[] {
  if (systemPrompt === undefined) return [];
  // Half of a pair is no text for a file of its own.
  const whole = systemPrompt.replace(/\p{Surrogate}/gu, '\ufffd');
  const kept = whole.slice(0, keptOfSystemPrompt).replace(/[\uD800-\uDBFF]$/, '');
  const content =
    JSON.stringify(whole).length > longestInline
      ? `${kept}\n[${whole.length - kept.length} more characters are not kept.]`
      : whole;
  return [{ type: 'set', session, name: 'systemPrompt', value: { content }, from }];
}

export function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
