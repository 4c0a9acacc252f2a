// Every kind of `session/update` that ACP has, and every kind of content in it, with what a person sees of it and what is
// in history afterwards.

import type { Transcript } from '../../../src/model/transcript.ts';
import type { Step } from '../../agents/plays.ts';

export interface Row {
  /** The value of `sessionUpdate`. */
  readonly kind: string;
  /** Each one's other fields. */
  readonly updates: readonly object[];
  /** What the agent says otherwise, around it. */
  readonly after?: readonly Step[];
  readonly flags?: readonly string[];
  /** The blocks of the answer, as far as it matters. */
  readonly blocks?: readonly object[];
  /** What else a person sees. */
  readonly shows?: Partial<Transcript>;
}

const text = (words: string) => ({ type: 'text', text: words });
const bytes = 'iVBORw0KGgo=';
const call = { toolCallId: 'c', title: 'Do it' };
const inCall = (content: object, output = content): Row => ({
  kind: 'tool_call',
  updates: [{ ...call, content: [content] }],
  blocks: [{ kind: 'toolCall', output: [output] }],
});
const ofKind = (kind: string): Row => ({
  kind: 'tool_call',
  updates: [{ ...call, kind }],
  blocks: [{ kind: 'toolCall', tool: kind }],
});
const inAnswer = (content: object, block: object): Row => ({
  kind: 'agent_message_chunk',
  updates: [{ content }],
  blocks: [block],
});
const unknown = (kind: string, more: object): Row => ({
  kind,
  updates: [more],
  blocks: [{ kind: 'unknown', value: { sessionUpdate: kind, ...more } }],
});
const effort = { id: 'effort', name: 'Effort', type: 'select', currentValue: 'high', options: [] };

export const rows: readonly Row[] = [
  { kind: 'user_message_chunk', updates: [{ content: text('an echo') }], blocks: [] },
  inAnswer(text('words'), { kind: 'text', text: 'words' }),
  {
    kind: 'agent_message_chunk',
    updates: [
      { content: text('one '), messageId: 'a' },
      { content: text('two'), messageId: 'a' },
      { content: text('three'), messageId: 'b' },
    ],
    blocks: [{ text: 'one two' }, { text: 'three' }],
  },
  inAnswer({ type: 'image', mimeType: 'image/png', data: bytes }, { kind: 'image', mime: 'image/png' }),
  inAnswer({ type: 'audio', mimeType: 'audio/wav', data: bytes }, { kind: 'audio', mime: 'audio/wav' }),
  inAnswer(
    { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# A' } },
    { kind: 'resource', uri: 'file:///a.md', mime: 'text/markdown', text: '# A' },
  ),
  inAnswer(
    { type: 'resource', resource: { uri: 'file:///a.bin', blob: bytes } },
    { kind: 'resource', uri: 'file:///a.bin', mime: 'application/octet-stream' },
  ),
  inAnswer(
    { type: 'resource_link', uri: 'file:///b.ts', name: 'b.ts' },
    { kind: 'resource', uri: 'file:///b.ts', name: 'b.ts' },
  ),
  inAnswer({ type: 'hologram', light: 1 }, { kind: 'unknown' }),
  {
    kind: 'agent_thought_chunk',
    updates: [{ content: text('hm, ') }, { content: text('well') }],
    blocks: [{ kind: 'thought', text: 'hm, well' }],
  },
  {
    kind: 'tool_call',
    updates: [
      { ...call, kind: 'read', status: 'pending', locations: [{ path: '/a.ts', line: 3 }], rawInput: { a: 1 } },
    ],
    // Whatever is still open at the end did not come to anything.
    blocks: [
      {
        callId: 'c',
        title: 'Do it',
        tool: 'read',
        status: 'failed',
        locations: [{ path: '/a.ts', line: 3 }],
        input: { a: 1 },
      },
    ],
  },
  ...['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'].map(ofKind),
  ofKind('levitate'),
  inCall({ type: 'content', content: text('out') }),
  inCall({ type: 'diff', path: '/a.ts', oldText: null, newText: 'A' }),
  inCall({ type: 'hologram', light: 1 }),
  {
    kind: 'tool_call',
    updates: [
      { ...call, content: [{ type: 'terminal', terminalId: 'own' }], _meta: { terminal_info: { terminal_id: 'own' } } },
    ],
    after: [
      {
        update: {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c',
          _meta: { terminal_output: { terminal_id: 'own', data: 'one\n' } },
        },
      },
      {
        update: {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c',
          status: 'completed',
          _meta: { terminal_exit: { terminal_id: 'own', exit_code: 3, signal: null } },
        },
      },
    ],
    blocks: [
      {
        status: 'completed',
        output: [{ type: 'terminal', terminalId: 'own', output: 'one\n', exit: { code: 3, signal: null } }],
      },
    ],
  },
  {
    kind: 'tool_call_update',
    updates: [
      { toolCallId: 'u', title: 'Do it', status: 'in_progress', content: [{ type: 'content', content: text('a') }] },
      { toolCallId: 'u', status: 'completed', content: [{ type: 'content', content: text('b') }], rawOutput: { n: 1 } },
    ],
    blocks: [{ title: 'Do it', status: 'completed', output: [{ type: 'content', content: text('b') }], raw: { n: 1 } }],
  },
  {
    kind: 'tool_call_update',
    updates: [{ toolCallId: 'd', status: 'levitating' }],
    blocks: [{ kind: 'toolCall', status: 'failed' }],
  },
  {
    kind: 'plan',
    updates: [
      { entries: [{ content: 'look', priority: 'high', status: 'pending' }] },
      { entries: [{ content: 'leap', priority: 'whatever', status: 'in_progress' }] },
    ],
    blocks: [{ kind: 'plan', entries: [{ content: 'leap', priority: 'medium', status: 'in_progress' }] }],
  },
  {
    kind: 'available_commands_update',
    updates: [{ availableCommands: [{ name: 'go', description: 'Goes', input: { hint: 'where' } }] }],
    blocks: [],
    shows: { commands: [{ name: 'go', description: 'Goes', hint: 'where' }] },
  },
  {
    kind: 'current_mode_update',
    flags: ['--options=modes'],
    updates: [{ currentModeId: 'plan' }],
    blocks: [],
    shows: { options: [{ category: 'mode', value: 'plan' }] as never },
  },
  {
    kind: 'config_option_update',
    flags: ['--options=config'],
    updates: [{ configOptions: [effort] }],
    blocks: [],
    shows: { options: [{ id: 'effort', value: 'high' }] as never },
  },
  {
    kind: 'session_info_update',
    updates: [{ title: 'A title', updatedAt: null }],
    blocks: [],
    shows: { title: 'A title' },
  },
  {
    kind: 'session_info_update',
    updates: [{ title: 'A title' }, { title: null }],
    blocks: [],
    shows: { title: 'A title' },
  },
  {
    kind: 'usage_update',
    updates: [{ used: 1200, size: 200_000, cost: { amount: 0.5, currency: 'USD' } }],
    blocks: [],
    shows: { context: { used: 1200, size: 200_000 } },
  },
  {
    kind: 'notice',
    updates: [{ severity: 'warning', title: 'Careful', description: 'It is wet.' }],
    blocks: [{ kind: 'notice', severity: 'warning', text: 'Careful\n\nIt is wet.' }],
  },
  {
    kind: 'compaction_update',
    updates: [
      { compactionId: 'k', status: 'in_progress' },
      { compactionId: 'k', status: 'completed', summary: [text('We talked.')] },
    ],
    blocks: [{ kind: 'notice', text: 'We talked.' }],
  },
  {
    kind: 'compaction_update',
    updates: [{ compactionId: 'k', status: 'failed', error: 'It is full' }],
    blocks: [{ kind: 'notice', severity: 'warning', text: 'It is full' }],
  },
  {
    kind: 'compaction_summary_chunk',
    updates: [
      { compactionId: 'k', content: text('We ') },
      { compactionId: 'k', content: text('spoke.') },
    ],
    after: [{ update: { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed' } }],
    blocks: [{ kind: 'notice', text: 'We spoke.' }],
  },
  // Of the unstable protocol, of the next one, and of nobody.
  unknown('plan_removed', { planId: 'p' }),
  unknown('subagent_update', { subagentId: 's', status: 'running' }),
  unknown('session_message_chunk', { content: text('hello') }),
  unknown('state_update', { state: 'idle' }),
  unknown('hologram', { light: [1, { deep: null }], _meta: { x: 1 } }),
];
