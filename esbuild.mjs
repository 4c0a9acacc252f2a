// Builds `dist/`. `node esbuild.mjs [production|watch]`; without a word a build for development, with source maps.
// The extension is a door that is loaded at activation, and what answers behind it; conversations, the history worker, the
// ACP client, the watch over files, the built-in agents and the AI SDK are files of their own, loaded when they are first
// used. A bundle over its budget fails the production build.

import { build, context } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';

const mode = process.argv[2] ?? 'development';
if (!['development', 'production', 'watch'].includes(mode)) {
  console.error(`esbuild.mjs: "${mode}" is not a build; use production or watch, or nothing for development.`);
  process.exit(2);
}
const production = mode === 'production';
const root = import.meta.dirname ?? '.';
const dist = join(root, 'dist');

/** What the extension loads later: an `import()` of the source becomes a `require` of the bundle beside it. */
const later = {
  composition: resolve(root, 'src/host/composition.ts'),
  consent: resolve(root, 'src/host/agents/entryConsent.ts'),
  acp: resolve(root, 'src/node/agentProgram.ts'),
  files: resolve(root, 'src/node/files/changes/fileWatch.ts'),
  agent: resolve(root, 'src/host/agents/builtInAgents.ts'),
  agents: resolve(root, 'src/host/agents/agentActions.ts'),
  local: resolve(root, 'src/host/agents/localModelsHere.ts'),
  mcp: resolve(root, 'src/host/agents/mcpSetting.ts'),
  incognito: resolve(root, 'src/node/history/memoryHistory.ts'),
  recovery: resolve(root, 'src/host/history/recovery.ts'),
  retention: resolve(root, 'src/host/sessions/retentionStart.ts'),
  sdk: resolve(root, 'src/agent/models/sdkModel.ts'),
  adding: resolve(root, 'src/host/adding/adding.ts'),
  talk: resolve(root, 'src/core/conversation/conversation.ts'),
  sessions: resolve(root, 'src/host/sessions/sessionActions.ts'),
};

const budgets = [
  { files: ['extension.js'], kibibytes: 8 },
  { files: ['composition.js'], kibibytes: 120 },
  { files: ['webview/main.js', 'webview/shared.js'], kibibytes: 100 },
];

const loadLater = {
  name: 'load later',
  setup(plugin) {
    plugin.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const source = resolve(resolveDir, path);
      const name = Object.keys(later).find(key => later[key] === source);
      return name ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
};

/**
 * The AI SDK brings a gateway of its vendor, which reads a token from the environment and is the provider of any model that
 * is only named. We never use it, and no mistake of ours shall reach it.
 */
const noGateway = {
  name: 'no gateway',
  setup(plugin) {
    plugin.onResolve({ filter: /^@(ai-sdk\/gateway|vercel\/oidc)$/ }, ({ path }) => ({
      path,
      namespace: 'no-gateway',
    }));
    plugin.onLoad({ filter: /.*/, namespace: 'no-gateway' }, () => ({
      contents: `
        class Never extends Error { static isInstance() { return false; } }
        export const createGateway = () => { throw new Error('The gateway of the AI SDK is not part of this bundle.'); };
        export const gateway = { languageModel: createGateway };
        export { Never as GatewayError, Never as GatewayAuthenticationError };
      `,
    }));
  },
};

const shared = {
  bundle: true,
  metafile: production,
  absWorkingDir: root,
  sourcemap: production ? false : 'linked',
  minify: production,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

const forNode = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  outdir: dist,
};

const bundles = [
  {
    ...forNode,
    entryPoints: { extension: 'src/host/extension.ts' },
    plugins: [loadLater],
    // A CommonJS bundle is loaded by `require`; so are the files that it loads later.
    supported: { 'dynamic-import': false },
  },
  {
    ...forNode,
    entryPoints: { history: 'src/node/history/worker.ts', ...later },
    plugins: [loadLater, noGateway],
    supported: { 'dynamic-import': false },
  },
  {
    ...shared,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    target: 'chrome138',
    // The lexer is half of the code and no part of what is seen first; colours and finding come later still. These share
    // no module with `main`. What is in `late.ts` does: what both need is in `shared.js`, which is loaded with `main`.
    entryPoints: {
      main: 'src/webview/main.tsx',
      markdown: 'src/webview/markdown/lex.ts',
      highlight: 'src/webview/highlight/highlight.ts',
      find: 'src/webview/find/find.ts',
      late: 'src/webview/late.ts',
    },
    // One chunk, so a fixed name will do; a second one would fail the build here.
    chunkNames: 'shared',
    outdir: join(dist, 'webview'),
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
];

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
const require = createRequire(import.meta.url);
const wasm = require.resolve('sql.js/dist/sql-wasm.wasm');
await copyFile(wasm, join(dist, basename(wasm)));

if (mode === 'watch') {
  const contexts = await Promise.all(bundles.map(options => context(options)));
  await Promise.all(contexts.map(one => one.watch()));
  console.log('Watching src/ …');
} else {
  const builds = await Promise.allSettled(bundles.map(options => build(options)));
  // esbuild has said already what is wrong and where.
  if (builds.some(({ status }) => status === 'rejected')) process.exitCode = 1;
  else if (production) {
    await writeNotices(builds.flatMap(({ value }) => Object.keys(value.metafile.inputs)));
    await checkBudgets();
  }
}

async function checkBudgets() {
  for (const { files, kibibytes } of budgets) {
    let bytes = 0;
    for (const file of files) bytes += (await stat(join(dist, file))).size;
    const size = (bytes / 1024).toFixed(1);
    console.log(`${files.join(' + ')}: ${size} of ${kibibytes} KiB`);
    if (bytes > kibibytes * 1024) {
      console.error(`${files.join(' + ')} is ${size} KiB; its budget is ${kibibytes} KiB.`);
      process.exitCode = 1;
    }
  }
}

/** The licences of every package that is in a bundle: they ask to be passed on with it. */
async function writeNotices(inputs) {
  const packages = new Set(['node_modules/sql.js']);
  for (const input of inputs) {
    const folder = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder) packages.add(folder);
  }
  const notices = [];
  for (const folder of [...packages].toSorted()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const file = (await readdir(join(root, folder))).find(entry => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(join(root, folder, file), 'utf8') : `Licence: ${license}`;
    notices.push(`${name} ${version}\n\n${text.trim()}\n`);
  }
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}
