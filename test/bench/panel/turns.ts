// What one more turn costs when many went before it: 2,000 exchanged with the agent, against 50, in turns in one panel.

import type { Frame } from 'playwright-core';
import { against, interleave, Samples, type Row } from '../measure.ts';
import type { Scene } from './scene.ts';

const few = 50;

export async function measureTurns(scene: Scene, isQuick: boolean): Promise<readonly Row[]> {
  const many = isQuick ? 300 : 2000;
  const short = await exchanged(scene, few);
  await scene.newSession();
  const began = performance.now();
  const long = await exchanged(scene, many);
  const each = (performance.now() - began) / many;
  const samples = new Samples();
  let turn = 0;
  const visit = async (name: string, { session, last }: { session: string; last: string }) => {
    await scene.open(session, last);
    await scene.settled();
    await scene.ask(`warm ${++turn}`);
    for (let n = 0; n < 6; n++) {
      const { sent, over } = await scene.ask(`hello ${++turn}`);
      samples.add(name, over - sent);
    }
    const shown = await scene.shown();
    Object.assign(name === 'long' ? long : short, { last: shown.last });
  };
  await interleave(isQuick ? 2 : 4, [() => visit('short', short), () => visit('long', long)]);
  return [
    against(
      `panel/turn after ${many} ms`,
      samples.median('long'),
      `after ${few}`,
      samples.median('short'),
      1.2,
      `${each.toFixed(0)} ms each on the way; worst ${samples.quantile('long', 1).toFixed(0)} and ${samples.quantile('short', 1).toFixed(0)}`,
    ),
  ];
}

async function exchanged(scene: Scene, count: number): Promise<{ session: string; last: string }> {
  await scene.ask('hello 0');
  // In stretches, so that nothing waits for minutes without a word.
  for (let done = 1; done < count; done += few) {
    await exchange(scene.frame(), Math.min(few, count - done));
    if (done % 500 === 1) process.stderr.write(`  ${done} turns\n`);
  }
  return scene.shown();
}

function exchange(frame: Frame, count: number): Promise<void> {
  return frame.evaluate(async turns => {
    const composer = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
    const newest = () => [...document.querySelectorAll('article')].at(-1);
    const field = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
    if (!composer || !field?.set) throw new Error('There is no composer.');
    for (let turn = 0; turn < turns; turn++) {
      const before = newest()?.dataset['message'];
      field.set.call(composer, `And what comes after ${turn}?`);
      composer.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await new Promise(requestAnimationFrame);
      document.querySelector<HTMLButtonElement>('button[aria-label="Send"]')?.click();
      for (const end = performance.now() + 30_000; ;) {
        await new Promise(requestAnimationFrame);
        const last = newest();
        const isNew = last !== undefined && last.dataset['message'] !== before && last.matches('.assistant');
        if (isNew && !last.matches('.now') && !document.querySelector('button[aria-label="Stop"]')) break;
        if (performance.now() > end) throw new Error(`Turn ${turn} of a stretch never ended.`);
      }
    }
  }, count);
}
