// Tells the host that the person is about to write, so that what the agent remembers is found out meanwhile. Promises:
// once for each time that the composer takes the focus, and again only where the conversation, its end or its agent
// is another by then; never while something is being answered.

import type { SessionId } from '../../model/message.ts';
import type { Transcript } from '../../model/transcript.ts';
import type { Intent } from '../../model/intent.ts';

export type About = Pick<Transcript, 'session' | 'agent' | 'turn' | 'elsewhere' | 'trashed'> & {
  readonly last: string | null;
};

export interface Preparer {
  /** `about` is undefined before the first snapshot. */
  readonly see: (focused: boolean, about: About | undefined) => void;
}

export function createPreparer(post: (intent: Intent) => void): Preparer {
  let prepared: string | null = null;
  return {
    see(focused, about) {
      if (!focused) {
        prepared = null;
        return;
      }
      if (!about || about.turn !== null || about.elsewhere !== null || about.trashed) return;
      const key = keyOf(about.session, about.last, about.agent.id);
      if (key === prepared) return;
      prepared = key;
      post({ type: 'prepare', session: about.session });
    },
  };
}

function keyOf(session: SessionId, last: string | null, agent: string): string {
  return JSON.stringify([session, last, agent]);
}
