// An answer of which 256 KB come in one piece, as from an agent that doesn't stream: no key may wait for all of it to be drawn.

import { alone, type Row } from '../measure.ts';
import type { Scene } from './scene.ts';

const letters = 256 * 1024;
const longestKey = 50;
/** In ms: what is drawn later is drawn by then. */
const afterwards = 4000;

export async function measureBurst(scene: Scene, isQuick: boolean): Promise<readonly Row[]> {
  await scene.ask('hello');
  const keys: number[] = [];
  for (let round = 0; round < (isQuick ? 2 : 5); round++) {
    await scene.newSession();
    const words = `burst ${letters} round${round}`;
    await scene.send(words);
    const over = scene.answered(words).then(() => new Promise(resolve => setTimeout(resolve, afterwards)));
    keys.push(...(await scene.typist.type(over)));
  }
  const sorted = keys.toSorted((one, other) => one - other);
  const note = `${keys.length} keys, median ${(sorted[keys.length >> 1] ?? 0).toFixed(0)}`;
  return [alone('panel/burst of 256 KB, key ms', sorted.at(-1) ?? 0, longestKey, note)];
}
