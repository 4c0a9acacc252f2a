// Runs test/host/suite inside a real extension host, through `runTests` of @vscode/test-electron, and makes a test of
// every case in it, so that the closing lines of the runner count them. Here VS Code is the server with a headless
// browser, started by ../vscode/launcher.ts; with THROUGHLINE_DESKTOP=1 it is a desktop VS Code that is downloaded.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import '../vscode/leashed.ts';
import { out, repository, sampleWorkspace, temporaryFolder } from '../vscode/places.ts';
import { launcher } from '../vscode/launching.ts';
import { modelProvider } from '../vscode/modelProvider.ts';
import { addExtension, writeSettings } from '../vscode/person.ts';
import type { Result } from './result.ts';

const suite = join(repository, 'test', 'host', 'suite');

test('in the extension host', { timeout: 180_000 }, async t => {
  assert.ok(existsSync(join(repository, 'dist', 'extension.js')), 'the extension is not built: `npm run build`');
  const home = temporaryFolder('host');
  const results = join(home, 'results');
  const userData = join(home, 'user-data');
  const workspace = join(home, 'sample');
  cpSync(sampleWorkspace, workspace, { recursive: true });
  writeFileSync(results, '');
  writeSettings(userData);
  addExtension(join(home, 'extensions'), await modelProvider());
  let failure = '';
  let printed = '';
  const keep = { write: (data: unknown) => (printed += String(data)) } as unknown as NodeJS.WriteStream;
  try {
    await runTests({
      ...(process.env.THROUGHLINE_DESKTOP ? {} : { vscodeExecutablePath: launcher() }),
      extensionDevelopmentPath: repository,
      extensionTestsPath: await bundle(),
      launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${join(home, 'extensions')}`],
      extensionTestsEnv: { THROUGHLINE_HOST_RESULTS: results },
      stdout: keep,
      stderr: keep,
    });
  } catch (error) {
    failure = String(error);
  }
  const lines = readFileSync(results, 'utf8').split('\n').filter(Boolean);
  const [head, ...rest] = lines.map(line => JSON.parse(line) as unknown);
  for (const { name, error, words } of rest as Result[]) {
    await t.test(name, inner => {
      for (const said of words) inner.diagnostic(said);
      if (error) {
        throw new Error(error);
      }
    });
  }
  const { planned } = (head ?? {}) as { planned?: number };
  const cases = rest as Result[];
  if (planned !== cases.length || (failure !== '' && cases.every(one => !one.error))) {
    assert.fail(`${cases.length} of ${planned ?? 'unknown'} cases ran. ${failure}\n${printed}`);
  }
});

/** One file that VS Code can load with `require`: all `*.test.ts` of the suite, so that none can be forgotten. */
async function bundle(): Promise<string> {
  const files = readdirSync(suite).filter(name => name.endsWith('.test.ts'));
  const file = join(out, 'test', 'host', 'index.cjs');
  await build({
    stdin: {
      contents: [...files.map(name => `import './${name}';`), `export { run } from './index.ts';`].join('\n'),
      resolveDir: suite,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    sourcemap: 'inline',
    // A module of the sources that asks where it is finds the bundle.
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'bundleUrl' },
    outfile: file,
  });
  return file;
}
