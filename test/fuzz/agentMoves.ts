// What agents do: in the newest of their turns mostly, sometimes in one that is over.

import type { AgentUpdate } from '../../src/core/agentTurn.ts';
import type { Permission } from '../../src/model/agentState.ts';
import { goodManners, type FakeAgent } from './fakeAgent.ts';
import type { FakeTurn } from './fakeSession.ts';
import { late } from './invariants.ts';
import { nth, type Row, type Rows } from './row.ts';
import { agentIds } from './window.ts';
import type { World } from './world.ts';

const statuses = ['pending', 'in_progress', 'completed', 'failed', 'completed', 'in_progress'] as const;
const choices: Permission['choices'] = [
  { id: 'yes', name: 'Yes', kind: 'allow_once' },
  { id: 'always', name: 'Always', kind: 'allow_always' },
  { id: 'no', name: 'No', kind: 'reject_once' },
];
const longTitle = 'A title of many words '.repeat(5000);
const longWords = 'words of an answer '.repeat(20_000);

function agentAt({ windows }: World, place: number, n: number): FakeAgent | null {
  const window = windows[place];
  if (!window || window.isGone) return null;
  // The one that is in use, mostly.
  return n % 5 === 0 ? window.agent(nth(agentIds, n) ?? 'own') : window.program;
}

/** One that runs; now and then the last one that is over. */
function turnAt(world: World, place: number, n: number): FakeTurn | null {
  const agent = agentAt(world, place, 1);
  if (!agent) return null;
  const open = agent.turns.filter(({ isOpen }) => isOpen);
  return (n % 25 === 24 ? agent.turns.at(-1) : open.at(n % 4 === 0 ? 0 : -1)) ?? null;
}

function inTurn(weight: number, act: (turn: FakeTurn, n: number, m: number, world: World) => void): Row {
  return {
    weight,
    make(world, place, n, m) {
      const turn = turnAt(world, place, n);
      return turn && (() => act(turn, n, m, world));
    },
  };
}

function ofAgent(weight: number, act: (agent: FakeAgent, n: number, m: number) => (() => void) | null): Row {
  return {
    weight,
    make(world, place, n, m) {
      const agent = agentAt(world, place, n);
      return agent && act(agent, n, m);
    },
  };
}

function otherUpdate(n: number): AgentUpdate {
  const updates: readonly AgentUpdate[] = [
    { type: 'plan', entries: [{ content: `step ${n}`, priority: 'high', status: 'pending' }] },
    { type: 'notice', severity: 'warning', text: `notice ${n}` },
    { type: 'compacted', summary: n % 2 === 0 ? null : 'what was said' },
    { type: 'unknown', value: { n } },
    { type: 'media', kind: 'image', mime: 'image/png', data: new Uint8Array([n % 256]) },
    { type: 'resource', uri: 'file:///project/a.txt', mime: 'text/plain', text: `text ${n}` },
    { type: 'thought', text: `thought ${n} ` },
  ];
  return nth(updates, n) ?? { type: 'unknown', value: n };
}

function words(n: number, m: number): AgentUpdate {
  const text = n % 300 === 11 ? longWords : `a${m} `;
  return { type: 'text', text, ...(m % 9 === 0 ? { messageId: `part${m}` } : {}) };
}

export const agentMoves = {
  say: inTurn(26, (turn, n, m) => turn.say(words(n, m))),
  call: inTurn(14, (turn, n, m) => {
    const status = nth(statuses, n) ?? 'pending';
    const output = m % 3 === 0 ? { output: [{ type: 'content', text: `o${m}` }] } : {};
    turn.say({ type: 'toolCall', callId: `c${m % 3}`, changes: { title: `Call ${m % 3}`, status, ...output } });
  }),
  ask: inTurn(12, (turn, n, m, world) => {
    const call = `c${m % 3}`;
    const id = `${turn.isOpen ? '' : late}permission${world.step}`;
    const permission: Permission = {
      id,
      callId: call,
      title: 'May I?',
      tool: 'other',
      locations: [],
      output: [],
      choices,
    };
    // The port promises no more than the signal that is given: some agents never withdraw a question.
    const signal = n % 3 === 0 ? turn.stubborn.signal : turn.withdrawn.signal;
    void turn.desk.ask(permission, signal);
  }),
  elicit: inTurn(3, (turn, n, _m, world) => {
    const asks = { kind: 'form' as const, fields: [] };
    const signal = n % 3 === 0 ? turn.stubborn.signal : turn.withdrawn.signal;
    void turn.desk.elicit({ id: `${turn.isOpen ? '' : late}form${world.step}`, message: 'Which?', asks }, signal);
  }),
  other: inTurn(6, (turn, n) => turn.say(otherUpdate(n))),
  flood: inTurn(1, (turn, n, m) => {
    for (let at = 0; at < 30; at++) turn.say(at % 7 === 6 ? otherUpdate(n + at) : words(0, m + at));
  }),
  repeat: inTurn(3, turn => {
    if (turn.last) turn.say(turn.last);
  }),
  end: inTurn(34, (turn, n, m) => {
    const reason = nth(['end_turn', 'end_turn', 'end_turn', 'max_tokens', 'refusal', 'end_turn'] as const, n);
    const usage = m % 5 === 0 ? { usage: { inputTokens: 1, outputTokens: 2 } } : {};
    const more = m % 11 === 0 ? { systemPrompt: 'You are an agent.' } : {};
    turn.end({ reason: reason ?? 'end_turn', agreed: m % 13 !== 0, ...usage, ...more });
  }),
  failTurn: inTurn(3, (turn, n, m) => {
    if (n % 3 === 0) turn.end(new Error('The agent broke.'), m % 2 === 0);
    else
      turn.end({ reason: 'failed', detail: 'It failed.', agreed: n % 2 === 0, needsSignIn: m % 4 === 0 }, m % 2 === 0);
  }),
  die: ofAgent(2, agent => (agent.sessions.size > 0 ? () => agent.die() : null)),
  goOnElsewhere: ofAgent(1, (agent, _n, m) => () => agent.goOnElsewhere(`elsewhere${m}`)),
  letGo: ofAgent(20, agent => (agent.isHolding ? () => agent.letGo() : null)),
  tell: ofAgent(5, (agent, n, m) => {
    const session = [...agent.sessions.values()].at(-1);
    if (!session) return null;
    return () => {
      if (n % 4 === 0) session.tell({ type: 'context', used: m, size: 100_000 });
      else if (n % 4 === 1) session.tell({ type: 'commands', commands: [] });
      else session.tell({ type: 'title', title: n % 8 === 2 ? longTitle : `Title ${m}` });
    };
  }),
  misbehave: ofAgent(4, (agent, n, m) => () => {
    const manners = { ...goodManners };
    if (m % 6 === 0) manners.starts = n % 3 === 0 ? 'never' : 'later';
    else if (m % 6 < 3) manners.opens = nth(['later', 'sign-in', 'fails', 'gone'] as const, n) ?? 'later';
    else if (m % 6 < 5) manners.stops = n % 4 === 0 ? 'ends' : 'ignores';
    else manners.closes = false;
    manners.signsIn = n % 5 !== 0;
    agent.manners = manners;
  }),
  behave: ofAgent(6, agent => () => {
    agent.manners = { ...goodManners };
    agent.letGo();
  }),
} satisfies Rows;
