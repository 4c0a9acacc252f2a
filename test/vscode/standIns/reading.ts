// Conversations that are long enough to read, and those that did not end well: for pictures of what stands in messages.

import type { Block, Message, MessageEnd } from '../../../src/model/message.ts';
import type { Transcript } from '../../../src/model/transcript.ts';
import { base, created, message, mime, question, tool } from './conversation.ts';

const went = (seconds: number, reason: MessageEnd['reason'] = 'end_turn', detail?: string): MessageEnd => ({
  reason,
  at: created + seconds * 1000,
  ...(detail !== undefined && { detail }),
});

export function answer(blocks: readonly Block[], end: MessageEnd | null = went(41)): Message {
  const one = message('a', 'u', 'assistant', blocks);
  return end ? { ...one, end } : one;
}

export function text(words: string): Block {
  return { kind: 'text', mime, text: words };
}

const explained = `The goroutines in \`ProcessOrder\` outlive the request, because nothing tells them that it is over. The
context that comes with the request does:

\`\`\`go
for _, order := range batch {
	group.Go(func() error {
		// Ends when the request does.
		return p.handle(ctx, order)
	})
}
return group.Wait()
\`\`\`

| Test | Before | After |
| --- | ---: | ---: |
| \`TestProcessOrder\` | 1.24 s | 0.31 s |
| \`TestCancelled\` | leaks 3 | 0 |

1. \`handle\` takes the context first.
2. The wait group is gone.

- [x] Pass the context down
- [x] Add a test that fails without it
- [ ] Say so in the changelog

> A goroutine that nobody waits for is a leak with a delay.

The [notes on contexts](https://go.dev/blog/context) say more.`;

const thinking =
  'The wait group is never waited for when the handler returns early.\n\n- `handle` blocks on the store\n- the store ignores the request';

export const plan: Block = {
  kind: 'plan',
  mime,
  entries: [
    { content: 'Find where goroutines outlive the request', priority: 'high', status: 'completed' },
    { content: 'Pass the context down', priority: 'high', status: 'in_progress' },
    { content: 'Add a test that fails without it', priority: 'medium', status: 'pending' },
  ],
};

const looked: readonly Block[] = [
  { kind: 'thought', mime, text: thinking },
  tool('c1', 'read', 'internal/orders/processor.go'),
  tool('c2', 'search', '“go func(” in internal/'),
];

/** Everything went well and was said. */
export const told: Transcript = { ...base, messages: [question, answer([...looked, text(explained)])], turn: null };

/** Short enough to be seen whole in any font, so that what is found first doesn't depend on how it is scrolled. */
export const sought: Transcript = {
  ...base,
  messages: [
    question,
    answer([
      text(
        'The goroutines in `ProcessOrder` outlive the request, because nothing passes them its context.\n\n' +
          'The [notes on contexts](https://go.dev/blog/context) say more.',
      ),
    ]),
  ],
  turn: null,
};

const second = message('u2', 'a', 'user', [text('Which other handlers start goroutines that nobody waits for?')]);
const found: Message = {
  ...message('a2', 'u2', 'assistant', [
    tool('c4', 'search', '“go ” in internal/'),
    text('Two more: `audit.Record` and `mail.Notify`. Both take a context already and do not look at it.'),
  ]),
  end: went(73),
};

/** A conversation with branches: the prompt has three, the second answer has two. */
export const parted: Transcript = {
  ...base,
  messages: [question, answer([text('The goroutines now end with the request, and a test proves it.')]), second, found],
  branches: { beside: { u: ['u', 'x', 'y'], a2: ['z', 'a2'] }, below: [] },
  turn: null,
  continuity: { kind: 'reseeded', messages: 4, of: 4, tokens: 2100 },
};

/** The end of the path goes on elsewhere already. */
export const forked: Transcript = {
  ...parted,
  messages: parted.messages.slice(0, 2),
  branches: { beside: { u: ['u', 'x', 'y'] }, below: ['u2'] },
  continuity: { kind: 'reseeded', messages: 2, of: 2, tokens: 900 },
};

const half = [...looked, text('The goroutines in `ProcessOrder` outlive')];

export const failed: Transcript = {
  ...told,
  continuity: { kind: 'reseeded', messages: 2, of: 2, tokens: 900, why: 'the agent no longer has this conversation' },
  messages: [
    question,
    answer(half, {
      ...went(9, 'failed', 'Claude Code ended (exit code 134): FATAL ERROR: JavaScript heap out of memory'),
      cause: 'gone',
    }),
  ],
};

export const failedAtOnce: Transcript = {
  ...told,
  messages: [question, answer([], went(2, 'failed', 'getaddrinfo EAI_AGAIN api.anthropic.com'))],
};

export const interrupted: Transcript = { ...told, messages: [question, answer(half, null)] };

export const cancelled: Transcript = { ...told, messages: [question, answer(half, went(6, 'cancelled'))] };

export const pictured: Transcript = {
  ...told,
  messages: [
    question,
    answer([
      plan,
      { kind: 'image', mime: 'image/png', name: 'goroutines.png', data: { sha256: 'x', size: 1800 } },
      text('Goroutines over ten minutes: they grow with every request and never go.'),
    ]),
  ],
};
