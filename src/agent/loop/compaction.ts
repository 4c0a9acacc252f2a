// A long conversation made short: the model itself writes down what was said before, part by part, and that stands for it
// from then on. Promises: it is written without tools, by the model that goes on; what it says is shown and kept with the
// answer; where it cannot be written, nothing has changed, and the caller leaves out instead.

import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { limitFor, summaryWithin } from '../../core/conversation/fitting.ts';
import { tokensOf } from '../../core/conversation/tokens.ts';
import type { Message } from '../../model/message.ts';
import type { Client } from '../client.ts';
import { keepBeginning } from '../tools/bounded.ts';
import type { ModelMessage, OpenedModel, TokensUsed } from './model.ts';
import { modelMessagesOf, type FetchBlob } from './pathMessages.ts';

export interface Compacting {
  readonly opened: OpenedModel;
  readonly window: number;
  /** Tokens that the summary may have. */
  readonly most: number;
  readonly client: Client;
  readonly blob: FetchBlob;
  readonly id: string;
  readonly onUsed: (used: TokensUsed) => Promise<void>;
}

const system =
  'You write summaries of conversations between a person and a coding agent, for the agent that goes on with it and has ' +
  'nothing else. Write what the person wants; what was decided, and why; what was done to which files; what was found out; ' +
  'what is left to do. Keep names, paths, numbers and commands as they are. Answer with the summary only.';

/** What is said of the messages, on top of what was said of those before them. */
export async function compacted(
  before: string | null,
  messages: readonly Message[],
  { opened, window, most, client, blob, id, onUsed }: Compacting,
): Promise<string> {
  const tell = (status: 'in_progress' | 'completed' | 'cancelled', summary?: string) =>
    client.say({
      sessionUpdate: 'compaction_update',
      compactionId: id,
      status,
      ...(summary === undefined ? {} : { summary: [{ type: 'text', text: summary }] }),
    } as SessionUpdate);
  await tell('in_progress');
  try {
    let summary = before;
    for (const part of await partsOf(messages, Math.floor(limitFor(window) / 2), blob)) {
      const known = summary === null ? '' : `The summary so far:\n\n${summary}\n\n`;
      const asked = `${known}What was said then:\n\n${part}\n\nWrite the summary of all of it.`;
      summary = summaryWithin(await written(opened, asked, client.signal, onUsed), most);
    }
    const whole = summary ?? '';
    await tell('completed', whole);
    return whole;
  } catch (cause) {
    await tell('cancelled');
    throw cause;
  }
}

async function written(
  { model }: OpenedModel,
  asked: string,
  signal: AbortSignal,
  onUsed: Compacting['onUsed'],
): Promise<string> {
  let text = '';
  const messages: readonly ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: asked }] }];
  for await (const piece of model.stream({ system, messages, tools: [], asked, path: [] }, signal)) {
    if (piece.type === 'text') text += piece.text;
    if (piece.type === 'end') await onUsed(piece.used);
  }
  if (text.trim() === '') throw new Error('The model wrote no summary.');
  return text.trim();
}

/** As text, each part so long that it fits into one request. */
async function partsOf(messages: readonly Message[], tokens: number, blob: FetchBlob): Promise<readonly string[]> {
  const parts: string[] = [];
  let part = '';
  for (const message of messages) {
    const text = (await modelMessagesOf(message, blob)).map(spoken).join('\n');
    const cut = keepBeginning(text, '', Math.max(1000, tokens * 2));
    if (part !== '' && tokensOf(part) + tokensOf(cut) > tokens) {
      parts.push(part);
      part = '';
    }
    part += `${cut}\n\n`;
  }
  return part === '' ? parts : [...parts, part];
}

function spoken(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return `[Person] ${message.content.map(part => (part.type === 'text' ? part.text : '[picture]')).join('\n')}`;
    case 'assistant':
      return message.content
        .map(part =>
          part.type === 'toolUse' ? `[Tool] ${part.name} ${JSON.stringify(part.input)}` : `[Agent] ${part.text}`,
        )
        .join('\n');
    case 'tool':
      return message.results.map(({ text }) => `[Result] ${keepBeginning(text, '', 2000)}`).join('\n');
  }
}
