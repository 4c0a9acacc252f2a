// A history in a process of its own that does what it is told, line by line on stdin, and answers with one line each.
// It is for what cannot be done to the process of the tests: limits, other users, other mounts, signals. It opens the
// history when told so; texts are made from their number and size, so that a reader knows what must be there.

import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HistoryError } from '../../src/core/history/historyError.ts';
import type { SessionId } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { sessionFact, userFact } from '../unit/support/facts.ts';
import { openEngine, type Engine } from './engine.ts';
import { filesWith, idOf, isAsWritten, numberOf, textOfNumber } from './puppetText.ts';

export type Order =
  | { readonly order: 'open' | 'close' | 'free' }
  /** Takes all the room but so many bytes. */
  | { readonly order: 'fill'; readonly leave?: number }
  | { readonly order: 'mount'; readonly options: string }
  /** One message with a text of that size, under the last one. */
  | { readonly order: 'append'; readonly session: SessionId; readonly number: number; readonly size: number }
  /** Which messages are there, from the root, each exactly as it was written. */
  | { readonly order: 'read'; readonly session: SessionId }
  | { readonly order: 'join'; readonly session: SessionId }
  /** A message and all below it, or the session. */
  | { readonly order: 'erase'; readonly session: SessionId; readonly number: number | null }
  /** In how many files of the folder there is a text with this number. */
  | { readonly order: 'find'; readonly number: number };

export interface Answer {
  readonly code?: string;
  readonly words?: string;
  readonly numbers?: readonly number[];
}

const folder = process.argv[2] ?? '';
const ballast = join(folder, 'ballast');
let engine: Engine | undefined;

function history(): Engine['history'] {
  if (!engine) throw new Error('The history is not open.');
  return engine.history;
}

async function obey(order: Order): Promise<Answer> {
  switch (order.order) {
    case 'open':
      engine = await openEngine(folder);
      return {};
    case 'close':
      await history().close();
      return {};
    case 'fill':
      fill(order.leave ?? 0);
      return {};
    case 'free':
      rmSync(ballast, { force: true });
      return {};
    case 'mount': {
      const { stderr, status } = spawnSync('mount', ['-o', order.options, folder], { encoding: 'utf8' });
      return status === 0 ? {} : { code: 'mount', words: stderr };
    }
    case 'append': {
      const { session, number, size } = order;
      const facts: Fact[] = [
        userFact(
          session,
          idOf(session, number),
          number === 0 ? null : idOf(session, number - 1),
          textOfNumber(number, size),
        ),
        { type: 'set', session, name: 'head', value: idOf(session, number) },
      ];
      if (number === 0) facts.unshift(sessionFact(session));
      await history().append(session, facts);
      return {};
    }
    case 'read': {
      const path = (await history().open(order.session))?.path ?? [];
      const wrong = path.find(message => !isAsWritten(message));
      return wrong ? { code: 'corrupt', words: wrong.id } : { numbers: path.map(({ id }) => numberOf(id)) };
    }
    case 'join':
      await history().join(order.session);
      return {};
    case 'erase': {
      const { session, number } = order;
      const branch = number === null ? undefined : { message: idOf(session, number), subtree: true };
      return { numbers: [(await history().erase(session, branch)).messages] };
    }
    case 'find':
      return { numbers: [filesWith(folder, order.number).length] };
  }
}

/** Takes all the room that there is, in smaller and smaller pieces. */
function fill(leave: number): void {
  const fd = openSync(ballast, 'a');
  try {
    for (let size = 65_536; size >= 1;) {
      try {
        if (writeSync(fd, new Uint8Array(size)) < size) size = size >> 1;
      } catch {
        size = size >> 1;
      }
    }
    ftruncateSync(fd, fstatSync(fd).size - leave);
  } finally {
    closeSync(fd);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer: Answer;
  try {
    answer = await obey(JSON.parse(line) as Order);
  } catch (cause) {
    answer =
      cause instanceof HistoryError
        ? { code: cause.code, words: cause.message }
        : { code: 'bug', words: String(cause) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
