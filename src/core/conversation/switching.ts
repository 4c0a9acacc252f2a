// Changes of what a conversation shows or is: another branch, another agent, the trash. No turn begins while one is under
// way; what is asked for meanwhile is postponed. A move is in history before it is shown.

import type { AgentProgram } from '../agents.ts';
import type { BranchPath, Tried } from './effect.ts';
import { awaitWriter } from './following.ts';
import { dropAhead, endTerminals, isResting, leaveAgent, showContinuity } from './agentLink.ts';
import type { Request } from './input.ts';
import { settle } from './preparing.ts';
import { withOwn } from './saving.ts';
import type { Change, Moved, Phase } from './state.ts';
import type { MessageId } from '../../model/message.ts';
import type { Transition } from './transition.ts';

type Switching = Extract<Phase, { readonly name: 'switching' }>;

/** Shows the branch through a message, or the path to one. */
export function beginMove(
  step: Transition,
  request: Extract<Request, { readonly type: 'goTo' | 'forkFrom' | 'setHead' }>,
): void {
  if (!step.state.isStored) return step.reply(request.call);
  if (request.type === 'goTo') {
    const change: Change = { kind: 'move', request, isFork: false };
    return enter(step, change, step.run('findLeaf', { message: request.message }));
  }
  const isFork = request.type === 'forkFrom';
  const head = isFork ? request.message : request.head;
  enter(step, { kind: 'move', request, isFork }, step.run('readPath', { head }));
}

function enter(step: Transition, change: Change, job: number | null, moved: Moved | null = null): void {
  step.enter({ name: 'switching', change, job, moved });
}

export function leafFound(step: Transition, { change }: Switching, outcome: Tried<MessageId | null>): void {
  if (!outcome.ok) return failChange(step, change, outcome.cause);
  if (outcome.value === null) return endChange(step, change);
  enter(step, change, step.run('readPath', { head: outcome.value }));
}

export function branchRead(step: Transition, { change }: Switching, outcome: Tried<BranchPath>): void {
  if (!outcome.ok) return failChange(step, change, outcome.cause);
  const { branches, writing } = outcome.value;
  const path = withOwn(step, outcome.value.path);
  const head = path.at(-1)?.id ?? null;
  // What was found out for the head before is not for this one.
  dropAhead(step);
  step.set({ forkedAt: null });
  enter(step, change, null, { head, path, branches, writing });
  step.save([{ type: 'set', session: step.state.session, name: 'head', value: head }], { purpose: 'move' });
}

/** The new head is in history, or can't be saved now. */
export function moveTried(step: Transition, { change, moved }: Switching): void {
  if (moved) {
    const { path, branches, writing } = moved;
    step.show({ type: 'pathChanged', messages: path, branches, elsewhere: writing });
    awaitWriter(step, writing);
    if (change.kind === 'move' && change.isFork && moved.head !== null) {
      step.set({ forkedAt: moved.head });
      step.show({ type: 'forked', message: moved.head });
    }
  }
  endChange(step, change);
}

/** The next prompt goes to this agent. */
export function beginAgentChange(step: Transition, request: Request | null, program: AgentProgram): void {
  const change: Change = { kind: 'agent', request, program };
  leaveAgent(step);
  step.link({ program });
  enter(step, change, null);
  const { id, name } = program.ref;
  if (!step.state.isStored || !request) return agentChangeTried(step, change);
  const value = { id, name };
  step.save([{ type: 'set', session: step.state.session, name: 'agent', value }], { purpose: 'agent' });
}

/** The same where no messages are there, which a change of the agent doesn't need. */
export function changeAgentUnread(step: Transition, request: Request, program: AgentProgram): void {
  leaveAgent(step);
  step.link({ program });
  const { ref: agent, about } = program;
  const { id, name } = agent;
  step.save([{ type: 'set', session: step.state.session, name: 'agent', value: { id, name } }]);
  step.show({ type: 'agentChanged', agent, about });
  step.reply(request.call);
}

export function agentChangeTried(step: Transition, change: Change): void {
  const { ref: agent, about } = step.state.link.program;
  step.show({ type: 'agentChanged', agent, about });
  endChange(step, change);
}

/** Another window chose an agent for the session. */
export function followAgent(step: Transition, agent: string): void {
  if (agent !== step.state.link.program.ref.id) step.run('findAgent', { agent });
}

export function agentFollowed(step: Transition, program: AgentProgram | null): void {
  if (program && isResting(step) && program !== step.state.link.program) beginAgentChange(step, null, program);
}

export function beginTrashing(step: Transition, request: Request, on: boolean): void {
  enter(step, { kind: 'trash', request, on }, step.run('moveToTrash', { on }));
}

export function trashed(step: Transition, { change }: Switching, outcome: Tried<null>): void {
  if (!outcome.ok || change.kind !== 'trash') return failChange(step, change, outcome.ok ? null : outcome.cause);
  // What waits is the person's to send once it is restored.
  if (change.on) step.set({ sendsNext: 'no' });
  if (change.on) endTerminals(step);
  step.show({ type: 'trashedChanged', trashed: change.on });
  endChange(step, change);
}

function endChange(step: Transition, { request }: Change): void {
  step.reply(request?.call ?? null);
  settle(step);
}

export function failChange(step: Transition, { request }: Change, cause: unknown): void {
  step.fail(request?.call ?? null, cause);
  settle(step);
}

/** The person chose a folder for a session in which nothing was said yet. */
export function setFolder(step: Transition, folder: string): void {
  leaveAgent(step);
  step.link({ folder });
  showContinuity(step);
}
