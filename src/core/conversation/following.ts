// Takes over what other windows do to a conversation that is open here. A panel owns its head: what is added at the end
// of the path is shown, and where the other window went on from elsewhere, what is shown here stays, with word of the
// branch that is now beside it; only from what was deleted it goes to where the other window left the session. A session
// that went to the trash elsewhere stops what runs here, and one that is gone for ever is told as gone. One look at a time,
// and what comes while it is looked up is looked up once more.

import type { Message, MessageId, SessionId } from '../../model/message.ts';
import type { Branches, Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { SessionHistory, StoredSession } from '../history/history.ts';
import type { Clock } from '../ports.ts';

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

export class Following {
  private looking: 'no' | 'now' | 'again' = 'no';
  private stopLooking = () => {};
  private readonly ports: FollowingPorts;

  constructor(ports: FollowingPorts) {
    this.ports = ports;
  }

  /** Whether it is still in history; the last look says. */
  async look(): Promise<boolean> {
    if (this.looking !== 'no') {
      this.looking = 'again';
      return true;
    }
    try {
      do {
        this.looking = 'now';
        if (await this.isGone()) return false;
        await this.lookOnce();
        // What came while it was looked up is looked up as well.
      } while ((this.looking as string) === 'again');
      return true;
    } finally {
      this.looking = 'no';
    }
  }

  /** For ever; what cannot be saved was never there, and what cannot be read is not gone. */
  private async isGone(): Promise<boolean> {
    const { history, session, state, isStored, isBusy, show, onTrashed } = this.ports;
    if (!isStored() || state().unsaved) return false;
    const known = await history.sessions({ ids: [session] }).catch(() => null);
    if (!known || !isStored() || state().unsaved) return false;
    const found = known.find(({ id }) => id === session);
    if (found?.trashed && !state().trashed && isBusy()) {
      show({ type: 'trashedChanged', trashed: true });
      onTrashed();
    }
    return found === undefined;
  }

  private async lookOnce(): Promise<void> {
    const { history, clock, session, state, isStored, isBusy, show, onNamed, onTrashed, learn } = this.ports;
    if (!isStored()) return;
    if (isBusy()) return this.lookBeside();
    const stored = await history.open(session).catch(() => undefined);
    if (!stored || isBusy()) return;
    const { messages, branches, elsewhere, title, trashed } = state();
    onNamed(stored.named);
    if (stored.title !== '' && stored.title !== title) show({ type: 'titleChanged', title: stored.title });
    if (stored.trashed !== trashed) show({ type: 'trashedChanged', trashed: stored.trashed });
    if (stored.trashed && !trashed) onTrashed();
    const next = stored.path[messages.length];
    // Where a new branch is about to begin here, an older one that goes on is not its continuation.
    const isElsewhere = next !== undefined && branches.below.includes(next.id);
    if (isElsewhere || !messages.every(({ id }, at) => stored.path[at]?.id === id)) return this.lookBeside(stored);
    // One look at a time: every record of a long turn elsewhere comes through here.
    this.stopLooking();
    if (stored.writing !== null) this.stopLooking = clock.after(lookAgainAfter, () => void this.look());
    if (stored.writing === elsewhere && isSame(messages, stored.path)) return this.showBranches(stored.branches);
    show({ type: 'pathChanged', messages: stored.path, branches: stored.branches, elsewhere: stored.writing });
    learn(stored);
  }

  /** What is shown stays; the branches that others began beside it are told. */
  private async lookBeside(stored?: StoredSession): Promise<void> {
    const { history, session, state, isBusy, show, learn } = this.ports;
    const head = headOf(state());
    if (stored && head !== null && (await this.isDeleted(head)) && headOf(state()) === head && !isBusy()) {
      show({ type: 'pathChanged', messages: stored.path, branches: stored.branches, elsewhere: stored.writing });
      return learn(stored);
    }
    const branches = await history.branches(session, head).catch(() => undefined);
    if (headOf(state()) !== head) this.looking = 'again';
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
