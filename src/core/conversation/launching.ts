// From a found agent session to a running turn: one record with the prompt, the answer that begins and what the agent
// session is about to learn goes to history, and only then is the prompt shown and sent. What the agent session learns is
// unknown in that record, and known with the record that ends the turn.

import type { Message, MessageId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { beginAnswer } from './answer.ts';
import { takeUpdate, stopTurn } from './runningTurn.ts';
import { bind, factsOfOptions } from './agentLink.ts';
import { bindingFact, unfinishedIn, type Binding } from './binding.ts';
import { partOf } from './attaching.ts';
import type { HistoryError, HistoryErrorCode } from '../history/historyError.ts';
import { changedAltogether } from '../history/historyChange.ts';
import type { SaveOutcome } from './effect.ts';
import { follow } from './following.ts';
import { refuse, resolve, stoppedBeforeSent } from './preparing.ts';
import { recordOf, summaryPrompt } from './prompt.ts';
import { markStored, queuedSent, sentElsewhere, sentFacts } from './queueing.ts';
import { notGiven, type ResolvedSession, type SessionRequest } from './resumeAgentSession.ts';
import type { PendingRecord, Phase, ReadyTurn, RunningTurn, TurnPlan } from './state.ts';
import { titleOf } from './title.ts';
import type { PromptPart } from '../agentTurn.ts';
import type { Transition } from './transition.ts';

const checkpointInterval = 2000;
/** So often, and after so many milliseconds, a record that may be written is looked up where nothing can be read. */
const mostLookUps = 5;
const lookUpAfter = 1000;
const longLookUpAfter = 5000;

type Saving = Extract<Phase, { readonly name: 'saving' }>;

export function recordTurn(step: Transition, plan: TurnPlan, ready: ReadyTurn): void {
  // Another window went on with an agent session meanwhile: which one is found may be another now.
  if (step.state.hasStaleBindings && step.state.isStored) return resolve(step, plan);
  if (plan.kind === 'summary') recordSummary(step, plan, ready);
  else recordPrompt(step, plan, ready);
}

function recordPrompt(step: Transition, plan: TurnPlan, ready: ReadyTurn): void {
  const { state, given } = step;
  const { session, isStored } = state;
  const { program } = state.link;
  const path = pathOf(step, plan);
  const { cwd } = given.place(state.link.folder);
  const binding = bindingFor(step, ready.resolved, path);
  const ends = {
    prompt: plan.message ?? given.newMessage(),
    answer: given.newMessage(),
    parent: path.at(-1)?.id ?? null,
  };
  const of = { session, text: plan.text, attached: ready.attached, ...ends, agent: program.ref, cwd, now: given.now };
  const record = recordOf(of, binding, !isStored);
  const facts = [
    ...record.facts,
    ...(isStored ? [] : factsOfOptions(state)),
    ...(plan.queued ? sentFacts(step, plan.queued) : []),
  ];
  saveRecord(step, plan, ready, facts, { prompt: record.prompt, answer: record.answer, binding, path });
}

function recordSummary(step: Transition, plan: TurnPlan, ready: ReadyTurn): void {
  const { session, link } = step.state;
  const path = step.transcript.messages;
  const head = path.at(-1)?.id;
  const request = plan.resolving;
  if (head === undefined || !request) return refuse(step, plan, { sent: false, words: 'It was not summarised.' });
  const id = step.given.newMessage();
  const leftOut = untold(request, ready.resolved);
  const message: Message = {
    id,
    session,
    parent: head,
    role: 'summary',
    created: step.given.now,
    agent: link.program.ref,
    covers: head,
    ...(leftOut.length > 0 ? { leftOut } : {}),
    blocks: [],
  };
  const unsure = unsureAfter(step, ready.resolved);
  const facts: readonly Fact[] = [
    { type: 'message', session, message },
    { type: 'set', session, name: 'head', value: id, from: id },
    ...unsure.map(binding => bindingFact(session, binding)),
  ];
  const notices = leftOut.length === 0 ? [] : [leftOutWords(leftOut.length)];
  saveRecord(step, plan, { ...ready, notices }, facts, { prompt: null, answer: message, binding: null, path });
}

function saveRecord(
  step: Transition,
  plan: TurnPlan,
  ready: ReadyTurn,
  facts: readonly Fact[],
  record: PendingRecord,
): void {
  step.act({ kind: 'stopTimer', timer: 'hang' });
  const isUnsaved = step.transcript.unsaved?.accepted ?? false;
  step.enter({ name: 'saving', plan, ready, record, isUnsaved, checked: null });
  step.save(facts, { isNowOrNever: !isUnsaved, purpose: 'prompt' });
}

/** The record is in history, or the person agreed that it may not be. */
export function recordTried(step: Transition, saving: Saving, outcome: SaveOutcome): void {
  const { plan, ready, record, isUnsaved } = saving;
  if (outcome.kind === 'saved' || isUnsaved) return launchTurn(step, plan, ready, record);
  const { error } = outcome;
  if (plan.queued && error.code === 'exists') return sentElsewhere(step, plan);
  if (error.code === 'agent-session-taken') return findAnother(step, saving);
  if (isRefusedUnwritten[error.code] || step.given.unavailable)
    return refuse(step, plan, { sent: false, words: error.message });
  lookUp(step, saving, error, 1);
}

/** Another window went on with the agent session before its record was read here. */
function findAnother(step: Transition, { plan, ready }: Saving): void {
  if (step.transcript.turn?.cancelling) return refuse(step, plan, { sent: false, words: stoppedBeforeSent });
  const { session } = ready.resolved;
  const bindings = step.state.link.bindings.filter(({ agentSession }) => agentSession !== session.id);
  step.link({ bindings });
  step.set({ hasStaleBindings: true });
  resolve(step, plan);
}

function lookUp(step: Transition, saving: Saving, error: HistoryError, tries: number): void {
  const job = step.run('hasMessage', { message: saving.record.answer.id });
  step.enter({ ...saving, checked: { job, error, tries } });
}

export function lookUpAgain(step: Transition): void {
  const { phase } = step;
  if (phase.name === 'saving' && phase.checked) lookUp(step, phase, phase.checked.error, phase.checked.tries + 1);
}

export function lookUpDoubtful(step: Transition): void {
  const { messages, job } = step.state.doubtful;
  const [message] = messages;
  if (message !== undefined && job === null)
    step.set({ doubtful: { messages, job: step.run('hasMessage', { message }) } });
}

function doubt(step: Transition, messages: readonly MessageId[], after: number): void {
  step.set({ doubtful: { messages, job: null } });
  if (messages.length > 0) step.act({ kind: 'startTimer', timer: 'doubt', after });
}

/** Where it is written after all, it ends there, so that no other window waits for it, and it is shown. */
export function doubtfulLookedUp(step: Transition, isWritten: boolean | null): void {
  const [message, ...rest] = step.state.doubtful.messages;
  if (message === undefined || step.phase.name === 'closing' || step.phase.name === 'closed') return;
  if (isWritten === null) return doubt(step, [message, ...rest], longLookUpAfter);
  doubt(step, rest, 0);
  if (!isWritten) return;
  const { session } = step.state;
  const end = { reason: 'failed', at: step.given.now, detail: 'It wasn’t sent, because saving failed.' } as const;
  markStored(step);
  step.save([{ type: 'end', session, message, end }], { purpose: 'doubtful' });
}

/** Only now, because what is read before doesn't have the end. */
export function doubtfulEnded(step: Transition, { kind }: SaveOutcome): void {
  if (kind !== 'retry') follow(step, changedAltogether(step.state.session), null);
}

/** The record may be written though its append failed: then the prompt goes out. */
export function recordLookedUp(step: Transition, saving: Saving, isWritten: boolean | null): void {
  const { plan, ready, record, checked } = saving;
  if (isWritten) return launchTurn(step, plan, ready, record);
  if (isWritten === null && checked && checked.tries < mostLookUps && !step.transcript.turn?.cancelling)
    return step.act({ kind: 'startTimer', timer: 'lookUp', after: lookUpAfter });
  if (isWritten === null) doubt(step, [...step.state.doubtful.messages, record.answer.id], longLookUpAfter);
  refuse(step, plan, { sent: false, words: checked?.error.message ?? '' });
}

/** Whether the code says that nothing was written. */
const isRefusedUnwritten: { readonly [code in HistoryErrorCode]: boolean } = {
  'disk-full': true,
  'no-permission': true,
  'read-only': true,
  gone: true,
  io: false,
  busy: true,
  closed: true,
  restarting: false,
  crashed: false,
  internal: false,
  'no-session': true,
  'no-parent': true,
  'no-message': true,
  'no-blob': true,
  exists: true,
  'has-children': true,
  erased: true,
  trashed: true,
  'agent-session-taken': true,
  'too-large': true,
  invalid: true,
  'export-too-large': true,
  'export-too-long': true,
};

function launchTurn(step: Transition, plan: TurnPlan, ready: ReadyTurn, record: PendingRecord): void {
  const wasStored = step.state.isStored;
  // It was stopped while its record went to history.
  const isStopped = step.transcript.turn?.cancelling ?? false;
  const begun = [record.answer.id, ...(record.prompt ? [record.prompt.id] : [])];
  step.set({ written: [...step.state.written, ...begun] });
  queuedSent(step);
  markStored(step);
  if (record.binding) bind(step, record.binding);
  if (plan.kind === 'summary') for (const binding of unsureAfter(step, ready.resolved)) bind(step, binding);
  if (!wasStored) {
    const title = titleOf(plan.text);
    step.set({ madeTitle: title });
    step.show({ type: 'titleChanged', title });
  }
  const branches = plan.other?.branches ?? step.transcript.branches;
  if (plan.other) step.show({ type: 'pathChanged', messages: record.path, branches, elsewhere: null });
  const { id } = record.answer;
  if (record.prompt) {
    step.show({ type: 'continuityChanged', continuity: ready.resolved.continuity });
    const request = plan.request === undefined ? {} : { request: plan.request };
    step.show({ type: 'messageAdded', message: record.prompt, ...request });
  }
  // The turn first, so that the empty answer is never seen without it: that would look interrupted.
  step.show({ type: 'turnChanged', turn: { message: id, cancelling: isStopped } });
  step.show({ type: 'messageAdded', message: record.answer });
  step.reply(plan.call, { sent: true });
  sendPrompt(step, plan, ready, record, branches);
  if (isStopped) stopTurn(step);
}

function sendPrompt(
  step: Transition,
  plan: TurnPlan,
  ready: ReadyTurn,
  { answer: { id: message }, binding, path }: PendingRecord,
  branches: RunningTurn['branches'],
): void {
  const { resolved, attached, notices } = ready;
  const turn = step.newId();
  const isPrompt = plan.kind === 'prompt';
  const parts: readonly PromptPart[] = isPrompt ? attached.map(partOf) : summaryPrompt(resolved.seed);
  const text = isPrompt ? plan.text : null;
  const job = step.run('prompt', { turn, session: resolved.session, seed: resolved.seed, path, text, parts });
  const running: RunningTurn = {
    id: turn,
    plan,
    resolved,
    path,
    branches,
    job,
    answer: beginAnswer(step.state.session, message),
    message,
    binding,
    hasWords: false,
  };
  step.enter({ name: isPrompt ? 'running' : 'summarising', turn: running });
  step.act({ kind: 'startTimer', timer: 'checkpoint', after: checkpointInterval });
  for (const words of notices) takeUpdate(step, { type: 'notice', severity: 'warning', text: words });
}

function pathOf(step: Transition, plan: TurnPlan): readonly Message[] {
  return plan.other?.path ?? step.transcript.messages;
}

/** An agent that is given the path has nothing of its own that could be bound. */
function bindingFor(
  { state, given }: Transition,
  { session, from }: ResolvedSession,
  path: readonly Message[],
): Binding | null {
  const { program, folder, bindings } = state.link;
  if (program.takesPath) return null;
  const { cwd } = given.place(folder);
  const unfinished = unfinishedIn(
    path,
    bindings.find(({ agentSession }) => agentSession === session.id),
  );
  const binding = { agent: program.ref.id, agentSession: session.id, from, head: null, dirty: true, cwd };
  return { ...binding, owner: given.writer, ...(unfinished.length > 0 ? { unfinished } : {}) };
}

/** An agent's session that is asked for a summary knows more than the path from then on. */
function unsureAfter({ state }: Transition, { session }: ResolvedSession): readonly Binding[] {
  const { bindings, program } = state.link;
  return bindings
    .filter(({ agent, agentSession }) => agent === program.ref.id && agentSession === session.id)
    .map(binding => ({ ...binding, dirty: true }));
}

/** What the writer of the summary is not told, or not to its end. */
function untold(request: SessionRequest, { session, seed }: ResolvedSession): readonly MessageId[] {
  if (request.program.takesPath) return notGiven(request, session.contextWindow).map(({ id }) => id);
  return seed?.leftOut ?? [];
}

function leftOutWords(count: number): string {
  return `This summary doesn’t stand for ${count === 1 ? 'one message' : `${count} messages`} that didn’t fit whole.`;
}
