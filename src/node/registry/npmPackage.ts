// Installs a package of npm into a folder of its own, with the npm of this machine. Where its program lies then is read
// from the package itself. No script of a package runs meanwhile: the person agreed to an agent, which they see and can
// stop, and not to the scripts of all that it depends on, whose versions nobody pinned. npm checks the integrity of each
// package against its registry.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFile, type InstallPorts } from './install.ts';
import type { RegistryAgent } from './registry.ts';
import { runTool } from './tool.ts';

/** Throws in words. */
export async function npmInstall(
  agent: RegistryAgent,
  name: string,
  folder: string,
  { env, find, onStep }: InstallPorts,
  signal: AbortSignal,
): Promise<void> {
  onStep(`Installing ${name}…`);
  const npm = await npmLine(find);
  if (!npm) throw new Error(`${agent.name} is a package of npm, and “npm” was not found on this machine.`);
  const args = [
    ...npm.args,
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--',
    name,
  ];
  await runTool(npm.command, args, { env, folder }, signal);
}

/** On Windows npm is a batch file, which needs a shell: what it starts lies beside Node.js. */
async function npmLine(
  find: InstallPorts['find'],
): Promise<{ readonly command: string; readonly args: readonly string[] } | undefined> {
  if (process.platform !== 'win32') {
    const npm = await find('npm');
    return npm === undefined ? undefined : { command: npm, args: [] };
  }
  const node = await find('node');
  const script = node === undefined ? '' : join(node, '..', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return node !== undefined && (await isFile(script)) ? { command: node, args: [script] } : undefined;
}

/** Under the name of the package, or the first where it has none of that name. */
export async function packageProgram(folder: string, named: string, { platform }: InstallPorts): Promise<string> {
  const name = named.replace(/(?<=.)@.*$/, '');
  const text = await readFile(join(folder, 'node_modules', ...name.split('/'), 'package.json'), 'utf8');
  const { bin } = JSON.parse(text) as { readonly bin?: unknown };
  const short = name.split('/').at(-1) ?? name;
  const names = typeof bin === 'object' && bin !== null ? Object.keys(bin) : [short];
  const chosen = names.includes(short) ? short : names[0];
  if (chosen === undefined || !/^[\w.-]+$/.test(chosen)) throw new Error('The package has no program.');
  return join(folder, 'node_modules', '.bin', platform === 'win32' ? `${chosen}.cmd` : chosen);
}
