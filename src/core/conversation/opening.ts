// What a conversation is when it is opened: from history, or new. And how what waits in its queue is kept there. Pure.

import type { Queued } from '../../model/agentState.ts';
import type { Json, SessionId } from '../../model/message.ts';
import { noBranches, type Transcript } from '../../model/transcript.ts';
import type { AgentProgram } from '../agents.ts';
import type { Glimpse, StoredSession } from '../history/history.ts';
import type { HistoryError } from '../history/historyError.ts';
import { attachedIn, attachedValue } from './attaching.ts';
import { decidedIn } from './decisions.ts';
import { bindingOf, type Binding } from './binding.ts';

/** Its continuity is worked out by who has the agent. */
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
    queue: stored ? queueIn(stored.queue) : [],
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

/** A window that lives sends what waits in it: it is the others' only when that window is gone. */
export function queueValue(queue: readonly Queued[], writer: string): Json {
  const waiting = queue.map(({ id, text, attached }) => ({
    id,
    text,
    ...(attached ? { attached: attachedValue(attached) } : {}),
  }));
  return { writer, waiting };
}

export function writerOfQueue(value: Json): string | null {
  const writer = fieldOf(value, 'writer');
  return typeof writer === 'string' ? writer : null;
}

function queueIn(value: Json): readonly Queued[] {
  const waiting = fieldOf(value, 'waiting');
  if (!Array.isArray(waiting)) return [];
  return waiting.flatMap((one: Json) => {
    const [id, text] = [fieldOf(one, 'id'), fieldOf(one, 'text')];
    if (typeof id !== 'string' || typeof text !== 'string') return [];
    const attached = attachedIn(fieldOf(one, 'attached'));
    return [{ id, text, ...(attached.length > 0 ? { attached } : {}) }];
  });
}

function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [field: string]: Json })[name];
}
