// A history of two windows, and what can happen to its files.

import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { crc32 } from 'node:zlib';
import { createEncoder } from '../../../src/core/history/codec.ts';
import type { Finding } from '../../../src/core/history/history.ts';
import { recordVersion, type Fact } from '../../../src/model/record.ts';
import { writeSnapshot } from '../../../src/node/history/index/snapshot.ts';
import { loadSqlite } from '../../../src/node/history/index/sqlite.ts';
import { Store } from '../../../src/node/history/store.ts';
import { sessionFact, userFact, userMessage } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder, wasmFile } from '../support/history.ts';

export const hour = 3600_000;

export interface Made {
  readonly folder: string;
  readonly session: string;
  /** The first answers nothing, each other the one before; the second has an image and a long text. */
  readonly messages: readonly [string, string, string];
  /** Of two windows; the second wrote the third message. */
  readonly files: readonly [string, string];
  readonly blobs: readonly string[];
}

export const image = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7) % 256);
export const long = 'Long as a book. '.repeat(20_000);

/** A session of two windows, closed. */
export async function make(t: TestContext, title = 'Fix the parser'): Promise<Made> {
  const folder = temporaryFolder(t);
  const session = ids.session();
  const messages = [ids.message(), ids.message(), ids.message()] as const;
  const first = await openTestHistory(folder);
  await first.append(session, [
    sessionFact(session),
    { type: 'set', session, name: 'title', value: title },
    userFact(session, messages[0], null, 'first'),
  ]);
  await first.append(session, [{ type: 'set', session, name: 'label', of: 'to flip', value: true }]);
  const message = userMessage(messages[1], messages[0], long);
  const media = { kind: 'image', mime: 'image/png', data: image } as const;
  await first.append(session, [
    { type: 'message', session, message: { ...message, blocks: [...message.blocks, media] } },
  ]);
  await first.close();
  const [one = ''] = readdirSync(join(folder, 'journal'));
  const second = await openTestHistory(folder);
  await second.append(session, [userFact(session, messages[2], messages[1], 'third')]);
  await second.close();
  const other = readdirSync(join(folder, 'journal')).find(name => name !== one) ?? '';
  const blobs = readdirSync(join(folder, 'blobs', session)).map(name => join(folder, 'blobs', session, name));
  assert.equal(blobs.length, 2);
  return { folder, session, messages, files: [join(folder, 'journal', one), join(folder, 'journal', other)], blobs };
}

export function old(file: string, by: number): void {
  const seconds = (Date.now() - by) / 1000;
  utimesSync(file, seconds, seconds);
}

function leave(file: string, by: number): void {
  writeFileSync(file, 'left over');
  old(file, by);
}

function encoded(file: string, facts: readonly Fact[], v = recordVersion): Uint8Array {
  const w = /~([0-9a-z]+)\./.exec(file)?.[1] ?? '';
  return createEncoder(crc32)({ v, w, n: 100, h: `dzzzzzzzzz${w}`, facts });
}

export async function openStore(t: TestContext, folder: string): Promise<Store> {
  const store = new Store(folder, ids.writer(), await loadSqlite(wasmFile), Date.now);
  t.after(() => store.close());
  return store;
}

/** A snapshot that is whole, with one statement's worth of lies in it. */
async function lie(folder: string, sql: string): Promise<void> {
  const openDatabase = await loadSqlite(wasmFile);
  const store = new Store(folder, ids.writer(), openDatabase, Date.now);
  const db = openDatabase(store.db.bytes());
  store.close();
  db.exec(sql);
  writeSnapshot(folder, 'zz00000000wrongone', db.bytes());
  db.close();
}

export interface Damage {
  readonly what: string;
  readonly act: (made: Made) => void | Promise<void>;
  /** What is found, with a plus where repair does away with it. */
  readonly found: readonly string[];
  readonly words: RegExp;
}

const none = /^$/;
export const damages: readonly Damage[] = [
  { what: 'nothing', act: () => {}, found: [], words: none },
  {
    what: 'a bit in the middle that flipped',
    act({ files: [file] }) {
      const bytes = readFileSync(file);
      const at = bytes.indexOf('to flip');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    found: ['bad-record'],
    words: /^One record in one file of the session “Fix the parser” is damaged. Everything else in it is whole.$/,
  },
  {
    what: 'several bad lines in one file',
    act: ({ files: [file] }) => appendFileSync(file, 'no record\nnor this\nnor that\n'),
    found: ['bad-record'],
    words: /^3 records in one file of .* are damaged/,
  },
  {
    what: 'a torn tail',
    act: ({ files: [file] }) => appendFileSync(file, '1234abcd 0000'),
    found: ['unfinished-tail'],
    words: /^The end of one file of the session “Fix the parser” is cut off/,
  },
  {
    what: 'a tail that another window may be writing',
    act({ folder, files: [file] }) {
      appendFileSync(file, '1234abcd 0000');
      mkdirSync(join(folder, 'writers'), { recursive: true });
      writeFileSync(join(folder, 'writers', /~([0-9a-z]+)\./.exec(file)?.[1] ?? ''), '');
    },
    found: ['unfinished-tail'],
    words: /^The end of .* is not whole. Another window writes/,
  },
  {
    what: 'the file with the beginning deleted',
    act: ({ files: [file] }) => rmSync(file),
    found: ['missing-session', 'missing-parent'],
    words:
      /^The beginning of a session without a title is missing. One message of it is still there.*answers a message that is missing/s,
  },
  {
    what: 'a message of which only the end is there',
    act: ({ files: [file], session }) =>
      appendFileSync(
        file,
        encoded(file, [{ type: 'end', session, message: 'nobody', end: { reason: 'end_turn', at: 1 } }]),
      ),
    found: ['missing-parent'],
    words: /^The beginning of one message of the session “Fix the parser” is missing/,
  },
  {
    what: 'a blob deleted',
    act: ({ blobs: [file = ''] }) => rmSync(file),
    found: ['missing-blob'],
    words: /^One attachment or long text of the session “Fix the parser” is missing/,
  },
  {
    what: 'all blobs deleted',
    act: ({ folder }) => rmSync(join(folder, 'blobs'), { recursive: true }),
    found: ['missing-blob'],
    words: /^2 attachments or long texts of .* are missing/,
  },
  {
    what: 'a blob with other content of the same length',
    act: ({ blobs: [file = ''] }) => writeFileSync(file, Buffer.alloc(statSync(file).size, 'x')),
    found: ['damaged-blob'],
    words: /^One attachment .* is damaged/,
  },
  {
    what: 'files of writes that never came to their end',
    act({ folder, session, blobs: [blob = ''] }) {
      leave(join(folder, 'journal', `${session}~gone2222.0.joined.unfinished`), 2 * hour);
      leave(`${blob}.gone2222.unfinished`, 2 * hour);
      leave(join(folder, 'index-000000000000.db.unfinished'), 2 * hour);
      mkdirSync(join(folder, 'drafts'), { recursive: true });
      leave(join(folder, 'drafts', `${session}.0a1b.unfinished`), 2 * hour);
    },
    found: ['half-done+'],
    words: /^4 files are left over from a write that never came to its end/,
  },
  {
    what: 'files of writes that may be under way',
    act({ folder, session, blobs: [blob = ''] }) {
      leave(join(folder, 'journal', `${session}~gone2222.0.joined.unfinished`), hour / 2);
      leave(`${blob}.gone2222.unfinished`, 0);
      leave(join(folder, 'blobs', session, 'a'.repeat(64)), 20 * hour);
    },
    found: [],
    words: none,
  },
  {
    what: 'a blob that no record names',
    act: ({ folder, session }) => leave(join(folder, 'blobs', session, 'a'.repeat(64)), 25 * hour),
    found: ['half-done+'],
    words: /^One attachment .* belongs to no message. Repair removes it.$/,
  },
  {
    what: 'a blob that a damaged record may name',
    act({ folder, session, files: [file] }) {
      leave(join(folder, 'blobs', session, 'a'.repeat(64)), 25 * hour);
      appendFileSync(file, 'no record\n');
    },
    found: ['bad-record'],
    words: /damaged/,
  },
  {
    what: 'a blob of a session that is not there',
    act({ folder }) {
      mkdirSync(join(folder, 'blobs', 'nobody222222'));
      leave(join(folder, 'blobs', 'nobody222222', 'a'.repeat(64)), 25 * hour);
    },
    found: ['half-done'],
    words: /belongs to a session of which nothing else is in the history folder/,
  },
  {
    what: 'a snapshot with a wrong row',
    act: ({ folder }) => lie(folder, `UPDATE message SET role = 'assistant', preview = 'never said'`),
    found: ['index-differs+'],
    words: /^What is listed of the session “Fix the parser” is not what its files say/,
  },
  {
    what: 'a snapshot that points to the wrong place',
    act: ({ folder }) => lie(folder, 'UPDATE piece SET offset = offset + 1 WHERE offset > 0'),
    found: ['index-differs+'],
    words: /^What is listed/,
  },
  {
    what: 'a snapshot with a session that never was',
    act: ({ folder }) =>
      lie(
        folder,
        `INSERT INTO session(id, created) VALUES('nobody222222', 5);
        INSERT INTO field VALUES('nobody222222', 'title', '', '', '"A ghost"', 'x')`,
      ),
    found: ['index-differs+'],
    words: /the session “A ghost”/,
  },
  {
    what: 'a damaged snapshot',
    act({ folder }) {
      writeFileSync(join(folder, 'index-zz0000000.db'), 'half of it');
    },
    found: ['index-differs+'],
    words: /^A file that only makes opening faster is damaged/,
  },
  {
    what: 'a record of a newer version',
    act: ({ files: [file] }) => appendFileSync(file, encoded(file, [], recordVersion + 1)),
    found: ['newer-record'],
    words: /^One record .* was written by a newer version. It is kept/,
  },
  {
    what: 'a file that cannot be read',
    act: ({ folder, session }) => mkdirSync(join(folder, 'journal', `${session}~nobody22.0.seg`)),
    found: ['unreadable-file'],
    words: /^One file of the session “Fix the parser” cannot be read: the disk reports an error/,
  },
];

/** What was found, with a plus where a repair does away with it. */
export function codes(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code, repairable }) => `${code}${repairable ? '+' : ''}`);
}
