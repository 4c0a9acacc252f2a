// Where a session works, and how paths are told there. Pure, for the paths of any system. What may be touched is not judged
// here: every path goes to the client, which has the guard.

export interface Place {
  /** Absolute; the first is where relative paths begin. Empty where no folder is open. */
  readonly folders: readonly string[];
}

/** Absolute, as the client wants it. */
export function absolute(path: string, { folders }: Place): string {
  const [folder = ''] = folders;
  const plain = path.startsWith('file://') ? fromUri(path) : path;
  return isAbsolute(plain) || folder === '' ? normal(plain) : normal(`${folder}/${plain}`);
}

/** From the folder where it is in the first one, else whole. */
export function shortened(path: string, { folders }: Place): string {
  const folder = folders[0];
  if (folder === undefined) return path;
  const inside = path.startsWith(folder) && /^[\\/]./.test(path.slice(folder.length));
  return inside ? path.slice(folder.length + 1).replaceAll('\\', '/') : path;
}

export function isAbsolute(path: string): boolean {
  return /^([a-z]:)?[\\/]/i.test(path);
}

/** Of a path, the folders above it that are in one of the place's, the outermost first. */
export function foldersAbove(path: string, { folders }: Place): readonly string[] {
  const root = folders.find(
    folder => path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`),
  );
  if (root === undefined) return [];
  const rest = path
    .slice(root.length)
    .split(/[\\/]/)
    .filter(part => part !== '')
    .slice(0, -1);
  return rest.reduce<readonly string[]>((above, part) => [...above, `${above.at(-1) ?? root}/${part}`], [root]);
}

function fromUri(uri: string): string {
  const path = decodeURIComponent(uri.slice('file://'.length));
  return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

function normal(path: string): string {
  const separator = /^[a-z]:|\\/i.test(path) && !path.startsWith('/') ? '\\' : '/';
  const parts: string[] = [];
  for (const part of path.split(separator === '\\' ? /[\\/]/ : '/')) {
    if (part === '..' && parts.length > 1) parts.pop();
    else if ((part !== '.' && part !== '') || parts.length === 0) parts.push(part);
  }
  return parts.length === 1 ? `${parts[0]}${separator}` : parts.join(separator);
}
