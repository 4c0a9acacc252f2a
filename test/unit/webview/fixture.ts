// A conversation of two messages whose second is being written.

import type { Message } from '../../../src/model/message.ts';
import type { Transcript } from '../../../src/model/transcript.ts';
import { emptyTranscript } from '../support/emptyTranscript.ts';

export function message(id: string, parent: string | null, role: Message['role'], text: string): Message {
  const blocks = [{ kind: 'text', mime: 'text/markdown', text } as const];
  return { id, session: 's', parent, role, created: 0, blocks };
}

export const transcript: Transcript = {
  ...emptyTranscript,
  title: 'T',
  messages: [message('u', null, 'user', 'hello'), message('a', 'u', 'assistant', '')],
  turn: { message: 'a', cancelling: false },
};

export const place = { folder: 'f', trusted: true };
