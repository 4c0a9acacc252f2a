// What a conversation is when it is opened: from history, or new. Pure.

import type { SessionId } from '../../model/message.ts';
import { spentOn } from '../../model/spent.ts';
import { noBranches, type Transcript } from '../../model/transcript.ts';
import type { AgentProgram } from '../agents.ts';
import type { StoredEnd, StoredSession } from '../history/history.ts';
import type { HistoryError } from '../history/historyError.ts';
import { GrowingTranscript } from './growingTranscript.ts';
import { decidedIn } from './decisions.ts';
import { linkOf, requestFor } from './agentLink.ts';
import { continuityAhead } from './resumeAgentSession.ts';
import { firstDelay } from './following.ts';
import { nothingToSave } from './saving.ts';
import type { Phase, State } from './state.ts';
import { restoreQueue } from './storedQueue.ts';
import type { ConversationStart } from './terms.ts';
import type { Given } from './transition.ts';

/**
 * A stored session goes on from its head; a new one is in history from its first prompt on. One of which only the end was
 * read shows that, and reads the rest as one does that was released.
 */
export function stateAtOpening(program: AgentProgram, start: ConversationStart, given: Given): State {
  const stored = 'stored' in start ? start.stored : undefined;
  const session = 'stored' in start ? start.stored.id : start.id;
  const kept = stored ? restoreQueue(stored, given.newMessage) : [];
  const transcript = openingTranscript(session, program, stored, given.unavailable);
  const state: State = {
    session,
    transcript: new GrowingTranscript({ ...transcript, queue: kept.map(({ queued }) => queued) }),
    phase: phaseAtOpening(stored, given),
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
  if (state.phase.name === 'released') return state;
  const continuity = continuityAhead(requestFor({ state, given }));
  return { ...state, transcript: new GrowingTranscript({ ...state.transcript.whole, continuity }) };
}

function phaseAtOpening(stored: StoredSession | StoredEnd | undefined, given: Given): Phase {
  if (stored && 'earlier' in stored) return { name: 'released', head: stored.head };
  return given.unavailable ? { name: 'unavailable' } : { name: 'idle' };
}

/** The caller sets the queue, and the continuity of a path that is whole. */
export function openingTranscript(
  session: SessionId,
  program: Pick<AgentProgram, 'ref' | 'about'>,
  stored: StoredSession | StoredEnd | undefined,
  unavailable?: HistoryError,
): Transcript {
  const isWhole = !stored || 'branches' in stored;
  const earlier = stored && 'earlier' in stored ? stored.earlier : 0;
  const spent = isWhole ? spentOn(stored?.path ?? []) : null;
  return {
    session,
    title: stored?.title || 'New session',
    agent: program.ref,
    about: program.about,
    messages: stored?.path ?? [],
    ...(earlier > 0 && { earlier }),
    branches: stored && 'branches' in stored ? stored.branches : noBranches,
    turn: null,
    elsewhere: isWhole ? (stored?.writing ?? null) : null,
    continuity: isWhole ? { kind: 'fresh' } : { kind: 'checking', asked: false },
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

export function unsavedBy(failure: HistoryError | null, accepted = false): Transcript['unsaved'] {
  return failure && { code: failure.code, words: failure.message, accepted };
}
