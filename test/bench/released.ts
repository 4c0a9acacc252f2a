// What sessions leave in the host's memory that were shown and left: its heap before, and after 200 sessions of 1,000
// messages each were opened one after the other and released as nobody saw them any more.

import { join } from 'node:path';
import { judgeIn } from '../unit/support/judge.ts';
import { noRules } from '../unit/support/noRules.ts';
import { Conversation } from '../../src/core/conversation/conversation.ts';
import { systemClock } from '../../src/node/clock.ts';
import { markdown } from '../../src/model/message.ts';
import type { Fact } from '../../src/model/record.ts';
import { ScriptedAgent } from '../unit/support/scriptedAgent.ts';
import { openHost } from './engine.ts';
import { heapNow } from './heap.ts';
import { against, alone, type Row } from './measure.ts';
import { ids } from '../unit/support/history.ts';

const messagesEach = 1000;

export async function measureReleased(folder: string, isQuick: boolean): Promise<readonly Row[]> {
  const count = isQuick ? 40 : 200;
  const history = await openHost(join(folder, 'history'));
  const sessions = Array.from({ length: count }, () => ids.session());
  for (const session of sessions) await history.append(session, sessionOf(session));
  const agent = new ScriptedAgent();
  const place = () => ({ cwd: folder, alsoIn: [] });
  const ports = { history, clock: systemClock, ids, place, rules: noRules, judgePaths: judgeIn(), files: null };
  const open = async (session: string): Promise<Conversation> => {
    const stored = await history.open(session);
    if (!stored) throw new Error('the session is not there');
    return new Conversation(ports, agent, { stored });
  };
  // The host keeps the conversations, and lets go of their messages.
  const kept: Conversation[] = [];
  const first = await open(sessions[0] ?? '');
  kept.push(first);
  const before = heapNow();
  for (const session of sessions.slice(1)) {
    const conversation = await open(session);
    kept.push(conversation);
    if (!(await conversation.release())) throw new Error('the conversation was not released');
  }
  const after = heapNow();
  const whole = await Promise.all(kept.slice(1, 11).map(conversation => conversation.load().then(() => conversation)));
  const loaded = heapNow() - after;
  if (whole.some(({ transcript }) => transcript.messages.length !== messagesEach)) throw new Error('messages are gone');
  await history.close();
  const megabytes = (bytes: number) => bytes / 2 ** 20;
  return [
    against(`turn/heap after ${count} sessions MB`, megabytes(after), 'before', megabytes(before), 1.3),
    alone('turn/ten of them loaded, MB more', megabytes(loaded), null, 'what each would keep'),
  ];
}

function sessionOf(session: string): readonly Fact[] {
  const agent = { id: 'scripted', name: 'Scripted agent' };
  const facts: Fact[] = [{ type: 'session', session, created: 0, agent }];
  let parent: string | null = null;
  for (let at = 0; at < messagesEach; at++) {
    const id = ids.message();
    const blocks = [
      { kind: 'text', mime: markdown, text: `Message ${at}: ${'some words of it '.repeat(20)}` },
    ] as const;
    const role = at % 2 === 0 ? 'user' : 'assistant';
    facts.push(
      { type: 'message', session, message: { id, parent, role, created: at, blocks } },
      { type: 'end', session, message: id, end: { reason: 'end_turn', at } },
    );
    parent = id;
  }
  return [...facts, { type: 'set', session, name: 'head', value: parent }];
}
