// What was deleted permanently, on the disk: `erased/<session>` for a session, `erased/<session>~<message>` for a branch,
// with the ids of its messages in it and no content. Promises: a tombstone is durable before anything is removed, and
// is never removed itself; whoever lists the folder after it was written knows of it.

import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MessageId, SessionId } from '../../../model/message.ts';
import { syncFolder, writeAtomicSync } from '../../atomicWrite.ts';

export interface Tombstone {
  readonly name: string;
  readonly session: SessionId;
  /** The messages of the branch; null where it is the whole session. */
  readonly messages: readonly MessageId[] | null;
}

const tombstoneName = /^([0-9a-z]+)(?:~([0-9a-z]+))?$/;

export class Tombstones {
  readonly folder: string;
  readonly known = new Set<string>();
  private readonly named = new Set<MessageId>();
  private readonly writer: string;

  constructor(folder: string, writer: string) {
    this.folder = join(folder, 'erased');
    this.writer = writer;
  }

  /** Those that were not known yet. */
  news(): readonly Tombstone[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.folder);
    } catch {
      // No folder: nothing was ever erased here.
      return [];
    }
    return names.flatMap(name => {
      if (this.known.has(name)) return [];
      const tombstone = this.read(name);
      if (!tombstone) return [];
      this.known.add(name);
      return [tombstone];
    });
  }

  write(session: SessionId, root: MessageId | null, messages: readonly MessageId[]): Tombstone {
    const name = root === null ? session : `${session}~${root}`;
    const file = join(this.folder, name);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    // Not a name of a tombstone until it is whole.
    writeAtomicSync(file, `${file}.${this.writer}.unfinished`, [
      Buffer.from(root === null ? '' : `${messages.join('\n')}\n`),
    ]);
    syncFolder(dirname(this.folder));
    this.known.add(name);
    for (const message of messages) this.named.add(message);
    return { name, session, messages: root === null ? null : messages };
  }

  /** The sessions of the known tombstones whose files are at least as new as that, in milliseconds since the epoch. */
  writtenSince(time: number): readonly SessionId[] {
    return [...this.known].flatMap(name => {
      const { mtimeMs = Infinity } = statSync(join(this.folder, name), { throwIfNoEntry: false }) ?? {};
      return mtimeMs >= time ? (name.split('~')[0] ?? []) : [];
    });
  }

  /** Whether a tombstone that is known names this message. */
  names(message: MessageId): boolean {
    return this.named.has(message);
  }

  private read(name: string): Tombstone | null {
    const [, session, root] = tombstoneName.exec(name) ?? [];
    if (session === undefined) return null;
    if (root === undefined) return { name, session, messages: null };
    const ids = readFileSync(join(this.folder, name), 'utf8').split('\n');
    const messages = [root, ...ids.filter(id => id !== '')];
    for (const message of messages) this.named.add(message);
    return { name, session, messages };
  }
}
