// What is longer, more or more crowded than what anybody draws first: a title, a command, a draft, a queue beside chips, an
// answer whose cost is known.

import type { Permission } from '../../../src/model/agentState.ts';
import type { Transcript } from '../../../src/model/transcript.ts';
import { base, command, created, message, mime, question } from './conversation.ts';

const script = [
  'set -euo pipefail',
  ...Array.from(
    { length: 24 },
    (_, at) => `go test ./internal/part${at}/... -run 'TestProcessOrder|TestCancelled' -race`,
  ),
  'curl --fail --silent --show-error https://metrics.example/api/v1/report?project=warehouse&branch=cancel-context',
].join('\n');

const longCommand: Permission = {
  ...command,
  title: 'set -euo pipefail; go test ./internal/part0/... and 24 more',
  input: { command: script },
  rule: 'run go test',
};

const usage = {
  inputTokens: 182_400,
  outputTokens: 2831,
  cachedTokens: 160_000,
  thoughtTokens: 940,
  cost: { amount: 0.4217, currency: 'USD' },
};

const text = 'The goroutines now end with the request, and a test proves it.';

export const counted: Transcript = {
  ...base,
  turn: null,
  context: { used: 118_000, size: 200_000 },
  messages: [
    question,
    {
      ...message('a', 'u', 'assistant', [{ kind: 'text', mime, text }]),
      end: { reason: 'end_turn', at: created + 74_000, usage },
    },
  ],
};

export const extremes: { readonly [name: string]: Transcript } = {
  longTitle: {
    ...counted,
    title:
      'Find every goroutine that outlives the request that started it, in the handlers, the store and the mail package',
    agent: { id: 'long', name: 'Warehouse Automation Agent (staging)' },
    continuity: {
      kind: 'reseeded',
      messages: 18,
      of: 124,
      tokens: 15_900,
      why: 'the agent’s session went on elsewhere',
    },
  },
  longCommand: { ...base, permissions: [longCommand] },
};

export const longDraft = `I see three things here:

1. the wait group is never waited for
2. the context of the request is not passed down
3. nobody reads the error

Please look at 1 and 2 first, and leave the mail package alone.
What do you think of a bounded pool instead?`;
