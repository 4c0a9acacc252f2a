// OpenAI's chat completions, as far as agents use them: what a request says, and an answer as its stream of events.

import { hasOrder, type Heard, type OfferedTool, type Reply } from './script.ts';

interface ChatRequest {
  readonly model?: string;
  readonly reasoning_effort?: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly parameters?: { readonly required?: readonly string[] } };
  }[];
}

export function heardIn({ messages, tools = [] }: ChatRequest): Heard {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && hasOrder(textOf(content)));
  return {
    order: at < 0 ? '' : textOf(messages[at]?.content),
    answered: messages.slice(at + 1).filter(({ role }) => role === 'assistant').length,
    tools: tools.map(({ function: { name, parameters } }): OfferedTool => ({
      name,
      required: parameters?.required ?? [],
    })),
  };
}

export function isToldToThink({ reasoning_effort: effort }: ChatRequest): boolean {
  return effort !== undefined && effort !== 'none';
}

/** One event each. */
export function* eventsOf(
  { pieces, tool, open, thought = '' }: Reply,
  { model = 'model' }: ChatRequest,
): Generator<string> {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const base = { id: 'answer', object: 'chat.completion.chunk', created: 1_800_000_000, model, choices };
    return `data: ${JSON.stringify({ ...base, ...more })}\n\n`;
  };
  yield chunk({ role: 'assistant', content: '' });
  for (const piece of thought.match(/.{1,5}/gs) ?? []) yield chunk({ reasoning_content: piece });
  for (const content of pieces) yield chunk({ content });
  if (open) return;
  if (tool) {
    const call = { name: tool.name, arguments: JSON.stringify(tool.input) };
    yield chunk({ tool_calls: [{ index: 0, id: callId(), type: 'function', function: call }] });
  }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  yield chunk({}, tool ? 'tool_calls' : 'stop', { usage });
  yield 'data: [DONE]\n\n';
}

let calls = 0;

function callId(): string {
  return `call_${++calls}`;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');
}
