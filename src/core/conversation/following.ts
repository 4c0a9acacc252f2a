// Takes over what other windows do to a conversation that is open here. A panel owns its head: what is added at the end
// of the path is shown, and where the other window went on from elsewhere, what is shown here stays. One look at a time,
// and what comes while it is looked up is looked up once more.

import type { Message, SessionId } from '../../model/message.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { History, StoredSession } from '../history/history.ts';
import type { Clock } from '../ports.ts';

export interface FollowingPorts {
  readonly history: History;
  readonly clock: Clock;
  readonly session: SessionId;
  readonly state: () => Transcript;
  /** A turn runs here, or nothing is in history yet: then there is nothing to follow. */
  readonly isBusy: () => boolean;
  readonly show: (event: TranscriptEvent) => void;
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

  async look(): Promise<void> {
    if (this.looking !== 'no') {
      this.looking = 'again';
      return;
    }
    try {
      do {
        this.looking = 'now';
        await this.lookOnce();
        // What came while it was looked up is looked up as well.
      } while ((this.looking as string) === 'again');
    } finally {
      this.looking = 'no';
    }
  }

  private async lookOnce(): Promise<void> {
    const { history, clock, session, state, isBusy, show, learn } = this.ports;
    if (isBusy()) return;
    const stored = await history.open(session).catch(() => undefined);
    if (!stored || isBusy()) return;
    const { messages, elsewhere, title, trashed } = state();
    if (stored.title !== '' && stored.title !== title) show({ type: 'titleChanged', title: stored.title });
    if (stored.trashed !== trashed) show({ type: 'trashedChanged', trashed: stored.trashed });
    if (!messages.every(({ id }, at) => stored.path[at]?.id === id)) return;
    // One look at a time: every record of a long turn elsewhere comes through here.
    this.stopLooking();
    if (stored.writing !== null) this.stopLooking = clock.after(lookAgainAfter, () => void this.look());
    if (stored.writing === elsewhere && isSame(messages, stored.path)) return;
    show({ type: 'pathChanged', messages: stored.path, elsewhere: stored.writing });
    learn(stored);
  }
}

/** Only a message without an end can have changed. */
function isSame(ours: readonly Message[], theirs: readonly Message[]): boolean {
  if (ours.length !== theirs.length) return false;
  return ours.every((message, at) => message.end || JSON.stringify(message) === JSON.stringify(theirs[at]));
}
