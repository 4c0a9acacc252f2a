// What a developer has after two weeks with the extension: a dozen sessions of several agents, with branches, labels, a
// pin, an archive, a trash, what a subagent did, costs. Written by the engine, as another window of the folder would.

import type { OpenedHistory } from '../../../src/node/history/history.ts';
import type { Message } from '../../../src/model/message.ts';
import type { Fact } from '../../../src/model/record.ts';
import { tell } from '../../e2e/otherWindow.ts';
import { setFact, userFact } from '../../unit/support/facts.ts';
import { ids } from '../../unit/support/history.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Row {
  readonly prompts: readonly string[];
  readonly ago: number;
  readonly agent: string;
  readonly set?: readonly (readonly [name: 'pinned' | 'archived' | 'trashed' | 'label', of?: string])[];
}

const rows: readonly Row[] = [
  { prompts: ['How is a release made?'], ago: 9 * day, agent: 'Claude Code', set: [['pinned'], ['label', 'release']] },
  { prompts: ['Why is the build of the image slow?', 'And with a cache?'], ago: 3 * hour, agent: 'Claude Code' },
  { prompts: ['Rename OrderStore to Orders everywhere, tests and documentation too'], ago: 5 * hour, agent: 'Codex' },
  { prompts: ['Review the migration'], ago: 26 * hour, agent: 'Gemini CLI', set: [['label', 'review']] },
  {
    prompts: ['A flaky test: store_test.go fails once in twenty runs on the CI machines'],
    ago: 29 * hour,
    agent: 'Claude Code',
    set: [
      ['label', 'bug'],
      ['label', 'ci'],
    ],
  },
  { prompts: ['What does Retry do when the context is cancelled?'], ago: 3 * day, agent: 'Offline scout' },
  { prompts: ['Write the changelog of 2.4'], ago: 4 * day, agent: 'Codex' },
  { prompts: ['Warum schlägt der Test für Zürich fehl?'], ago: 5 * day, agent: 'Claude Code' },
  { prompts: ['注文はどこに保存されますか?'], ago: 12 * day, agent: 'Gemini CLI' },
  { prompts: ['Draft of the warehouse interface'], ago: 40 * day, agent: 'Claude Code' },
  { prompts: ['Spike: orders over gRPC'], ago: 60 * day, agent: 'Codex', set: [['archived']] },
  { prompts: ['Try out the agent'], ago: 2 * day, agent: 'Offline scout', set: [['trashed']] },
];

/** The session that has branches, and its leaves. */
export interface Past {
  readonly forked: string;
  readonly leaves: readonly string[];
}

export async function tellPast(history: OpenedHistory): Promise<Past> {
  for (const { prompts, ago, agent, set = [] } of rows) {
    const more = (session: string): readonly Fact[] =>
      set.map(([name, of]) => setFact(session, name, true, of === undefined ? {} : { of }));
    await tell(history, { prompts, ago, agent, more });
  }
  const leaves = [ids.message(), ids.message(), ids.message()] as const;
  const [group, context, cancelled] = leaves;
  const now = Date.now();
  const { session } = await tell(history, {
    prompts: ['Find the leak in the order processing', 'Fix it with a wait group'],
    ago: 40 * minute,
    agent: 'Claude Code',
    more: (id, [, found = '', , fixed = '']) => [
      userFact(id, group, fixed, 'Now run the tests with the race detector', now - 30 * minute),
      userFact(id, context, found, 'Fix it with a cancelled context instead of a wait group', now - 20 * minute),
      ...answer(id, context, 'The goroutines in `ProcessOrder` now end with the request.', now - 19 * minute),
      userFact(id, cancelled, found, 'Only show me where it leaks', now - 18 * minute),
      setFact(id, 'name', 'cancel-context', { of: cancelled }),
      setFact(id, 'note', 'shorter, and passes the race detector', { of: cancelled }),
      setFact(id, 'head', cancelled),
      subagent(userFact(id, ids.message(), found, 'Read every caller of ProcessOrder', now - 35 * minute)),
    ],
  });
  return { forked: session, leaves };
}

function answer(session: string, parent: string, text: string, at: number): readonly Fact[] {
  const usage = { inputTokens: 12_400, outputTokens: 1830, cost: { amount: 0.0842, currency: 'USD' } };
  const message: Omit<Message, 'session'> = {
    id: ids.message(),
    parent,
    role: 'assistant',
    created: at,
    agent: { id: 'Claude Code', name: 'Claude Code' },
    blocks: [{ kind: 'text', mime: 'text/markdown', text }],
    end: { reason: 'end_turn', at: at + 41_000, usage },
  };
  return [{ type: 'message', session, message }];
}

function subagent(fact: Fact): Fact {
  return fact.type === 'message' ? { ...fact, message: { ...fact.message, label: 'subagent:explorer:1' } } : fact;
}
