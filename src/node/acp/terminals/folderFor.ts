// The folder in which a command of an agent runs. Promises: the answer holds no link and lies in a folder of the workspace;
// what is spelled outside of them is not looked for on the disk; a refusal has words.

import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import { partsBelow, spelledIn } from '../../files/spelling.ts';

/** Null is the first folder. */
export async function folderFor(wanted: string | null, folders: readonly string[]): Promise<string> {
  const given = folders.filter(isAbsolute);
  const real = (await Promise.all(given.map(realOrNull))).filter(folder => folder !== null);
  const [first] = real;
  if (first === undefined) throw refusal('No folder is open in which a command could run.');
  if (wanted === null || wanted === '') return first;
  const spelled = spelledIn(wanted, [...given, ...real], process.platform);
  if ('words' in spelled) throw refusal(`No command runs in “${wanted}”, because ${spelled.words}.`);
  const found = await realOrNull(spelled.path);
  if (found === null) throw refusal(`No command runs in “${wanted}”, because there is no such folder.`);
  if (real.every(folder => partsBelow(found, folder, process.platform) === null))
    throw refusal(`No command runs in “${wanted}”, because it leads out of the folders of this workspace.`);
  return found;
}

/** Null for a file as well. */
async function realOrNull(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function refusal(words: string): RequestError {
  return new RequestError(-32602, words);
}
