// A conversation for a test: real history on a real disk, an agent that the test writes, a clock that it moves.

import type { TestContext } from 'node:test';
import { noRules } from '../support/noRules.ts';
import { judgeIn } from '../support/judge.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ConversationPorts, ConversationStart } from '../../../src/core/conversation/terms.ts';
import type { HistoryError } from '../../../src/core/history/historyError.ts';
import type { History, SessionHistory } from '../../../src/core/history/history.ts';
import type { AgentProgram } from '../../../src/core/agents.ts';
import type { Clock } from '../../../src/core/ports.ts';
import type { TranscriptEvent } from '../../../src/model/transcript.ts';
import { FixedClock } from '../support/clock.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';

export interface Stage {
  readonly folder: string;
  readonly history: History;
  readonly agent: ScriptedAgent;
  readonly clock: FixedClock;
  readonly conversation: Conversation;
  readonly events: readonly TranscriptEvent[];
  /** While `failure` is set, every append fails with it; while `hangs` is, none is answered. */
  readonly disk: { failure: HistoryError | null; hangs?: boolean };
  /** What a window sees that opens the same folder now. */
  readonly reopen: () => Promise<History>;
  /** The turn is over and everything is saved. */
  readonly ended: () => Promise<void>;
}

export async function stage(
  t: TestContext,
  agent = new ScriptedAgent(),
  more: Partial<Pick<ConversationPorts, 'rules' | 'judgePaths' | 'files' | 'place'>> = {},
): Promise<Stage> {
  const folder = temporaryFolder(t);
  const real = await openTestHistory(folder);
  const disk: Stage['disk'] = { failure: null };
  const history: History = {
    ...real,
    append(session, facts) {
      if (disk.hangs) return new Promise(() => {});
      return disk.failure ? Promise.reject(disk.failure) : real.append(session, facts);
    },
  };
  const clock = new FixedClock();
  const conversation = converse(history, agent, clock, { id: ids.session() }, more);
  const events: TranscriptEvent[] = [];
  conversation.onDidChange(event => events.push(event));
  return {
    folder,
    history,
    agent,
    clock,
    conversation,
    events,
    disk,
    reopen: () => openTestHistory(folder),
    ended: () => settled(conversation),
  };
}

export function converse(
  history: SessionHistory,
  agent: AgentProgram,
  clock: Clock,
  start: ConversationStart,
  more: Partial<Pick<ConversationPorts, 'rules' | 'judgePaths' | 'files' | 'place'>> = {},
): Conversation {
  const place = () => ({ cwd: '/project', alsoIn: [] });
  return new Conversation(
    { history, clock, ids, place, rules: noRules, judgePaths: judgeIn(), files: null, ...more },
    agent,
    start,
  );
}

export function settled(conversation: Conversation): Promise<void> {
  if (!conversation.transcript.turn) return Promise.resolve();
  return new Promise(resolve => {
    const stop = conversation.onDidChange(event => {
      if (event.type !== 'continuityChanged') return;
      stop();
      resolve();
    });
  });
}
