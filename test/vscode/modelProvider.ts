// The extension of `test/host/modelProvider` as it is installed beside ours: it gives VS Code language models, and so a test
// one that answers by the words of the prompt.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { SmallExtension } from './person.ts';
import { repository } from './places.ts';

const folder = join(repository, 'test', 'host', 'modelProvider');

export async function modelProvider(): Promise<SmallExtension> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    write: false,
  });
  const { name, contributes } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly contributes: object;
  };
  return { name, contributes, code: outputFiles[0]?.text ?? '' };
}
