// What a person asks of a conversation, by what it is at: done at once, postponed until nothing else is under way, put into
// the queue, or refused. Turns and changes exclude each other: whatever begins the one or the other goes through here.

import { isResting, isUnread } from './agentLink.ts';
import { stopTurn } from './runningTurn.ts';
import { leave, refuseClosing } from './closing.ts';
import type { Request } from './input.ts';
import { beginTurn, refuse, stoppedBeforeSent } from './preparing.ts';
import { addQueued, moveToFront, takeQueued } from './queueing.ts';
import { beginLoading, release } from './releasing.ts';
import type { PhaseName, TurnPlan } from './state.ts';
import { beginAgentChange, beginMove, beginTrashing, changeAgentUnread } from './switching.ts';
import { busy, refusalOf } from './terms.ts';
import type { Transition } from './transition.ts';

type RequestOf<Type extends Request['type']> = Extract<Request, { readonly type: Type }>;

/** What a phase means for whoever asks for something. */
const standing: { readonly [name in PhaseName]: 'rest' | 'change' | 'turn' | 'closed' } = {
  idle: 'rest',
  unavailable: 'rest',
  released: 'change',
  loading: 'change',
  switching: 'change',
  preparing: 'turn',
  held: 'turn',
  saving: 'turn',
  running: 'turn',
  summarising: 'turn',
  stopping: 'turn',
  ending: 'turn',
  closing: 'closed',
  closed: 'closed',
};

export function handleRequest(step: Transition, request: Request): void {
  if (request.type === 'leave') return leave(step, request.call);
  const now = standing[step.phase.name];
  if (now === 'closed') return refuseClosing(step, request);
  switch (request.type) {
    case 'send':
      return send(step, request);
    case 'summarise':
      return summarise(step, request);
    case 'sendNow':
      return sendNow(step, request);
    case 'cancel':
      return cancel(step, request);
    case 'goTo':
    case 'forkFrom':
    case 'setHead':
      if (now === 'change') return postpone(step, request);
      // Nothing moves while a turn runs.
      return now === 'turn' ? step.reply(request.call) : beginMove(step, request);
    case 'setAgent':
      if (now !== 'rest' && !isUnread(step)) return postponeStopped(step, request);
      if (request.program === step.state.link.program) return step.reply(request.call);
      if (isUnread(step)) return changeAgentUnread(step, request, request.program);
      return beginAgentChange(step, request, request.program);
    case 'setTrashed':
      if (now !== 'rest') return postponeStopped(step, request);
      return beginTrashing(step, request, request.on);
    case 'rename':
      return callJob(step, request, step.run('rename', { title: request.title }));
    case 'setOption': {
      const { session } = step.state.link;
      const { option, value } = request;
      if (!session) return step.reply(request.call);
      return callJob(step, request, step.run('setOption', { session, option, value }));
    }
    case 'decide':
      return now === 'change' ? postpone(step, request) : decide(step, request);
    case 'release':
      return release(step, request.call);
    case 'load':
      return now === 'change' ? postpone(step, request) : step.reply(request.call);
    case 'prepare':
    case 'follow':
      return;
  }
}

/** Begins what was postponed, and then the next prompt of the queue, once nothing is under way. */
export function goOn(step: Transition): void {
  for (;;) {
    const { postponed, sendsNext } = step.state;
    const [request, ...rest] = postponed;
    if (step.phase.name === 'released' && (request || sendsNext !== 'no')) beginLoading(step, step.phase);
    // What is being looked up may be a part of the path that is sent.
    if (!isResting(step) || step.state.following.looking) return;
    if (request) {
      step.set({ postponed: rest });
      handleRequest(step, request);
    } else if (sendsNext === 'no') return;
    else if (refusalOf(step.transcript) === null) sendNext(step);
    else {
      // What follows on a good end goes out once it may; what the person asked for is theirs to ask again.
      if (sendsNext === 'asked') step.set({ sendsNext: 'no' });
      return;
    }
  }
}

function send(step: Transition, request: RequestOf<'send'>): void {
  const { call, text, options } = request;
  const now = standing[step.phase.name];
  if (isUnsettled(step)) return postpone(step, request);
  const refused = refusalOf(step.transcript);
  if (refused !== null) return step.reply(call, { sent: false, words: refused });
  if (now === 'rest') return beginTurn(step, { ...planOf(step), kind: 'prompt', call, text, ...sentWith(options) });
  // Only what answers the end of the path can wait.
  if (options.parent !== undefined) return step.reply(call, busy);
  const { request: id = step.given.newMessage(), attached = [] } = options;
  addQueued(step, { id, text, ...(attached.length > 0 ? { attached } : {}) });
  step.reply(call, { sent: true });
}

/** What the path will be isn't known yet. */
function isUnsettled(step: Transition): boolean {
  const now = standing[step.phase.name];
  return now === 'change' || (now === 'rest' && step.state.following.looking !== null);
}

function sentWith({ request, message, attached = [], parent, fork }: RequestOf<'send'>['options']) {
  return { request, message, attached, parent, fork };
}

function summarise(step: Transition, request: RequestOf<'summarise'>): void {
  const now = standing[step.phase.name];
  if (isUnsettled(step)) return postpone(step, request);
  const refused = refusalOf(step.transcript);
  if (refused !== null) return step.reply(request.call, { sent: false, words: refused });
  if (now === 'turn') return step.reply(request.call, busy);
  if (step.transcript.messages.length === 0)
    return step.reply(request.call, { sent: false, words: 'There is nothing to summarise yet.' });
  beginTurn(step, { ...planOf(step), kind: 'summary', call: request.call, text: '', shown: { kind: 'fresh' } });
}

function planOf({ transcript }: Transition): Omit<TurnPlan, 'kind' | 'call' | 'text'> {
  return {
    attached: [],
    request: undefined,
    message: undefined,
    parent: undefined,
    fork: undefined,
    queued: null,
    isChained: false,
    other: null,
    shown: transcript.continuity,
    resolving: null,
  };
}

/** This one of the queue goes out now; what runs is stopped first. */
function sendNow(step: Transition, request: RequestOf<'sendNow'>): void {
  // What went out meanwhile may be the very turn that runs.
  if (!moveToFront(step, request.id)) return step.reply(request.call);
  step.set({ sendsNext: 'asked' });
  if (standing[step.phase.name] === 'turn') stop(step, request);
  else step.reply(request.call);
}

function sendNext(step: Transition): void {
  const isChained = step.state.sendsNext === 'chained';
  step.set({ sendsNext: 'no' });
  const kept = takeQueued(step);
  if (!kept) return;
  const { message, queued } = kept;
  const { id, text, attached = [] } = queued;
  beginTurn(step, {
    ...planOf(step),
    kind: 'prompt',
    call: null,
    text,
    attached,
    request: id,
    message,
    queued: kept,
    isChained,
  });
}

function cancel(step: Transition, request: RequestOf<'cancel'>): void {
  if (standing[step.phase.name] === 'turn') stop(step, request);
  else step.reply(request.call);
}

/** The turn ends, and whoever asked for it hears of that. */
function stop(step: Transition, { call }: Request): void {
  step.set({ stops: [...step.state.stops, call] });
  stopWhatRuns(step);
}

function stopWhatRuns(step: Transition): void {
  const { phase, transcript } = step;
  const stopped = { sent: false, words: stoppedBeforeSent } as const;
  switch (phase.name) {
    case 'preparing':
      step.act({ kind: 'abort', job: phase.job });
      return refuse(step, phase.plan, stopped);
    case 'held':
      if (phase.why.kind === 'hangs') step.act({ kind: 'abort', job: phase.why.job });
      return refuse(step, phase.plan, stopped);
    case 'saving':
      // Whether it is in history isn't known yet: it is stopped as soon as it is.
      if (phase.checked) step.act({ kind: 'startTimer', timer: 'lookUp', after: 0 });
      if (transcript.turn) step.show({ type: 'turnChanged', turn: { ...transcript.turn, cancelling: true } });
      return;
    case 'running':
    case 'summarising':
      return stopTurn(step);
    case 'idle':
    case 'unavailable':
    case 'released':
    case 'loading':
    case 'switching':
    case 'stopping':
    case 'ending':
    case 'closing':
    case 'closed':
      return;
  }
}

function postpone(step: Transition, request: Request): void {
  step.set({ postponed: [...step.state.postponed, request] });
}

/** What a turn must not run beside; it is stopped, and the change is made before anything else begins. */
function postponeStopped(step: Transition, request: Request): void {
  postpone(step, request);
  stopWhatRuns(step);
}

function callJob(step: Transition, request: Request, job: number): void {
  step.set({ jobCalls: new Map(step.state.jobCalls).set(job, request) });
}

function decide(step: Transition, request: RequestOf<'decide'>): void {
  const { call, message: id, file, deciding } = request;
  const message = step.transcript.messages.find(one => one.id === id);
  if (!step.given.hasFiles || !message || step.transcript.turn?.message === id) return step.reply(call, null);
  const { decided } = step.transcript;
  const undone = new Set(decided.flatMap(one => (one.message === id && one.decision === 'undone' ? [one.path] : [])));
  callJob(step, request, step.run('decide', { message, file, deciding, undone }));
}
