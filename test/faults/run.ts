// `npm run test:faults -- --kills N [--seed S]`: the whole kill run, with progress and a last line of counts;
// `--worker-kills N` kills history workers instead of processes. It exits
// with 1 when anything was lost, doubled, corrupt, dangling, refused, different or came back. A failing seed is said, and the
// folder of its round is kept under out/faults.

import '../vscode/leashed.ts';
import { parseArgs } from 'node:util';
import { isGood, runKills, wordsOf } from './kills.ts';
import { runWorkerKills } from './workerKills.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    'worker-kills': { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
});
const began = performance.now();
const say = (words: string): void => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s  ${words}`);
const seed = Number(values.seed);
if (values['worker-kills'] !== undefined) {
  const verdicts = await runWorkerKills({ kills: Number(values['worker-kills']), seed, say });
  const good = verdicts.every(({ counts }) => isGood(counts));
  for (const { counts } of verdicts) console.log(`${isGood(counts) ? '✔' : '✖'} seed ${seed}: ${wordsOf(counts)}`);
  process.exit(good ? 0 : 1);
}
const totals = await runKills({ kills: Number(values.kills), seed, say });
const good = isGood(totals.sum);
console.log(
  `${good ? '✔' : '✖'} seed ${values.seed}: ${totals.kills} kills, ${totals.stops} stops, ` +
    `${totals.deleted} index files deleted, ${totals.damaged} cut, ${totals.torn} ends torn, ${totals.verified} verifications, ${totals.clean} of them with nothing half erased: ${wordsOf(totals.sum)}`,
);
process.exitCode = good ? 0 : 1;
