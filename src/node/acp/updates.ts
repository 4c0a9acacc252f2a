// One raw ACP `session/update` as the turn's own word for it. Promises: it never throws and never drops: what it does
// not know, or what has not the shape that ACP gives it, comes back whole as `unknown`.

import type { AgentUpdate, ToolCallChanges } from '../../core/ports.ts';
import type { Json, Location, ToolStatus } from '../../model/message.ts';

type Fields = { readonly [key: string]: Json | undefined };

export function updateOf(value: unknown): AgentUpdate {
  // What came off the wire is JSON, whatever it means.
  const raw = (value ?? null) as Json;
  const unknown: AgentUpdate = { type: 'unknown', value: raw };
  const update = fieldsOf(raw);
  if (!update) return unknown;
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      const content = fieldsOf(update['content']);
      if (content?.['type'] !== 'text' || typeof content['text'] !== 'string') return unknown;
      const type = update['sessionUpdate'] === 'agent_message_chunk' ? 'text' : 'thought';
      const { messageId } = update;
      return { type, text: content['text'], ...(typeof messageId === 'string' ? { messageId } : {}) };
    }
    case 'tool_call':
    case 'tool_call_update': {
      const callId = update['toolCallId'];
      return typeof callId === 'string' ? { type: 'toolCall', callId, changes: changesOf(update) } : unknown;
    }
    default:
      return unknown;
  }
}

function changesOf(update: Fields): ToolCallChanges {
  const { title, kind, status, locations, rawInput, content } = update;
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof kind === 'string' ? { tool: kind } : {}),
    ...(isStatus(status) ? { status } : {}),
    ...(Array.isArray(locations) ? { locations: locations.flatMap(locationOf) } : {}),
    ...(rawInput === undefined || rawInput === null ? {} : { input: rawInput }),
    ...(Array.isArray(content) ? { output: content as readonly Json[] } : {}),
  };
}

function locationOf(value: Json): readonly Location[] {
  const fields = fieldsOf(value);
  if (typeof fields?.['path'] !== 'string') return [];
  const { path, line } = fields;
  return [{ path, ...(typeof line === 'number' ? { line } : {}) }];
}

function isStatus(value: unknown): value is ToolStatus {
  return value === 'pending' || value === 'in_progress' || value === 'completed' || value === 'failed';
}

function fieldsOf(value: Json | undefined): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
