// Typing while an answer streams: 20,000 pieces of twenty characters at 2,000 a second, against the same keys in the same
// panel when nothing comes.

import { alone, against, interleave, Samples, type Row } from '../measure.ts';
import type { Pings } from './hand.ts';
import { clock } from './keys.ts';
import type { Scene } from './scene.ts';

const rate = 2000;

export async function measureTyping(scene: Scene, isQuick: boolean): Promise<readonly Row[]> {
  const pieces = isQuick ? 8000 : 20_000;
  const samples = new Samples();
  const pings: Pings[] = [];
  await scene.ask('prose 2000 2000 warm');
  let turn = 0;
  await interleave(isQuick ? 2 : 4, [
    async () => {
      await scene.settled();
      await scene.emptyComposer();
      const keys = await scene.typist.type(new Promise(resolve => setTimeout(resolve, isQuick ? 4000 : 8000)));
      for (const key of keys) samples.add('idle', key);
    },
    async () => {
      await scene.newSession();
      const words = `prose ${pieces} ${rate} turn${++turn}`;
      const pinging = scene.hand.ping();
      const before = scene.saidAt().length;
      await scene.send(words);
      const over = scene.answered(words);
      const keys = await scene.typist.type(over);
      pings.push(await pinging.stop());
      const { painted } = await over;
      samples.add('last', painted - (scene.saidAt()[before] ?? clock()));
      for (const key of keys) samples.add('streaming', key);
    },
  ]);
  const worst = Math.max(...pings.map(({ worst }) => worst));
  const own = Math.max(...pings.map(ping => ping.own));
  const answers = pings.reduce((sum, { count }) => sum + count, 0);
  const note = `${pieces} pieces at ${rate}/s; median ${samples.median('streaming').toFixed(0)} and ${samples.median('idle').toFixed(0)}, worst ${samples.quantile('streaming', 1).toFixed(0)} and ${samples.quantile('idle', 1).toFixed(0)}`;
  return [
    against(
      'panel/typing, key p95 ms',
      samples.quantile('streaming', 0.95),
      'nothing streams',
      samples.quantile('idle', 0.95),
      1.5,
      note,
    ),
    alone('panel/typing, last text ms', samples.quantile('last', 1), 1000, 'after the last piece left the agent'),
    alone(
      'panel/typing, host answers in ms',
      own,
      50,
      `${answers} pings; ${worst.toFixed(0)} with waiting for a processor`,
    ),
  ];
}
