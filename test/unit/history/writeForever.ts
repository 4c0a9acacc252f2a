// A process that answers two messages of a session as fast as it can, until it is killed. What it is refused, it passes
// over: somebody erases the session while it writes.

import { openHistory } from '../../../src/node/history/history.ts';
import { userFact } from '../support/facts.ts';
import { ids, wasmFile, workerFile } from '../support/history.ts';

const [folder = '', session = '', words = '', doomed = '', kept = ''] = process.argv.slice(2);
const history = await openHistory({ folder, writer: ids.writer(), workerFile, wasmFile });
for (let n = 0; ; n++) {
  for (const [parent, text] of [
    [doomed, words],
    [kept, 'goes on'],
  ] as const) {
    await history.append(session, [userFact(session, ids.message(), parent, `${text} ${n}`)]).catch(() => {});
    if (n === 0) process.stdout.write('.');
  }
  await new Promise(resolve => setTimeout(resolve, 1));
}
