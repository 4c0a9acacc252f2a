// The commands that are ours and never an agent's, whatever the agent calls its own. Pure. Promises: words that begin
// with one of them are not sent.

import type { Intent } from '../../model/intent.ts';
import type { SessionId } from '../../model/message.ts';

export interface OurCommand {
  readonly name: string;
  readonly description: string;
  readonly intent: (session: SessionId) => Intent;
}

export const ourCommands: readonly OurCommand[] = [
  { name: 'new', description: 'Begin a new session', intent: () => ({ type: 'newSession' }) },
  {
    name: 'clear',
    description: 'Begin again; what was said stays as a branch',
    intent: session => ({ type: 'clear', session }),
  },
  { name: 'history', description: 'Resume another session', intent: () => ({ type: 'resumeSession' }) },
  {
    name: 'compact',
    description: 'Summarise what was said, then go on from that',
    intent: session => ({ type: 'summarise', session }),
  },
];

/** `rest` is what stands behind it, which stays the person's. */
export function ourCommandIn(text: string): { readonly command: OurCommand; readonly rest: string } | null {
  const [, name, rest = ''] = /^\s*\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = ourCommands.find(one => one.name === name);
  return command ? { command, rest } : null;
}
