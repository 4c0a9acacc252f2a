// A tool call as an agent tells it, in an update or with a permission that it asks for: what changes by it. Promises: what
// has not the type that ACP gives it changes nothing; what ACP does not know is kept as it came, `_meta` too, but for what
// is said there about terminals.

import type { ToolCallChanges } from '../../core/agentTurn.ts';
import type { Json, Location, ToolStatus } from '../../model/message.ts';
import { fieldsOf, listOf, type Fields } from './fields.ts';
import { withoutTerminalNews } from './terminals/terminalNews.ts';

type Extra = NonNullable<ToolCallChanges['extra']>;

const knownFields = new Set([
  'sessionUpdate',
  'toolCallId',
  'title',
  'kind',
  'status',
  'locations',
  'rawInput',
  'rawOutput',
  'content',
]);
const deepest = 16;

export function changesOf(call: Fields): ToolCallChanges {
  const { title, kind, status, locations, rawInput, rawOutput, content } = call;
  const extra = extraOf(call);
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof kind === 'string' ? { tool: kind } : {}),
    ...(isStatus(status) ? { status } : {}),
    ...(Array.isArray(locations) ? { locations: listOf(locations).flatMap(locationOf) } : {}),
    ...(rawInput === undefined || rawInput === null ? {} : { input: rawInput }),
    ...(rawOutput === undefined || rawOutput === null ? {} : { raw: rawOutput }),
    ...(Array.isArray(content) ? { output: listOf(content) } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** What was known with what is new: objects are joined field by field, null changes nothing, all else is replaced. */
export function mergedExtra(old: Extra, added: Extra, depth = 0): Extra {
  const joined = Object.entries(added).map(([key, value]): [string, Json] => {
    const known = Object.hasOwn(old, key) ? old[key] : undefined;
    if (value === null && known !== undefined) return [key, known];
    const [before, after] = [objectIn(known), objectIn(value)];
    return [key, before && after && depth < deepest ? mergedExtra(before, after, depth + 1) : value];
  });
  // Not with a spread: a field may be called `__proto__`.
  return Object.fromEntries([...Object.entries(old), ...joined]);
}

/** Null is ACP's word for "unchanged", in a field that it does not know as well. */
function extraOf(call: Fields): Extra {
  const fields = Object.entries(call).flatMap(([key, value]): readonly [string, Json][] => {
    if (knownFields.has(key) || value === undefined || value === null) return [];
    const meta = key === '_meta' ? objectIn(value) : undefined;
    if (!meta) return [[key, value]];
    const rest = withoutTerminalNews(meta) as Extra;
    return Object.keys(rest).length === 0 ? [] : [[key, rest]];
  });
  return Object.fromEntries(fields);
}

function objectIn(value: Json | undefined): Extra | undefined {
  return fieldsOf(value) as Extra | undefined;
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
