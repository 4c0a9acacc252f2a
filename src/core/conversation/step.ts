// What a conversation does next: a pure function of its state, one input, and what is given (the time, new ids, the
// person's rules). Nothing waits in here; what has to be waited for is an effect, and comes back as an input.

import {
  agentSaid,
  aliveRead,
  closeSessions,
  closeUnused,
  endTerminals,
  foundAhead,
  lookAhead,
  optionSet,
  prepare,
} from './agentLink.ts';
import {
  answeredLate,
  cancelIgnored,
  checkpointDue,
  endTurn,
  fileClashed,
  filesChanged,
  filesSettled,
  finishTurn,
  openTurn,
  restartIgnoring,
  takeUpdate,
  turnBroke,
} from './runningTurn.ts';
import {
  answerElicitation,
  answerPermission,
  elicitationAsked,
  openedPermission,
  pathsJudged,
  permissionAsked,
  questionWithdrawn,
} from './asking.ts';
import { closeIfDone, endClosing, recordTriedLate } from './closing.ts';
import type { JobDone, JobId, TimerName, Tried, TurnId } from './effect.ts';
import { follow, lookAtWaiting, looked, lookForWriter } from './following.ts';
import { answerHeld, signedIn, signInMethodsRead } from './heldPrompt.ts';
import type { InputOf, InputType, Input } from './input.ts';
import {
  doubtfulEnded,
  doubtfulLookedUp,
  lookUpAgain,
  lookUpDoubtful,
  recordLookedUp,
  recordTried,
} from './launching.ts';
import {
  aliveKnown,
  bindingsKnown,
  attachmentsLoaded,
  optionsRestored,
  pathKnown,
  sessionFound,
  tellHanging,
  giveUp,
} from './preparing.ts';
import { changeQueued } from './queueing.ts';
import type { ResolvedSession } from './resumeAgentSession.ts';
import { goOn, handleRequest } from './requests.ts';
import { failLoading, pathLoaded } from './releasing.ts';
import { appendNext, takeOutcome, type TriedEntry } from './saving.ts';
import type { State } from './state.ts';
import {
  agentChangeTried,
  agentFollowed,
  failChange,
  branchRead,
  leafFound,
  moveTried,
  setFolder,
  trashed,
} from './switching.ts';
import { Transition, type Given, type Stepped } from './transition.ts';

/** What was under way ends, where something of ours threw while an outcome was taken. */
export function endBroken(state: State, cause: unknown, given: Given): Stepped {
  const transition = new Transition(state, given);
  endPhase(transition, cause);
  return transition.result;
}

function endPhase(step: Transition, cause: unknown): void {
  const { phase } = step;
  switch (phase.name) {
    case 'switching':
      return failChange(step, phase.change, cause);
    case 'loading':
      return failLoading(step, phase, cause);
    case 'preparing':
    case 'held':
    case 'saving':
      return giveUp(step, phase.plan, cause);
    case 'running':
    case 'summarising':
    case 'stopping':
      return turnBroke(step, cause);
    case 'ending':
      return finishTurn(step, phase.turn);
    case 'closing':
      return endClosing(step);
    case 'idle':
    case 'unavailable':
    case 'released':
    case 'closed':
      return;
  }
}

export function step(state: State, input: Input, given: Given): Stepped {
  const transition = new Transition(state, given);
  takeInput(transition, input);
  goOn(transition);
  appendNext(transition);
  closeIfDone(transition);
  return transition.result;
}

type Take<Type extends InputType> = (step: Transition, input: InputOf<Type>) => void;

const takes: { readonly [Type in InputType]: Take<Type> } = {
  send: handleRequest,
  summarise: handleRequest,
  sendNow: handleRequest,
  cancel: handleRequest,
  goTo: handleRequest,
  forkFrom: handleRequest,
  setHead: handleRequest,
  setAgent: handleRequest,
  setTrashed: handleRequest,
  rename: handleRequest,
  setOption: handleRequest,
  decide: handleRequest,
  prepare: (step, { call }) => prepare(step, call),
  follow: (step, { call, change }) => (isOpen(step) ? follow(step, change, call) : step.reply(call, true)),
  release: handleRequest,
  load: handleRequest,
  leave: handleRequest,
  changeQueued: (step, { id, text }) => changeQueued(step, id, text),
  answerPermission: (step, { id, choice }) => answerPermission(step, id, choice),
  openedPermission: (step, { id }) => openedPermission(step, id),
  answerElicitation: (step, { id, answer }) => answerElicitation(step, id, answer),
  answerHeld: (step, { choice }) => answerHeld(step, choice),
  acceptUnsaved(step) {
    const { unsaved } = step.transcript;
    if (unsaved) step.show({ type: 'unsavedChanged', unsaved: { ...unsaved, accepted: true } });
    if (step.phase.name === 'unavailable') step.enter({ name: 'idle' });
  },
  setFolder: (step, { folder }) => setFolder(step, folder),
  closeSessions: (step, { ids }) => closeSessions(step, ids),
  endTerminals: step => endTerminals(step),
  timer: (step, { timer }) => timers[timer](step),
  agentUpdated: (step, { turn, update }) => void (isOpenTurn(step, turn) && takeUpdate(step, update)),
  permissionAsked: (step, { turn, question, permission }) => permissionAsked(step, turn, question, permission),
  elicitationAsked: (step, { turn, question, elicitation }) => elicitationAsked(step, turn, question, elicitation),
  questionWithdrawn: (step, { question }) => questionWithdrawn(step, question),
  filesChanged: (step, { turn, changes }) => void (isOpenTurn(step, turn) && filesChanged(step, changes)),
  fileClashed: (step, { turn, path }) => void (isOpenTurn(step, turn) && fileClashed(step, path)),
  turnBroke: (step, { turn, cause }) => void (isOpenTurn(step, turn) && turnBroke(step, cause)),
  agentSaid: (step, { session, change }) => agentSaid(step, session, change),
  fileDecided(step, { message, path, decision }) {
    const others = step.transcript.decided.filter(one => one.message !== message || one.path !== path);
    step.show({
      type: 'decidedChanged',
      decided: decision === null ? others : [...others, { message, path, decision }],
    });
    const { session } = step.state;
    const value = { message, path, decision };
    step.save([{ type: 'set', session, name: 'decision', of: `${message}:${path}`, value, from: message }]);
  },
  done: takeDone,
};

const timers: { readonly [name in TimerName]: (step: Transition) => void } = {
  save: step => step.set({ saving: { ...step.state.saving, isDue: true } }),
  checkpoint: checkpointDue,
  cancel: cancelIgnored,
  hang(step) {
    // It may wait for the person, and not they for it.
    if (step.phase.name === 'preparing') step.run('isAsking', { program: step.state.link.program });
  },
  look: lookAtWaiting,
  otherWriter: lookForWriter,
  lookUp: lookUpAgain,
  doubt: lookUpDoubtful,
  close: endClosing,
  ignoredStop: restartIgnoring,
};

function takeInput(step: Transition, input: Input): void {
  // The compiler doesn't follow that the handler is of the input's own type.
  (takes[input.type] as Take<InputType>)(step, input);
}

function takeDone(step: Transition, done: JobDone): void {
  const { state, phase } = step;
  const { id } = done;
  switch (done.kind) {
    case 'append':
      if (state.saving.job === id) for (const tried of takeOutcome(step, done.outcome)) goOnAfterSave(step, tried);
      return;
    case 'hasMessage':
      if (phase.name === 'saving' && phase.checked?.job === id) recordLookedUp(step, phase, done.outcome);
      else if (state.doubtful.job === id) doubtfulLookedUp(step, done.outcome);
      return;
    case 'readAlive':
      if (phase.name === 'preparing' && phase.job === id) return aliveKnown(step, phase, done.outcome);
      if (state.preparing?.alive === id) aliveRead(step, done.outcome);
      return;
    case 'readBindings':
      if (phase.name === 'preparing' && phase.job === id) bindingsKnown(step, phase, done.outcome);
      return;
    case 'asksFirst':
      if (state.preparing?.asks === id) lookAhead(step, done.outcome);
      return;
    case 'isAsking':
      if (phase.name !== 'preparing' || phase.waits !== 'session') return;
      if (done.outcome) return step.act({ kind: 'startTimer', timer: 'hang', after: 10_000 });
      return tellHanging(step, phase);
    case 'readPath':
      if (phase.name === 'preparing' && phase.job === id) return pathKnown(step, phase, done.outcome);
      if (phase.name === 'loading' && phase.job === id) return pathLoaded(step, phase, done.outcome);
      if (phase.name === 'switching' && phase.job === id) branchRead(step, phase, done.outcome);
      return;
    case 'findLeaf':
      if (phase.name === 'switching' && phase.job === id) leafFound(step, phase, done.outcome);
      return;
    case 'resolveSession':
    case 'confirmSession':
      return takeResolved(step, id, done.outcome);
    case 'loadAttachments':
      if (phase.name === 'preparing' && phase.job === id) attachmentsLoaded(step, phase, done.outcome);
      return;
    case 'restoreOptions':
      if (phase.name === 'preparing' && phase.job === id) optionsRestored(step, phase, done.outcome);
      return;
    case 'readSignInMethods':
      if (state.signIn?.job === id) signInMethodsRead(step, state.signIn, done.outcome);
      return;
    case 'signIn':
      if (state.signIn?.job === id) signedIn(step, state.signIn, done.outcome);
      return;
    case 'prompt': {
      const turn = openTurn(state);
      return turn?.job === id ? endTurn(step, turn, done.outcome) : answeredLate(step, id, done.outcome);
    }
    case 'endFiles':
      return filesSettled(step, id, done.outcome);
    case 'judgePaths': {
      const open = state.permissions.find(({ job }) => job === id);
      if (open) pathsJudged(step, open, done.outcome);
      return;
    }
    case 'moveToTrash':
      if (phase.name === 'switching' && phase.job === id) trashed(step, phase, done.outcome);
      return;
    case 'setOption':
      return answerCall(step, id, done.outcome, call => {
        const { session, program } = state.link;
        const { option, value } = call as InputOf<'setOption'>;
        if (session) optionSet(step, session, { agent: program.ref.id, option, value });
      });
    case 'rename':
      return answerCall(step, id, done.outcome, (call, title) => {
        const isNamed = (call as InputOf<'rename'>).title !== null;
        step.set({ isNamed });
        // The one that was made here may not have been in history when it was read.
        const shown = isNamed ? title : (step.state.madeTitle ?? title);
        if (shown && shown !== step.transcript.title) step.show({ type: 'titleChanged', title: shown });
      });
    case 'decide':
      return answerCall(step, id, done.outcome, () => {});
    case 'look':
      if (state.following.looking?.job === id) looked(step, done.outcome);
      return;
    case 'findAgent':
      return agentFollowed(step, done.outcome);
  }
}

function goOnAfterSave(step: Transition, { purpose, outcome }: TriedEntry): void {
  const { phase } = step;
  switch (purpose) {
    case 'prompt':
      if (phase.name === 'saving') return recordTried(step, phase, outcome);
      if (phase.name === 'closing' && phase.plan) recordTriedLate(step, phase.plan, outcome);
      return;
    case 'end':
      if (phase.name === 'ending') finishTurn(step, phase.turn);
      return;
    case 'move':
      if (phase.name === 'switching') moveTried(step, phase);
      return;
    case 'agent':
      if (phase.name === 'switching') agentChangeTried(step, phase.change);
      return;
    case 'doubtful':
      return doubtfulEnded(step, outcome);
  }
}

function takeResolved(step: Transition, id: JobId, outcome: Tried<ResolvedSession>): void {
  const { phase, state } = step;
  if (phase.name === 'preparing' && phase.job === id) return sessionFound(step, phase.plan, outcome);
  if (phase.name === 'held' && phase.why.kind === 'hangs' && phase.why.job === id) {
    const { plan, why } = phase;
    step.enter({ name: 'preparing', plan, waits: 'session', job: why.job, ready: null });
    return sessionFound(step, plan, outcome);
  }
  if (state.ahead?.job === id) return foundAhead(step, outcome);
  // Nobody waits for it any more; one that is in use stays open.
  if (outcome.ok && !state.link.used.has(outcome.value.session)) closeUnused(step, outcome.value.session);
}

function answerCall<Value>(
  step: Transition,
  id: JobId,
  outcome: Tried<Value>,
  take: (call: Input, value: Value) => void,
): void {
  const call = step.state.jobCalls.get(id);
  if (!call) return;
  const jobCalls = new Map(step.state.jobCalls);
  jobCalls.delete(id);
  step.set({ jobCalls });
  if (!outcome.ok) return step.fail(call.call, outcome.cause);
  take(call, outcome.value);
  step.reply(call.call, outcome.value);
}

function isOpenTurn(step: Transition, turn: TurnId): boolean {
  return openTurn(step.state)?.id === turn;
}

function isOpen({ phase }: Transition): boolean {
  return phase.name !== 'closing' && phase.name !== 'closed';
}
