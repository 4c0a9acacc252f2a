// A prompt or a summary on its way to the agent: the path that it answers, who lives, the agent's session, what is
// attached, the person's options; then its record goes to history. What the panel said that the agent will know is never
// more than what is then found: where it is less, or nobody answers, the person is asked and nothing is sent meanwhile.

import type { Continuity } from '../../model/agentState.ts';
import { agentErrorIn } from '../agentError.ts';
import type { BranchPath, JobId, Tried } from './effect.ts';
import { dropAhead, isForkHere, requestFor, showContinuity, useSession } from './agentLink.ts';
import { followHeld } from './following.ts';
import { hold, holdSignIn, withdrawHeld } from './heldPrompt.ts';
import type { Binding } from './binding.ts';
import { closeQuestionsOf } from './asking.ts';
import { isSameRequest } from './sessionRequest.ts';
import type { ResolvedSession, SessionRequest } from './resumeAgentSession.ts';
import { withOwn } from './saving.ts';
import { wholeBudget } from './seeding.ts';
import type { Phase, Preparation, ReadyTurn, TurnPlan } from './state.ts';
import { recordTurn } from './launching.ts';
import type { Sent } from './terms.ts';
import type { Transition } from './transition.ts';
import type { AttachedBlock } from './attaching.ts';
import { giveBackQueued } from './queueing.ts';

/** After so long a person is told that the agent does not answer. */
const patience = 10_000;

type Preparing = Extract<Phase, { readonly name: 'preparing' }>;

export const stoppedBeforeSent = 'It was stopped before it was sent.';

export function beginTurn(step: Transition, plan: TurnPlan): void {
  dropSignIn(step);
  if (step.transcript.warnings) step.show({ type: 'warningsChanged', warnings: [] });
  step.show({ type: 'turnChanged', turn: { message: null, cancelling: false } });
  if (plan.parent === undefined) return resolve(step, plan);
  wait(step, plan, 'path', step.run('readPath', { head: plan.parent }), null);
}

function wait(step: Transition, plan: TurnPlan, waits: Preparation, job: JobId, ready: ReadyTurn | null): void {
  step.enter({ name: 'preparing', plan, waits, job, ready });
}

export function pathKnown(step: Transition, { plan }: Preparing, outcome: Tried<BranchPath>): void {
  if (!outcome.ok) return giveUp(step, plan, outcome.cause);
  const { path, branches } = outcome.value;
  resolve(step, { ...plan, other: { path: withOwn(step, path), branches }, shown: { kind: 'fresh' } });
}

/** From the beginning, with the bindings that there are now. */
export function resolve(step: Transition, plan: TurnPlan): void {
  const { hasStaleBindings, isStored, link } = step.state;
  if (hasStaleBindings && isStored) {
    step.set({ hasStaleBindings: false });
    return wait(step, plan, 'bindings', step.run('readBindings', {}), null);
  }
  // Who lives decides only whether what another window bound is free.
  if (link.bindings.every(({ owner }) => owner === step.given.writer)) return look(step, plan, requestOf(step, plan));
  wait(step, plan, 'alive', step.run('readAlive', {}), null);
}

export function bindingsKnown(step: Transition, { plan }: Preparing, bindings: readonly Binding[] | null): void {
  if (bindings) step.link({ bindings });
  resolve(step, plan);
}

export function aliveKnown(step: Transition, { plan }: Preparing, alive: ReadonlySet<string> | null): void {
  if (alive) step.link({ alive });
  look(step, plan, requestOf(step, plan));
}

/** The person chose that a transcript is told. */
export function resolveWithTranscript(step: Transition, plan: TurnPlan): void {
  look(step, plan, { ...requestOf(step, plan), bindings: [] });
}

/** What was asked for last. */
export function resolveAgain(step: Transition, plan: TurnPlan): void {
  look(step, plan, plan.resolving ?? requestOf(step, plan));
}

function requestOf(step: Transition, { kind, other, fork }: TurnPlan): SessionRequest {
  const path = other?.path ?? step.transcript.messages;
  const request = requestFor(step, path, fork ?? (isForkHere(step.state) && other === null));
  if (kind === 'prompt') return request;
  return {
    ...request,
    // One that began with a transcript was told as much as that held.
    bindings: request.bindings.filter(({ from }) => from === null),
    budget: wholeBudget(request.contextWindow),
  };
}

function look(step: Transition, before: TurnPlan, request: SessionRequest): void {
  const plan = { ...before, resolving: request };
  const { ahead } = step.state;
  step.act({ kind: 'startTimer', timer: 'hang', after: patience });
  if (ahead && isSameRequest(ahead.request, request)) {
    step.set({ ahead: null });
    const { found, job } = ahead;
    if (job !== null) return wait(step, plan, 'session', job, null);
    if (found) return wait(step, plan, 'session', step.run('confirmSession', { request, found }), null);
  }
  dropAhead(step);
  wait(step, plan, 'session', step.run('resolveSession', { request }), null);
}

/** The agent doesn't answer; it goes on being asked while the person decides. */
export function tellHanging(step: Transition, { plan, job }: Preparing): void {
  hold(step, plan, { kind: 'hangs', job }, { kind: 'hangs' });
}

export function sessionFound(step: Transition, plan: TurnPlan, outcome: Tried<ResolvedSession>): void {
  step.act({ kind: 'stopTimer', timer: 'hang' });
  withdrawHeld(step);
  if (!outcome.ok) return notFound(step, plan, outcome.cause);
  const found = outcome.value;
  if (rank(found.continuity) >= rank(plan.shown)) return takeSession(step, plan, found);
  step.show({ type: 'continuityChanged', continuity: found.continuity });
  hold(step, plan, { kind: 'less', found }, { kind: 'less', found: found.continuity });
}

function notFound(step: Transition, plan: TurnPlan, cause: unknown): void {
  const error = agentErrorIn(cause);
  if (error?.code === 'sign-in') return holdSignIn(step, plan, step.state.link.program, cause);
  // A transcript would not help: nobody is there to get it.
  const leavesNoChoice = error?.code === 'cannot-start' || error?.code === 'cancelled';
  if (!error || leavesNoChoice || (plan.resolving?.bindings ?? []).length === 0) return giveUp(step, plan, cause);
  hold(step, plan, { kind: 'failed' }, { kind: 'failed', words: error.message });
}

export function takeSession(step: Transition, plan: TurnPlan, resolved: ResolvedSession): void {
  useSession(step, resolved.session);
  const ready: ReadyTurn = { resolved, attached: [], notices: [] };
  const { program } = step.state.link;
  if (plan.kind === 'summary') return recordTurn(step, plan, ready);
  if (plan.attached.length === 0) return restoreOptions(step, plan, ready);
  wait(step, plan, 'attachments', step.run('loadAttachments', { program, attached: plan.attached }), ready);
}

export function attachmentsLoaded(
  step: Transition,
  { plan, ready }: Preparing,
  outcome: Tried<readonly AttachedBlock[] | { readonly words: string }>,
): void {
  if (!outcome.ok) return giveUp(step, plan, outcome.cause);
  if ('words' in outcome.value) return refuse(step, plan, { sent: false, words: outcome.value.words });
  if (ready) restoreOptions(step, plan, { ...ready, attached: outcome.value });
}

function restoreOptions(step: Transition, plan: TurnPlan, ready: ReadyTurn): void {
  const { program, chosen } = step.state.link;
  const own = chosen.filter(({ agent }) => agent === program.ref.id);
  if (own.length === 0) return recordTurn(step, plan, ready);
  const { session } = ready.resolved;
  wait(step, plan, 'options', step.run('restoreOptions', { session, chosen: own }), ready);
}

export function optionsRestored(step: Transition, { plan, ready }: Preparing, notices: readonly string[]): void {
  if (ready) recordTurn(step, plan, { ...ready, notices });
}

/** The prompt isn't sent, for a reason that was thrown. */
export function giveUp(step: Transition, plan: TurnPlan, cause: unknown): void {
  const words = cause instanceof Error ? cause.message : String(cause);
  const noAgent = agentErrorIn(cause)?.code === 'cannot-start' ? ({ noAgent: true } as const) : {};
  refuse(step, plan, { sent: false, words, ...noAgent });
}

/** The prompt isn't sent, and nothing is under way any more. */
export function refuse(step: Transition, plan: TurnPlan, sent: Sent & { readonly sent: false }): void {
  step.act({ kind: 'stopTimer', timer: 'hang' });
  withdrawHeld(step);
  dropSignIn(step);
  step.reply(plan.call, sent);
  if (plan.queued) giveBackQueued(step, plan.queued, sent.words);
  rest(step);
}

/** Nothing is under way any more. */
export function rest(step: Transition): void {
  step.show({ type: 'turnChanged', turn: null });
  settle(step);
}

/** The same where no turn was shown. */
export function settle(step: Transition): void {
  step.enter(step.given.unavailable && !step.transcript.unsaved?.accepted ? { name: 'unavailable' } : { name: 'idle' });
  for (const call of step.state.stops) step.reply(call);
  step.set({ stops: [] });
  showContinuity(step);
  followHeld(step);
}

function dropSignIn(step: Transition): void {
  const { signIn } = step.state;
  if (!signIn) return;
  if (signIn.job !== null) step.act({ kind: 'abort', job: signIn.job });
  step.set({ signIn: null });
  closeQuestionsOf(step, null);
  withdrawHeld(step);
}

function rank({ kind }: Continuity): number {
  return kind === 'remembers' ? 2 : kind === 'reseeded' ? 1 : 0;
}
