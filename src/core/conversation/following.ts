// Takes over what other windows do to a conversation that is open here. A panel owns its head: what is added at the end of
// the path is shown, and where the other window went on from elsewhere, what is shown here stays, with word of the branch
// that is now beside it; only from what was deleted it goes to where the other window left the session. A session that went
// to the trash elsewhere stops what runs here, and one that was erased is told as gone. Only what changed is read, and
// nothing where this window wrote it; what can't be shown while a turn runs here is looked up after it.

import type { MessageId } from '../../model/message.ts';
import type { FieldName } from '../../model/record.ts';
import type { Branches, Transcript } from '../../model/transcript.ts';
import { joinChanges, type HistoryChange } from '../history/historyChange.ts';
import { bindingsOf, endTerminals, isResting, isUnread, showContinuity } from './agentLink.ts';
import { stopTurn } from './runningTurn.ts';
import type { CallId, FoundPath, Look } from './effect.ts';
import { isSameMessages, mergeFields } from './merging.ts';
import { dropSentElsewhere, followQueue } from './queueing.ts';
import { pendingFields, withOwn } from './saving.ts';
import { followAgent } from './switching.ts';
import type { State } from './state.ts';
import type { Transition } from './transition.ts';

/** Longer than a writer's last sign of life counts: a window that died says nothing of it. */
const lookAgainAfter = 16_000;
/** Until what couldn't be read is tried again; twice as long each time. */
export const firstDelay = 1000;
const longestDelay = 30_000;

/** Of a change by another window, with the messages. */
const followed: ReadonlySet<FieldName> = new Set([
  'givenTitle',
  'title',
  'trashed',
  'decision',
  'head',
  'agent',
  'queue',
  'queued',
]);
/** What this window sets without the conversation, or while a change of another window is being looked up. */
const setBeside: ReadonlySet<FieldName> = new Set(['givenTitle', 'trashed', 'decision']);

/** `call` hears whether the session is still in history, from the look that is under way where there is one. */
export function follow(step: Transition, change: HistoryChange, call: CallId | null): void {
  // Nothing is in history before the first prompt: then there is nothing to follow.
  if (!step.state.isStored) return step.reply(call, true);
  const wanted = concerning(change, step.given.writer);
  if (wanted) postponeLook(step, wanted);
  if (change.writer !== step.given.writer && (change.all || change.fields.includes('binding')))
    step.set({ hasStaleBindings: true });
  const { following } = step.state;
  if (!following.waiting && !following.looking) return step.reply(call, true);
  if (call !== null) step.set({ following: { ...following, calls: [...following.calls, call] } });
  lookAtWaiting(step);
}

/** What had to wait for the end of the turn is looked up. */
export function followHeld(step: Transition): void {
  const { following } = step.state;
  if (!following.held) return;
  step.set({ following: { ...following, held: null } });
  postponeLook(step, following.held);
  lookAtWaiting(step);
}

/** The window that writes here said nothing for long. */
export function lookForWriter(step: Transition): void {
  const { elsewhere } = step.transcript;
  const { session } = step.state;
  if (elsewhere === null) return;
  follow(step, { session, writer: null, messages: [elsewhere], fields: [], textOnly: false, all: false }, null);
}

function postponeLook(step: Transition, change: HistoryChange): void {
  const { following } = step.state;
  step.set({ following: { ...following, waiting: joined(following.waiting, change) } });
}

function hold(step: Transition, change: HistoryChange): void {
  const { following } = step.state;
  step.set({ following: { ...following, held: joined(following.held, change) } });
}

/** Also what couldn't be read before. */
export function lookAtWaiting(step: Transition): void {
  const { transcript } = step;
  const { following } = step.state;
  const { waiting: change } = following;
  if (!change || following.looking) return;
  const { messages: shown, branches, unsaved } = transcript;
  const isPath = concernsPath(change) && !isUnread(step);
  const job = step.run('look', {
    change,
    shown,
    branches,
    isPath,
    isElsewhere: transcript.elsewhere !== null,
    isBusy: !isResting(step),
    isUnsaved: unsaved !== null,
  });
  step.set({
    following: {
      ...following,
      waiting: null,
      looking: { job, change, head: headOf(transcript), isBusy: !isResting(step), own: pendingFields(step.state) },
    },
  });
}

export function looked(step: Transition, look: Look): void {
  const { following } = step.state;
  const { looking } = following;
  if (!looking) return;
  step.set({ following: { ...following, looking: null } });
  if (step.phase.name === 'closing' || step.phase.name === 'closed') return replyAll(step, true);
  if (look.kind === 'erased' && !step.transcript.unsaved) return replyAll(step, false);
  if (look.kind === 'unknown') return tryLater(step, looking.change);
  step.set({ following: { ...step.state.following, delay: firstDelay } });
  if (look.kind === 'found') takeLook(step, look, looking);
  if (step.state.following.waiting) lookAtWaiting(step);
  else replyAll(step, true);
}

function tryLater(step: Transition, change: HistoryChange): void {
  postponeLook(step, change);
  const { following } = step.state;
  step.act({ kind: 'startTimer', timer: 'look', after: following.delay });
  step.set({ following: { ...following, delay: Math.min(following.delay * 2, longestDelay) } });
  replyAll(step, true);
}

function replyAll(step: Transition, isThere: boolean): void {
  const { following } = step.state;
  for (const call of following.calls) step.reply(call, isThere);
  step.set({ following: { ...following, calls: [] } });
}

type Looking = NonNullable<State['following']['looking']>;
type FoundLook = Extract<Look, { readonly kind: 'found' }>;

function takeLook(step: Transition, look: FoundLook, { change, head, isBusy, own }: Looking): void {
  const { fields } = look;
  if (change.messages.length > 0) dropSentElsewhere(step, new Set(change.messages));
  if (change.all || change.fields.includes('queued')) followQueue(step, fields);
  const isTrashedNow = fields.trashed && !step.transcript.trashed;
  if (!isResting(step)) {
    hold(step, change);
    if (isTrashedNow) {
      step.show({ type: 'trashedChanged', trashed: true });
      stopTurn(step);
      endTerminals(step);
    }
    if (look.beside && headOf(step.transcript) === head) showBranches(step, look.beside);
    return;
  }
  // What was read is only what a turn may see.
  if (isBusy) return postponeLook(step, change);
  step.set({ isNamed: fields.named });
  for (const event of mergeFields(step.transcript, fields)) {
    // One that was decided here is shown before it is in history.
    if (event.type === 'decidedChanged' && !change.all && !change.fields.includes('decision')) continue;
    if (event.type === 'decidedChanged' && own.has('decision')) continue;
    if (event.type === 'titleChanged' && own.has('title') && !fields.named) continue;
    step.show(event);
  }
  // The title that was made here is newer than what was read, and wasn't shown while a person's title was.
  const { madeTitle } = step.state;
  if (own.has('title') && !fields.named && madeTitle !== null && madeTitle !== step.transcript.title)
    step.show({ type: 'titleChanged', title: madeTitle });
  if (isTrashedNow) {
    step.set({ sendsNext: 'no' });
    endTerminals(step);
  }
  if (concernsPath(change)) {
    // Another branch is shown meanwhile.
    if (headOf(step.transcript) !== head) postponeLook(step, change);
    // The end of what is shown was set here after that was read.
    else if (own.has('head') && !look.isHeadDeleted) takeBeside(step, look);
    else if (!look.path || !takePath(step, look, { ...look.path, path: withOwn(step, look.path.path) }))
      takeBeside(step, look);
  }
  if (change.all || change.fields.includes('agent')) followAgent(step, fields.agent.id);
}

/** What is shown stays, as it is by now; the branches that others began beside it are told. */
function takeBeside(step: Transition, { changed, writing, beside }: FoundLook): void {
  const { messages, branches, elsewhere } = step.transcript;
  const news = new Map(changed.map(message => [message.id, message]));
  const now = withOwn(
    step,
    messages.map(message => news.get(message.id) ?? message),
  );
  awaitWriter(step, writing);
  if (writing !== elsewhere || !isSameMessages(messages, now)) {
    step.show({ type: 'pathChanged', messages: now, branches, elsewhere: writing });
    showContinuity(step);
  }
  if (beside) showBranches(step, beside);
}

/** False where that isn't the path that goes on from what is shown. */
function takePath(step: Transition, { fields, isHeadDeleted }: FoundLook, found: FoundPath): boolean {
  const { messages, branches, elsewhere } = step.transcript;
  const { writing } = fields;
  const next = found.path[messages.length];
  // Where a new branch is about to begin here, an older one that goes on is not its continuation.
  const isElsewhere = next !== undefined && branches.below.includes(next.id);
  const goesOn = !isElsewhere && messages.every(({ id }, at) => found.path[at]?.id === id);
  if (!goesOn && !isHeadDeleted) return false;
  awaitWriter(step, writing);
  if (goesOn && writing === elsewhere && isSameMessages(messages, found.path)) {
    showBranches(step, found.branches);
    return true;
  }
  step.show({ type: 'pathChanged', messages: found.path, branches: found.branches, elsewhere: writing });
  step.link({ bindings: bindingsOf(fields) });
  step.set({ hasStaleBindings: false });
  showContinuity(step);
  return true;
}

/** One look at a time: every record of a long turn elsewhere comes through here. */
export function awaitWriter(step: Transition, writing: MessageId | null): void {
  step.act({ kind: 'stopTimer', timer: 'otherWriter' });
  if (writing !== null) step.act({ kind: 'startTimer', timer: 'otherWriter', after: lookAgainAfter });
}

function showBranches(step: Transition, branches: Branches): void {
  if (JSON.stringify(branches) !== JSON.stringify(step.transcript.branches))
    step.show({ type: 'branchesChanged', branches });
}

function headOf({ messages }: Transcript): MessageId | null {
  return messages.at(-1)?.id ?? null;
}

/** The part of a change that may show here; null where there is none. */
function concerning(change: HistoryChange, ownWriter: string): HistoryChange | null {
  if (change.all) return change;
  const isOwn = change.writer === ownWriter;
  const fields = change.fields.filter(name => (isOwn ? setBeside : followed).has(name));
  const messages = isOwn ? [] : change.messages;
  return fields.length + messages.length > 0 ? { ...change, messages, fields } : null;
}

function concernsPath({ all, messages, fields }: HistoryChange): boolean {
  return all || messages.length > 0 || fields.includes('head') || fields.includes('trashed');
}

function joined(one: HistoryChange | null, other: HistoryChange): HistoryChange {
  return one ? joinChanges(one, other) : other;
}
