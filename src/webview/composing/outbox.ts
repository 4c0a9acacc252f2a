// The person's words on their way out. Promises: words leave the composer when they are sent and are kept until the
// host has them, in the conversation or in its queue; refused words come back, into the composer where it is empty,
// else beside it; what was attached to them goes and comes back with them; until then a reload finds them in the draft; words that are edited in the queue and go out in the
// same moment do not stay in the composer as well. Whether sending is possible now is left to the composer.

import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Queued } from '../../model/agentState.ts';
import { mostAttachments } from '../../model/attachment.ts';
import { textOf, type Message, type SessionId } from '../../model/message.ts';
import type { Transcript } from '../../model/transcript.ts';
import type { Intent } from '../../model/intent.ts';
import type { HostEvent } from '../../model/wire.ts';
import { chipOf, chipsOf, createAttached, idsOf, type AttachedChips, type Chip } from './attached.ts';
import { createLeaving } from './leaving.ts';
import { asTyped } from './ourCommands.ts';

type RefusedEvent = Extract<HostEvent, { type: 'refused' }>;

export interface Refusal {
  /** Why, in the host's words. */
  readonly words: string;
  /** What was to be sent, where the composer had other words by then; else null. */
  readonly text: string | null;
  readonly chips?: readonly Chip[];
  /** Another agent may be what helps. */
  readonly noAgent?: true;
}

export interface Outbox {
  readonly draft: Signal<string>;
  readonly attached: AttachedChips;
  readonly refusal: ReadonlySignal<Refusal | null>;
  /** What goes out while the agent is being reached, as far as this panel knows. */
  readonly underway: ReadonlySignal<string | null>;
  /** What should be in the composer when this session is shown again. */
  readonly kept: ReadonlySignal<string>;
  /** `words` are what goes out for what was typed. */
  readonly send: (session: SessionId, words?: string) => void;
  /** Sends words that were not typed; the composer stays as it is. */
  readonly say: (session: SessionId, words: string) => void;
  /** Takes a prompt out of the queue and puts its words before those in the composer. */
  readonly edit: (session: SessionId, queued: Queued) => void;
  readonly withdraw: (session: SessionId, id: string) => void;
  /** Puts the words of the refusal back; what stands in the composer goes behind them. */
  readonly restore: () => void;
  readonly dismiss: () => void;
  readonly hear: (event: HostEvent) => void;
}

interface Sent {
  readonly request: string;
  readonly text: string;
  readonly chips: readonly Chip[];
}

/** Words in the composer that may yet turn out to have gone out, and what stays there when they did. */
interface Borrowed {
  /** Null for a draft of an earlier page, which is known by its words alone. */
  readonly request: string | null;
  readonly text: string;
  readonly rest: string;
  readonly chips: readonly Chip[];
}

/** What is typed in another panel of this session is taken over while `inUse` says that nobody writes here. */
export function createOutbox(post: (intent: Intent) => void, inUse: () => boolean = () => false): Outbox {
  const draft = signal('');
  const refusal = signal<Refusal | null>(null);
  const sent = signal<readonly Sent[]>([]);
  const leaving = createLeaving();
  // The panels of a window boot in the same moment, and each has to know its own prompts.
  const born = crypto.getRandomValues(new Uint32Array(2)).join('.');
  const attached = createAttached(post, born);
  let borrowed: Borrowed | null = null;
  let count = 0;
  let shown: SessionId | null = null;

  let keptIds = '';
  // A page that was hidden is made anew, and is told again what was attached to its draft.
  const keptChips = computed(() => [...sent.value.flatMap(({ chips }) => chips), ...attached.chips.value]);
  const keepAttached = () => {
    const chips = keptChips.value.slice(0, mostAttachments);
    if (shown === null || keptOf(shown, chips) === keptIds) return;
    keptIds = keptOf(shown, chips);
    post({ type: 'keepAttached', session: shown, attached: idsOf(chips) });
  };

  const withdraw = (session: SessionId, id: string) => {
    leaving.withdrawn(id);
    post({ type: 'changeQueued', session, id, text: null });
  };

  function refused({ request, words, noAgent }: RefusedEvent) {
    const back = sent.value.find(prompt => prompt.request === request);
    if (!back) return;
    sent.value = sent.value.filter(prompt => prompt !== back);
    const free = draft.value === '' && attached.chips.value.length === 0;
    const { text, chips } = back;
    if (!free) refusal.value = { words, text, ...(chips.length > 0 ? { chips } : {}), ...(noAgent && { noAgent }) };
    else {
      draft.value = text;
      attached.put(chips);
      refusal.value = { words, text: null, ...(noAgent && { noAgent }) };
    }
  }

  function arrived(message: Message, request: string | undefined) {
    sent.value = sent.value.filter(prompt => prompt.request !== request);
    const words = borrowed;
    if (!words) return;
    const isIt = words.request === null ? words.text.trim() === typedFor(textOf(message)) : words.request === request;
    if (!isIt) return;
    if (draft.value === words.text) {
      draft.value = words.rest;
      for (const { key } of words.chips) attached.remove(key);
    }
    borrowed = null;
  }

  function snapshot(transcript: Transcript, kept: string, chips: readonly Chip[]) {
    // What was on its way when the page went may have arrived meanwhile.
    const last = transcript.messages.findLast(message => message.role === 'user');
    const there = new Set([...(last ? [textOf(last)] : []), ...transcript.queue.map(one => one.text)].map(typedFor));
    if (transcript.session === shown) {
      sent.value = sent.value.filter(prompt => !there.has(prompt.text.trim()));
      return;
    }
    // Another session, or the first: its own draft, which was kept when it was left, sent words and all.
    shown = transcript.session;
    keptIds = keptOf(shown, chips);
    batch(() => {
      sent.value = [];
      refusal.value = null;
      attached.take();
      const isThere = there.has(kept.trim()) && kept.trim() !== '';
      draft.value = isThere ? '' : kept;
      if (!isThere) attached.put(chips);
    });
    const isReaching = transcript.turn !== null && transcript.turn.message === null;
    borrowed = isReaching && draft.value !== '' ? { request: null, text: draft.value, rest: '', chips: [] } : null;
  }

  keptChips.subscribe(keepAttached);
  const outbox: Outbox = {
    draft,
    attached,
    refusal,
    underway: computed(() => leaving.text.value ?? sent.value[0]?.text ?? null),
    kept: computed(() => joined(...sent.value.map(prompt => prompt.text), draft.value)),
    withdraw,
    send(session, words = draft.value) {
      const text = draft.value;
      if (text.trim() === '') return;
      // Whoever wrote on meant to send something else.
      if (!attached.isReady.value) return attached.whenReady(() => draft.value === text && outbox.send(session, words));
      const request = `${born}-${count++}`;
      const chips = attached.chips.value;
      // At once, so that what is on its way is never told to be gone.
      batch(() => {
        draft.value = '';
        refusal.value = null;
        attached.take();
        sent.value = [...sent.value, { request, text, chips }];
      });
      post({
        type: 'sendPrompt',
        request,
        session,
        text: words,
        ...(chips.length > 0 ? { attached: idsOf(chips) } : {}),
      });
    },
    say(session, text) {
      const request = `${born}-${count++}`;
      sent.value = [...sent.value, { request, text, chips: [] }];
      post({ type: 'sendPrompt', request, session, text });
    },
    edit(session, { id, text, attached: queued }) {
      const rest = draft.value;
      draft.value = joined(asTyped(text), rest);
      const chips = chipsOf(queued);
      attached.put(chips);
      borrowed = { request: id, text: draft.value, rest, chips };
      withdraw(session, id);
    },
    restore() {
      const { text, chips = [] } = refusal.value ?? {};
      if (text) draft.value = joined(text, draft.value);
      attached.put(chips);
      refusal.value = null;
    },
    dismiss: () => void (refusal.value = null),
    hear(event) {
      leaving.hear(event);
      attached.hear(event);
      if (event.type === 'refused') refused(event);
      else if (event.type === 'messageAdded' && event.message.role === 'user') arrived(event.message, event.request);
      else if (event.type === 'queueChanged') {
        const waiting = new Set(event.queue.map(one => one.id));
        sent.value = sent.value.filter(prompt => !waiting.has(prompt.request));
      } else if (event.type === 'draftChanged') {
        if (!inUse() && sent.value.length === 0) draft.value = event.draft;
      } else if (event.type === 'snapshot') snapshot(event.transcript, event.draft, (event.attached ?? []).map(chipOf));
    },
  };
  return outbox;
}

function keptOf(session: SessionId, chips: readonly Chip[]): string {
  return [session, ...idsOf(chips)].join(' ');
}

function typedFor(sent: string): string {
  return asTyped(sent).trim();
}

function joined(...texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('\n\n');
}
