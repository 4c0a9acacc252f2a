// What an agent had begun to write through its client when its turn was stopped, with a real agent, a real disk and a
// conversation that lists what its turns changed.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { redactNothing } from '../../../src/node/acp/errors.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenEditors } from '../../../src/core/files.ts';
import { changesIn } from '../../../src/core/conversation/decisions.ts';
import { childProgram } from '../../../src/node/agentProgram.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { fileWatch } from '../../../src/node/files/changes/fileWatch.ts';
import type { Step } from '../../agents/plays.ts';
import { converse, settled } from '../conversation/stage.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { scriptedFile } from '../support/scriptedProgram.ts';

const patience = { timeout: 60_000 };

const writes = (path: string): Step => ({ call: { method: 'fs/write_text_file', params: { path, content: 'new' } } });

test(
  '[A21] a write that had begun when the turn was stopped is listed with it, one that had not is refused',
  patience,
  async t => {
    const folder = realpathSync(temporaryFolder(t));
    const work = join(folder, 'work');
    mkdirSync(work);
    const log = join(folder, 'log');
    const [open, waiting] = [join(work, 'open.txt'), join(work, 'waiting.txt')];
    writeFileSync(open, 'old');
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // An editor that takes its time to save.
    const editors: OpenEditors = {
      openText: path => Promise.resolve(path === open ? readFileSync(open, 'utf8') : null),
      async writeOpen(path, content) {
        begun.resolve();
        await goOn.promise;
        writeFileSync(path, content);
        return true;
      },
    };
    const onWarning = (words: string) => t.diagnostic(words);
    const folders = () => [work];
    const files = fileWatch({ folders, store: join(folder, 'kept'), own: [], clock: systemClock, editors, onWarning });
    t.after(() => files.close());
    const program = childProgram(
      {
        ref: { id: 'scripted', name: 'Scripted' },
        line: () => Promise.resolve({ command: process.execPath, args: [scriptedFile], env: { SCRIPTED_LOG: log } }),
        inTerminal: () => Promise.reject(new Error('no terminal')),
        idleAfter: 60_000,
        onWarning,
      },
      {
        clock: systemClock,
        clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
        redact: redactNothing,
        homeFolder: folder,
        newId: ids.message,
        folders,
        own: [],
        editors,
        mcpServers: () => Promise.resolve([]),
      },
    );
    t.after(() => program.stop());
    /** What the client answered. */
    const answerTo = async (method: string, path: string) => {
      for (;;) {
        const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
        const calls = lines.map(
          line => JSON.parse(line) as Partial<Record<'called' | 'path' | 'result' | 'error', object | string>>,
        );
        const found = calls.find(one => one.called === method && one.path === path);
        if (found) return found.result ?? found.error;
        await delay(5);
      }
    };
    const history = await openTestHistory(temporaryFolder(t));
    const conversation = converse(history, program, systemClock, { id: ids.session() }, { files });
    const steps: readonly Step[] = [
      { meanwhile: [writes(open)] },
      { meanwhile: [writes(waiting)] },
      { call: { method: 'fs/read_text_file', params: { path: open } } },
      { untilCancel: true },
    ];
    assert.deepEqual(await conversation.send(`play: ${JSON.stringify(steps)}`), { sent: true });
    await begun.promise;
    // By now the other write waits for the one that has begun.
    await answerTo('fs/read_text_file', open);
    await conversation.cancel();
    assert.equal(conversation.transcript.messages.at(-1)?.end?.reason, 'cancelled');
    assert.equal(readFileSync(open, 'utf8'), 'old');
    goOn.resolve();
    assert.deepEqual(await answerTo('fs/write_text_file', open), {});
    assert.deepEqual(await answerTo('fs/write_text_file', waiting), {
      code: -32602,
      message: 'The user stopped this turn.',
    });
    assert.equal(readFileSync(open, 'utf8'), 'new');
    assert.equal(existsSync(waiting), false);
    await settled(conversation);
    // Closing waits for the last look at the files.
    await conversation.leave();
    const message = (await history.open(conversation.session))?.path.at(-1) ?? assert.fail();
    assert.deepEqual(
      changesIn(message).map(({ path, seen }) => [path, seen]),
      [[open, 'written']],
    );
  },
);
