// Where the files of the workspace lie: its folders by their real paths, what in them is the extension's own, and what
// holds secrets.

import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, resolve, sep } from 'node:path';
import type { FileUse } from '../../../core/files.ts';
import { whySensitive } from '../sensitive.ts';
import { partsBelow } from '../spelling.ts';

const { platform } = process;

export interface PlacesOptions {
  readonly folders: () => readonly string[];
  readonly own: readonly string[];
}

export class Places {
  /** None of them is in another. */
  tops: readonly string[] = [];
  private readonly options: PlacesOptions;
  private own: readonly string[];

  constructor(options: PlacesOptions) {
    this.options = options;
    this.own = options.own.map(one => resolve(one));
  }

  /** A window gains and loses folders; while a turn runs (`keeps`), one that is gone still had files. */
  async find(keeps: boolean): Promise<void> {
    const { folders, own } = this.options;
    const [found, ownFound] = await Promise.all([realOnes(folders().filter(isAbsolute)), realOnes(own)]);
    this.own = [...new Set([...own.map(one => resolve(one)), ...ownFound])];
    const distinct = [...new Set(keeps ? [...this.tops, ...found] : found)];
    this.tops = distinct.filter(one => !distinct.some(other => other !== one && isIn(one, other)));
  }

  topOf(path: string): string | null {
    return this.tops.find(top => isIn(path, top)) ?? null;
  }

  isOwn(path: string): boolean {
    return this.own.some(one => isIn(path, one));
  }

  isSecret(path: string): boolean {
    return this.whySensitive(path, 'read') !== null;
  }

  /** As it follows on “because”. A path that can't be looked at is sensitive too. */
  whySensitive(path: string, use: FileUse): string | null {
    const top = this.topOf(path);
    const parts = top === null ? null : partsBelow(path, top, platform);
    if (top === null || parts === null) return 'its name is not an ordinary one';
    return whySensitive([basename(top), ...parts], use);
  }
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function realOnes(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.allSettled(folders.map(folder => realpath(folder)));
  // A folder that is gone holds no file.
  return found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}
