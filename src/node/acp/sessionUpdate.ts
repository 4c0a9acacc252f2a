// One raw ACP `session/update` as news: of the turn, or of the session whether a turn runs or not. Promises: it never
// throws and never drops: what it does not know, or what has not the shape that ACP gives it, comes back whole as
// `unknown`. It leaves to the session what the news mean there.

import type { AgentUpdate } from '../../core/agentTurn.ts';
import type { AgentCommand } from '../../model/agentState.ts';
import type { Cost, Json, PlanEntry } from '../../model/message.ts';
import { countOf, fieldsOf, listOf, textOf, type Fields } from './fields.ts';
import { contentOf } from './content.ts';
import { terminalNewsOf, type TerminalNews } from './terminals/terminalNews.ts';
import { changesOf } from './toolCall.ts';

export type News =
  /** `begins`: a tool call that the agent says is new; `terminals`: what is said beside it of terminals. */
  | {
      readonly type: 'update';
      readonly update: AgentUpdate;
      readonly begins?: boolean;
      readonly terminals?: readonly TerminalNews[];
    }
  /** The person's own words come back: in a replay, or as an echo. */
  | { readonly type: 'user'; readonly text: string; readonly messageId: string | null }
  | { readonly type: 'commands'; readonly commands: readonly AgentCommand[] }
  | { readonly type: 'mode'; readonly mode: string }
  | { readonly type: 'config'; readonly options: readonly Json[] }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'context'; readonly used: number; readonly size: number; readonly cost: Cost | null }
  | { readonly type: 'compaction'; readonly id: string; readonly summary: string | null }
  | { readonly type: 'compactionText'; readonly id: string; readonly text: string }
  | { readonly type: 'nothing' };

const nothing: News = { type: 'nothing' };

export function newsOf(value: unknown): News {
  const raw = (value ?? null) as Json;
  const update = fieldsOf(raw);
  return (update && known(update)) ?? { type: 'update', update: { type: 'unknown', value: raw } };
}

/** Undefined for what is not known or has the wrong shape. */
function known(update: Fields): News | undefined {
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return chunk(update);
    case 'user_message_chunk': {
      const content = fieldsOf(update['content']);
      if (!content) return undefined;
      return { type: 'user', text: textOf(content['text']) ?? '', messageId: textOf(update['messageId']) ?? null };
    }
    case 'tool_call':
    case 'tool_call_update': {
      const callId = update['toolCallId'];
      if (typeof callId !== 'string') return undefined;
      const begins = update['sessionUpdate'] === 'tool_call';
      const terminals = terminalNewsOf(fieldsOf(update['_meta']) ?? {});
      const call = { type: 'toolCall', callId, changes: changesOf(update) } as const;
      return { type: 'update', update: call, begins, ...(terminals.length === 0 ? {} : { terminals }) };
    }
    case 'plan':
      return plan(update);
    case 'available_commands_update':
      if (!Array.isArray(update['availableCommands'])) return undefined;
      return { type: 'commands', commands: listOf(update['availableCommands']).flatMap(commandOf) };
    case 'current_mode_update': {
      const mode = textOf(update['currentModeId']);
      return mode === undefined ? undefined : { type: 'mode', mode };
    }
    case 'config_option_update':
      if (!Array.isArray(update['configOptions'])) return undefined;
      return { type: 'config', options: listOf(update['configOptions']) };
    case 'session_info_update': {
      // Null takes the title away: ours stays, because a conversation is never without one.
      const title = textOf(update['title']);
      return title === undefined ? nothing : { type: 'title', title };
    }
    case 'usage_update': {
      const [used, size] = [countOf(update['used']), countOf(update['size'])];
      if (used === undefined || size === undefined) return undefined;
      return { type: 'context', used, size, cost: costOf(update['cost']) };
    }
    case 'notice':
      return notice(update);
    case 'compaction_update':
      return compaction(update);
    case 'compaction_summary_chunk': {
      const id = textOf(update['compactionId']);
      const text = textOf(fieldsOf(update['content'])?.['text']);
      return id === undefined || text === undefined ? undefined : { type: 'compactionText', id, text };
    }
    default:
      return undefined;
  }
}

function chunk(update: Fields): News | undefined {
  const content = fieldsOf(update['content']);
  if (!content) return undefined;
  const isWords = update['sessionUpdate'] === 'agent_message_chunk';
  if (content['type'] !== 'text') {
    const found = isWords ? contentOf(content) : undefined;
    return found && { type: 'update', update: found };
  }
  const text = textOf(content['text']);
  if (text === undefined) return undefined;
  const messageId = textOf(update['messageId']);
  const words = { type: isWords ? 'text' : 'thought', text } as const;
  return { type: 'update', update: messageId === undefined ? words : { ...words, messageId } };
}

function plan(update: Fields): News | undefined {
  if (!Array.isArray(update['entries'])) return undefined;
  const entries = listOf(update['entries']).flatMap((value): readonly PlanEntry[] => {
    const { content, priority, status } = fieldsOf(value) ?? {};
    if (typeof content !== 'string') return [];
    return [
      {
        content,
        priority: priority === 'high' || priority === 'low' ? priority : 'medium',
        status: status === 'in_progress' || status === 'completed' ? status : 'pending',
      },
    ];
  });
  return { type: 'update', update: { type: 'plan', entries } };
}

function notice({ severity, title, description }: Fields): News | undefined {
  if (typeof title !== 'string') return undefined;
  const text = typeof description === 'string' && description !== '' ? `${title}\n\n${description}` : title;
  const known = severity === 'warning' || severity === 'error' ? severity : 'info';
  return { type: 'update', update: { type: 'notice', severity: known, text } };
}

function compaction({ compactionId: id, status, summary, error }: Fields): News | undefined {
  if (typeof id !== 'string') return undefined;
  switch (status) {
    case 'in_progress':
    case 'cancelled':
      return nothing;
    case 'completed': {
      const texts = listOf(summary).flatMap(one => textOf(fieldsOf(one)?.['text']) ?? []);
      return { type: 'compaction', id, summary: texts.length > 0 ? texts.join('\n\n') : null };
    }
    case 'failed': {
      const text = textOf(error) ?? 'The agent could not compact the conversation.';
      return { type: 'update', update: { type: 'notice', severity: 'warning', text } };
    }
    default:
      return undefined;
  }
}

function commandOf(value: Json): readonly AgentCommand[] {
  const { name, description, input } = fieldsOf(value) ?? {};
  if (typeof name !== 'string' || name === '') return [];
  return [{ name, description: textOf(description) ?? '', hint: textOf(fieldsOf(input)?.['hint']) ?? null }];
}

function costOf(value: unknown): Cost | null {
  const { amount, currency } = fieldsOf(value) ?? {};
  return typeof amount === 'number' && Number.isFinite(amount) && typeof currency === 'string'
    ? { amount, currency }
    : null;
}
