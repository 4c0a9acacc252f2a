// A process that may write no file has an incognito session with all that goes to files of their own on the disk.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { incognitoId } from '../../../src/model/incognito.ts';
import { answerFact, blockFact, sessionFact, textFact, userFact } from '../support/facts.ts';
import { memoryHistory } from '../support/memoryHistory.ts';

assert.throws(() => writeFileSync(join(tmpdir(), 'throughline-without-disk'), ''), { code: 'ERR_ACCESS_DENIED' });
const history = memoryHistory('writer22');
const session = incognitoId('session22222');
const picture = { kind: 'image', mime: 'image/png', data: new Uint8Array(300_000) } as const;
const queued = { content: 'long '.repeat(60_000), data: [new Uint8Array(300_000)] };
await history.append(session, [sessionFact(session), userFact(session, 'm1', null, 'long '.repeat(60_000))]);
await history.append(session, [answerFact(session, 'm2', 'm1'), textFact(session, 'm2', 0, 0, 'a response')]);
await history.append(session, [blockFact(session, 'm2', 1, picture)]);
await history.append(session, [{ type: 'set', session, name: 'queued', of: 'q1', value: queued, from: 'm3' }]);
assert.equal((await history.open(session))?.path.length, 2);
await history.trash(session, { message: 'm2', subtree: false });
await history.restore(session, 'm2');
await history.erase(session, { message: 'm2', subtree: false });
await history.erase(session);
assert.deepEqual(await history.sessions(), []);
