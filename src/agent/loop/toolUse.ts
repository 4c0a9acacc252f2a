// One use of a tool by a model, as a tool call of ACP from its first mention to its end. Promises: whatever happens, the
// model gets one result for one use; what is wrong with a use is told to the model, in words that help it; a cancel goes on
// to whoever waits.

import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Json } from '../../model/message.ts';
import type { Client } from '../client.ts';
import type { Place } from '../tools/place.ts';
import { textContent, type Shown, type Tool, type ToolInput, type ToolUsing } from '../tools/tool.ts';
import type { ToolResult, ToolUse } from './model.ts';

export interface ToolUseDesk {
  readonly client: Client;
  readonly place: Place;
  readonly tools: readonly Tool[];
  /** Of a tool call; unique in this window. */
  readonly newId: () => string;
}

type CallUpdate = Omit<Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>, 'sessionUpdate' | 'toolCallId'>;

export async function useTool(use: ToolUse, desk: ToolUseDesk): Promise<ToolResult> {
  const { client, place, tools, newId } = desk;
  const { id, name } = use;
  const toolCallId = newId();
  const tool = tools.find(one => one.name === name);
  const _meta = { throughline: { tool: name } };
  const say = (update: CallUpdate) =>
    client.say({ sessionUpdate: 'tool_call_update', toolCallId, ...update } as SessionUpdate);
  const input = inputOf(use.input);
  const why = tool ? whyNot(tool, input, use.input) : `There is no tool “${name}”. There are: ${namesOf(tools)}.`;
  if (!tool || !input || why !== null) {
    const text = why ?? 'The input of the tool makes no sense.';
    await client.say({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: name,
      kind: 'other',
      status: 'failed',
      rawInput: use.input,
      content: [textContent(text)],
      _meta,
    });
    return { id, name, text, failed: true };
  }
  const shown = tool.show(input, place);
  // One that the person is asked about waits for them first.
  const status = tool.changes ? 'pending' : 'in_progress';
  await client.say({ sessionUpdate: 'tool_call', toolCallId, status, ...wireOf(shown, input), _meta });
  const using: ToolUsing = {
    place,
    client,
    update: more => say({ status: 'in_progress', ...more }),
    async ask(more = {}) {
      const isAllowed = await client.ask({ toolCallId, ...wireOf({ ...shown, ...more }, input) }, 'Allow', 'Reject');
      if (isAllowed) await say({ status: 'in_progress', ...more });
      return isAllowed;
    },
  };
  try {
    const { text, data, content, locations, failed = false } = await tool.use(input, using);
    const what = content ? { content, rawOutput: text } : { content: [textContent(text)] };
    await say({ status: failed ? 'failed' : 'completed', ...what, ...(locations ? { locations } : {}) });
    return { id, name, text, failed, ...(data === undefined ? {} : { data }) };
  } catch (cause) {
    client.signal.throwIfAborted();
    const text = cause instanceof Error && cause.message !== '' ? cause.message : `The tool failed: ${String(cause)}`;
    await say({ status: 'failed', content: [textContent(text)] });
    return { id, name, text, failed: true };
  }
}

function wireOf({ title, kind, locations, content, input: shown }: Shown, input: ToolInput) {
  return {
    title,
    kind,
    rawInput: shown ?? input,
    ...(locations ? { locations } : {}),
    ...(content ? { content } : {}),
  };
}

/** Null where the use is as it should be. */
function whyNot({ name, required }: Tool, input: ToolInput | null, raw: Json): string | null {
  if (!input)
    return `The input of “${name}” must be a JSON object, and is: ${String(JSON.stringify(raw)).slice(0, 200)}`;
  const missing = required.filter(field => typeof input[field] !== 'string');
  return missing.length === 0 ? null : `“${name}” needs ${missing.map(field => `\`${field}\``).join(' and ')} as text.`;
}

function inputOf(input: Json): ToolInput | null {
  // Some models write it as a text that holds it.
  if (typeof input === 'string') {
    try {
      const parsed = JSON.parse(input) as Json;
      return typeof parsed === 'string' ? null : inputOf(parsed);
    } catch {
      return null;
    }
  }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as ToolInput) : null;
}

function namesOf(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ') || 'none';
}
