// A process that appends until it is killed: it prints the id of each message once history has acknowledged it.

import { openHistory } from '../../../src/node/history/history.ts';
import { sessionFact, userFact } from '../support/facts.ts';
import { ids, wasmFile, workerFile } from '../support/history.ts';

const [folder = '', session = ''] = process.argv.slice(2);
const history = await openHistory({ folder, writer: ids.writer(), workerFile, wasmFile });
let parent: string | null = (await history.open(session))?.head ?? null;
if (parent === null) await history.append(session, [sessionFact(session)]);
for (;;) {
  const id: string = ids.message();
  await history.append(session, [
    userFact(session, id, parent, id.repeat(1 + (id.charCodeAt(0) % 40) * 20)),
    { type: 'set', session, name: 'head', value: id },
  ]);
  process.stdout.write(`${id}\n`);
  parent = id;
}
