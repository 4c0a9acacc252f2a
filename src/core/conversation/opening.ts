// What a conversation is when it is opened: from history, or new. Pure.

import type { SessionId } from '../../model/message.ts';
import { spentOn } from '../../model/spent.ts';
import { noBranches, type Transcript } from '../../model/transcript.ts';
import type { AgentProgram } from '../agents.ts';
import type { Glimpse, StoredSession } from '../history/history.ts';
import type { HistoryError } from '../history/historyError.ts';
import { GrowingTranscript } from './growingTranscript.ts';
import { decidedIn } from './decisions.ts';
import { linkOf, requestFor } from './agentLink.ts';
import { continuityAhead } from './resumeAgentSession.ts';
import { firstDelay } from './following.ts';
import { nothingToSave } from './saving.ts';
import type { State } from './state.ts';
import { restoreQueue } from './storedQueue.ts';
import type { ConversationStart } from './terms.ts';
import type { Given } from './transition.ts';

/** A stored session goes on from its head; a new one is in history from its first prompt on. */
export function stateAtOpening(program: AgentProgram, start: ConversationStart, given: Given): State {
  const stored = 'stored' in start ? start.stored : undefined;
  const session = 'stored' in start ? start.stored.id : start.id;
  const kept = stored ? restoreQueue(stored, given.newMessage) : [];
  const transcript = openingTranscript(session, program, stored, given.unavailable);
  const state: State = {
    session,
    transcript: new GrowingTranscript({ ...transcript, queue: kept.map(({ queued }) => queued) }),
    phase: given.unavailable ? { name: 'unavailable' } : { name: 'idle' },
    isStored: stored !== undefined,
    isNamed: stored?.named ?? false,
    madeTitle: null,
    link: linkOf(program, stored, 'cwd' in start ? (start.cwd ?? null) : null),
    written: [],
    saving: nothingToSave,
    permissions: [],
    elicitations: [],
    allowed: [],
    signIn: null,
    ahead: null,
    preparing: null,
    forkedAt: null,
    queueKept: new Map(kept.map(one => [one.queued.id, one])),
    hasListed: kept.some(({ field }) => field === null),
    onItsWay: null,
    sendsNext: 'no',
    postponed: [],
    stops: [],
    settling: new Map(),
    ignored: new Map(),
    following: { waiting: null, held: null, looking: null, calls: [], delay: firstDelay },
    doubtful: { messages: [], job: null },
    hasStaleBindings: false,
    jobCalls: new Map(),
    leaving: [],
    nextId: 0,
  };
  const continuity = continuityAhead(requestFor({ state, given }));
  return { ...state, transcript: new GrowingTranscript({ ...state.transcript.whole, continuity }) };
}

/** The caller sets the continuity and the queue. */
export function openingTranscript(
  session: SessionId,
  program: Pick<AgentProgram, 'ref' | 'about'>,
  stored: StoredSession | undefined,
  unavailable?: HistoryError,
): Transcript {
  const spent = spentOn(stored?.path ?? []);
  return {
    session,
    title: stored?.title || 'New session',
    agent: program.ref,
    about: program.about,
    messages: stored?.path ?? [],
    branches: stored?.branches ?? noBranches,
    turn: null,
    elsewhere: stored?.writing ?? null,
    continuity: { kind: 'fresh' },
    // Said before anything is typed, not only once it could not be saved.
    unsaved: unsavedBy(unavailable ?? null),
    trashed: stored?.trashed ?? false,
    permissions: [],
    elicitations: [],
    decided: stored ? decidedIn(stored.decisions) : [],
    queue: [],
    held: null,
    options: [],
    commands: [],
    context: null,
    ...(spent && { spent }),
  };
}

/** What is seen of a session while the whole of it is opened. */
export function glimpsedTranscript(session: SessionId, glimpse: Glimpse): Transcript {
  const { title, agent, trashed, messages, earlier } = glimpse;
  const program = { ref: agent, about: null };
  return {
    ...openingTranscript(session, program, undefined),
    title: title || 'New session',
    trashed,
    messages,
    ...(earlier > 0 && { earlier }),
    continuity: { kind: 'checking', asked: false },
  };
}

export function unsavedBy(failure: HistoryError | null, accepted = false): Transcript['unsaved'] {
  return failure && { code: failure.code, words: failure.message, accepted };
}
