// The person's words on their way out. Promises: words leave the composer when they are sent and are kept until the
// host has them in the conversation; refused words come back, into the composer where it is empty, else beside it;
// until then a reload finds them in the draft. Whether sending is possible now is left to the composer.

import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { textOf, type SessionId } from '../model/message.ts';
import type { HostEvent, Intent } from '../model/wire.ts';

export interface Refusal {
  /** Why, in the host's words. */
  readonly words: string;
  /** What was to be sent, where the composer had other words by then; else null. */
  readonly text: string | null;
}

export interface Outbox {
  readonly draft: Signal<string>;
  readonly refusal: ReadonlySignal<Refusal | null>;
  /** A prompt is out and the host has not answered yet. */
  readonly waiting: ReadonlySignal<boolean>;
  /** What should be in the composer when this session is shown again. */
  readonly kept: ReadonlySignal<string>;
  readonly send: (session: SessionId) => void;
  /** Puts the words of the refusal back; what stands in the composer goes behind them. */
  readonly restore: () => void;
  readonly dismiss: () => void;
  readonly hear: (event: HostEvent) => void;
}

export function createOutbox(post: (intent: Intent) => void): Outbox {
  const draft = signal('');
  const refusal = signal<Refusal | null>(null);
  const sent = signal<readonly { readonly request: string; readonly text: string }[]>([]);
  const born = Date.now().toString(36);
  let count = 0;
  let shown: SessionId | null = null;

  return {
    draft,
    refusal,
    waiting: computed(() => sent.value.length > 0),
    kept: computed(() =>
      [...sent.value.map(prompt => prompt.text), draft.value].filter(text => text !== '').join('\n\n'),
    ),
    send(session) {
      const text = draft.value;
      if (text.trim() === '') return;
      const request = `${born}-${count++}`;
      draft.value = '';
      refusal.value = null;
      sent.value = [...sent.value, { request, text }];
      post({ type: 'sendPrompt', request, session, text });
    },
    restore() {
      const text = refusal.value?.text;
      if (text) draft.value = draft.value === '' ? text : `${text}\n\n${draft.value}`;
      refusal.value = null;
    },
    dismiss: () => void (refusal.value = null),
    hear(event) {
      if (event.type === 'refused') {
        const refused = sent.value.find(prompt => prompt.request === event.request);
        if (!refused) return;
        sent.value = sent.value.filter(prompt => prompt !== refused);
        const free = draft.value === '';
        if (free) draft.value = refused.text;
        refusal.value = { words: event.words, text: free ? null : refused.text };
      } else if (event.type === 'messageAdded' && event.message.role === 'user') {
        sent.value = sent.value.filter(prompt => prompt.request !== event.request);
      } else if (event.type === 'snapshot') {
        // What was on its way when the page went may have arrived meanwhile.
        const last = event.transcript.messages.findLast(message => message.role === 'user');
        const text = last && textOf(last).trim();
        if (event.transcript.session === shown) {
          sent.value = sent.value.filter(prompt => prompt.text.trim() !== text);
          return;
        }
        // Another session, or the first: its own draft, which was kept when it was left, sent words and all.
        shown = event.transcript.session;
        batch(() => {
          sent.value = [];
          refusal.value = null;
          draft.value = event.draft.trim() === text ? '' : event.draft;
        });
      }
    },
  };
}
