// How the next prompt reaches an agent that knows exactly this path, or is told of it: the first rung that holds. There
// is one ladder for every way in which a turn can begin. Promises: an agent session is used only where it is bound to
// this very head, clean, and owned by no other window; what it replays never reaches history and is compared with what
// was said; only "it is gone" and "that is not supported" lead further down by themselves, anything else is told.

import type { Message, MessageId } from '../../model/message.ts';
import type { Continuity } from '../../model/agentState.ts';
import { agentErrorIn } from '../agentError.ts';
import type { AgentPlace, AgentProgram, AgentSession, RunningAgent } from '../agents.ts';
import { isReplayOf, promptsOf, type Binding } from './binding.ts';
import { fitted, roomFor, usualNewest, type FittingWay } from './fitting.ts';
import { budgetFor, seedOf, type Seed, type SeedBudget } from './seeding.ts';

export interface Climb {
  readonly program: AgentProgram;
  readonly place: AgentPlace;
  /** From the root to the head. */
  readonly path: readonly Message[];
  /** Of this conversation, the newest first. */
  readonly bindings: readonly Binding[];
  /** The agent session that this conversation used last, where it is still open. */
  readonly live: AgentSession | null;
  /** This window, and the others that live. */
  readonly writer: string;
  readonly alive: ReadonlySet<string>;
  /** The person asked for a fork: an agent that forks may copy its session. */
  readonly fork: boolean;
  /** Of the agent's model, where it is known. */
  readonly contextWindow: number | null;
  /** How much a transcript may hold; absent for what is usual. */
  readonly budget?: SeedBudget;
}

/** Of an agent's own list of sessions, where one is looked for in it. */
const mostPages = 20;

export interface Rung {
  readonly session: AgentSession;
  /** Told in front of the prompt; null where the agent knows already, or there is nothing to tell. */
  readonly seed: Seed | null;
  readonly continuity: Continuity;
  /** Where the agent session began to know by itself. */
  readonly from: MessageId | null;
}

/** Throws AgentError where a rung cannot be tried: the person decides then. */
export async function climb(way: Climb, signal: AbortSignal): Promise<Rung> {
  const agent = await way.program.start(signal);
  const head = way.path.at(-1)?.id ?? null;
  if (way.program.takesPath) return takePath(agent, way, signal);
  if (head === null) return fresh(agent, way, signal);
  const exact = way.bindings.filter(
    binding => binding.agent === way.program.ref.id && binding.head === head && !binding.dirty,
  );
  let why: string | undefined;
  for (const binding of exact) {
    const found = await known(agent, binding, way, signal);
    if ('session' in found) return found;
    why ??= found.why;
  }
  return seeded(agent, way, why, signal);
}

/** What `climb` would find, as far as that can be said without asking the agent. */
export function continuityAhead(way: Climb): Continuity {
  const head = way.path.at(-1)?.id ?? null;
  if (head === null) return { kind: 'fresh' };
  if (way.program.takesPath) return givenAhead(way);
  const exact = way.bindings.filter(
    ({ agent: of, head: at, dirty }) => of === way.program.ref.id && at === head && !dirty,
  );
  // Whether it can copy what it knows is the agent's to say.
  if (way.fork && exact.length > 0) return { kind: 'checking', asked: false };
  if (exact.some(({ agentSession }) => way.live?.id === agentSession)) return { kind: 'remembers' };
  if (exact.some(binding => isFree(binding, way))) return { kind: 'checking', asked: false };
  return reseeded(seedOf(way.path, budgetOf(way)), whyNot(way));
}

type Found = Rung | { readonly why: string };

async function known(agent: RunningAgent, binding: Binding, way: Climb, signal: AbortSignal): Promise<Found> {
  const { agentSession: id } = binding;
  const rung = (session: AgentSession): Rung => ({
    session,
    seed: null,
    continuity: { kind: 'remembers' },
    from: binding.from,
  });
  const isListed = () => listed(agent, id, way.place.cwd, signal);
  if (way.fork && agent.abilities.fork) {
    const forked = await orNull(agent.forkSession(id, way.place, signal), isListed);
    if (forked) return rung(forked);
  }
  const live = agent.session(id);
  // A fork must leave the branch that it starts from as it is.
  if (way.fork) return { why: 'this agent cannot copy what it knows' };
  if (live) return rung(live);
  if (!isFree(binding, way)) return { why: 'another window has the agent’s session' };
  // Only what is played back shows whether the session went on elsewhere.
  const loaded = agent.abilities.load ? await orNull(agent.loadSession(id, way.place, signal), isListed) : null;
  if (loaded) {
    if (isReplayOf(loaded.replayedPrompts, promptsOf(binding, way.path))) return rung(loaded.session);
    await loaded.session.close();
    return { why: 'the agent’s session went on elsewhere' };
  }
  const resumed = agent.abilities.resume ? await orNull(agent.resumeSession(id, way.place, signal), isListed) : null;
  return resumed ? rung(resumed) : { why: 'the agent no longer has this conversation' };
}

/** Null where the agent says that there is no such session, or that it cannot do that, or its own list has it not. */
async function orNull<Value>(asked: Promise<Value>, isListed: () => Promise<boolean>): Promise<Value | null> {
  try {
    return await asked;
  } catch (cause) {
    const code = agentErrorIn(cause)?.code;
    if (code === 'not-found' || code === 'not-supported' || code === 'invalid') return null;
    // Some have no word of their own for a session that is gone.
    if (code === 'other' && !(await isListed())) return null;
    throw cause;
  }
}

/** True also where the agent cannot say. */
async function listed(agent: RunningAgent, id: string, cwd: string | null, signal: AbortSignal): Promise<boolean> {
  if (!agent.abilities.list) return true;
  try {
    for (let [cursor, pages]: [string | null, number] = [null, 0]; pages < mostPages; pages++) {
      const { sessions, next } = await agent.listSessions(cwd, cursor, signal);
      if (sessions.some(one => one.id === id)) return true;
      if (next === null) return false;
      cursor = next;
    }
  } catch (cause) {
    if (!agentErrorIn(cause)) throw cause;
  }
  return true;
}

async function takePath(agent: RunningAgent, way: Climb, signal: AbortSignal): Promise<Rung> {
  // It remembers nothing, so any session of it does, and one for the whole conversation is enough.
  const session = (way.live && agent.session(way.live.id)) ?? (await agent.newSession(way.place, signal));
  return { session, seed: null, continuity: given(way, session.contextWindow), from: null };
}

/** Of the path, what an agent that is given it is not told, because its model takes only so much at once. */
export function notGiven(
  { path, program }: Pick<Climb, 'path' | 'program'>,
  window: number | null,
): readonly Message[] {
  return window === null ? [] : fitted(path, roomFor(window), keptBy(program)).leftOut;
}

function keptBy({ ref, newestKept = usualNewest }: AgentProgram): FittingWay {
  return { agent: ref.id, newest: newestKept };
}

/** What an agent that is given the path will know of it: all, unless its model takes only so much at once. */
export function given({ path, program }: Pick<Climb, 'path' | 'program'>, window: number | null): Continuity {
  if (path.length === 0) return { kind: 'fresh' };
  if (window === null) return { kind: 'remembers' };
  const { summary, left, tokens } = fitted(path, roomFor(window), keptBy(program));
  if (left === 0) return { kind: 'remembers', ...(summary === null ? {} : { compacted: true }) };
  const why = 'its model takes no more at once';
  return { kind: 'reseeded', messages: path.length - left, of: path.length, tokens, why };
}

/** So much goes to any model that can be worked with. */
const smallestWindow = 8192;

function givenAhead(way: Climb): Continuity {
  const { live, contextWindow, program } = way;
  const window = live?.contextWindow ?? contextWindow;
  if (window !== null || !program.hasWindow) return given(way, window);
  // Which model it will be is known when a session of it is open.
  return given(way, smallestWindow).kind === 'reseeded' ? { kind: 'checking', asked: false } : given(way, null);
}

async function fresh(agent: RunningAgent, way: Climb, signal: AbortSignal): Promise<Rung> {
  const session = await agent.newSession(way.place, signal);
  return { session, seed: null, continuity: { kind: 'fresh' }, from: null };
}

async function seeded(agent: RunningAgent, way: Climb, why: string | undefined, signal: AbortSignal): Promise<Rung> {
  const seed = seedOf(way.path, budgetOf(way));
  const session = await agent.newSession(way.place, signal);
  const from = way.path.at(-1)?.id ?? null;
  return { session, seed, continuity: reseeded(seed, why ?? whyNot(way)), from };
}

function reseeded({ messages, of, tokens }: Seed, why: string | null): Continuity {
  return { kind: 'reseeded', messages, of, tokens, ...(why === null ? {} : { why }) };
}

/** How much a transcript holds. */
export function budgetOf({ budget, contextWindow }: Pick<Climb, 'budget' | 'contextWindow'>): SeedBudget {
  return budget ?? budgetFor(contextWindow);
}

export function isFree({ owner }: Binding, { writer, alive }: Climb): boolean {
  return owner === writer || !alive.has(owner);
}

/** Why no session of the agent is bound here, in words that go on "it gets a transcript, because …". */
function whyNot({ bindings, program, path }: Climb): string | null {
  const own = bindings.filter(({ agent }) => agent === program.ref.id);
  const last = path.at(-1);
  const head = last?.id;
  if (own.length === 0)
    return path.some(message => message.agent?.id === program.ref.id) ? null : 'it was not there yet';
  const here = own.filter(binding => binding.head === head);
  // Where a turn was cut off with its window, what the agent's session came to know has no head.
  const isCutOff = last?.end === undefined && own.some(binding => binding.dirty && binding.head === null);
  if (isCutOff || here.some(({ dirty }) => dirty)) return 'its last answer did not end properly';
  if (here.length > 0) return 'another window has the agent’s session';
  return 'it knows another branch';
}
