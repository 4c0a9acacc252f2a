// The panel against its targets, in the packaged extension in a real VS Code: whether typing stays instant while text
// streams, what many turns and long sessions cost, what is left in memory, and texts that are made to stop a renderer.
// Each part has an editor of its own, with the panel in its own process; the size of the panel is that of the build.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../vscode/places.ts';
import { alone, type Row } from './measure.ts';
import { measureBurst } from './panel/burst.ts';
import { measureHostile } from './panel/hostile.ts';
import { measureHuge, measureMemory, measureOpen } from './panel/open.ts';
import { openScene, type Scene } from './panel/scene.ts';
import { measureTurns } from './panel/turns.ts';
import { measureTyping } from './panel/typing.ts';

type Part = (scene: Scene, isQuick: boolean) => Promise<readonly Row[]>;

const inScene: { readonly [name: string]: Part } = {
  typing: measureTyping,
  burst: measureBurst,
  turns: measureTurns,
  open: measureOpen,
  huge: measureHuge,
  memory: measureMemory,
  hostile: measureHostile,
};

export const panelParts = ['size', ...Object.keys(inScene)];

export async function measurePanel(isQuick: boolean, names: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = names.includes('size') ? [size()] : [];
  for (const name of names) {
    const measure = inScene[name];
    if (!measure) continue;
    process.stderr.write(`measuring ${name}\n`);
    const scene = await openScene();
    try {
      rows.push(...(await measure(scene, isQuick)));
    } finally {
      await scene.close();
    }
  }
  return rows;
}

function size(): Row {
  const files = ['main.js', 'shared.js'].map(name => join(repository, 'dist', 'webview', name));
  if (!files.every(existsSync)) throw new Error('The extension is not built: `npm run package`');
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return alone('panel/size KiB', bytes / 1024, 100, 'main.js and shared.js, minified');
}
