// What leaves the history as text, and what its check says, over a real history in a folder of its own.

import assert from 'node:assert/strict';
import { findingsText } from '../../../src/host/history/checkHistory.ts';
import { sessionAs } from '../../../src/host/history/exportSession.ts';
import { restore, moveToTrash, type DeletingPorts } from '../../../src/host/sessions/deleting.ts';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import { HistoryError } from '../../../src/core/history/historyError.ts';
import { test } from './index.ts';

test('[H35] the findings of a check are sentences, each with its file and whether it can be repaired', () => {
  const sizes = { segments: 1, records: 2, sessions: 3, messages: 4, blobs: 0, bytes: 3_000_000 };
  const findings = [
    { code: 'bad-record', words: 'A record is damaged.', repairable: false, file: 'a.seg' },
    { code: 'index-differs', words: 'The index differs.', repairable: true },
  ] as const;
  const text = findingsText({ ...sizes, findings });
  assert.match(text, /3 sessions, 4 messages, 0 attachments, 2\.9 MB/);
  assert.match(text, /- A record is damaged\. \(a\.seg\)\n- The index differs\. It can be repaired\.\n$/);
});

test('[H35] a branch is exported with its bytes, and a session that is not there says so', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const image = { kind: 'image', mime: 'image/png', data: { sha256: 'f00', size: 3 }, name: 'a.png' } as const;
  const text = { kind: 'text', mime: 'text/markdown', text: 'Look at **this**' } as const;
  const message = { id: 'm', session: 's', parent: null, role: 'user', created: 0, blocks: [text, image] } as const;
  const end = { reason: 'end_turn', at: 0 } as const;
  const summary = { id: 's', title: 'A title', agent: { id: 'a', name: 'A' }, created: 0 } as SessionSummary;
  const history = {
    open: (session: string) =>
      Promise.resolve(
        session === 's' ? ({ ...summary, path: [{ ...message, end }], queue: 'secret' } as never) : undefined,
      ),
    blob: () => Promise.resolve(bytes),
  };
  assert.equal(
    await sessionAs('markdown', 's', null, history),
    '# A title\n\nA · begun 1970-01-01T00:00:00.000Z\n\n## You\n\nLook at **this**\n\n_image: a.png_\n',
  );
  const json = await sessionAs('json', 's', null, history);
  const parsed = JSON.parse(json) as { messages: { blocks: { data?: { base64: string } }[] }[] };
  assert.equal(parsed.messages[0]?.blocks[1]?.data?.base64, 'AQID');
  assert.doesNotMatch(json, /secret/);
  await assert.rejects(sessionAs('json', 'none', null, history), new HistoryError('no-session'));
});

test('[H32] of several, what works is done though one does not', async () => {
  const done: string[] = [];
  const trash = (session: string) =>
    session === 'b' ? Promise.reject(new HistoryError('disk-full')) : Promise.resolve(void done.push(session));
  const ports = {
    conversations: { opened: () => undefined, isRunning: () => false, forget: () => Promise.resolve() },
    history: () => Promise.resolve({ trash, restore: trash }),
  } as unknown as DeletingPorts;
  const sessions = ['a', 'b', 'c'].map(id => ({ id, title: id }) as SessionSummary);
  await moveToTrash(sessions, ports);
  await restore(sessions, ports);
  assert.deepEqual(done, ['a', 'c', 'a', 'c']);
});
