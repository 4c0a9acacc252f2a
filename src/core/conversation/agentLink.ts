// The agent of a conversation: its sessions that are bound to it, the one in use, what the person set it to, and what the
// next prompt will find. What was found ahead is let go wherever it isn't for this head and this agent any more.

import type { Continuity } from '../../model/agentState.ts';
import type { Json, Message } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { AgentProgram, AgentSession, AgentSessionChange } from '../agents.ts';
import type { StoredFields } from '../history/history.ts';
import type { CallId, ChosenOption, Tried } from './effect.ts';
import { bindingOf, type Binding } from './binding.ts';
import { isSameRequest } from './sessionRequest.ts';
import { continuityAhead, type ResolvedSession, type SessionRequest } from './resumeAgentSession.ts';
import type { AgentLink, State } from './state.ts';
import { agentTitle } from './title.ts';
import type { Transition } from './transition.ts';

export function linkOf(program: AgentProgram, stored: StoredFields | undefined, folder: string | null): AgentLink {
  return {
    program,
    folder: stored ? stored.cwd : folder,
    bindings: stored ? bindingsOf(stored) : [],
    alive: new Set(),
    session: null,
    used: new Set(),
    chosen: (stored?.options ?? []).flatMap(optionIn),
  };
}

export function bindingsOf(stored: Pick<StoredFields, 'bindings'>): readonly Binding[] {
  return stored.bindings.flatMap(value => bindingOf(value) ?? []);
}

/** What would be asked of the agent for a prompt that answers the end of this path. */
export function requestFor(
  { state, given }: Pick<Transition, 'state' | 'given'>,
  path: readonly Message[] = state.transcript.whole.messages,
  isFork: boolean = isForkHere(state),
): SessionRequest {
  const { program, folder, bindings, session, alive } = state.link;
  return {
    program,
    place: given.place(folder),
    path,
    bindings,
    live: session,
    writer: given.writer,
    alive,
    fork: isFork,
    contextWindow: state.transcript.whole.context?.size ?? null,
  };
}

/** The next prompt begins a fork that a person asked for: an agent that copies what it knows goes on with a copy. */
export function isForkHere({ forkedAt, transcript }: State): boolean {
  return forkedAt !== null && forkedAt === transcript.whole.messages.at(-1)?.id;
}

/** Says what can be said of the next prompt without asking the agent. */
export function showContinuity(step: Transition): void {
  step.show({ type: 'continuityChanged', continuity: continuityAhead(requestFor(step)) });
}

export function bind(step: Transition, binding: Binding): void {
  const isSame = (one: Binding) => one.agentSession === binding.agentSession && one.agent === binding.agent;
  step.link({ bindings: [binding, ...step.state.link.bindings.filter(one => !isSame(one))] });
}

/** This session is in use from now on. */
export function useSession(step: Transition, session: AgentSession | null): void {
  if (session === step.state.link.session) return;
  step.act({ kind: 'listen', session });
  if (!session) return step.link({ session });
  step.link({ session, used: new Set([...step.state.link.used, session]) });
  step.show({ type: 'optionsChanged', options: session.options });
  step.show({ type: 'commandsChanged', commands: session.commands });
}

/** Finds out before anything is sent what the agent remembers, and how the files are. */
export function prepare(step: Transition, call: CallId): void {
  const { preparing } = step.state;
  if (!isResting(step) || step.transcript.trashed) return step.reply(call);
  step.act({ kind: 'prepareFiles' });
  if (preparing) return step.set({ preparing: { ...preparing, calls: [...preparing.calls, call] } });
  step.set({ preparing: { alive: step.run('readAlive', {}), asks: null, calls: [call] } });
}

export function aliveRead(step: Transition, alive: ReadonlySet<string> | null): void {
  const { preparing } = step.state;
  if (alive) step.link({ alive });
  if (!preparing) return;
  const asks = step.run('asksFirst', { program: step.state.link.program });
  step.set({ preparing: { ...preparing, alive: null, asks } });
}

/**
 * Asks the agent now, where only it knows what it remembers, so that the line is true before anything is sent. An agent
 * that the person has to agree to first is not started: they did not send anything yet, so nobody is asked.
 */
export function lookAhead(step: Transition, asksFirst: boolean): void {
  const { preparing, ahead } = step.state;
  for (const call of preparing?.calls ?? []) step.reply(call);
  step.set({ preparing: null });
  if (!isResting(step)) return;
  const request = requestFor(step);
  if (ahead && isSameRequest(ahead.request, request)) return;
  dropAhead(step);
  const said = continuityAhead(request);
  // A new session is opened ahead too: the agent is warm, and can be set to what the person wants, before the first words.
  // One that is given the path needs a session too, and only that says which models there are.
  const isNew = said.kind === 'fresh' || (request.program.takesPath && !request.live);
  const isAsked = !asksFirst && (said.kind === 'checking' || isNew);
  const shown: Continuity = isAsked && said.kind === 'checking' ? { kind: 'checking', asked: true } : said;
  step.show({ type: 'continuityChanged', continuity: shown });
  if (isAsked) step.set({ ahead: { request, job: step.run('resolveSession', { request }), found: null } });
}

export function foundAhead(step: Transition, outcome: Tried<ResolvedSession>): void {
  const { ahead } = step.state;
  if (!ahead) return;
  // Another branch or another agent is shown by now.
  if (!isSameRequest(ahead.request, requestFor(step))) {
    step.set({ ahead: null });
    if (outcome.ok && !step.state.link.used.has(outcome.value.session)) closeUnused(step, outcome.value.session);
    return showContinuity(step);
  }
  if (outcome.ok) {
    step.set({ ahead: { ...ahead, job: null, found: outcome.value } });
    step.show({ type: 'continuityChanged', continuity: outcome.value.continuity });
    return useSession(step, outcome.value.session);
  }
  // It is asked again when something is sent, and told then.
  step.set({ ahead: null });
  step.show({ type: 'continuityChanged', continuity: continuityAhead({ ...ahead.request, bindings: [] }) });
}

/** What was found ahead is for another head, or another agent. */
export function dropAhead(step: Transition): void {
  const { ahead } = step.state;
  if (!ahead) return;
  step.set({ ahead: null });
  if (ahead.job !== null) step.act({ kind: 'abort', job: ahead.job });
  // One that was opened and never used is not left lying in the agent.
  if (ahead.found) closeUnused(step, ahead.found.session);
}

/** Closes a session that was found and isn't used. */
export function closeUnused(step: Transition, session: AgentSession): void {
  step.act({ kind: 'closeSession', session });
}

/** Nothing is found ahead, and no session is listened to. */
export function leaveAgent(step: Transition): void {
  dropAhead(step);
  useSession(step, null);
}

/** What its agents left running here ends. */
export function endTerminals(step: Transition): void {
  for (const session of step.state.link.used) step.act({ kind: 'endTerminals', session });
}

/** Ends sessions at the agents, with all that runs in them: those with these ids, or all. */
export function closeSessions(step: Transition, ids: ReadonlySet<string> | null): void {
  const { used, session } = step.state.link;
  const meant = [...used].filter(({ id }) => ids?.has(id) ?? true);
  if (session && meant.includes(session)) leaveAgent(step);
  step.link({ used: new Set([...step.state.link.used].filter(one => !meant.includes(one))) });
  for (const one of meant) step.act({ kind: 'closeSession', session: one });
}

export function agentSaid(step: Transition, session: AgentSession, change: AgentSessionChange): void {
  if (session !== step.state.link.session) return;
  switch (change.type) {
    case 'options':
      return step.show({ type: 'optionsChanged', options: change.options });
    case 'commands':
      return step.show({ type: 'commandsChanged', commands: change.commands });
    case 'context':
      return step.show({ type: 'contextChanged', context: { used: change.used, size: change.size } });
    case 'title': {
      const title = agentTitle(change.title);
      // A conversation is never without one.
      if (title === '') return;
      step.set({ madeTitle: title });
      saveStored(step, [{ type: 'set', session: step.state.session, name: 'title', value: title }]);
      if (!step.state.isNamed && title !== step.transcript.title) step.show({ type: 'titleChanged', title });
      return;
    }
    case 'gone':
      leaveAgent(step);
      // A turn that runs says it at its end.
      if (isResting(step)) showContinuity(step);
      return;
    case 'aside':
      return;
  }
}

/** The person set an option, and the agent took it. */
export function optionSet(step: Transition, session: AgentSession, chosen: ChosenOption): void {
  const isOther = (one: ChosenOption) => one.agent !== chosen.agent || one.option !== chosen.option;
  step.link({ chosen: [chosen, ...step.state.link.chosen.filter(isOther)] });
  saveStored(step, factsOfOption(step.state, chosen, session));
}

/** Of a conversation that wasn't in history when they were chosen. */
export function factsOfOptions(state: State): readonly Fact[] {
  return state.link.chosen.flatMap(chosen => factsOfOption(state, chosen, state.link.session));
}

function factsOfOption({ session: id }: State, chosen: ChosenOption, session: AgentSession | null): readonly Fact[] {
  const { agent, option, value } = chosen;
  const kept: Fact = {
    type: 'set',
    session: id,
    name: 'option',
    of: `${agent}:${option}`,
    value: { agent, option, value },
  };
  const category = session?.options.find(({ id: known }) => known === option)?.category;
  // The list of sessions shows these two, whoever the agent is.
  return category === 'model' || category === 'mode'
    ? [kept, { type: 'set', session: id, name: category, value }]
    : [kept];
}

/** Nothing goes to history before the first prompt. */
export function saveStored(step: Transition, facts: readonly Fact[]): void {
  if (step.state.isStored) step.save(facts);
}

/** No turn runs or begins, and nothing is changed. */
export function isResting({ phase }: Pick<Transition, 'phase'>): boolean {
  return phase.name === 'idle' || phase.name === 'unavailable';
}

/** It holds no messages, or not yet. */
export function isUnread({ phase }: Pick<Transition, 'phase'>): boolean {
  return phase.name === 'released' || phase.name === 'loading';
}

function optionIn(stored: Json): readonly ChosenOption[] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return [];
  const { agent, option, value } = stored as { readonly [field: string]: Json };
  if (typeof agent !== 'string' || typeof option !== 'string') return [];
  return typeof value === 'string' || typeof value === 'boolean' ? [{ agent, option, value }] : [];
}
