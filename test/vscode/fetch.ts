// Makes a real VS Code ready on a machine that reaches nothing but the npm registry: the VS Code server inside the
// npm package code-server, pinned by version and by hash, unpacked to `.vscode-test/`. Nothing is compiled.
// A half-made folder is never taken for ready, and two processes may do this at once. Starting it is server.ts.

import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cache } from './places.ts';

const version = '4.139.1';
const integrity = 'fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==';

/** Part of the folder's name: to be counted up when what `make` does changes, so that old folders are not used. */
const recipe = 2;

/** Packages whose native part VS Code misses at every start, loudly. The others it asks for only where they are used. */
const standIns = ['spdlog', 'native-watchdog'];

/** An unfinished folder that is older than this belongs to nobody: the whole takes about half a minute. */
const abandonedAfter = 30 * 60_000;

/** The folder of the VS Code server, fetched first where it is not there yet. */
export async function vscodeServer(say: (line: string) => void = console.log): Promise<string> {
  const ready = join(cache, `vscode-server-${version}-${recipe}`);
  if (existsSync(ready)) {
    return ready;
  }
  say(`Fetching the VS Code server (code-server ${version} from npm; once, about half a minute)…`);
  await mkdir(cache, { recursive: true });
  await removeAbandoned();
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    await rename(await make(making), ready).catch(error => {
      // Another process was faster. Its folder is as good as ours.
      if (!existsSync(ready)) {
        throw error;
      }
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return ready;
}

async function make(folder: string): Promise<string> {
  await npm(['pack', `code-server@${version}`, '--loglevel=error', '--pack-destination', folder], folder);
  const archive = (await readdir(folder)).find(name => name.endsWith('.tgz'));
  if (!archive) {
    throw new Error(`The VS Code server could not be fetched: npm pack left no archive of code-server@${version}.`);
  }
  const hash = createHash('sha512')
    .update(await readFile(join(folder, archive)))
    .digest('base64');
  if (hash !== integrity) {
    throw new Error(`The VS Code server was not used: the archive of code-server@${version} is not the pinned one.`);
  }
  // Only VS Code itself is taken. code-server's own front door, with its password page and native parts, is not.
  await run('tar', ['-xzf', archive, 'package/lib/vscode'], folder, 'unpacked (is `tar` installed?)');
  const server = join(folder, 'package', 'lib', 'vscode');
  // Without install scripts nothing is compiled. ripgrep and the file watcher come as ready binaries.
  // Not `npm ci`: the shrinkwrap that comes with the package lacks one peer (tslib), which `npm ci` refuses.
  await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], server);
  for (const name of standIns) {
    const source = fileURLToPath(new URL(`standIns/${name}.cjs`, import.meta.url));
    await copyFile(source, join(server, 'node_modules', '@vscode', name, 'index.js'));
  }
  return server;
}

function npm(args: string[], folder: string): Promise<void> {
  return run('npm', args, folder, 'fetched from the npm registry (is there a network?)');
}

/** Runs a program to its end. What it prints is shown only in the error, which says in one sentence what failed. */
async function run(program: string, args: string[], folder: string, what: string): Promise<void> {
  // On Windows npm is a `.cmd`, which only a shell can run. All arguments here are constants or paths of ours.
  const child = spawn(program, args, { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' });
  child.stdin.end();
  let said = '';
  child.stdout.on('data', data => (said += String(data)));
  child.stderr.on('data', data => (said += String(data)));
  const code = await new Promise<number | string | null>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  if (code !== 0) {
    const firstLines = said.trim().split('\n').slice(0, 12).join('\n');
    throw new Error(
      `The VS Code server could not be ${what}: \`${program} ${args[0] ?? ''}\` ended with ${code}.\n${firstLines}`,
    );
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name.startsWith('making-')) {
      const folder = join(cache, name);
      const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > abandonedAfter) {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
}

if (import.meta.main) {
  const started = Date.now();
  console.log(`${await vscodeServer()}\nready after ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
