// Takes over what other windows do to a conversation that is open here. A panel owns its head: what is added at the end
// of the path is shown, and where the other window went on from elsewhere, what is shown here stays, with word of the
// branch that is now beside it; only from what was deleted it goes to where the other window left the session. A session
// that went to the trash elsewhere stops what runs here, and one that was erased is told as gone. Only what changed is
// read, and nothing where this window wrote it. One look at a time, and what comes while it is looked up is looked up once
// more; what can't be shown while a turn runs here is looked up after it.

import type { Message, MessageId, SessionId } from '../../model/message.ts';
import type { FieldName } from '../../model/record.ts';
import type { Branches, Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { SessionHistory, StoredFields, StoredSession } from '../history/history.ts';
import { changedAltogether, joinChanges, type HistoryChange } from '../history/historyChange.ts';
import type { Clock } from '../ports.ts';
import { mergeFields, mergePath } from './merging.ts';

export interface FollowingPorts {
  readonly history: SessionHistory;
  readonly clock: Clock;
  readonly session: SessionId;
  readonly state: () => Transcript;
  /** Nothing is in history before the first prompt: then there is nothing to follow. */
  readonly isStored: () => boolean;
  /** A turn runs here: the path is our own then. */
  readonly isBusy: () => boolean;
  readonly show: (event: TranscriptEvent) => void;
  /** Whether a person gave it its title. */
  readonly onNamed: (named: boolean) => void;
  /** It went to the trash in another window. */
  readonly onTrashed: () => void;
  /** The path, and what is bound to it, is what history says. */
  readonly learn: (stored: StoredSession) => void;
}

/** Longer than a writer's last sign of life counts: a window that died says nothing of it. */
const lookAgainAfter = 16_000;

/** Of a change by another window, with the messages. */
const followed: ReadonlySet<FieldName> = new Set(['givenTitle', 'title', 'trashed', 'decision', 'head']);
/** What this window sets without the conversation, or while a change of another window is being looked up. */
const setBeside: ReadonlySet<FieldName> = new Set(['givenTitle', 'trashed', 'decision']);

export class Following {
  private looking: Promise<boolean> | null = null;
  private waiting: HistoryChange | null = null;
  /** What came while a turn ran here, as far as it could not be shown. */
  private held: HistoryChange | null = null;
  private stopLooking = () => {};
  private readonly ports: FollowingPorts;

  constructor(ports: FollowingPorts) {
    this.ports = ports;
  }

  /** Whether it is still in history: who asks while it is looked up has the answer of that look. */
  async look(change = changedAltogether(this.ports.session)): Promise<boolean> {
    const wanted = concerning(change, this.ports.history.writer);
    if (wanted) this.waiting = joined(this.waiting, wanted);
    return this.lookAtWaiting();
  }

  /** What had to wait for the end of the turn is looked up. */
  turnIsOver(): void {
    if (this.held) this.waiting = joined(this.waiting, this.held);
    this.held = null;
    void this.lookAtWaiting();
  }

  private async lookAtWaiting(): Promise<boolean> {
    if (!this.waiting) return this.looking ?? true;
    return (this.looking ??= this.lookAtEach());
  }

  private async lookAtEach(): Promise<boolean> {
    try {
      while (this.waiting) {
        const change = this.waiting;
        this.waiting = null;
        if (!(await this.lookAt(change))) return false;
      }
      return true;
    } finally {
      // At once: what comes from here on begins a look of its own.
      this.looking = null;
    }
  }

  /** False where it was erased. */
  private async lookAt(change: HistoryChange): Promise<boolean> {
    const { history, session, state, isStored, isBusy, show, onNamed, onTrashed } = this.ports;
    if (!isStored()) return true;
    const stored = await history.fields(session).catch(() => null);
    if (stored === undefined) return !(await this.isErased());
    if (!stored || !isStored()) return true;
    const { trashed } = state();
    if (isBusy()) {
      this.held = joined(this.held, change);
      if (stored.trashed && !trashed) {
        show({ type: 'trashedChanged', trashed: true });
        onTrashed();
      }
      if (concernsPath(change)) await this.lookBeside(change);
      return true;
    }
    onNamed(stored.named);
    for (const event of mergeFields(state(), stored)) {
      // One that was decided here is shown before it is in history.
      if (event.type !== 'decidedChanged' || change.all || change.fields.includes('decision')) show(event);
    }
    if (stored.trashed && !trashed) onTrashed();
    if (concernsPath(change)) await this.lookAtPath(change, stored);
    return true;
  }

  /** What cannot be saved was never there; what is out of sight, as files that a sync client moved, or can't be read is not gone. */
  private async isErased(): Promise<boolean> {
    const { history, session, state, isStored } = this.ports;
    if (state().unsaved) return false;
    const erased = await history.erased([session]).catch(() => null);
    return erased !== null && erased.has(session) && isStored() && !state().unsaved;
  }

  private async lookAtPath(change: HistoryChange, fields: StoredFields): Promise<void> {
    const { state, isBusy } = this.ports;
    const head = headOf(state());
    const stored = await this.storedPath(change, fields);
    if (headOf(state()) !== head || isBusy()) {
      // A turn began meanwhile, or another branch is shown.
      if (isBusy()) this.held = joined(this.held, change);
      else this.waiting = joined(this.waiting, change);
    } else if (stored === 'beside') await this.lookBeside(change);
    else if (stored) await this.show(change, stored);
  }

  /** The session with its path, read as far as it changed; `beside` where that is surely no news of the path that is shown. */
  private async storedPath(change: HistoryChange, fields: StoredFields): Promise<StoredSession | 'beside' | undefined> {
    const { history, session, state } = this.ports;
    const whole = () => history.open(session).catch(() => undefined);
    // What is in the trash may be any part of the path.
    if (change.all || change.fields.includes('trashed')) return whole();
    const changed = await history.messages(change.messages).catch(() => null);
    const { messages, branches } = state();
    const path = changed && mergePath(messages, changed, fields.head);
    if (path === 'beside') return 'beside';
    if (!path) return !changed || change.fields.includes('head') ? whole() : 'beside';
    const known = new Set(messages.map(({ id }) => id));
    // A message that went on is no branch.
    if (change.messages.every(id => known.has(id)) && path.length === messages.length)
      return { ...fields, path, branches };
    const found = await history.branches(session, fields.head).catch(() => undefined);
    return found ? { ...fields, path, branches: found } : whole();
  }

  private async show(change: HistoryChange, stored: StoredSession): Promise<void> {
    const { clock, session, state, show, learn } = this.ports;
    const { messages, branches, elsewhere } = state();
    const next = stored.path[messages.length];
    // Where a new branch is about to begin here, an older one that goes on is not its continuation.
    const isElsewhere = next !== undefined && branches.below.includes(next.id);
    if (isElsewhere || !messages.every(({ id }, at) => stored.path[at]?.id === id))
      return this.lookBeside(change, stored);
    // One look at a time: every record of a long turn elsewhere comes through here.
    this.stopLooking();
    const { writing } = stored;
    if (writing !== null) {
      const again = { session, writer: null, messages: [writing], fields: [], all: false };
      this.stopLooking = clock.after(lookAgainAfter, () => void this.look(again));
    }
    if (writing === elsewhere && isSame(messages, stored.path)) return this.showBranches(stored.branches);
    show({ type: 'pathChanged', messages: stored.path, branches: stored.branches, elsewhere: writing });
    learn(stored);
  }

  /** What is shown stays; the branches that others began beside it are told. */
  private async lookBeside(change: HistoryChange, stored?: StoredSession): Promise<void> {
    const { history, session, state, isBusy, show, learn } = this.ports;
    const head = headOf(state());
    if (stored && head !== null && (await this.isDeleted(head)) && headOf(state()) === head && !isBusy()) {
      show({ type: 'pathChanged', messages: stored.path, branches: stored.branches, elsewhere: stored.writing });
      return learn(stored);
    }
    const branches = await history.branches(session, head).catch(() => undefined);
    if (headOf(state()) !== head) this.waiting = joined(this.waiting, change);
    else if (branches) this.showBranches(branches);
  }

  /** In the trash, or for ever; what could not be saved is not there either, and is not deleted. */
  private async isDeleted(head: MessageId): Promise<boolean> {
    const { history, session, state } = this.ports;
    const nodes = await history.tree(session).catch(() => null);
    if (!nodes) return false;
    return nodes.find(({ id }) => id === head)?.trashed ?? !state().unsaved;
  }

  private showBranches(branches: Branches): void {
    const { state, show } = this.ports;
    if (JSON.stringify(branches) !== JSON.stringify(state().branches)) show({ type: 'branchesChanged', branches });
  }
}

function headOf({ messages }: Transcript): MessageId | null {
  return messages.at(-1)?.id ?? null;
}

/** Only a message without an end can have changed. */
function isSame(ours: readonly Message[], theirs: readonly Message[]): boolean {
  if (ours.length !== theirs.length) return false;
  return ours.every((message, at) => message.end || JSON.stringify(message) === JSON.stringify(theirs[at]));
}

/** The part of a change that may show here; null where there is none. */
function concerning(change: HistoryChange, ownWriter: string): HistoryChange | null {
  if (change.all) return change;
  const isOwn = change.writer === ownWriter;
  const fields = change.fields.filter(name => (isOwn ? setBeside : followed).has(name));
  const messages = isOwn ? [] : change.messages;
  return fields.length + messages.length > 0 ? { ...change, messages, fields } : null;
}

function concernsPath({ all, messages, fields }: HistoryChange): boolean {
  return all || messages.length > 0 || fields.includes('head') || fields.includes('trashed');
}

function joined(one: HistoryChange | null, other: HistoryChange): HistoryChange {
  return one ? joinChanges(one, other) : other;
}
