// In the place of the thread that reads a file: it takes far more memory than that one may, and then answers.

import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  const kept: object[][] = [];
  while (kept.length < 80)
    kept.push(Array.from({ length: 50_000 }, (_, at) => ({ at, text: String(at), inside: [at] })));
  parentPort?.postMessage({ value: kept.length });
});
