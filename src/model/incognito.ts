// A session of which nothing is kept is known by its id: what is on a screen, in a tab or in a state that VS Code kept can
// be told apart from every other without asking anybody, also after its window is gone. No name of a file can be made of
// such an id, and whoever writes to the disk refuses it.

import type { SessionId } from './message.ts';

const mark = 'incognito~';

export function incognitoId(id: SessionId): SessionId {
  return mark + id;
}

export function isIncognito(session: SessionId): boolean {
  return session.startsWith(mark);
}
