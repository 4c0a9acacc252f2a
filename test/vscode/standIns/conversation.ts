// The conversation that all stand-in states begin with, and the pieces that they are made of.

import type { Permission } from '../../../src/model/agentState.ts';
import type { Block, Message } from '../../../src/model/message.ts';
import type { Transcript } from '../../../src/model/transcript.ts';
import { emptyTranscript } from '../../unit/support/emptyTranscript.ts';

export const mime = 'text/markdown';
export const created = Date.UTC(2026, 10, 18, 10, 41);
const agent = { id: 'claude', name: 'Claude Code' };

export function message(id: string, parent: string | null, role: Message['role'], blocks: readonly Block[]): Message {
  return { id, session: 's', parent, role, created, blocks, ...(role === 'user' ? {} : { agent }) };
}

export const question = message('u', null, 'user', [
  { kind: 'text', mime, text: 'Fix it with a cancelled context instead of a wait group, and add a test.' },
]);

const working: readonly Block[] = [
  {
    kind: 'plan',
    mime,
    entries: [
      { content: 'Find where goroutines outlive the request', priority: 'high', status: 'completed' },
      { content: 'Pass the context down', priority: 'high', status: 'in_progress' },
      { content: 'Add a test that fails without it', priority: 'medium', status: 'pending' },
      { content: 'Ask before the lock file is touched', priority: 'high', status: 'pending' },
    ],
  },
  { kind: 'text', mime, text: 'The goroutines in `ProcessOrder` outlive the request. I pass its context down.' },
  tool('c1', 'read', 'internal/orders/processor.go'),
  {
    ...tool('c2', 'edit', 'internal/orders/processor.go'),
    permission: { choice: 'Allow once', allowed: true },
  },
  { ...tool('c3', 'execute', 'go test ./internal/orders/...'), status: 'pending' },
];

export function tool(callId: string, kind: string, title: string): Extract<Block, { kind: 'toolCall' }> {
  return { kind: 'toolCall', mime, callId, title, tool: kind, status: 'completed', locations: [], output: [] };
}

const choices = [
  { id: 'a', name: 'Allow once', kind: 'allow_once' },
  { id: 'b', name: 'Always allow go test', kind: 'allow_always' },
  { id: 'c', name: 'Reject', kind: 'reject_once' },
] as const;

export const command: Permission = {
  id: 'p1',
  callId: 'c3',
  title: 'go test ./internal/orders/...',
  tool: 'execute',
  locations: [],
  input: { command: 'go test ./internal/orders/... -run TestProcessOrder -count=1', timeout: 60_000 },
  output: [],
  choices,
};

export const change: Permission = {
  id: 'p2',
  callId: 'not shown',
  title: 'Edit processor.go',
  tool: 'edit',
  locations: [{ path: 'internal/orders/processor.go', line: 40 }],
  output: [
    {
      type: 'diff',
      path: 'internal/orders/processor.go',
      oldText: 'for _, o := range batch {\n  go p.handle(o)\n}\n',
      newText: 'for _, o := range batch {\n  go p.handle(ctx, o)\n}\n',
    },
  ],
  choices,
};

export const base: Transcript = {
  ...emptyTranscript,
  title: 'Leak in order processing',
  agent,
  messages: [question, message('a', 'u', 'assistant', working)],
  turn: { message: 'a', cancelling: false },
  options: [
    { id: 'model', name: 'Model', description: '', category: 'model', value: 'opus' },
    { id: 'mode', name: 'Mode', description: '', category: 'mode', value: 'ask first' },
  ],
};
