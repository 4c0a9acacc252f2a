// What a conversation is when it is opened: from history, or new. Pure.

import type { SessionId } from '../../model/message.ts';
import { noBranches, type Transcript } from '../../model/transcript.ts';
import type { AgentProgram } from '../agents.ts';
import type { Glimpse, StoredSession } from '../history/history.ts';
import type { HistoryError } from '../history/historyError.ts';
import { decidedIn } from './decisions.ts';
import { bindingOf, type Binding } from './binding.ts';

/** The caller sets the continuity and the queue. */
export function openingTranscript(
  session: SessionId,
  program: Pick<AgentProgram, 'ref' | 'about'>,
  stored: StoredSession | undefined,
  unavailable?: HistoryError,
): Transcript {
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

export function bindingsIn(stored: StoredSession): readonly Binding[] {
  return stored.bindings.flatMap(value => bindingOf(value) ?? []);
}
