// The commands that are ours and never an agent's, whatever the agent calls its own. Pure. Promises: words that begin
// with one of them are not sent; an agent's own command of the same name is reached with two slashes, and only where
// the agent has one.

import type { AgentCommand } from '../../model/agentState.ts';
import type { Intent } from '../../model/intent.ts';
import type { SessionId } from '../../model/message.ts';

export interface OurCommand {
  readonly name: string;
  readonly description: string;
  /** What may stand behind it and is its own; of the others that stays the person's. */
  readonly hint?: string;
  readonly intent: (session: SessionId, words: string) => Intent;
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
    name: 'fork',
    description: 'Begin a branch from the last message',
    intent: session => ({ type: 'forkHere', session }),
  },
  {
    name: 'title',
    description: 'Give the session a title',
    hint: 'words',
    intent: (session, words) => ({ type: 'giveTitle', session, title: words.replace(/\s+/g, ' ').trim() }),
  },
  {
    name: 'export',
    description: 'Export the branch that is shown',
    intent: session => ({ type: 'exportSession', session }),
  },
  {
    name: 'compact',
    description: 'Summarise what was said, then go on from that',
    intent: session => ({ type: 'summarise', session }),
  },
];

export function isOurs(name: string): boolean {
  return ourCommands.some(command => command.name === name);
}

/** `words` are its own; `rest` is what stands behind it and stays the person's. */
export function ourCommandIn(
  text: string,
): { readonly command: OurCommand; readonly words: string; readonly rest: string } | null {
  const [, name, behind = ''] = /^\s*\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = ourCommands.find(one => one.name === name);
  if (!command) return null;
  return command.hint === undefined ? { command, words: '', rest: behind } : { command, words: behind, rest: '' };
}

/** What is sent of what was typed: of two slashes before a command that we have too, and the agent, one. */
export function asSent(typed: string, commands: readonly AgentCommand[]): string {
  const name = /^\s*\/\/(\S+)/.exec(typed)?.[1];
  const isTheirs = name !== undefined && isOurs(name) && commands.some(command => command.name === name);
  return isTheirs ? typed.replace('//', '/') : typed;
}

/** What would have to be typed to send this. */
export function asTyped(sent: string): string {
  const name = /^\s*\/(\S+)/.exec(sent)?.[1];
  return name !== undefined && isOurs(name) ? sent.replace('/', '//') : sent;
}
