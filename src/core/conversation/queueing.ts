// What was written while a turn ran and waits to be sent. It is kept with the session, because the window may go before it
// was sent. In history a prompt waits until the record that makes it a message takes it out, so that it is sent once.

import type { Queued } from '../../model/agentState.ts';
import type { MessageId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { StoredFields } from '../history/history.ts';
import { saveStored } from './agentLink.ts';
import { rest } from './preparing.ts';
import type { TurnPlan } from './state.ts';
import { dequeuedFacts, emptyListFact, queuedFact, restoreQueue, withOwnIds, type KeptQueued } from './storedQueue.ts';
import { titleOf } from './title.ts';
import type { Transition } from './transition.ts';

export function addQueued(step: Transition, queued: Queued): void {
  const position = Math.max(0, ...[...step.state.queueKept.values()].map(kept => kept.position)) + 1;
  keep(step, { queued, message: step.given.newMessage(), position, field: null, isOwn: true });
  showQueue(step, [...step.transcript.queue, queued]);
  record(step, [queued.id], []);
}

/** Other words, or none, which takes it back. What was attached stays with it. */
export function changeQueued(step: Transition, id: string, text: string | null): void {
  const { queue } = step.transcript;
  const kept = step.state.queueKept.get(id);
  if (!kept || !queue.some(one => one.id === id)) return;
  const { session } = step.state;
  const taken = dequeuedFacts(session, kept);
  if (text === null) {
    forget(step, id);
    showQueue(
      step,
      queue.filter(one => one.id !== id),
    );
    return record(step, [], taken);
  }
  const { trouble: _before, ...rest } = kept.queued;
  const queued = { ...rest, text };
  // Another message: the one with the words before may be on its way in another window.
  keep(step, { ...kept, queued, message: step.given.newMessage(), field: null, isOwn: true });
  showQueue(
    step,
    queue.map(one => (one.id === id ? queued : one)),
  );
  record(step, [id], taken);
}

/** False where it does not wait any more. */
export function moveToFront(step: Transition, id: string): boolean {
  const { queue } = step.transcript;
  const kept = step.state.queueKept.get(id);
  if (!kept || !queue.some(one => one.id === id)) return false;
  if (queue[0]?.id === id) return true;
  const position = Math.min(...[...step.state.queueKept.values()].map(one => one.position)) - 1;
  keep(step, { ...kept, position });
  showQueue(step, [...queue.filter(one => one.id === id), ...queue.filter(one => one.id !== id)]);
  record(step, [id], []);
  return true;
}

/** The first leaves what is shown; in history it waits until it is a message. */
export function takeQueued(step: Transition): KeptQueued | null {
  const [next, ...others] = step.transcript.queue;
  const kept = next && step.state.queueKept.get(next.id);
  if (!kept) return null;
  step.set({ onItsWay: kept });
  showQueue(step, others);
  return kept;
}

/** It wasn't sent, and the words say why. */
export function giveBackQueued(step: Transition, { queued }: KeptQueued, words: string): void {
  step.set({ onItsWay: null });
  showQueue(step, [{ ...queued, trouble: words }, ...step.transcript.queue]);
}

/** Of the record that makes it a message. The list of an older version goes with its first prompt. */
export function sentFacts(step: Transition, kept: KeptQueued): readonly Fact[] {
  const { session } = step.state;
  const isOther = ({ field, queued }: KeptQueued) => field === null && queued.id !== kept.queued.id;
  const others = step.state.hasListed ? [...step.state.queueKept.values()].filter(isOther) : [];
  return [...listedFacts(step, others), ...dequeuedFacts(session, kept)];
}

function listedFacts(step: Transition, others: readonly KeptQueued[]): readonly Fact[] {
  const { session, hasListed } = step.state;
  const { writer } = step.given;
  if (!hasListed) return [];
  return [...others.map(one => queuedFact(session, one, writer)), emptyListFact(session, writer)];
}

/** It is a message, and the list of an older version is empty. */
export function queuedSent(step: Transition): void {
  const { onItsWay } = step.state;
  if (onItsWay && step.state.hasListed) {
    for (const kept of step.state.queueKept.values())
      if (kept.field === null) keep(step, { ...kept, field: kept.message, isOwn: true });
    step.set({ hasListed: false });
  }
  if (onItsWay) forget(step, onItsWay.queued.id);
  step.set({ onItsWay: null });
}

/** Another window sent it: it is a message there. */
export function sentElsewhere(step: Transition, plan: TurnPlan): void {
  queuedSent(step);
  // Only what goes out by itself is followed by the next: after a stop or a failure the person says whether it is.
  if (plan.isChained) step.set({ sendsNext: 'chained' });
  step.reply(plan.call, { sent: true });
  rest(step);
}

/** Other windows made these messages, so what was to become one of them waits no more. */
export function dropSentElsewhere(step: Transition, messages: ReadonlySet<MessageId>): void {
  const { onItsWay, queueKept } = step.state;
  const sent = [...queueKept.values()].filter(kept => messages.has(kept.message) && kept !== onItsWay);
  if (sent.length === 0) return;
  const ids = new Set(sent.map(({ queued }) => queued.id));
  for (const id of ids) forget(step, id);
  showQueue(
    step,
    step.transcript.queue.filter(({ id }) => !ids.has(id)),
  );
}

/** Other windows took what waits here of windows that are gone, or left more of it. */
export function followQueue(step: Transition, stored: Pick<StoredFields, 'queue' | 'queued'>): void {
  const { queueKept, onItsWay } = step.state;
  const found = restoreQueue(stored, step.given.newMessage).filter(({ field }) => field !== null);
  const fields = new Set(found.map(({ field }) => field));
  const isTaken = (kept: KeptQueued) =>
    !kept.isOwn && kept.field !== null && kept !== onItsWay && !fields.has(kept.field);
  const taken = new Set([...queueKept.values()].filter(isTaken).map(({ queued }) => queued.id));
  const left = [...queueKept.values()].filter(({ queued }) => !taken.has(queued.id));
  const messages = new Set(left.map(({ message }) => message));
  const more = withOwnIds(
    found.filter(({ message }) => !messages.has(message)),
    left.map(({ queued }) => queued.id),
  );
  if (taken.size + more.length === 0) return;
  for (const id of taken) forget(step, id);
  for (const kept of more) keep(step, kept);
  showQueue(step, [...step.transcript.queue.filter(({ id }) => !taken.has(id)), ...more.map(({ queued }) => queued)]);
}

/** The session is in history from now on, and what waits goes there too. */
export function markStored(step: Transition): void {
  if (step.state.isStored) return;
  step.set({ isStored: true });
  record(
    step,
    step.transcript.queue.map(({ id }) => id),
    [],
  );
}

/** What waits in a session that isn't in history yet begins it there, so that it is not lost with the window. */
export function beginWaiting(step: Transition): void {
  const { session, isStored, link, queueKept } = step.state;
  const [first] = step.transcript.queue;
  const kept = first && queueKept.get(first.id);
  if (isStored || !kept) return;
  const { ref: agent } = link.program;
  const { cwd } = step.given.place(link.folder);
  step.save([
    { type: 'session', session, created: step.given.now, agent, ...(cwd === null ? {} : { cwd }) },
    { type: 'set', session, name: 'title', value: titleOf(first.text), from: kept.message },
  ]);
  markStored(step);
}

function showQueue(step: Transition, queue: readonly Queued[]): void {
  step.show({ type: 'queueChanged', queue });
}

function keep(step: Transition, kept: KeptQueued): void {
  step.set({ queueKept: new Map(step.state.queueKept).set(kept.queued.id, kept) });
}

function forget(step: Transition, id: string): void {
  const queueKept = new Map(step.state.queueKept);
  queueKept.delete(id);
  step.set({ queueKept });
}

/** These wait in this window from now on. What an older version listed goes along, for its list is one for all windows. */
function record(step: Transition, ids: readonly string[], facts: readonly Fact[]): void {
  const { session, isStored, hasListed } = step.state;
  if (!isStored) return;
  const isListed = ({ field, queued }: KeptQueued) => hasListed && field === null && !ids.includes(queued.id);
  const all = [...step.state.queueKept.values()];
  const written = all.filter(kept => ids.includes(kept.queued.id) || isListed(kept));
  for (const kept of written) keep(step, { ...kept, field: kept.message, isOwn: true });
  const { writer } = step.given;
  const emptied = hasListed ? [emptyListFact(session, writer)] : [];
  step.set({ hasListed: false });
  // What takes a prompt out is last: where the record is saved in parts, nothing is lost between them.
  saveStored(step, [...written.map(kept => queuedFact(session, kept, writer)), ...emptied, ...facts]);
}
