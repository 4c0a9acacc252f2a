// A question to the person that holds a prompt back, and signing in to an agent. A new question takes the place of the one
// before. Nothing is tried that the person didn't choose; what went wrong is said, and another way can be chosen.

import type { Held, HeldChoice } from '../../model/agentState.ts';
import { agentErrorIn } from '../agentError.ts';
import type { AgentProgram, AuthMethod } from '../agents.ts';
import { closeUnused } from './agentLink.ts';
import { closeQuestionsOf } from './asking.ts';
import type { Tried } from './effect.ts';
import { giveUp, refuse, resolveAgain, resolveWithTranscript, takeSession } from './preparing.ts';
import type { HeldFor, SignIn, TurnPlan } from './state.ts';
import type { Transition } from './transition.ts';

const notSent = { sent: false, words: 'It was not sent.' } as const;

export function hold(step: Transition, plan: TurnPlan, why: HeldFor, held: Held): void {
  step.enter({ name: 'held', plan, why });
  showHeld(step, held);
}

function showHeld(step: Transition, held: Held | null): void {
  if (held === step.transcript.held) return;
  step.show({ type: 'heldChanged', held });
}

export function withdrawHeld(step: Transition): void {
  showHeld(step, null);
}

export function answerHeld(step: Transition, choice: HeldChoice): void {
  const { phase, transcript, state } = step;
  if (!transcript.held) return;
  if (state.signIn) return answerSignIn(step, state.signIn, choice);
  if (phase.name !== 'held') return;
  const { plan, why } = phase;
  withdrawHeld(step);
  switch (why.kind) {
    case 'less':
      if (choice === 'transcript') return takeSession(step, plan, why.found);
      closeUnused(step, why.found.session);
      return choice === 'retry' ? resolveAgain(step, plan) : refuse(step, plan, notSent);
    case 'hangs':
      step.act({ kind: 'abort', job: why.job });
      return goOn(step, plan, choice);
    case 'failed':
      return goOn(step, plan, choice);
    case 'signIn':
      return refuse(step, plan, notSent);
  }
}

function goOn(step: Transition, plan: TurnPlan, choice: HeldChoice): void {
  if (choice === 'transcript') return resolveWithTranscript(step, plan);
  return choice === 'retry' ? resolveAgain(step, plan) : refuse(step, plan, notSent);
}

/** The agent wants to know who the person is. `plan` waits for it; null where nothing does. */
export function holdSignIn(step: Transition, plan: TurnPlan | null, program: AgentProgram, refusal: unknown): void {
  if (plan) step.enter({ name: 'held', plan, why: { kind: 'signIn' } });
  const job = step.run('readSignInMethods', { program });
  step.set({ signIn: { resumes: plan, program, refusal, methods: [], job, trying: null } });
}

export function signInMethodsRead(step: Transition, signIn: SignIn, outcome: Tried<readonly AuthMethod[]>): void {
  // One that names no way to sign in has said so in its words.
  if (!outcome.ok || outcome.value.length === 0)
    return endSignIn(step, signIn, plan => giveUp(step, plan, outcome.ok ? signIn.refusal : outcome.cause));
  const methods = outcome.value.map(({ id, name, description, kind }) => ({ id, name, description, kind }));
  ask(step, { ...signIn, methods, job: null }, null);
}

function ask(step: Transition, signIn: SignIn, words: string | null): void {
  const { methods, trying } = signIn;
  step.set({ signIn });
  showHeld(step, { kind: 'signIn', methods, trying, words });
}

function answerSignIn(step: Transition, signIn: SignIn, choice: HeldChoice): void {
  if (signIn.trying !== null) {
    // The person doesn't want this one any more.
    if (signIn.job !== null) step.act({ kind: 'abort', job: signIn.job });
    return ask(step, { ...signIn, job: null, trying: null }, null);
  }
  if (choice === 'retry') return endSignIn(step, signIn, plan => resolveAgain(step, plan));
  if (typeof choice === 'string') return endSignIn(step, signIn, plan => refuse(step, plan, notSent));
  const method = signIn.methods.find(({ id }) => id === choice.signIn);
  if (!method) return;
  const job = step.run('signIn', { program: signIn.program, method: method.id });
  ask(step, { ...signIn, job, trying: method.id }, null);
}

export function signedIn(step: Transition, signIn: SignIn, outcome: Tried<null>): void {
  if (outcome.ok) return endSignIn(step, signIn, plan => resolveAgain(step, plan));
  const words = agentErrorIn(outcome.cause)?.message ?? String(outcome.cause);
  ask(step, { ...signIn, job: null, trying: null }, words);
}

function endSignIn(step: Transition, { resumes }: SignIn, goOnWith: (plan: TurnPlan) => void): void {
  step.set({ signIn: null });
  closeQuestionsOf(step, null);
  withdrawHeld(step);
  if (resumes) goOnWith(resumes);
}
