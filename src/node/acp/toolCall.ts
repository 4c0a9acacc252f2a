// A tool call as an agent tells it, in an update or with a permission that it asks for: what changes by it. What has not
// the type that ACP gives it changes nothing.

import type { ToolCallChanges } from '../../core/agents.ts';
import type { Json, Location, ToolStatus } from '../../model/message.ts';
import { fieldsOf, listOf, type Fields } from './fields.ts';

export function changesOf({ title, kind, status, locations, rawInput, content }: Fields): ToolCallChanges {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof kind === 'string' ? { tool: kind } : {}),
    ...(isStatus(status) ? { status } : {}),
    ...(Array.isArray(locations) ? { locations: listOf(locations).flatMap(locationOf) } : {}),
    ...(rawInput === undefined || rawInput === null ? {} : { input: rawInput }),
    ...(Array.isArray(content) ? { output: listOf(content) } : {}),
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
