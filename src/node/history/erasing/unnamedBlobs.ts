// Blobs that no record names any more, or never did: of erased messages, and of writers that were killed before their
// record. Promises: what is removed is named by no record that survives; a window that is about to name a blob finds it
// or writes it again; where not every file of the session can be read, nothing is removed.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { survivorOf } from '../../../core/history/erasure.ts';
import type { SessionId } from '../../../model/message.ts';
import { Heartbeat } from '../heartbeat.ts';
import { fitting } from '../../../core/history/fittingFacts.ts';
import { linesOf } from './rewrite.ts';
import { sessionSegments } from '../journal/segmentName.ts';
import type { Store } from '../store.ts';

const blobName = /^[0-9a-f]{64}$/;
const unfinishedName = /^[0-9a-f]{64}\.([0-9a-z]+)\.unfinished$/;

export class UnnamedBlobs {
  private readonly store: Store;
  private readonly heartbeat: Heartbeat;

  constructor(store: Store) {
    this.store = store;
    this.heartbeat = new Heartbeat(store.folder, store.writer, Date.now);
  }

  /** Those that have a folder. */
  sessions(): readonly SessionId[] {
    return namesIn(this.store.blobs.folder);
  }

  remove(session: SessionId): void {
    const folder = join(this.store.blobs.folder, session);
    const names = namesIn(folder);
    if (names.length === 0) return;
    const alive = this.heartbeat.alive();
    for (const name of names) {
      const writer = unfinishedName.exec(name)?.[1];
      if (writer !== undefined && writer !== this.store.writer && !alive.has(writer))
        rmSync(join(folder, name), { force: true });
    }
    const named = this.named(session);
    const unnamed = names.filter(name => blobName.test(name) && !named.has(name));
    if (unnamed.length === 0) return;
    // Who names one from here on makes it again, after its record is there. So a record that needs one and has it is
    // there by now.
    const aside = (name: string) => join(folder, `${name}.${this.store.writer}.unfinished`);
    const taken = unnamed.filter(name => isRenamed(join(folder, name), aside(name)));
    const now = this.named(session);
    for (const name of taken) {
      if (now.has(name) && !existsSync(join(folder, name))) renameSync(aside(name), join(folder, name));
      else rmSync(aside(name), { force: true });
    }
  }

  /** By what survives of the session's records; of those that cannot be understood, by every hash in them. */
  private named(session: SessionId): ReadonlySet<string> {
    const { journal, erasure } = this.store;
    const named = new Set<string>();
    const read = new Set<string>();
    // A file that went while they were read is in one that came; a set is walked into what is added to it meanwhile.
    const all = new Set(sessionSegments(journal, session));
    for (const segment of all) {
      for (const { bytes, piece } of linesOf(journal, segment)) {
        if (piece.kind === 'record') {
          for (const blob of survivorOf(fitting(piece.record).record, erasure)?.blobs ?? []) named.add(blob.sha256);
        } else {
          for (const [hash] of Buffer.from(bytes)
            .toString('latin1')
            .matchAll(/[0-9a-f]{64}/g))
            named.add(hash);
        }
      }
      read.add(segment);
      if (read.size === all.size) for (const other of sessionSegments(journal, session)) all.add(other);
    }
    return named;
  }
}

function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    // Another window is at it.
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever put there.
    return [];
  }
}
