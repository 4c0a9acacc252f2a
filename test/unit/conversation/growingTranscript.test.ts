// Text that is put into a transcript only where somebody reads it gives what the reducer alone would give.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingTranscript } from '../../../src/core/conversation/growingTranscript.ts';
import { markdown, plain, type Message } from '../../../src/model/message.ts';
import { reduce, type TextAppended, type Transcript, type TranscriptEvent } from '../../../src/model/transcript.ts';
import { emptyTranscript } from '../support/emptyTranscript.ts';
import { randomFrom } from '../support/random.ts';

const messages: readonly Message[] = ['one', 'two'].map((id, at) => ({
  id,
  session: emptyTranscript.session,
  parent: at === 0 ? null : 'one',
  role: 'assistant',
  created: at,
  blocks: [
    { kind: 'text', mime: markdown, text: '' },
    { kind: 'thought', mime: plain, text: '' },
  ],
}));
const begun: Transcript = { ...emptyTranscript, messages };

function textAfter(transcript: Transcript, message: string, at: number, text: string): TextAppended {
  const block = transcript.messages.find(({ id }) => id === message)?.blocks[at];
  const offset = block && 'text' in block ? block.text.length : 0;
  return { type: 'textAppended', message, at, offset, text };
}

test('[T2] whatever is read, and whenever, is what the events so far have made', () => {
  const random = randomFrom(15);
  const pick = (count: number) => Math.floor(random() * count);
  for (let run = 0; run < 50; run++) {
    let expected = begun;
    let growing = new GrowingTranscript(begun);
    const earlier: { readonly growing: GrowingTranscript; readonly expected: Transcript }[] = [];
    for (let n = 0; n < 60; n++) {
      const appended = textAfter(expected, pick(8) === 0 ? 'one' : 'two', pick(8) === 0 ? 1 : 0, 'x'.repeat(pick(4)));
      const event: TranscriptEvent = pick(10) === 0 ? { type: 'titleChanged', title: String(n) } : appended;
      expected = reduce(expected, event) ?? assert.fail();
      growing = growing.with(event) ?? assert.fail();
      if (pick(3) === 0) assert.deepEqual(growing.whole, expected);
      earlier.push({ growing, expected });
    }
    // What was there before is what it was.
    for (const one of earlier) assert.deepEqual(one.growing.whole, one.expected);
  }
});

test('[T2] text with a gap before it does not fit, read or not', () => {
  const first = textAfter(begun, 'two', 0, 'abc');
  const fits = { ...first, offset: 3 };
  for (const isRead of [false, true]) {
    const growing = new GrowingTranscript(begun).with(first) ?? assert.fail();
    const further = growing.with({ ...fits, text: 'd' }) ?? assert.fail();
    if (isRead) void further.whole;
    assert.equal(further.with(fits), undefined);
    assert.equal(further.with({ ...fits, message: 'three' }), undefined);
    assert.ok(further.with({ ...fits, offset: 4 }));
    // Two may go on from the same.
    assert.notDeepEqual(growing.with({ ...fits, text: 'e' })?.whole, further.whole);
  }
});

test('[T2] pieces of text leave the list of messages alone until it is read', () => {
  let copies = 0;
  const watched = new Proxy([...messages], {
    get(list, key) {
      if (key === 'with') copies++;
      return Reflect.get(list, key, list) as unknown;
    },
  });
  let growing = new GrowingTranscript({ ...begun, messages: watched });
  for (let offset = 0; offset < 1000; offset++) {
    const event = { type: 'textAppended', message: 'two', at: 0, offset, text: 'x' } as const;
    growing = growing.with(event) ?? assert.fail();
  }
  assert.equal(copies, 1);
  assert.deepEqual(growing.whole.messages[1]?.blocks[0], { kind: 'text', mime: markdown, text: 'x'.repeat(1000) });
});
