// History: what was saved is there, and what was erased is in no file.

import type { Row } from './row.ts';

const blobs = 'test/unit/history/blobs.test.ts';
const codec = 'test/unit/history/codec.test.ts';
const durable = 'test/unit/history/durable.test.ts';
const erase = 'test/unit/history/erase.test.ts';
const history = 'test/unit/history/history.test.ts';

export const histories: readonly Row[] = [
  {
    defence: 'What another window erased is refused as erased, also where this one never read it',
    attacks: [],
    file: 'src/node/history/store.ts',
    text: `      const { trouble } = this.intake.reindex(session);
      this.learnErasures();
`,
    replacement: '      const { trouble } = this.intake.reindex(session);\n',
    tests: [erase],
    only: 'refused as erased',
  },
  {
    defence: 'What cannot be read now is not refused as unknown',
    attacks: [],
    file: 'src/node/history/store.ts',
    text: 'throw trouble && isMissingThere(again) ? trouble : again;',
    replacement: 'throw again;',
    tests: [erase],
    only: 'out of sight',
  },
  {
    defence: 'A record with a wrong checksum is not read',
    attacks: [15],
    file: 'src/core/history/codec.ts',
    text: 'if (unhex(line, 0) !== checksum(value.w, value.n, line.subarray(9), crc32)) return undefined;',
    replacement: '',
    tests: [codec],
  },
  {
    defence: 'A record of another writer is not read in a segment',
    attacks: [15],
    file: 'src/core/history/codec.ts',
    text: 'if (record && writer !== undefined && record.w !== writer) record = undefined;',
    replacement: '',
    tests: [codec],
  },
  {
    defence: 'A record is on the disk before it is acknowledged',
    attacks: [],
    file: 'src/node/history/journal/segmentWriter.ts',
    text: '    fdatasyncSync(fd);\n',
    replacement: '',
    tests: [durable],
  },
  {
    defence: 'The name of a new segment is on the disk before a record in it is acknowledged',
    attacks: [],
    file: 'src/node/history/journal/segmentWriter.ts',
    text: '      syncFolder(dirname(file));\n',
    replacement: '',
    tests: [durable],
  },
  {
    defence: 'A record that went into a file which lost its name is written to another one',
    attacks: [],
    file: 'src/node/history/journal/segmentWriter.ts',
    text: "if (ino !== segment.inode) throw Object.assign(new Error('renamed'), { code: 'ENOENT' });",
    replacement: '',
    tests: [durable],
  },
  {
    defence: 'A record behind something that another program wrote is written again elsewhere',
    attacks: [],
    file: 'src/node/history/journal/segmentWriter.ts',
    text: "if (size !== segment.length) throw Object.assign(new Error('changed'), { code: 'EIO' });",
    replacement: '',
    tests: [durable],
  },
  {
    defence: 'Nothing is removed before the tombstone that says so is durable',
    attacks: [13],
    file: 'src/node/history/erasing/erasing.ts',
    text: 'const tombstone = store.tombstones.write(session, null, []);',
    replacement: `this.removeFiles(session);
    const tombstone = store.tombstones.write(session, null, []);`,
    tests: [erase],
    only: 'tombstone',
  },
  {
    defence: 'The long texts and pictures of an erased session go with it',
    attacks: [13],
    file: 'src/node/history/erasing/erasing.ts',
    text: 'remove(join(this.store.blobs.folder, session));',
    replacement: '',
    tests: [erase],
  },
  {
    defence: 'The long texts and pictures of an erased branch go with it',
    attacks: [13],
    file: 'src/node/history/erasing/erasing.ts',
    text: 'if (hasErased()) this.unnamed.remove(session);',
    replacement: '',
    tests: [erase],
  },
  {
    defence: 'What was typed in an erased session and not sent goes with it',
    attacks: [13],
    file: 'src/node/history/erasing/erasing.ts',
    text: "remove(join(this.store.folder, 'drafts', name));",
    replacement: 'void name;',
    tests: [erase],
  },
  {
    defence: 'A row that is deleted from the index is overwritten',
    attacks: [13],
    file: 'src/node/history/sqlite.ts',
    text: ' PRAGMA secure_delete=ON;',
    replacement: '',
    tests: ['test/unit/history/sqlite.test.ts'],
  },
  {
    defence: 'Nothing is appended to a session that was erased',
    attacks: [13],
    file: 'src/node/history/appendCheck.ts',
    text: "if (this.erasure.hasSession(session)) throw new HistoryError('erased');",
    replacement: '',
    tests: [erase],
  },
  {
    defence: 'Nothing of an incognito session is written to the disk',
    attacks: [],
    file: 'src/node/history/store.ts',
    text: 'if (isIncognito(session))',
    replacement: "if (isIncognito('') && session === '')",
    tests: [history],
    only: 'no file may be named',
  },
  {
    defence: 'What is erased of an incognito session is not in memory any more',
    attacks: [13],
    file: 'src/node/history/memoryStore.ts',
    text: 'if (own) keepSurvivors(own, this.erasure);',
    replacement: 'if (own) keepSurvivors(own, new Erasure());',
    tests: ['test/unit/history/sessionContract.test.ts'],
    only: 'kept in memory',
  },
  {
    defence: 'A hash from a record becomes a path only where it is a hash',
    attacks: [15],
    file: 'src/node/history/journal/blobFiles.ts',
    text: "if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('This is no hash.');",
    replacement: '',
    tests: [blobs],
    only: 'would become a path',
  },
  {
    defence: 'A blob that is not what its hash says is not given',
    attacks: [15],
    file: 'src/node/history/journal/blobFiles.ts',
    text: "if (createHash('sha256').update(bytes).digest('hex') !== ref.sha256) return null;",
    replacement: '',
    tests: [blobs],
    only: 'gone or damaged',
  },
  {
    defence: 'A message of the journal has an id that may be part of a file’s name',
    attacks: [15],
    file: 'src/node/history/appendCheck.ts',
    text: 'if (!messageId.test(id)) throw new HistoryError(',
    replacement: 'if (id === null) throw new HistoryError(',
    tests: [history],
    only: 'no file may be named',
  },
  {
    defence: 'A prompt is saved before the agent sees it',
    attacks: [],
    file: 'src/core/conversation/launching.ts',
    text: `  step.save(facts, { isNowOrNever: !isUnsaved, purpose: 'prompt' });
`,
    replacement: `  step.save(facts);
  launchTurn(step, plan, ready, record);
`,
    tests: ['test/unit/conversation/conversation.test.ts'],
    only: 'a prompt whose saving takes long',
  },
  {
    defence: 'A damaged snapshot of the index is not used',
    attacks: [],
    file: 'src/node/history/cacheFile.ts',
    text: "return trailer.equals(trailerOf(bytes, kind)) ? bytes : 'damaged';",
    replacement: 'return bytes;',
    tests: ['test/unit/history/windows.test.ts'],
    only: 'a damaged one',
    shows: 'crash',
  },
];
