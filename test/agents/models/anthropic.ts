// Anthropic's messages, as far as agents use them: what a request says, and an answer as its stream of events.

import { hasOrder, type Heard, type OfferedTool, type Reply } from './script.ts';

interface MessagesRequest {
  readonly model?: string;
  readonly thinking?: { readonly type: string };
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly input_schema?: { readonly required?: readonly string[] };
  }[];
}

export function heardIn({ messages, tools = [] }: MessagesRequest): Heard {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && hasOrder(textOf(content)));
  return {
    order: at < 0 ? '' : textOf(messages[at]?.content),
    answered: messages.slice(at + 1).filter(({ role }) => role === 'assistant').length,
    tools: tools.map(({ name, input_schema }): OfferedTool => ({ name, required: input_schema?.required ?? [] })),
  };
}

/** One event each. */
export function* eventsOf(
  { pieces, tool, open, thought }: Reply,
  { model = 'model' }: MessagesRequest,
): Generator<string> {
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: messageId(), type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  yield event('message_start', { message });
  let index = 0;
  if (thought !== undefined) {
    yield event('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
    for (const thinking of thought.match(/.{1,5}/gs) ?? [])
      yield event('content_block_delta', { index, delta: { type: 'thinking_delta', thinking } });
    yield event('content_block_delta', { index, delta: { type: 'signature_delta', signature: signatureOf(thought) } });
    yield event('content_block_stop', { index: index++ });
    yield event('content_block_start', { index, content_block: { type: 'redacted_thinking', data: hidden } });
    yield event('content_block_stop', { index: index++ });
  }
  if (pieces.length > 0) {
    yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for (const text of pieces) yield event('content_block_delta', { index, delta: { type: 'text_delta', text } });
    if (open) return;
    yield event('content_block_stop', { index: index++ });
  }
  if (tool) {
    const { name, input } = tool;
    yield event('content_block_start', { index, content_block: { type: 'tool_use', id: toolId(), name, input: {} } });
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const ends = { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
  yield event('message_delta', { delta: ends, usage: { output_tokens: 5 } });
  yield event('message_stop', {});
}

export function isToldToThink({ thinking }: MessagesRequest): boolean {
  return thinking !== undefined && thinking.type !== 'disabled';
}

/** What is never seen, and has to come back all the same. */
const hidden = 'aGlkZGVu';

function signatureOf(thought: string): string {
  return `signed:${thought.length}`;
}

/** As the vendor does: what it thought before it used a tool comes back with the tool's result, as it was. */
export function troubleWith(request: MessagesRequest): string | null {
  const { messages } = request;
  if (!isToldToThink(request)) return null;
  const isResult = (content: unknown) => blocksOf(content).some(({ type }) => type === 'tool_result');
  const prompt = messages.findLastIndex(({ role, content }) => role === 'user' && !isResult(content));
  for (const { role, content } of messages.slice(prompt + 1)) {
    const blocks = blocksOf(content);
    if (role !== 'assistant' || !blocks.some(({ type }) => type === 'tool_use')) continue;
    const [thinking, redacted] = blocks;
    if (thinking?.type !== 'thinking') return `Expected \`thinking\`, but found \`${thinking?.type}\`.`;
    if (thinking.signature !== signatureOf(thinking.thinking ?? '')) return 'Invalid `signature` in `thinking` block';
    if (redacted?.data !== hidden) return `Expected \`redacted_thinking\`, but found \`${redacted?.type}\`.`;
  }
  return null;
}

interface ContentBlock {
  readonly type?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
}

function blocksOf(content: unknown): readonly ContentBlock[] {
  return Array.isArray(content) ? (content as readonly ContentBlock[]) : [];
}

/** The same words as one message, for a request that does not stream. */
export function messageOf({ pieces }: Reply, { model = 'model' }: MessagesRequest): object {
  const content = [{ type: 'text', text: pieces.join('') }];
  const usage = { input_tokens: 10, output_tokens: 5 };
  return { id: messageId(), type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn', usage };
}

let ids = 0;

function messageId(): string {
  return `msg_${++ids}`;
}

function toolId(): string {
  return `toolu_${++ids}`;
}

/** Not what a tool gave back. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly { readonly type?: string; readonly text?: string }[])
    .map(({ type, text }) => (type === 'text' ? (text ?? '') : ''))
    .join('\n');
}
