// What fits the letters that are typed after `@`: files, the folders that they are in, and what else is offered. Pure.

import { foundBy, kindOf, type AttachmentKind } from '../../model/attachment.ts';
import { fitting } from '../../model/fuzzy.ts';
import type { ResourceBlock } from '../../model/message.ts';
import { dirname } from 'node:path';

export interface FoundFile {
  readonly path: string;
  /** As people say it: from the workspace folder on, with forward slashes. */
  readonly shown: string;
}

/** What may be attached besides files; `more` stands quieter behind its name. */
export interface Offered {
  readonly block: ResourceBlock;
  readonly more: string;
}

export interface FittingFile extends FoundFile {
  readonly isFolder: boolean;
}

const mostShown = 50;

/** The best first. */
export function completionsOf(
  typed: string,
  found: readonly FoundFile[],
  offered: readonly Offered[],
): readonly (FittingFile | Offered)[] {
  const files: readonly FittingFile[] = [...found.map(file => ({ ...file, isFolder: false })), ...foldersOf(found)];
  const others = offered.map(one => {
    const { block, more } = one;
    return { ...one, shown: foundBy({ kind: kindOf(block), name: block.name ?? '', folder: more }) };
  });
  // Before a letter is typed a few of the others show that there are such; files are most of what is wanted.
  const items = typed.trim() === '' ? [...fewOf(others), ...files] : [...files, ...others];
  return fitting<(typeof items)[number]>(items, typed, ({ shown }) => shown).slice(0, mostShown);
}

function fewOf<Item extends Offered>(others: readonly Item[]): readonly Item[] {
  const most: { readonly [kind in AttachmentKind]?: number } = { selection: 2, problem: 2, session: 3 };
  const seen = new Map<AttachmentKind, number>();
  return others.filter(({ block }) => {
    const kind = kindOf(block);
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    return (seen.get(kind) ?? 0) <= (most[kind] ?? 0);
  });
}

/** The folders in which something was found, each once. */
function foldersOf(files: readonly FoundFile[]): readonly (FoundFile & { readonly isFolder: boolean })[] {
  const folders = new Map<string, FoundFile & { readonly isFolder: boolean }>();
  for (const file of files) {
    let { path, shown } = file;
    while (shown.includes('/')) {
      [path, shown] = [dirname(path), shown.slice(0, shown.lastIndexOf('/'))];
      if (folders.has(path)) break;
      folders.set(path, { path, shown, isFolder: true });
    }
  }
  return [...folders.values()];
}
