// A conversation that nobody sees and in which nothing is under way holds no messages, and one that was just opened may hold
// only the last of them. What is asked of it then is postponed until all are read.

import { noBranches } from '../../model/transcript.ts';
import { leaveAgent } from './agentLink.ts';
import type { BranchPath, CallId, Tried } from './effect.ts';
import { awaitWriter } from './following.ts';
import type { Request } from './input.ts';
import { settle } from './preparing.ts';
import { withOwn } from './saving.ts';
import type { Phase } from './state.ts';
import type { Transition } from './transition.ts';

type Released = Extract<Phase, { readonly name: 'released' }>;
type Loading = Extract<Phase, { readonly name: 'loading' }>;

/** Answers whether it holds no messages now. */
export function release(step: Transition, call: CallId): void {
  const { phase, transcript } = step;
  if (phase.name === 'released' && transcript.messages.length === 0) return step.reply(call, true);
  if (phase.name !== 'released' && !canBeReleased(step)) return step.reply(call, false);
  const head = phase.name === 'released' ? phase.head : (transcript.messages.at(-1)?.id ?? null);
  // What was found ahead holds the path, and was never used.
  if (step.state.ahead) leaveAgent(step);
  step.show({ type: 'pathChanged', messages: [], branches: noBranches, elsewhere: null });
  // Nothing can be said of the next prompt before the path is known.
  step.show({ type: 'continuityChanged', continuity: { kind: 'checking', asked: false } });
  step.enter({ name: 'released', head });
  step.reply(call, true);
}

/** Everything that is shown is in history, and nothing waits, runs or is asked. */
function canBeReleased({ state, transcript }: Transition): boolean {
  const { phase, saving, following, doubtful } = state;
  return (
    phase.name === 'idle' &&
    state.isStored &&
    transcript.messages.length > 0 &&
    transcript.unsaved === null &&
    transcript.warnings === undefined &&
    transcript.elsewhere === null &&
    transcript.queue.length === 0 &&
    saving.waiting.length === 0 &&
    following.waiting === null &&
    following.looking === null &&
    following.held === null &&
    doubtful.messages.length === 0 &&
    state.postponed.length === 0 &&
    state.sendsNext === 'no' &&
    state.onItsWay === null &&
    state.preparing === null &&
    state.forkedAt === null &&
    state.signIn === null &&
    (state.ahead === null || state.ahead.job === null) &&
    state.permissions.length + state.elicitations.length === 0 &&
    state.settling.size + state.ignored.size + state.jobCalls.size === 0
  );
}

export function beginLoading(step: Transition, { head }: Released): void {
  step.enter({ name: 'loading', head, job: step.run('readPath', { head, isLoading: true }) });
}

export function pathLoaded(step: Transition, phase: Loading, outcome: Tried<BranchPath>): void {
  if (!outcome.ok) return failLoading(step, phase, outcome.cause);
  const { path, branches, writing } = outcome.value;
  step.show({ type: 'pathChanged', messages: withOwn(step, path), branches, elsewhere: writing });
  awaitWriter(step, writing);
  settle(step);
}

/** It holds no messages still; whoever asks next has it tried again. */
export function failLoading(step: Transition, { head }: Loading, cause: unknown): void {
  const { postponed } = step.state;
  step.set({ postponed: [], sendsNext: 'no' });
  for (const request of postponed) refuseUnread(step, request, cause);
  step.enter({ name: 'released', head });
}

function refuseUnread(step: Transition, request: Request, cause: unknown): void {
  if (request.type !== 'send' && request.type !== 'summarise') return step.fail(request.call, cause);
  step.reply(request.call, { sent: false, words: cause instanceof Error ? cause.message : String(cause) });
}
