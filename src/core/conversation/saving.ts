// Saves the facts of a conversation in order. Each append ends in one of three ways, decided by one table: saved, refused
// (the same facts would be refused again: they are dropped and the person is told, and the next ones go on) or retry (the
// trouble may pass: the facts stay first in line and are tried again with the next facts, on a timer, and when the window
// closes). A failure is never thrown at a running turn.

import type { Message } from '../../model/message.ts';
import { assemble } from '../history/assemble.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { Fact, FieldName } from '../../model/record.ts';
import { HistoryError, historyErrorIn, type HistoryErrorCode } from '../history/historyError.ts';
import type { SaveOutcome } from './effect.ts';
import { unsavedBy } from './opening.ts';
import type { EntryPurpose, SaveEntry, Saving, State } from './state.ts';
import type { Transition } from './transition.ts';

/** Whether the same append may succeed later. */
const afterFailure: { readonly [code in HistoryErrorCode]: 'retry' | 'refused' } = {
  'disk-full': 'retry',
  'no-permission': 'retry',
  'read-only': 'retry',
  gone: 'retry',
  io: 'retry',
  busy: 'retry',
  closed: 'retry',
  restarting: 'retry',
  'no-session': 'refused',
  'no-parent': 'refused',
  'no-message': 'refused',
  'no-blob': 'refused',
  exists: 'refused',
  'has-children': 'refused',
  erased: 'refused',
  trashed: 'refused',
  'agent-session-taken': 'refused',
  'too-large': 'refused',
  invalid: 'refused',
  crashed: 'refused',
  internal: 'refused',
  'export-too-large': 'refused',
  'export-too-long': 'refused',
};

const firstRetry = 1000;
const longestRetry = 30_000;

export const nothingToSave: Saving = { waiting: [], job: null, failure: null, delay: firstRetry, isDue: false };

export function outcomeOfFailure(cause: unknown): SaveOutcome {
  // Anything else that is thrown is a bug, which the same facts would meet again.
  const error = historyErrorIn(cause) ?? new HistoryError('invalid', cause);
  return { kind: afterFailure[error.code], error };
}

/**
 * What was just read, with what history doesn't have yet. What this window itself wrote and shows is never older than what
 * was read.
 */
export function withOwn({ state, transcript }: Transition, messages: readonly Message[]): readonly Message[] {
  const written = new Set(state.written);
  const shown = new Map(transcript.messages.map(message => [message.id, message]));
  return withPending(state, messages).map(message =>
    written.has(message.id) ? (shown.get(message.id) ?? message) : message,
  );
}

function withPending(state: State, messages: readonly Message[]): readonly Message[] {
  const facts = state.saving.waiting.flatMap(entry => entry.facts);
  if (facts.length === 0) return messages;
  const begun = messages.map(({ session, ...message }): Fact => ({ type: 'message', session, message }));
  const whole = assemble([...begun, ...facts]);
  return messages.map(message => (isChangedBy(facts, message) ? (whole.get(message.id) ?? message) : message));
}

function isChangedBy(facts: readonly Fact[], { id }: Message): boolean {
  return facts.some(
    fact => fact.type !== 'set' && fact.type !== 'session' && fact.type !== 'message' && fact.message === id,
  );
}

/** The fields of which history doesn't have the newest value yet. */
export function pendingFields({ saving }: State): ReadonlySet<FieldName> {
  return new Set(
    saving.waiting.flatMap(({ facts }) => facts.flatMap(fact => (fact.type === 'set' ? [fact.name] : []))),
  );
}

/** Begins to append what waits, where nothing is being appended and the last failure is not too near. */
export function appendNext(step: Transition): void {
  const { saving } = step.state;
  const [next] = saving.waiting;
  if (!next || saving.job !== null || !saving.isDue) return;
  if (saving.failure) step.act({ kind: 'stopTimer', timer: 'save' });
  const job = step.run('append', { facts: next.facts });
  step.set({ saving: { ...step.state.saving, job } });
}

/** What was tried for the first time, with its outcome: whoever waits for it goes on. */
export interface TriedEntry {
  readonly purpose: Exclude<EntryPurpose, null>;
  readonly outcome: SaveOutcome;
}

/** Takes the outcome of the append that ran. Gives what was tried, in order. */
export function takeOutcome(step: Transition, outcome: SaveOutcome): readonly TriedEntry[] {
  const { saving } = step.state;
  const [entry, ...rest] = saving.waiting;
  if (!entry) return [];
  if (outcome.kind === 'retry') return putOff(step, outcome);
  const alone = outcome.kind === 'refused' && !entry.isNowOrNever ? refused(step, entry, outcome.error) : [];
  const tried = alone.length > 0 ? [] : triedOf([entry], outcome);
  const isLost = outcome.kind === 'refused' && !entry.isNowOrNever && alone.length === 0;
  const waiting = [...alone, ...(isLost ? withoutDequeuing(rest, entry.facts) : rest)];
  step.set({ saving: { ...step.state.saving, waiting, job: null, delay: firstRetry } });
  if (alone.length === 0) showAfter(step, entry);
  if (waiting.length === 0) tellFailure(step, null);
  appendNext(step);
  return tried;
}

function showAfter(step: Transition, { after }: SaveEntry): void {
  for (const event of after) step.showLate(withPermission(step, event));
}

/** A record is refused whole; one at a time, the facts that are in order are saved. */
function refused(step: Transition, entry: SaveEntry, error: HistoryError): readonly SaveEntry[] {
  const { facts } = entry;
  // Whoever waits hears of it after the last.
  if (facts.length > 1)
    return facts.map((fact, at) => ({
      facts: [fact],
      isNowOrNever: false,
      purpose: at === facts.length - 1 ? entry.purpose : null,
      after: at === facts.length - 1 ? entry.after : [],
    }));
  for (const fact of facts) step.warn(`${subjectOf(fact)} isn’t saved. ${error.message}`);
  return [];
}

/** A prompt that waited and can't be a message waits on. */
function withoutDequeuing(entries: readonly SaveEntry[], refused: readonly Fact[]): readonly SaveEntry[] {
  const lost = new Set(refused.flatMap(fact => (fact.type === 'message' ? [fact.message.id] : [])));
  if (lost.size === 0) return entries;
  const isKept = (fact: Fact) =>
    fact.type !== 'set' ||
    fact.name !== 'queued' ||
    fact.value !== null ||
    fact.from === undefined ||
    !lost.has(fact.from);
  return entries.flatMap(entry => {
    const facts = entry.facts.filter(isKept);
    return facts.length > 0 || entry.purpose !== null ? [{ ...entry, facts }] : [];
  });
}

function putOff(step: Transition, outcome: SaveOutcome & { readonly kind: 'retry' }): readonly TriedEntry[] {
  const { saving } = step.state;
  const tried = triedOf(saving.waiting, outcome);
  // What waited for it is shown, with word that it isn't saved.
  for (const entry of saving.waiting) showAfter(step, entry);
  const kept = step.state.saving.waiting.filter(entry => !entry.isNowOrNever);
  // An answer that may be written is shown with its end, which is read once it is saved.
  const waiting = kept.map(({ purpose, ...entry }) => ({
    ...entry,
    purpose: purpose === 'doubtful' ? purpose : null,
    after: [],
  }));
  const isClosing = step.phase.name === 'closing';
  step.set({
    saving: { ...saving, waiting, job: null, delay: Math.min(saving.delay * 2, longestRetry), isDue: false },
  });
  tellFailure(step, outcome.error);
  if (waiting.length > 0 && !isClosing) step.act({ kind: 'startTimer', timer: 'save', after: saving.delay });
  return tried;
}

function triedOf(entries: readonly SaveEntry[], outcome: SaveOutcome): readonly TriedEntry[] {
  return entries.flatMap(({ purpose }) => (purpose === null ? [] : [{ purpose, outcome }]));
}

function tellFailure(step: Transition, failure: HistoryError | null): void {
  const before = step.state.saving.failure;
  step.set({ saving: { ...step.state.saving, failure } });
  if (failure?.code === before?.code) return;
  step.show({ type: 'unsavedChanged', unsaved: unsavedBy(failure, step.transcript.unsaved?.accepted) });
}

/** The end of a tool call waits until it is saved; what was allowed meanwhile stays with the call. */
function withPermission(step: Transition, event: TranscriptEvent): TranscriptEvent {
  if (event.type !== 'blockSet' || event.block.kind !== 'toolCall') return event;
  const shown = step.transcript.messages.find(({ id }) => id === event.message)?.blocks[event.at];
  if (shown?.kind !== 'toolCall' || !shown.permission) return event;
  return { ...event, block: { ...event.block, permission: shown.permission } };
}

const fieldWords: { readonly [name in FieldName]: string } = {
  title: 'The session’s title',
  givenTitle: 'The title that you gave the session',
  trashed: 'That this was moved to the trash',
  archived: 'That this was archived',
  pinned: 'That this was pinned',
  head: 'Which branch is shown',
  agent: 'The choice of the agent',
  model: 'The choice of the model',
  mode: 'The choice of the mode',
  expires: 'The date when this is archived',
  closed: 'That this session was closed',
  label: 'A label',
  metadata: 'A detail about the response',
  name: 'The name of a branch',
  note: 'The note on a branch',
  binding: 'What the agent’s session knows',
  option: 'An agent setting',
  decision: 'Your choice about a changed file',
  queue: 'The list of queued prompts',
  queued: 'A queued prompt',
  systemPrompt: 'The system prompt of the response',
};

const factWords: { readonly [type in Exclude<Fact['type'], 'set' | 'message'>]: string } = {
  session: 'The beginning of the session',
  block: 'A part of the response',
  text: 'A part of the response',
  end: 'The end of the response',
};

const messageWords = { user: 'Your prompt', assistant: 'The response', summary: 'The summary' } as const;

function subjectOf(fact: Fact): string {
  switch (fact.type) {
    case 'set':
      return fieldWords[fact.name];
    case 'message':
      return messageWords[fact.message.role];
    default:
      return factWords[fact.type];
  }
}
