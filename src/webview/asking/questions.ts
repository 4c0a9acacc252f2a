// The sentences of what waits for a person: permissions, their answers, questions, and prompts held back.

import type { Elicitation, Held, Permission } from '../../model/agentState.ts';
import { exactLine } from '../../model/exactText.ts';
import type { PermissionAnswer } from '../../model/message.ts';
import { cleanLine, cleanText } from '../transcript/cleanText.ts';
import { continuityWords, toolWords } from '../words.ts';

export function permissionTitle({ tool, title }: Pick<Permission, 'tool' | 'title'>): string {
  return toolWords(tool, exactLine(title)).join(' ').trim() || exactLine(tool) || 'Use a tool';
}

export function answerWords({ choice, allowed, byRule }: PermissionAnswer): string {
  if (byRule) return allowed ? 'Allowed by your rule' : 'Rejected by your rule';
  if (choice === null) return 'Not answered';
  const [verb, stem] = allowed ? ['Allowed', 'allow'] : ['Rejected', 'reject'];
  const name = cleanLine(choice);
  if (name === '') return verb;
  const first = name.toLowerCase().replace(/^always /, '');
  return first.startsWith(stem) ? name : `${verb}: ${name}`;
}

/** What a screen reader hears when questions came. */
export function permissionNews(before: readonly Permission[], now: readonly Permission[]): string | undefined {
  const known = new Set(before.map(({ id }) => id));
  const fresh = now.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return undefined;
  return `Permission needed: ${fresh.map(permissionTitle).join('; ')}`;
}

export function questionName(agent: string): string {
  return `Question from ${cleanLine(agent) || 'the agent'}`;
}

/** The same for questions that are no permissions. */
export function questionNews(
  before: readonly Elicitation[],
  now: readonly Elicitation[],
  agent: string,
): string | undefined {
  const known = new Set(before.map(({ id }) => id));
  const fresh = now.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return undefined;
  return `${questionName(agent)}: ${fresh.map(({ message }) => cleanLine(message)).join('; ')}`;
}

export function heldWords(held: Held, agent: string, messages: number): string {
  const who = cleanLine(agent) || 'The agent';
  switch (held.kind) {
    case 'less': {
      const found = continuityWords(held.found, messages).join('');
      return `${who} would know less than was shown. ${found}. Send anyway?`;
    }
    case 'hangs':
      return `${who} does not answer.`;
    case 'failed':
      return cleanText(held.words).trim() || `${who} could not be asked.`;
    case 'signIn': {
      const method = held.methods.find(({ id }) => id === held.trying);
      if (held.trying !== null) return `Signing in with ${cleanLine(method?.name ?? '') || cleanLine(held.trying)}…`;
      const failed = held.words === null ? '' : ` ${cleanText(held.words).trim()}`;
      return `Sign in to ${who} to get an answer.${failed}`;
    }
  }
}
