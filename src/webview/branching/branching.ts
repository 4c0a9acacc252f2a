// What a person does with branches in this panel: another one is shown, a prompt is sent in other words or once more, the
// conversation goes on from elsewhere. Promises: words that are edited are kept until they are in the conversation, and
// come back to where they were edited when they are refused; what is in the composer is never touched. Whether it is
// possible now is said by `canBranch`, and the host has the last word.

import { signal, type ReadonlySignal } from '@preact/signals';
import { textOf, type Message, type MessageId, type SessionId } from '../../model/message.ts';
import type { Transcript } from '../../model/transcript.ts';
import type { Intent } from '../../model/intent.ts';
import type { HostEvent } from '../../model/wire.ts';

export type Side = 'previous' | 'next';

export interface Editing {
  readonly message: MessageId;
  readonly text: string;
}

/** On its way in the place of a prompt that is in the conversation. */
export interface Replacing extends Editing {
  readonly request: string;
}

export interface Trouble {
  readonly message: MessageId;
  readonly words: string;
}

export interface Branching {
  readonly editing: ReadonlySignal<Editing | null>;
  readonly replacing: ReadonlySignal<Replacing | null>;
  readonly trouble: ReadonlySignal<Trouble | null>;
  readonly edit: (prompt: Message) => void;
  readonly type: (text: string) => void;
  readonly cancel: () => void;
  /** Sends what is edited. */
  readonly send: (session: SessionId) => void;
  /** Sends the prompt of this answer once more. */
  readonly retry: (session: SessionId, answer: Message, prompt: Message) => void;
  /** `side` is the button that was pressed: its like takes the focus in what is shown then. */
  readonly goTo: (session: SessionId, message: MessageId, side: Side) => void;
  readonly forkFrom: (session: SessionId, message: MessageId) => void;
  /** The button of this message that should take the focus, once. */
  readonly takeFocus: (message: MessageId) => Side | null;
  readonly hear: (event: HostEvent) => void;
}

interface Asked extends Replacing {
  /** Where it was asked for. */
  readonly at: MessageId;
  readonly isEdit: boolean;
}

/** `later` calls back after what an event changed is drawn. */
export function createBranching(post: (intent: Intent) => void, later: (then: () => void) => void): Branching {
  const editing = signal<Editing | null>(null);
  const replacing = signal<Replacing | null>(null);
  const trouble = signal<Trouble | null>(null);
  const asked = new Map<string, Asked>();
  const born = crypto.getRandomValues(new Uint32Array(2)).join('.');
  let count = 0;
  let shown: SessionId | null = null;
  let focus: { readonly message: MessageId; readonly side: Side } | null = null;

  function ask(at: MessageId, message: MessageId, text: string, isEdit: boolean): string {
    const request = `b${born}-${count++}`;
    asked.set(request, { at, message, text, request, isEdit });
    replacing.value = { message, text, request };
    trouble.value = null;
    return request;
  }

  function refused(request: string, words: string) {
    const one = asked.get(request);
    if (!one) return;
    asked.delete(request);
    replacing.value = null;
    trouble.value = { message: one.at, words };
    if (one.isEdit) editing.value ??= { message: one.message, text: one.text };
  }

  /** What is drawn with this event does not have the old prompt any more, so it is not uncovered for a moment. */
  function over() {
    const now = replacing.value;
    later(() => {
      if (replacing.value === now) replacing.value = null;
    });
  }

  return {
    editing,
    replacing,
    trouble,
    edit(prompt) {
      trouble.value = null;
      editing.value = { message: prompt.id, text: textOf(prompt) };
    },
    type(text) {
      if (editing.value) editing.value = { ...editing.value, text };
    },
    cancel() {
      trouble.value = null;
      editing.value = null;
    },
    send(session) {
      const now = editing.value;
      if (!now || now.text.trim() === '') return;
      const { message, text } = now;
      const request = ask(message, message, text, true);
      editing.value = null;
      post({ type: 'editPrompt', request, session, message, text });
    },
    retry(session, answer, prompt) {
      const request = ask(answer.id, prompt.id, textOf(prompt), false);
      post({ type: 'retry', request, session, message: answer.id });
    },
    goTo(session, message, side) {
      focus = { message, side };
      post({ type: 'goToBranch', session, message });
    },
    forkFrom: (session, message) => post({ type: 'forkFrom', session, message }),
    takeFocus(message) {
      if (focus?.message !== message) return null;
      const { side } = focus;
      focus = null;
      return side;
    },
    hear(event) {
      if (event.type === 'refused') refused(event.request, event.words);
      else if (event.type === 'messageAdded') {
        if (event.request === undefined || !asked.delete(event.request)) return;
        over();
      } else if (event.type === 'turnChanged') {
        if (event.turn === null) over();
      } else if (event.type === 'snapshot') {
        if (event.transcript.turn?.message !== null) over();
        if (event.transcript.session === shown) return;
        shown = event.transcript.session;
        asked.clear();
        editing.value = null;
        replacing.value = null;
        trouble.value = null;
      }
    },
  };
}

/** Another branch may be shown also while another window writes this one. */
export function canMove({ turn }: Pick<Transcript, 'turn'>): boolean {
  return turn === null;
}

export function canBranch(transcript: Pick<Transcript, 'turn' | 'elsewhere' | 'trashed'>): boolean {
  return canMove(transcript) && transcript.elsewhere === null && !transcript.trashed;
}

/** What an answer answers, as the host finds it. */
export function promptOf(messages: readonly Message[], answer: MessageId): Message | undefined {
  const at = messages.findIndex(({ id }) => id === answer);
  return messages.slice(0, at + 1).findLast(({ role }) => role === 'user');
}

export function branchWords(ids: readonly MessageId[], message: MessageId): string {
  return `${ids.indexOf(message) + 1} of ${ids.length}`;
}
