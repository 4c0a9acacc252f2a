// What persons do in a window, and what becomes of windows.

import type { Attached } from '../../src/model/attachment.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import type { SendOptions } from '../../src/core/conversation/terms.ts';
import type { MessageId } from '../../src/model/message.ts';
import { nth, windowAt, type Row, type Rows } from './row.ts';
import { agentIds, type Window } from './window.ts';
import { canOpen, type World } from './world.ts';

/** More than goes into one value of history, or into a record. */
const long = 'A line of a log that was pasted as it is.\n'.repeat(7000);
/** Longer than what stands in the list of a queue. */
const middling = 'Some words that wait. '.repeat(500);

/** A row for a window with a conversation. */
function person(
  weight: number,
  act: (window: Window, conversation: Conversation, n: number, m: number, world: World) => (() => void) | null,
): Row {
  return {
    weight,
    make(world, place, n, m) {
      const window = windowAt(world, place);
      return window?.conversation ? act(window, window.conversation, n, m, world) : null;
    },
  };
}

function wordsWith(mark: string, n: number): string {
  if (n % 200 === 7) return `${mark} ${long}`;
  if (n % 40 === 3) return `${mark} ${middling}`;
  return n % 30 === 5 ? `/command ${mark}` : `${mark} some words`;
}

function attachedWith(m: number): readonly Attached[] {
  if (m % 25 === 4)
    return [{ id: 'a1', block: { kind: 'image', mime: 'image/png', data: new Uint8Array([1, 2, m % 256]) } }];
  if (m % 25 === 5)
    return [
      { id: 'a2', block: { kind: 'resource', mime: 'text/plain', uri: 'throughline:terminal/a2', text: 'shown' } },
    ];
  return [];
}

/** A message of those that the window shows or the history has, or the root. */
function anyMessage(world: World, { messages }: Conversation['transcript'], n: number): MessageId | null {
  if (n % 12 === 0) return null;
  const known = n % 2 === 0 ? messages.map(({ id }) => id) : world.disk.truth.ids;
  return nth(known, n >> 1) ?? null;
}

function send(window: Window, conversation: Conversation, n: number, m: number, parent?: MessageId | null): void {
  const { id, mark } = window.ledger.ask(window);
  const attached = attachedWith(m);
  const options: SendOptions = {
    request: id,
    ...(attached.length > 0 ? { attached } : {}),
    ...(parent === undefined ? {} : { parent }),
  };
  void window
    .watch('send', false, () => conversation.send(wordsWith(mark, n), options))
    .then(sent => {
      if (!window.isGone && sent) window.ledger.answered(id, sent.sent);
    });
}

export const personMoves = {
  open: {
    weight: 14,
    make: (world, place, _n, m) =>
      canOpen(world, place) ? () => world.open(place, m % 3 === 0 ? 'path' : 'own', m % 5 === 4) : null,
  },
  leave: {
    weight: 3,
    make(world, place) {
      const window = windowAt(world, place);
      return window && (() => window.leave());
    },
  },
  kill: {
    weight: 2,
    make(world, place) {
      const window = world.windows[place];
      return window && !window.isGone ? () => window.kill() : null;
    },
  },
  send: person(26, (window, conversation, n, m) => () => send(window, conversation, n, m)),
  branch: person(5, (window, conversation, n, m, world) => {
    if (conversation.transcript.turn !== null && m % 4 !== 0) return null;
    return () => send(window, conversation, 0, m, anyMessage(world, conversation.transcript, n));
  }),
  changeQueued: person(8, (window, conversation, n, m) => {
    const queued = nth(conversation.transcript.queue, n);
    if (!queued || !window.ledger.knows(queued.id)) return null;
    if (m % 3 > 0) {
      return () => {
        const mark = window.ledger.change(window, queued.id);
        if (mark !== null) conversation.changeQueued(queued.id, wordsWith(mark, m));
      };
    }
    return () => {
      window.ledger.takeBack(queued.id);
      conversation.changeQueued(queued.id, null);
    };
  }),
  sendNow: person(6, (window, conversation, n) => {
    const queued = nth(conversation.transcript.queue, n);
    if (!queued) return null;
    return () => void window.watch('sendNow', false, () => conversation.sendNow(queued.id));
  }),
  cancel: person(7, (window, conversation) => {
    if (!conversation.transcript.turn) return null;
    return () => void window.watch('cancel', false, () => conversation.cancel());
  }),
  setHead: person(5, (window, conversation, n, _m, world) => {
    const head = anyMessage(world, conversation.transcript, n);
    return () => void window.watch('setHead', true, () => conversation.setHead(head));
  }),
  summarise: person(3, (window, conversation) => {
    if (conversation.transcript.messages.length === 0) return null;
    return () => void window.watch('summarise', false, () => conversation.summarise());
  }),
  permit: person(14, (_window, conversation, n, m) => {
    const asked = nth(conversation.transcript.permissions, n);
    if (!asked) return null;
    const choice = nth(asked.choices, m)?.id ?? 'none';
    return () => void conversation.answerPermission(n % 10 === 9 ? 'stale' : asked.id, choice);
  }),
  answerForm: person(6, (_window, conversation, n, m) => {
    const asked = nth(conversation.transcript.elicitations, n);
    if (!asked) return null;
    const answer = m % 2 === 0 ? { action: 'accept' as const, content: {} } : { action: 'decline' as const };
    return () => void conversation.answerElicitation(n % 10 === 9 ? 'stale' : asked.id, answer);
  }),
  answerHeld: person(14, (_window, conversation, n) => {
    if (!conversation.transcript.held && n % 20 !== 0) return null;
    const choices = ['transcript', 'retry', 'cancel', { signIn: 'key' }, 'transcript'] as const;
    const choice = nth(choices, n);
    return choice ? () => conversation.answerHeld(choice) : null;
  }),
  rename: person(1, (window, conversation, n, m) => {
    const title = n % 4 === 0 ? null : n % 16 === 1 ? long : `Title ${m}`;
    return () => void window.watch('rename', true, () => conversation.rename(title));
  }),
  trash: person(1, (window, conversation) => {
    const { trashed } = conversation.transcript;
    return trashed ? null : () => void window.watch('setTrashed', true, () => conversation.setTrashed(true));
  }),
  restore: person(8, (window, conversation) => {
    const { trashed } = conversation.transcript;
    return trashed ? () => void window.watch('setTrashed', true, () => conversation.setTrashed(false)) : null;
  }),
  setAgent: person(2, (window, conversation, _n, m) => {
    const id = nth(agentIds, m) ?? 'own';
    if (conversation.agent.id === id) return null;
    return () => void window.watch('setAgent', false, () => conversation.setAgent(window.agent(id)));
  }),
  setOption: person(2, (window, conversation, n, m) => {
    const value = n % 20 === 3 ? long : m % 2 === 0 ? 'small' : 'large';
    return () => void window.watch('setOption', true, () => conversation.setOption('model', value));
  }),
  prepare: person(5, (window, conversation) => () => {
    void window.watch('prepare', true, () => conversation.prepare());
  }),
  releaseMessages: person(9, (window, conversation) => () => {
    const before = conversation.transcript.messages.length;
    void window
      .watch('release', false, () => conversation.release())
      .then(isReleased => {
        const kept = conversation.transcript.messages.length;
        if (isReleased === false && kept < before) window.report('released-halfway', `${before - kept} are gone.`);
      });
  }),
  loadMessages: person(9, (window, conversation) => {
    if (!conversation.isReleased) return null;
    return () => void window.watch('load', true, () => conversation.load());
  }),
  acceptUnsaved: person(10, (_window, conversation) => {
    const { unsaved } = conversation.transcript;
    return unsaved && !unsaved.accepted ? () => conversation.acceptUnsaved() : null;
  }),
  follow: person(2, window => () => window.follow()),
} satisfies Rows;
