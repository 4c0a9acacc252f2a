// What was erased, as the tombstones on the disk and the ledger of the writers say together. Promises: what answers an
// erased message is erased, also what was only about to be appended; a tombstone that nobody began, or that takes more
// than was asked, is a finding, and so is one that is missing after its erasure was acknowledged.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Erasure } from '../../src/core/history/erasure.ts';
import { tokenOf } from './content.ts';
import { note, type Findings } from './findings.ts';
import type { Erase, Intent, Ledger } from './ledger.ts';

interface Tombstone {
  readonly session: string;
  /** Null for a whole session. */
  readonly root: string | null;
  readonly ids: readonly string[];
}

export class Gone {
  /** Erased for good: the tombstone is on the disk. */
  readonly sessions: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly names: readonly string[];
  private readonly tombstones: readonly Tombstone[];
  private readonly family: Family;
  private readonly begunSessions: ReadonlySet<string>;
  private readonly begunMessages: ReadonlySet<string>;
  private readonly erases: readonly Erase[];

  constructor(folder: string, ledger: Ledger) {
    const tombstones = tombstonesIn(folder);
    this.tombstones = tombstones;
    this.family = new Family(ledger);
    this.erases = ledger.erases;
    this.names = tombstones.map(({ session, root }) => (root === null ? session : `${session}~${root}`));
    this.sessions = new Set(tombstones.flatMap(({ session, root }) => (root === null ? [session] : [])));
    this.messages = this.family.below(tombstones.flatMap(({ ids }) => ids));
    this.begunSessions = new Set(ledger.erases.flatMap(({ session, message }) => (message === null ? [session] : [])));
    this.begunMessages = this.family.below(ledger.erases.flatMap(({ message }) => message ?? []));
  }

  covers(session: string, message: string | undefined): boolean {
    return this.sessions.has(session) || (message !== undefined && this.messages.has(message));
  }

  /** The tokens of all that may be in no file and in no answer any more. */
  tokens(): ReadonlySet<string> {
    const ids = [...this.family.sessionOf].flatMap(([id, session]) => (this.covers(session, id) ? [id] : []));
    return new Set(ids.map(tokenOf));
  }

  /** What the engine itself takes for erased, from the same tombstones. */
  erasure(): Erasure {
    const erasure = new Erasure();
    for (const { session, root, ids } of this.tombstones) {
      if (root === null) erasure.addSession(session);
      else for (const id of ids) erasure.addMessage(session, id);
    }
    return erasure;
  }

  /** Whether somebody began to erase what this append is about, or what it stands on. */
  mayRefuse(code: string, { session, facts }: Intent): boolean {
    if (this.begunSessions.has(session)) return ['erased', 'no-session', 'no-parent'].includes(code);
    const isBegun = (id: string | null | undefined) => id != null && this.begunMessages.has(id);
    return (
      ['erased', 'no-parent'].includes(code) && facts.some(({ about, parent }) => isBegun(about) || isBegun(parent))
    );
  }

  check(findings: Findings): void {
    for (const { session, root, ids } of this.tombstones) {
      if (root === null ? !this.begunSessions.has(session) : !this.begunMessages.has(root))
        note(findings, 'corrupt', `nobody erased ${session} ${root}`);
      // What somebody wrote there meanwhile is in a tombstone of its own, named by any of it.
      const isLate = root !== null && !this.erases.some(one => one.message === root);
      const right = root === null || isLate ? this.begunMessages : this.family.below([root]);
      for (const id of ids)
        if (!right.has(id) || this.family.sessionOf.get(id) !== session)
          note(findings, 'corrupt', `${id} was erased with ${root} of ${session}`);
    }
    for (const { session, message, messages } of this.erases)
      if (messages !== null && messages > 0 && !this.covers(session, message ?? undefined))
        note(findings, 'cameBack', `the erasure of ${session} ${message} is forgotten`);
  }

  /** How many erasures of sessions and of branches are on the disk. */
  counts(): { readonly erasedSessions: number; readonly erasedBranches: number } {
    return { erasedSessions: this.sessions.size, erasedBranches: this.tombstones.length - this.sessions.size };
  }
}

/** Which message answers which, as the writers said it. */
class Family {
  readonly sessionOf = new Map<string, string>();
  private readonly children = new Map<string, string[]>();

  constructor({ said }: Ledger) {
    for (const { session, facts } of [...said.values()].flat())
      for (const { about, parent } of facts) {
        if (about === undefined || parent === undefined) continue;
        this.sessionOf.set(about, session);
        if (parent !== null) this.children.set(parent, [...(this.children.get(parent) ?? []), about]);
      }
  }

  below(ids: readonly string[]): ReadonlySet<string> {
    const found = new Set(ids);
    // A set is walked into what is added to it meanwhile.
    for (const id of found) for (const child of this.children.get(id) ?? []) found.add(child);
    return found;
  }
}

function tombstonesIn(folder: string): readonly Tombstone[] {
  let names: readonly string[];
  try {
    names = readdirSync(join(folder, 'erased')).filter(name => /^[0-9a-z~]+$/.test(name));
  } catch {
    // Nothing was ever erased here.
    return [];
  }
  return names.map(name => {
    const [session = '', root = null] = name.split('~');
    const ids = readFileSync(join(folder, 'erased', name), 'utf8').split('\n');
    return { session, root, ids: root === null ? [] : [root, ...ids.filter(id => id !== '')] };
  });
}
