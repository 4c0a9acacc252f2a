// Whether a turn costs the host more in a long conversation than in a short one: its processor time from Send until the
// turn is over and everything that history told of it was followed, at 50 and at 2,000 turns in one interleaved run.

import { join } from 'node:path';
import { against, interleave, Samples, type Row } from './measure.ts';
import { openScene } from './turnScene.ts';
import { Workload, type Turn } from './workload.ts';

const [short, long] = [50, 2000] as const;
/** Pieces of text in a turn and so many a second: it lasts long enough for text to be saved while it runs. */
const chunks = 'chunks 1000 400';

export async function measureLength(folder: string, isQuick: boolean): Promise<readonly Row[]> {
  const samples = new Samples();
  const scenes = [await openAt(folder, short), await openAt(folder, long)];
  const turn = (scene: Scene, turns: number) => async () => {
    const before = process.threadCpuUsage();
    await scene.say(chunks);
    await scene.followed();
    const { user, system } = process.threadCpuUsage(before);
    samples.add(String(turns), (user + system) / 1000);
  };
  const [ours, reference] = scenes as [Scene, Scene];
  for (const scene of scenes) {
    await scene.say(chunks);
    await scene.followed();
  }
  await interleave(isQuick ? 4 : 12, [turn(reference, long), turn(ours, short)]);
  for (const scene of scenes) await scene.close();
  const [atShort, atLong] = [samples.median(String(short)), samples.median(String(long))];
  const note = 'processor time of the host’s thread for a turn of 1,000 pieces, with what follows';
  return [against(`turn/at ${long} turns ms`, atLong, `at ${short} turns`, atShort, 1.2, note)];
}

type Scene = Awaited<ReturnType<typeof openScene>>;

function openAt(folder: string, count: number): Promise<Scene> {
  const next = new Workload(count).conversation();
  const turns: Turn[] = Array.from({ length: count }, next);
  return openScene(join(folder, String(count)), turns);
}
