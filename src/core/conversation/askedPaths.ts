// The files that a permission is about: its locations, the paths of its changes, and what its input names. Agents call the
// fields of an input as they like, so a string counts by the name of its field or by looking like a path. To take a text
// for a path only costs a question; to miss one could let a rule answer for it.

import type { FileUse } from '../files.ts';
import type { Permission } from '../../model/agentState.ts';
import type { Json } from '../../model/message.ts';

/** Kinds of tools that are about files: without a path, nobody can say which ones. */
export const fileKinds: ReadonlySet<string> = new Set(['read', 'edit', 'delete', 'move', 'search']);

const pathWords: ReadonlySet<string> = new Set(
  'path paths file files filename filenames filepath filepaths dir dirs directory directories folder folders cwd root uri uris from to src dest destination destinations target targets'.split(
    ' ',
  ),
);
const deepest = 32;

/** Each once, as the agent spelled it. */
export function pathsIn({ tool, locations, output, input }: Permission): readonly string[] {
  const found = new Set(locations.map(({ path }) => path));
  for (const one of output) {
    const { type, path } = fieldsOf(one);
    if (type === 'diff' && typeof path === 'string') found.add(path);
  }
  // A command names no file in a way that could be compared, and is allowed only as it stands; where it runs is a path.
  const named = tool === 'execute' ? { cwd: fieldsOf(input)['cwd'] ?? null } : (input ?? null);
  addPaths(named, { isNamed: false, looks: fileKinds.has(tool) || tool === 'fetch' }, found, 0);
  return [...found].filter(path => path !== '' && !isWebAddress(path));
}

/** What would be done to them; where nobody can tell, the use with more questions. */
export function useOf(permission: Permission): FileUse {
  const { tool } = permission;
  return (tool === 'read' || tool === 'search') && !hasChanges(permission) ? 'read' : 'write';
}

export function hasChanges({ output }: Permission): boolean {
  return output.some(one => fieldsOf(one)['type'] === 'diff');
}

/** All strings in a value, and null where it is nested too deeply to be looked through. */
export function stringsIn(value: Json | undefined, depth = 0): readonly string[] | null {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (depth > deepest) return null;
  const strings: string[] = [];
  for (const one of Object.values(value)) {
    const inside = stringsIn(one, depth + 1);
    if (inside === null) return null;
    for (const text of inside) strings.push(text);
  }
  return strings;
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {};
}

interface Looked {
  /** The field's name says that it holds paths. */
  readonly isNamed: boolean;
  /** Other strings count as well where they look like a path. */
  readonly looks: boolean;
}

function addPaths(value: Json, how: Looked, found: Set<string>, depth: number): void {
  if (typeof value === 'string') {
    if (how.isNamed || (how.looks && looksLikePath(value))) found.add(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  // No path is deep in an input that means well.
  if (depth > deepest) return void found.add('…');
  if (Array.isArray(value)) {
    for (const one of value as readonly Json[]) addPaths(one, how, found, depth + 1);
    return;
  }
  for (const [name, one] of Object.entries(value as { readonly [key: string]: Json })) {
    // Some agents list changes by the path of the file.
    if (how.looks && looksLikePath(name)) found.add(name);
    addPaths(one, { ...how, isNamed: namesPaths(name) }, found, depth + 1);
  }
}

/** By its last word: `file_path`, `filePath` and `paths` do; `new_source` and `fromLine` do not. */
function namesPaths(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return name.toLowerCase() === 'source' || pathWords.has(words.at(-1) ?? '');
}

/** On one line, and beginning as a path does: from a root, from home, from here, or with a name and a slash in a key. */
function looksLikePath(text: string): boolean {
  return text.length <= 4096 && /^(~|\/(?![/*\s])|\\\\|[a-z]:[\\/]|file:|\.{1,2}[\\/])[^\n]*$/i.test(text);
}
