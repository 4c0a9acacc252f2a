// What one request of the model is made of, so that it fits its window: the path as far as it fits, the prompt, and what was
// said and done in this turn. Promises: never more than the limit; the prompt and the newest results always go; what is left
// out is named, and a tool use keeps its result, if only as a word on it.

import { fitted, limitFor, roomFor, type FittingWay } from '../../core/conversation/fitting.ts';
import { tokensOf } from '../../core/conversation/tokens.ts';
import type { Message } from '../../model/message.ts';
import type { ModelMessage, OfferedTool, ToolResult, UserContent } from './model.ts';
import { modelMessagesOf, type FetchBlob } from './pathMessages.ts';
import { ModelTrouble } from './trouble.ts';

export interface Fitting {
  readonly path: readonly Message[];
  readonly prompt: readonly UserContent[];
  readonly tools: readonly OfferedTool[];
  /** Null where there is no limit. */
  readonly window: number | null;
  readonly way: FittingWay;
  readonly blob: FetchBlob;
  readonly who: string;
}

export interface Told {
  readonly messages: readonly ModelMessage[];
  /** How many messages of the path are left out. */
  readonly left: number;
  readonly tokens: number;
}

export async function told(
  { path, prompt, tools, window, way, blob, who }: Fitting,
  system: string,
  since: readonly ModelMessage[],
): Promise<Told> {
  const limit = window === null ? Infinity : limitFor(window);
  const fixed = tokensOf(system) + tokensOf(JSON.stringify(tools)) + tokensOfContent(prompt);
  if (fixed > limit)
    throw new ModelTrouble(
      'tooLong',
      `What you said is too long for ${who}: about ${fixed} tokens, and ${limit} fit. Say less at once, or attach it as a file.`,
    );
  const shortened = shortenedTo(since, limit - fixed);
  const spent = fixed + tokensOfMessages(shortened);
  const room = window === null ? Infinity : Math.max(0, Math.min(roomFor(window), limit - spent));
  const { summary, first, newest, left, tokens } = fitted(path, room, way);
  const gap =
    left === 0
      ? []
      : [
          text(
            `[${left} ${left === 1 ? 'message' : 'messages'} of this conversation are left out here, to make room.]`,
          ),
        ];
  const stood = summary === null ? [] : [text(`What was said before, as a summary:\n\n${summary}`)];
  const opening = first ? await modelMessagesOf(first, blob) : [];
  const rest = await Promise.all(newest.map(message => modelMessagesOf(message, blob)));
  const before = joined([...opening, ...stood, ...gap, ...rest.flat()]);
  return {
    messages: joined([...before, { role: 'user', content: prompt }, ...shortened]),
    left,
    tokens: spent + tokens,
  };
}

/** Servers want a user's first, and some no two of a kind in a row. */
function joined(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const all: ModelMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (!last && message.role !== 'user') all.push(text('[The beginning of this conversation is left out.]'), message);
    else if (last?.role === 'user' && message.role === 'user')
      all[all.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
    else all.push(message);
  }
  return all;
}

function text(words: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text: words }] };
}

/** The oldest results are shortened first, the newest at last; every use keeps its result. */
function shortenedTo(since: readonly ModelMessage[], most: number): readonly ModelMessage[] {
  const messages = [...since];
  // Leaves as much again for what was said before.
  const wanted = Math.max(most * 0.7, 0);
  for (const keep of [400, 60, 0]) {
    for (let at = 0; at < messages.length && tokensOfMessages(messages) > wanted; at++) {
      const message = messages[at];
      const isNewest = at >= messages.length - 1;
      if (message?.role !== 'tool' || (isNewest && keep > 60)) continue;
      messages[at] = { role: 'tool', results: message.results.map(result => shortened(result, keep * 4)) };
    }
  }
  return messages;
}

function shortened(result: ToolResult, characters: number): ToolResult {
  if (result.text.length <= characters + 80) return result;
  const left = result.text.length - characters;
  return {
    ...result,
    text: `${result.text.slice(0, characters)}\n[${left} more characters are left out here, to make room.]`,
  };
}

function tokensOfContent(content: readonly UserContent[]): number {
  return content.reduce((sum, part) => sum + (part.type === 'text' ? tokensOf(part.text) : 1600), 8);
}

export function tokensOfMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

function tokensOfMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return tokensOfContent(message.content);
    case 'assistant':
      return message.content.reduce(
        (sum, part) =>
          sum + (part.type === 'toolUse' ? 20 + tokensOf(JSON.stringify(part.input)) : tokensOf(part.text)),
        8,
      );
    case 'tool':
      return message.results.reduce((sum, one) => sum + 20 + tokensOf(one.text), 0);
  }
}
