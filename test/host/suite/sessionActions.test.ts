// What leaves the history as text, and what its check says, over a real history in a folder of its own.

import assert from 'node:assert/strict';
import { checkWords, findingsText, whereWords } from '../../../src/host/history/checkHistory.ts';
import { recoveredWords } from '../../../src/host/history/recovery.ts';
import type { Adopted } from '../../../src/node/history/home/adopt.ts';
import { markdownIn } from '../../../src/host/history/exportSession.ts';
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
  assert.match(text, /3 sessions, 4 messages, 2\.9 MB/);
  assert.match(text, /- A record is damaged\. \(a\.seg\)\n- The index differs\. It can be repaired\.\n$/);
});

test('[H35] a check says in one sentence what is so, and whether something can be done', () => {
  const sizes = { segments: 1, records: 2, sessions: 1, messages: 4, blobs: 2, bytes: 3000 };
  const bad = { code: 'bad-record', words: 'A record is damaged.', repairable: false } as const;
  const index = { code: 'index-differs', words: 'The index differs.', repairable: true } as const;
  const rows = [
    [[], false, 'The history is whole: 1 session, 4 messages, 2 attachments, 3 KB.'],
    [[], true, 'Repaired. The history is whole: 1 session, 4 messages, 2 attachments, 3 KB.'],
    [[bad], false, 'A record is damaged. Nothing can be repaired, and everything else is whole.'],
    [[index], false, 'The index differs. It can be repaired.'],
    [[bad, index], false, '2 things in the history are not as they should be. 1 of them can be repaired.'],
    [
      [bad],
      true,
      'What could be repaired is. A record is damaged. Nothing can be repaired, and everything else is whole.',
    ],
  ] as const;
  for (const [findings, isRepaired, words] of rows) assert.equal(checkWords({ ...sizes, findings }, isRepaired), words);
});

test('[H117] where a history lies is said, and on which machine', () => {
  const rows = [
    [undefined, 'The history is in /h.'],
    ['wsl+Ubuntu', 'the Linux of this computer (WSL), where this workspace is, in /h.'],
    ['ssh-remote', 'the machine that is reached over SSH'],
    ['127.0.0.1:8080', 'The history lies on the remote machine, where'],
  ] as const;
  for (const [remote, words] of rows) assert.ok(whereWords('/h', remote).includes(words), whereWords('/h', remote));
});

test('[H100] how many sessions came here by a recovery is said, and what did not', () => {
  const all = { sessionsBefore: 0, sessionsAfter: 3, cancelled: false, left: [] as string[] } as unknown as Adopted;
  const rows = [
    [{}, '3 sessions came here. The old history stays as it was.'],
    [{ sessionsBefore: 2 }, '1 session came here: 2 sessions before, 3 now. The old history stays as it was.'],
    [{ sessionsBefore: 3 }, 'All of its sessions were here already. The old history stays as it was.'],
    [
      { left: ['a'] },
      '3 sessions came here. The old history stays as it was. 1 file could not be copied; the log says which.',
    ],
    [{ cancelled: true }, 'Stopped after 3 sessions came here. “Recover History…” goes on from there.'],
  ] as const;
  for (const [more, words] of rows) assert.equal(recoveredWords({ ...all, ...more }), words);
});

test('[H35] a branch is exported as Markdown, all of them each from where it parts, and none that is not there', async () => {
  const said = (id: string, parent: string | null, text: string, created: number) =>
    ({
      id,
      session: 's',
      parent,
      role: 'user',
      created,
      blocks: [{ kind: 'text', mime: 'text/markdown', text }],
      end: { reason: 'end_turn', at: created },
    }) as const;
  const image = { kind: 'image', mime: 'image/png', data: { sha256: 'f00', size: 3 }, name: 'a.png' } as const;
  const messages = [said('a', null, 'Look at **this**', 1), said('b', 'a', 'One way', 2), said('c', 'a', 'Another', 3)];
  const summary = { id: 's', title: 'A title', agent: { id: 'a', name: 'A' }, created: 0 } as SessionSummary;
  const path = [{ ...messages[0], blocks: [...(messages[0]?.blocks ?? []), image] }, messages[1]];
  const history = {
    open: (session: string) =>
      Promise.resolve(session === 's' ? ({ ...summary, path, head: 'b', queue: 'secret' } as never) : undefined),
    tree: () =>
      Promise.resolve(
        messages.map(({ id, parent, created, blocks: [block] }) => {
          const rest = { label: null, preview: block?.text ?? '', trashed: false, name: null, note: null };
          return { id, parent, created, role: 'user', ...rest } as const;
        }),
      ),
    messages: (ids: readonly string[]) => Promise.resolve(messages.filter(({ id }) => ids.includes(id))),
  };
  const head = '# A title\n\nA · begun 1970-01-01T00:00:00.000Z\n\n## You\n\nLook at **this**\n';
  assert.equal(await markdownIn('branch', 's', null, history), `${head}\n_image: a.png_\n\n## You\n\nOne way\n`);
  assert.equal(
    await markdownIn('tree', 's', null, history),
    `${head}\n## You\n\nOne way\n\n# Branch: Another\n\n_Its first message is above._\n\n## You\n\nAnother\n`,
  );
  await assert.rejects(markdownIn('branch', 'none', null, history), new HistoryError('no-session'));
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
