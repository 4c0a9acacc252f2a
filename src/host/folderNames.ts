// What the folders of a window are called where there are several, so that a person can tell in which of them a session works.
// Pure. Promises: no two are called the same; where there is one folder nothing has to be said.

import { basename, dirname } from 'node:path';

export interface NamedFolder {
  readonly path: string;
  readonly name: string;
}

/** Folders that share a name have what they lie in beside it, as much of it as tells them apart. */
export function folderNames(folders: readonly NamedFolder[]): ReadonlyMap<string, string> {
  return new Map(
    folders.map(({ path, name }) => {
      const others = folders.filter(other => other.name === name && other.path !== path);
      if (others.length === 0) return [path, name];
      const parent = dirname(path);
      const isAlone = others.every(other => basename(dirname(other.path)) !== basename(parent));
      return [path, `${name} (${isAlone ? basename(parent) : parent})`];
    }),
  );
}

/** Null where there is only one, or where the session worked in none of them. */
export function folderNameOf(cwd: string | null, folders: readonly NamedFolder[]): string | null {
  return cwd === null || folders.length < 2 ? null : (folderNames(folders).get(cwd) ?? null);
}
