// The file methods from the other side: an agent in a process of its own that asks for files as ACP has it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgentUpdate } from '../../../src/core/agentTurn.ts';
import type { FileWrite } from '../../../src/core/files.ts';
import { agentFiles } from '../../../src/node/files/agentFiles.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { never, quietDesk, scripted, textOf } from '../support/scriptedProgram.ts';
import { place } from './stage.ts';

test('[F2] [F3] an agent reads and writes through its client, and is told in words what it is not given', async t => {
  const { ws, outside } = place(t);
  const changes: FileWrite[] = [];
  const handlers = agentFiles(
    guardIn(() => [ws]),
    {
      editors: { openText: async () => null, writeOpen: async () => false },
      ask: async () => false,
    },
  );
  const running = await scripted(t, { program: { handlers: () => handlers } }).start(never);
  const session = await running.newSession({ cwd: ws, alsoIn: [] }, never);
  const call = (method: string, params: object) => ({ call: { method, params: { sessionId: session.id, ...params } } });
  const asks = async (method: string, params: object) => {
    const updates: AgentUpdate[] = [];
    const desk = {
      ...quietDesk,
      onUpdate: (update: AgentUpdate) => void updates.push(update),
      onWrite: (write: FileWrite) => void changes.push(write),
    };
    const parts = [{ type: 'text' as const, text: `play: ${JSON.stringify([call(method, params)])}` }];
    await session.prompt({ parts, path: [] }, desk, never);
    return JSON.parse(textOf(updates)) as unknown;
  };
  const path = join(ws, 'a.txt');
  assert.deepEqual(await asks('fs/read_text_file', { path, line: 2, limit: 1 }), { content: 'two\n' });
  assert.deepEqual(await asks('fs/read_text_file', { path: join(ws, 'none') }), { content: '' });
  assert.deepEqual(await asks('fs/write_text_file', { path, content: 'new' }), {});
  assert.equal(readFileSync(path, 'utf8'), 'new');
  assert.deepEqual(changes, [{ path, before: 'one\ntwo\nthree\n', after: 'new' }]);
  const elsewhere = join(outside, 'b.txt');
  assert.deepEqual(await asks('fs/read_text_file', { path: elsewhere }), {
    code: -32602,
    message: `“${elsewhere}” is not given, because it is outside of the folders of this workspace.`,
  });
  assert.deepEqual(await asks('fs/write_text_file', { path: join(ws, '.env'), content: '' }), {
    code: -32602,
    message: `“${join(ws, '.env')}” is not given: the person was asked, because it may hold secrets, and did not allow it.`,
  });
  assert.equal(changes.length, 1);
});
