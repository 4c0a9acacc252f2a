// The sentences of the panel, made from facts. Promises: the continuity line begins with Remembers, Reseeded or Fresh,
// or with Checking while that is being found out, and says no more than is known; the name of an article begins with
// who speaks. Pure, so that a table can prove it.

import type { Message, MessageEnd } from '../model/message.ts';
import type { Continuity } from '../model/agentState.ts';
import type { Transcript, Turn } from '../model/transcript.ts';
import { changedIn, countWords } from './changes/changed.ts';
import { cleanLine } from './transcript/cleanText.ts';

/** The first word apart from the rest, because it is shown stronger. */
export function continuityWords(continuity: Continuity, messages: number): readonly [string, string] {
  switch (continuity.kind) {
    case 'remembers':
      if (continuity.compacted) return ['Remembers', ' this conversation, shortened by the agent'];
      if (messages === 0) return ['Remembers', ' this conversation'];
      if (messages === 2) return ['Remembers', ' both messages above'];
      return ['Remembers', messages === 1 ? ' the one message above' : ` all ${messages} messages above`];
    case 'reseeded':
      return [
        'Reseeded',
        `: ${continuity.messages} of ${count(continuity.of, 'message')}, about ${tokens(continuity.tokens)}${continuity.why === undefined ? '' : `, because ${continuity.why}`}`,
      ];
    case 'checking':
      return ['Checking', continuity.asked ? ' what the agent remembers…' : ' what the agent remembers once you write'];
    case 'fresh':
      if (messages === 0) return ['Fresh', ': a new conversation'];
      return ['Fresh', `: the agent does not know the ${count(messages, 'message')} above`];
  }
}

/** The messages that the line is about: what is being asked and answered now is nothing that the agent could have known. */
export function knowable(continuity: Continuity, messages: number, turn: Turn | null): number {
  return continuity.kind === 'fresh' && turn?.message ? messages - 2 : messages;
}

/** Only where less than all would be told. */
export function canSummarise(continuity: Continuity): boolean {
  return continuity.kind === 'reseeded' && continuity.messages < continuity.of;
}

export function authorOf(message: Message, agentName: string): string {
  if (message.role === 'user') return 'You';
  return cleanLine(message.agent?.name ?? agentName) || 'Agent';
}

export function articleName(message: Message, agentName: string, position: number): string {
  const what = message.role === 'summary' ? 'summary, message' : 'message';
  return `${authorOf(message, agentName)}, ${what} ${position}`;
}

export type Ending = { readonly kind: 'interrupted' | 'cancelled' | 'failed' | 'limit'; readonly words: string };

/** What stands under a message that did not come to its natural end. */
export function endingOf(message: Message, running: boolean): Ending | undefined {
  if (message.role === 'user' || running) return undefined;
  const { end } = message;
  if (!end) {
    const words = 'Interrupted: the window closed before the agent finished. Everything that arrived is here.';
    return { kind: 'interrupted', words };
  }
  const detail = end.detail ? cleanLine(end.detail) : '';
  switch (end.reason) {
    case 'end_turn':
      return undefined;
    case 'cancelled':
      return { kind: 'cancelled', words: detail ? `Stopped by you: ${detail}` : 'Stopped by you' };
    case 'failed':
      return { kind: 'failed', words: `Failed: ${detail || 'the agent gave no reason'}` };
    case 'max_tokens':
      return { kind: 'limit', words: `The answer reached the longest that the agent may write${more(detail)}` };
    case 'max_turn_requests':
      return { kind: 'limit', words: `The agent reached its limit of steps for one turn${more(detail)}` };
    case 'refusal':
      return { kind: 'limit', words: `The agent declined to go on${more(detail)}` };
    default:
      // A later version may know more reasons; saying its name is better than saying nothing.
      return { kind: 'limit', words: `Ended: ${cleanLine(String(end.reason))}${more(detail)}` };
  }
}

/** What a screen reader hears when a turn began or ended. */
export function turnNews(before: Turn | null, transcript: Transcript): string | undefined {
  const { turn } = transcript;
  if (before === turn || (before && turn && before.message === turn.message)) return undefined;
  const agent = cleanLine(transcript.agent.name);
  if (turn) return turn.message === null ? `Reaching ${agent}` : `${agent} is answering`;
  // Nothing began: why it was not sent is said where the words are.
  if (before?.message === null) return undefined;
  const answer = transcript.messages.find(message => message.id === before?.message);
  if (!answer?.end) return 'Answer interrupted';
  const files = changedIn(answer);
  return files.length === 0 ? endNews(answer.end) : `${endNews(answer.end)}. ${countWords(files.length)}`;
}

function endNews(end: MessageEnd): string {
  if (end.reason === 'end_turn') return 'Answer complete';
  if (end.reason === 'cancelled') return 'Stopped';
  return end.reason === 'failed' ? 'The answer failed' : 'The answer ended early';
}

const verbs: { readonly [tool: string]: string } = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Switch mode',
};

const kin: { readonly [tool: string]: RegExp } = { edit: /^(Write|Create) (.+)/, search: /^(List|Find) (.+)/ };

/** The kind as a verb, and the title without that verb, so that nothing reads "Read Read main.ts". */
export function toolWords(tool: string, title: string): readonly [string, string] {
  const verb = verbs[tool] ?? '';
  const rest = cleanLine(title);
  if (verb === '') return ['', rest];
  // Some say it closer than the kind does.
  const [, own = '', what = ''] = kin[tool]?.exec(rest) ?? [];
  if (what !== '') return [own, what];
  const doubled = rest.toLowerCase().startsWith(`${verb.toLowerCase()} `);
  return [verb, doubled ? rest.slice(verb.length + 1) : rest];
}

export function timeOf(at: number): { readonly short: string; readonly full: string; readonly machine: string } {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return { short: '', full: '', machine: '' };
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    short: `${two(date.getHours())}:${two(date.getMinutes())}`,
    full: date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' }),
    machine: date.toISOString(),
  };
}

export function spanOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 1) return '';
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function tokens(value: number): string {
  return value < 1000 ? `${value} tokens` : `${Math.round(value / 1000)}k tokens`;
}

function count(value: number, noun: string): string {
  return value === 1 ? `1 ${noun}` : `${value} ${noun}s`;
}

function more(detail: string): string {
  return detail === '' ? '' : `: ${detail}`;
}

/** The messages of the whole path, those that are not here yet too. */
export function countOf(transcript: Transcript | undefined): number {
  return transcript ? transcript.messages.length + (transcript.earlier ?? 0) : 0;
}
