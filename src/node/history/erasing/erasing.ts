// Deleting for ever, and joining files. Promises: the tombstone is durable before anything is removed; when `erase`
// returns, no file of the folder holds a byte of what was erased, but those that `remaining` counts, which a system
// keeps for another window; what a killed eraser or a slow writer left is found and removed by whoever meets it.
// What must not be lost goes through `rewrite`, which is safe at every moment.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BranchChoice, Erased } from '../../../core/history/history.ts';
import { HistoryError, historyErrorOf } from '../../../core/history/historyError.ts';
import type { MessageId, SessionId } from '../../../model/message.ts';
import { leaveBranch } from '../changes.ts';
import { treeOf } from '../index/messageTree.ts';
import { fitting } from '../../../core/history/fittingFacts.ts';
import { claim, copyClaimed, linesOf, removeClaimed } from './rewrite.ts';
import { isMissing, parseSegmentName, segmentOf, segmentsIn, sessionSegments } from '../journal/segmentName.ts';
import { readFrom } from '../journal/segmentReader.ts';
import type { Store } from '../store.ts';
import { UnnamedBlobs } from './unnamedBlobs.ts';

/** A session with so many files of writers that are gone gets fewer. */
const manySegments = 8;
const idleFor = 3600_000;

/** As often is a copy begun again that another window took away. */
const mostTries = 10;

export class Erasing {
  private readonly store: Store;
  private readonly unnamed: UnnamedBlobs;
  private isSwept = false;
  /** Sessions whose files could not be copied to the end. */
  private readonly unfinished = new Set<SessionId>();

  constructor(store: Store) {
    this.store = store;
    this.unnamed = new UnnamedBlobs(store);
  }

  erase(session: SessionId, branch: BranchChoice | null): Erased {
    try {
      return branch ? this.eraseBranch(session, branch) : this.eraseSession(session);
    } catch (cause) {
      // Another window was faster.
      if (cause instanceof HistoryError && cause.code === 'erased') return { messages: 0, remaining: 0 };
      throw historyErrorOf(cause);
    }
  }

  /** Sessions in which something erased was met: an eraser was killed, or another window wrote meanwhile. */
  clean(): void {
    const { erasure } = this.store;
    const { unclean } = this.store.intake;
    if (!this.isSwept) this.sweepBlobs();
    for (const session of unclean) {
      unclean.delete(session);
      if (erasure.hasSession(session)) this.removeFiles(session);
      else this.rewriteWhole(session);
    }
  }

  /** Blobs have no place in the journal where they would be met, when the record that names them was never written. */
  private sweepBlobs(): void {
    this.isSwept = true;
    const { erasure, intake } = this.store;
    for (const session of this.unnamed.sessions()) {
      if (erasure.hasSession(session)) intake.unclean.add(session);
      else if (erasure.messagesOf(session).length > 0) this.unnamed.remove(session);
    }
  }

  /** One file of many, for sessions that nobody writes to any more; or for the one that is named, whoever writes. */
  join(alive: ReadonlySet<string>, now: number, only: SessionId | null): void {
    const { journal } = this.store;
    const bySession = new Map<SessionId, string[]>();
    for (const segment of segmentsIn(journal)) {
      const session = parseSegmentName(segment)?.session ?? '';
      bySession.set(session, [...(bySession.get(session) ?? []), segment]);
    }
    for (const [session, segments] of bySession) {
      if (only !== null && session !== only) continue;
      const chosen = segments.filter(
        segment => (only !== null || this.isIdle(segment, alive, now)) && this.isWhole(segment),
      );
      if (chosen.length >= (only === null ? manySegments : 2)) this.rewriteSome(session, () => chosen);
    }
  }

  private eraseSession(session: SessionId): Erased {
    const { store } = this;
    const messages = treeOf(store.db, session).rows.size;
    const isKnown = messages > 0 || this.filesOf(session).length > 0;
    if (store.erasure.hasSession(session)) return { messages: 0, remaining: this.removeFiles(session) };
    if (!isKnown) return { messages: 0, remaining: 0 };
    const tombstone = store.tombstones.write(session, null, []);
    store.erasure.addSession(session);
    store.forget(tombstone);
    store.intake.unclean.delete(session);
    return { messages, remaining: this.removeFiles(session) };
  }

  private eraseBranch(session: SessionId, branch: BranchChoice): Erased {
    const { store } = this;
    const { message } = branch;
    const ids = leaveBranch(store, session, branch);
    if (ids.length === 0) {
      // Asked again after there was no room for what stays.
      const isUnfinished = store.erasure.hasMessage(message) && this.unfinished.has(session);
      return { messages: 0, remaining: isUnfinished ? this.rewriteWhole(session) : 0 };
    }
    const tombstone = store.tombstones.write(session, message, ids);
    for (const id of ids) store.erasure.addMessage(session, id);
    store.forget(tombstone);
    store.intake.unclean.delete(session);
    return { messages: ids.length, remaining: this.rewriteWhole(session) };
  }

  /** Gives how many files could not be removed. */
  private removeFiles(session: SessionId): number {
    let remaining = 0;
    const remove = (file: string) => {
      try {
        rmSync(file, { recursive: true, force: true });
      } catch {
        // Another window holds it, on a system where that keeps it. Whoever opens the folder next tries again.
        remaining++;
      }
    };
    for (const name of this.filesOf(session)) remove(join(this.store.journal, name));
    remove(join(this.store.blobs.folder, session));
    for (const name of draftsOf(this.store.folder, session)) remove(join(this.store.folder, 'drafts', name));
    return remaining;
  }

  private filesOf(session: SessionId): readonly string[] {
    return readdirSync(this.store.journal).filter(name => name.startsWith(`${session}~`));
  }

  private rewriteWhole(session: SessionId): number {
    const { journal } = this.store;
    this.rewriteSome(session, () => {
      for (const name of this.filesOf(session)) {
        // What somebody was about to join may hold what is erased here; what it was made from is still there.
        if (segmentOf(name) === undefined) rmSync(join(journal, name), { force: true });
      }
      return this.segmentsOf(session);
    });
    return 0;
  }

  private rewriteSome(session: SessionId, segments: () => readonly string[]): void {
    const { store } = this;
    const { journal, erasure, encode, writer } = store;
    const newName = () => `${session}~${writer}.${store.nextSegment(session)}.joined`;
    const hasErased = () => erasure.messagesOf(session).length > 0;
    this.unfinished.add(session);
    for (let tries = 1; ; tries++) {
      try {
        const claimed = claim(journal, segments());
        if (hasErased()) this.nameLate(session, claimed);
        const hasGrown = copyClaimed({ journal, session, claimed, erasure, encode, newName });
        if (hasGrown && hasErased()) this.nameLate(session, claimed);
        // Before the records that name them are gone: whoever goes on after a kill still knows of them.
        if (hasErased()) this.unnamed.remove(session);
        removeClaimed(journal, claimed);
        break;
      } catch (cause) {
        // Another window erases in this session at the same time, and took what was half copied away.
        if (!isMissing(cause) || tries === mostTries) throw cause;
        store.learnErasures();
      }
    }
    this.unfinished.delete(session);
    // Another window erased something while this was copied: it may be in the copy.
    for (const changed of store.learnErasures()) store.intake.unclean.add(changed);
    store.intake.reindex(session);
  }

  /**
   * A window that had not heard of it may have answered an erased message. What it wrote there is erased by name, before
   * its beginning goes: nobody could tell of the rest that it belonged to it.
   */
  private nameLate(session: SessionId, claimed: readonly string[]): void {
    const { journal, erasure, tombstones } = this.store;
    const below = new Map<MessageId, MessageId[]>();
    for (const segment of claimed) {
      for (const { piece } of linesOf(journal, segment)) {
        if (piece.kind !== 'record') continue;
        for (const fact of fitting(piece.record).record.facts) {
          if (fact.type !== 'message' || fact.message.parent === null) continue;
          const { id, parent } = fact.message;
          below.set(parent, [...(below.get(parent) ?? []), id]);
        }
      }
    }
    const erased = new Set(erasure.messagesOf(session));
    // A set is walked into what is added to it meanwhile.
    for (const id of erased) for (const child of below.get(id) ?? []) erased.add(child);
    const late = [...erased].filter(id => !tombstones.names(id));
    const [first] = late;
    if (first === undefined) return;
    for (const id of late) erasure.addMessage(session, id);
    this.store.forget(tombstones.write(session, first, late));
  }

  private segmentsOf(session: SessionId): readonly string[] {
    return sessionSegments(this.store.journal, session);
  }

  private isIdle(segment: string, alive: ReadonlySet<string>, now: number): boolean {
    const name = parseSegmentName(segment);
    if (!name || alive.has(name.writer) || name.writer === this.store.writer) return false;
    const age = statSync(join(this.store.journal, segment), { throwIfNoEntry: false })?.mtimeMs;
    return age !== undefined && now - age > idleFor;
  }

  /** What cannot be read whole is left as it is, with all that might still be got out of it. */
  private isWhole(segment: string): boolean {
    try {
      for (let position = 0, more = true; more;) {
        const found = readFrom(this.store.journal, segment, position, false);
        if (found.bad.length > 0 || found.tail) return false;
        ({ position, more } = found);
      }
      return true;
    } catch {
      return false;
    }
  }
}

function draftsOf(folder: string, session: SessionId): readonly string[] {
  try {
    return readdirSync(join(folder, 'drafts')).filter(name => name === session || name.startsWith(`${session}.`));
  } catch {
    // Nothing was ever typed and not sent.
    return [];
  }
}
