// A workspace on the disk with what an agent might try to get out of it by, and the file methods on it with a person and
// an editor that are told what to do.

import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { RequestError } from '@agentclientprotocol/sdk';
import type { FilePorts, FileQuestion, FileWrite } from '../../../src/core/files.ts';
import type { AgentTurn } from '../../../src/node/acp/agentDesk.ts';
import { SessionTerminals } from '../../../src/node/acp/terminals/sessionTerminals.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { agentFiles } from '../../../src/node/files/agentFiles.ts';
import { guardIn, type Guard } from '../../../src/node/files/guard.ts';

export const secret = 'the secret of another project';
export const never = new AbortController().signal;

export interface Place {
  readonly base: string;
  readonly ws: string;
  readonly outside: string;
}

/** Gone when the test is over. */
export function place(t: TestContext): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-')));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const ws = join(base, 'ws');
  const outside = join(base, 'outside');
  for (const folder of [ws, join(ws, 'sub'), join(ws, '.git'), outside, join(base, 'ws-evil')]) mkdirSync(folder);
  writeFileSync(join(ws, 'a.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(ws, 'sub', 'b.txt'), 'b');
  writeFileSync(join(ws, '.env'), 'KEY=1');
  for (const folder of [outside, join(base, 'ws-evil')]) writeFileSync(join(folder, 'b.txt'), secret);
  symlinkSync(join(outside, 'b.txt'), join(ws, 'linkOut.txt'));
  symlinkSync(outside, join(ws, 'folderOut'));
  symlinkSync('../outside', join(ws, 'sub', 'relativeOut'));
  symlinkSync(join(outside, 'new.txt'), join(ws, 'nothingOut.txt'));
  symlinkSync(join(outside, 'newFolder'), join(ws, 'noFolderOut'));
  symlinkSync(join(ws, 'none.txt'), join(ws, 'nothingIn.txt'));
  symlinkSync('../ws-evil', join(ws, 'siblingOut'));
  symlinkSync('loop', join(ws, 'loop'));
  symlinkSync('sub', join(ws, 'folderIn'));
  symlinkSync('.env', join(ws, 'notes.txt'));
  symlinkSync('a.txt', join(ws, '.env.link'));
  symlinkSync(ws, join(base, 'wsLink'));
  linkSync(join(outside, 'b.txt'), join(ws, 'sameFile.txt'));
  spawnSync('mkfifo', [join(ws, 'pipe')]);
  return { base, ws, outside };
}

/** All that lies outside, to see that nothing was added. */
export function namesOutside({ base }: Place): readonly string[] {
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter(name => !/^(ws|wsLink)(\/|$)/.test(name))
    .toSorted();
}

export interface Desk {
  readonly place: Place;
  readonly changes: readonly FileWrite[];
  readonly questions: readonly FileQuestion[];
  readonly read: (name: string, line?: number, limit?: number) => Promise<string>;
  readonly write: (name: string, content: string) => Promise<void>;
}

export interface DeskOptions {
  readonly ask?: FilePorts['ask'];
  readonly editors?: Partial<FilePorts['editors']>;
  readonly signal?: AbortSignal;
  readonly guard?: Guard;
}

/** Names are below the workspace. */
export function deskIn(where: Place, { ask, editors = {}, signal = never, guard }: DeskOptions = {}): Desk {
  const changes: FileWrite[] = [];
  const questions: FileQuestion[] = [];
  const { readTextFile, writeTextFile } = agentFiles(guard ?? guardIn(() => [where.ws]), {
    editors: { openText: async () => null, writeOpen: async () => false, ...editors },
    ask: async (turn, question, withdrawn) => {
      questions.push(question);
      return (await ask?.(turn, question, withdrawn)) ?? false;
    },
  });
  const sessionId = 's1';
  const turn: AgentTurn = {
    canAsk: true,
    terminals: new SessionTerminals(systemClock, () => {}),
    ask: () => Promise.resolve(null),
    elicit: () => Promise.resolve({ action: 'cancel' }),
    say() {},
    expectRunning() {},
    write: async write => void changes.push(await write()),
  };
  return {
    place: where,
    changes,
    questions,
    read: async (name, line, limit) =>
      (
        await readTextFile(
          {
            sessionId,
            path: join(where.ws, name),
            ...(line === undefined ? {} : { line }),
            ...(limit === undefined ? {} : { limit }),
          },
          turn,
          signal,
        )
      ).content,
    write: async (name, content) => {
      await writeTextFile({ sessionId, path: join(where.ws, name), content }, turn, signal);
    },
  };
}

/** For `assert.rejects`: an answer with this code and these words in it. */
export function answered(code: number, words: RegExp): (cause: unknown) => boolean {
  return cause => cause instanceof RequestError && cause.code === code && words.test(cause.message);
}
