// The window goes: nothing begins any more, the turn that runs is left without an end, and what arrived is saved as far as
// that goes in time. A disk that doesn't answer must not keep a window from closing.

import { leaveAgent, showContinuity } from './agentLink.ts';
import { checkpoint } from './answer.ts';
import { lookAtFiles, openTurn, stopTurnTimers, windowCloses } from './runningTurn.ts';
import { closeQuestionsOf } from './asking.ts';
import type { CallId, SaveOutcome, TimerName } from './effect.ts';
import { withdrawHeld } from './heldPrompt.ts';
import { beginWaiting } from './queueing.ts';
import type { Request } from './input.ts';
import type { RunningTurn, TurnPlan } from './state.ts';
import type { Transition } from './transition.ts';

const closePatience = 4000;
/** The timers that mean nothing any more. Those of a turn end with it. */
const isEndedByClosing: { readonly [timer in TimerName]: boolean } = {
  save: true,
  checkpoint: false,
  cancel: false,
  hang: true,
  look: true,
  otherWriter: true,
  lookUp: true,
  doubt: true,
  close: false,
  ignoredStop: true,
};
const windowIsClosing = { sent: false, words: 'It wasn’t sent: the window is closing.' } as const;

export function leave(step: Transition, call: CallId): void {
  const { phase } = step;
  if (phase.name === 'closed') return step.reply(call);
  step.set({ leaving: [...step.state.leaving, call] });
  if (phase.name === 'closing') return;
  const plan = leaveTurn(step);
  for (const request of step.state.postponed) refuseClosing(step, request);
  for (const waiting of step.state.following.calls) step.reply(waiting, true);
  for (const stop of step.state.stops) step.reply(stop);
  for (const [timer, isEnded] of Object.entries(isEndedByClosing) as [TimerName, boolean][])
    if (isEnded) step.act({ kind: 'stopTimer', timer });
  step.act({ kind: 'startTimer', timer: 'close', after: closePatience });
  const { saving } = step.state;
  step.set({ postponed: [], stops: [], sendsNext: 'no', signIn: null, saving: { ...saving, isDue: true } });
  leaveAgent(step);
  beginWaiting(step);
  step.enter({ name: 'closing', plan });
}

/** Everything that was under way ends without a word of ours in history. Gives the prompt whose record is on its way there. */
function leaveTurn(step: Transition): TurnPlan | null {
  const { phase, saving } = step.state;
  const turn = openTurn(step.state);
  if (turn) leaveRunning(step, turn);
  switch (phase.name) {
    case 'preparing':
      step.act({ kind: 'abort', job: phase.job });
      giveBack(step, phase.plan);
      return null;
    case 'held':
      if (phase.why.kind === 'hangs') step.act({ kind: 'abort', job: phase.why.job });
      withdrawHeld(step);
      giveBack(step, phase.plan);
      return null;
    case 'saving': {
      const isUnderway = saving.job !== null && saving.waiting[0]?.purpose === 'prompt';
      if (isUnderway) return phase.plan;
      step.set({ saving: { ...saving, waiting: saving.waiting.filter(({ purpose }) => purpose !== 'prompt') } });
      giveBack(step, phase.plan);
      return null;
    }
    case 'switching':
      step.reply(phase.change.request?.call ?? null);
      return null;
    case 'idle':
    case 'unavailable':
    case 'released':
    case 'loading':
    case 'running':
    case 'summarising':
    case 'stopping':
    case 'ending':
    case 'closing':
    case 'closed':
      return null;
  }
}

function leaveRunning(step: Transition, turn: RunningTurn): void {
  stopTurnTimers(step);
  closeQuestionsOf(step, turn.id);
  const { answer } = openTurn(step.state) ?? turn;
  step.act({ kind: 'abort', job: turn.job, reason: windowCloses });
  const { facts, answer: saved } = checkpoint(answer);
  step.save(facts);
  lookAtFiles(step, { ...turn, answer: saved });
  step.show({ type: 'turnChanged', turn: null });
  showContinuity(step);
}

/** The record that was on its way when the window began to close. */
export function recordTriedLate(step: Transition, plan: TurnPlan, outcome: SaveOutcome): void {
  if (outcome.kind === 'saved') step.reply(plan.call, { sent: true });
  else giveBack(step, plan);
  step.enter({ name: 'closing', plan: null });
}

/** A prompt of the queue stays in it; in history it waits still. */
function giveBack(step: Transition, { call }: TurnPlan): void {
  step.reply(call, windowIsClosing);
  step.show({ type: 'turnChanged', turn: null });
  const { onItsWay } = step.state;
  if (!onItsWay) return;
  step.set({ onItsWay: null });
  step.show({ type: 'queueChanged', queue: [onItsWay.queued, ...step.transcript.queue] });
}

export function refuseClosing(step: Transition, request: Request): void {
  step.reply(request.call, request.type === 'send' || request.type === 'summarise' ? windowIsClosing : undefined);
}

/** Closed once everything that can be saved is. */
export function closeIfDone(step: Transition): void {
  const { phase, saving, settling } = step.state;
  if (phase.name !== 'closing' || settling.size > 0) return;
  if (saving.job === null && (saving.waiting.length === 0 || !saving.isDue)) endClosing(step);
}

export function endClosing(step: Transition): void {
  if (step.phase.name !== 'closing') return;
  step.act({ kind: 'stopTimer', timer: 'close' });
  for (const call of step.state.leaving) step.reply(call);
  step.set({ leaving: [] });
  step.enter({ name: 'closed' });
}
