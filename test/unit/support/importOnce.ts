// A process of its own that imports a file into a history and says what came of it, and how much memory that took:
// `node importOnce.ts <folder> <small file> <file>`. The small file goes first, so that what is loaded for any import is
// not counted.

import { resourceUsage } from 'node:process';
import { openHistory } from '../../../src/node/history/history.ts';
import { ids, wasmFile, workerFile } from './history.ts';

const [, , folder = '', small = '', file = ''] = process.argv;
const running = { signal: new AbortController().signal, onProgress() {} };
const history = await openHistory({ folder, writer: ids.writer(), workerFile, wasmFile, onWarning: console.error });
const peak = () => resourceUsage().maxRSS / 1024;
await history.importJson(small, running);
const before = peak();
const began = performance.now();
const { added, unread } = await history.importJson(file, running);
const seconds = (performance.now() - began) / 1000;
const found = await history.sessions();
console.log(
  JSON.stringify({
    added: added.length,
    messages: added.reduce((sum, { messages }) => sum + messages, 0),
    unread: unread.slice(0, 5),
    sessions: found.length,
    moreMegabytes: Math.round(peak() - before),
    seconds,
  }),
);
await history.close();
