// Fetches an archive and unpacks it. Promises: one that has not the checksum that the registry gives is thrown away
// unopened; what it unpacks with are the programs of the system, which let nothing out of the folder.

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { InstallPorts } from './install.ts';
import type { Way } from './registry.ts';
import { runTool } from './tool.ts';

/** Throws in words. */
export async function unpack(
  { url, sha256, run }: Extract<Way, { kind: 'archive' }>,
  folder: string,
  { download, env, find, platform, onStep }: InstallPorts,
  signal: AbortSignal,
): Promise<void> {
  const name = basename(new URL(url).pathname);
  const archive = join(folder, name);
  onStep('Downloading…');
  const response = await download(url, signal);
  if (!response.ok || !response.body)
    throw new Error(`“${url}” could not be fetched: the server answered ${response.status}.`);
  const hash = createHash('sha256');
  const total = Number(response.headers.get('content-length')) || 0;
  let bytes = 0;
  const counted = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      hash.update(part);
      bytes += part.byteLength;
      onStep(`Downloading… ${sizeWords(bytes)}${total > 0 ? ` of ${sizeWords(total)}` : ''}`);
      yield part;
    }
  };
  await pipeline(Readable.fromWeb(response.body as never), counted, createWriteStream(archive), { signal });
  if (sha256 !== null && hash.digest('hex') !== sha256) {
    throw new Error(
      'What was downloaded is not what the registry describes: its checksum differs. It was thrown away.',
    );
  }
  onStep('Unpacking…');
  if (/\.(tar\.gz|tgz|tar\.bz2|tbz2|tar\.xz|tar)$/i.test(name) || (/\.zip$/i.test(name) && platform !== 'linux')) {
    await runTool(await needed('tar', find), ['-xf', archive, '-C', folder], { env, folder }, signal);
  } else if (/\.zip$/i.test(name)) {
    await runTool(await needed('unzip', find), ['-q', archive, '-d', folder], { env, folder }, signal);
  } else {
    // The program itself.
    await rename(archive, join(folder, run.command));
    return;
  }
  await rm(archive);
}

async function needed(tool: string, find: InstallPorts['find']): Promise<string> {
  const program = await find(tool);
  if (!program) throw new Error(`“${tool}” was not found on this machine, and is needed to unpack it.`);
  return program;
}

function sizeWords(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
