// Texts that nobody writes, as they come and as they are found again: no key may wait, and the host must answer.

import { alone, missing, type Row } from '../measure.ts';
import type { Scene } from './scene.ts';
import { hostile } from './texts.ts';

const longestKey = 100;
const longestPing = 50;
const pause = 60;
/** What is put off until there is time comes after the end. */
const afterwards = 2000;

export async function measureHostile(scene: Scene, isQuick: boolean): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const kinds = Object.keys(hostile).filter((_, at) => !isQuick || at % 3 === 0);
  await scene.ask('hello');
  for (const kind of kinds) {
    process.stderr.write(`  ${kind}\n`);
    await scene.newSession();
    const words = `hostile ${kind} ${pause}`;
    rows.push(
      ...(await watched(
        scene,
        `live, ${kind}`,
        () => scene.send(words),
        () => scene.answered(words),
      )),
    );
    const { session, last } = await scene.shown();
    await scene.newSession();
    rows.push(
      ...(await watched(
        scene,
        `restored, ${kind}`,
        () => scene.emptyComposer(),
        () => scene.open(session, last),
      )),
    );
  }
  return rows;
}

/** `start` is done by the hands that type afterwards. */
async function watched(
  scene: Scene,
  id: string,
  start: () => Promise<void>,
  until: () => Promise<unknown>,
): Promise<readonly Row[]> {
  const pinging = scene.hand.ping();
  await start();
  const done = until().then(() => new Promise(resolve => setTimeout(resolve, afterwards)));
  const keys = await scene.typist.type(done).catch((cause: unknown) => String(cause));
  const { worst, own } = await pinging.stop();
  const failed = await done.then(
    () => null,
    (cause: unknown) => String(cause),
  );
  const ping = alone(`panel/hostile, ${id}, host ms`, own, longestPing, `${worst.toFixed(0)} with waiting`);
  if (typeof keys === 'string' || failed !== null) {
    return [missing(`panel/hostile, ${id}, key ms`, longestKey, failed ?? String(keys)), ping];
  }
  const sorted = keys.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const row = alone(
    `panel/hostile, ${id}, key ms`,
    sorted.at(-1) ?? 0,
    longestKey,
    `${keys.length} keys, median ${middle.toFixed(0)}`,
  );
  return [row, ping];
}
