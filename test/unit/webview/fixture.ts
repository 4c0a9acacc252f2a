// A conversation of two messages whose second is being written.

import type { Message } from '../../../src/model/message.ts';
import type { Transcript } from '../../../src/model/transcript.ts';

export function message(id: string, parent: string | null, role: Message['role'], text: string): Message {
  const blocks = [{ kind: 'text', mime: 'text/markdown', text } as const];
  return { id, session: 's', parent, role, created: 0, blocks };
}

export const transcript: Transcript = {
  session: 's',
  title: 'T',
  agent: { id: 'scout', name: 'Offline scout' },
  about: null,
  messages: [message('u', null, 'user', 'hello'), message('a', 'u', 'assistant', '')],
  branches: { beside: {}, below: [] },
  turn: { message: 'a', cancelling: false },
  elsewhere: null,
  continuity: { kind: 'remembers' },
  unsaved: null,
  trashed: false,
  permissions: [],
  elicitations: [],
  decided: [],
  queue: [],
  held: null,
  options: [],
  commands: [],
  context: null,
};

export const place = { folder: 'f', trusted: true };
