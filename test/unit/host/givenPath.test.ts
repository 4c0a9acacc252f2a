// What a panel is given of a path before it has any of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GivenPath } from '../../../src/host/chat/givenPath.ts';
import type { Message } from '../../../src/model/message.ts';
import type { Transcript, TranscriptEvent } from '../../../src/model/transcript.ts';

const messages = Array.from({ length: 300 }, (_, at): Message => {
  return { id: `m${at}`, session: 's', parent: at === 0 ? null : `m${at - 1}`, role: 'user', created: at, blocks: [] };
});
const transcript = { messages } as unknown as Transcript;

test('[W72] a panel that has nothing yet is given nothing before its snapshot, which then has what is wanted', () => {
  const posted: TranscriptEvent[] = [];
  const path = new GivenPath(event => posted.push(event));
  path.upTo(transcript, 'm20');
  path.earlier(transcript, 260);
  assert.equal(posted.length, 0);
  assert.equal(path.snapshot(transcript).earlier, 260);
  path.upTo(transcript, 'm20');
  const given = posted.map(event => (event.type === 'earlierRead' ? [event.first, event.messages.at(-1)?.id] : []));
  assert.deepEqual(given, [
    [160, 'm259'],
    [60, 'm159'],
    [0, 'm59'],
  ]);
});
