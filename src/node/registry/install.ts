// Brings an agent of the registry to this machine, into a folder of its own. Promises: an archive that has not the checksum
// that the registry gives is thrown away unopened; what is installed by halves is never started and is taken away; one that
// is there already is not fetched again; nothing outside of the folder is touched; nothing of what came runs while it is
// installed.

import { chmod, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { unpack } from './archive.ts';
import { npmInstall, packageProgram } from './npmPackage.ts';
import type { RegistryAgent, Way } from './registry.ts';

export interface InstallPorts {
  /** Everything that comes from the registry is below it. */
  readonly folder: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
  readonly download: (url: string, signal: AbortSignal) => Promise<Response>;
  /** The whole path of a program of this machine. */
  readonly find: (command: string) => Promise<string | undefined>;
  /** What is being done, in words. */
  readonly onStep: (words: string) => void;
}

export interface Installed {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/** Throws in words. */
export async function install(
  agent: RegistryAgent,
  way: Way,
  ports: InstallPorts,
  signal: AbortSignal,
): Promise<Installed> {
  if (way.kind === 'uv') {
    const uvx = await ports.find('uvx');
    if (!uvx) throw new Error(`${agent.name} is run by uv, and “uvx” was not found on this machine.`);
    return { command: uvx, args: [way.package, ...way.run.args], env: way.run.env };
  }
  const folder = join(ports.folder, agent.id, agent.version);
  if (!(await isFolder(folder))) {
    // The same name for the same process only: two windows may install at the same time.
    const unfinished = join(ports.folder, agent.id, `.${agent.version}-${process.pid}`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    try {
      if (way.kind === 'archive') await unpack(way, unfinished, ports, signal);
      else await npmInstall(agent, way.package, unfinished, ports, signal);
      await programIn(unfinished, way, ports);
      await put(unfinished, folder);
    } catch (cause) {
      await rm(unfinished, { recursive: true, force: true });
      throw cause;
    }
  }
  return { command: await programIn(folder, way, ports), args: way.run.args, env: way.run.env };
}

/** The program of what was installed in the folder, which it may start. */
async function programIn(folder: string, way: Exclude<Way, { kind: 'uv' }>, ports: InstallPorts): Promise<string> {
  const program =
    way.kind === 'archive' ? join(folder, way.run.command) : await packageProgram(folder, way.package, ports);
  const missing = () => new Error('What came has no such program as the registry says.');
  if (!(await isFile(program))) throw missing();
  // A link in an archive leads anywhere.
  if (!(await realpath(program)).startsWith((await realpath(folder)) + sep)) throw missing();
  if (way.kind === 'archive' && ports.platform !== 'win32') await chmod(program, 0o755);
  return program;
}

async function put(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (cause) {
    // Another window was first.
    if (!(await isFolder(folder))) throw cause;
    await rm(unfinished, { recursive: true, force: true });
  }
}

export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
