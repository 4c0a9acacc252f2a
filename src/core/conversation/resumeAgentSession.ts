// Finds the agent session that takes the next prompt: one that knows exactly this path, resumed, loaded or forked, or a
// new one that is told of it. Every turn gets its agent session here. Promises: an agent session is used only where it is
// bound to this very head, clean, and owned by no other window; what it replays never reaches history and is compared
// with what was said; only "it is gone" and "that is not supported" lead to the next way, any other error is told.

import type { Message, MessageId } from '../../model/message.ts';
import type { Continuity } from '../../model/agentState.ts';
import { agentErrorIn } from '../agentError.ts';
import type { AgentPlace, AgentProgram, AgentSession, RunningAgent } from '../agents.ts';
import { isAsTold, isReplayOf, promptsOf, type Binding } from './binding.ts';
import { fitted, roomFor, usualNewest, type FittingWay } from './fitting.ts';
import { budgetFor, seedOf, type Seed, type SeedBudget } from './seeding.ts';

export interface SessionRequest {
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

export interface ResolvedSession {
  readonly session: AgentSession;
  /** Told in front of the prompt; null where the agent knows already, or there is nothing to tell. */
  readonly seed: Seed | null;
  readonly continuity: Continuity;
  /** Where the agent session began to know by itself. */
  readonly from: MessageId | null;
}

/** Throws AgentError where a way failed that others may not replace: the person decides then. */
export async function resolveSession(request: SessionRequest, signal: AbortSignal): Promise<ResolvedSession> {
  const agent = await request.program.start(signal);
  const head = request.path.at(-1)?.id ?? null;
  if (request.program.takesPath) return takePath(agent, request, signal);
  if (head === null) return fresh(agent, request, signal);
  const exact = exactBindings(request);
  let why: string | undefined;
  for (const binding of exact) {
    const found = await known(agent, binding, request, signal);
    if ('session' in found) return found;
    why ??= found.why;
  }
  return seeded(agent, request, why, signal);
}

/** What `resolveSession` would find, as far as that can be said without asking the agent. */
export function continuityAhead(request: SessionRequest): Continuity {
  const head = request.path.at(-1)?.id ?? null;
  if (head === null) return { kind: 'fresh' };
  if (request.program.takesPath) return givenAhead(request);
  const exact = exactBindings(request);
  // Whether it can copy what it knows is the agent's to say.
  if (request.fork && exact.length > 0) return { kind: 'checking', asked: false };
  if (exact.some(binding => request.live?.id === binding.agentSession && isOwn(binding, request)))
    return { kind: 'remembers' };
  if (exact.some(binding => isFree(binding, request))) return { kind: 'checking', asked: false };
  return reseeded(seedOf(request.path, budgetOf(request)), whyNot(request));
}

/** Of agent sessions that know exactly this path. */
function exactBindings({ bindings, program, path }: SessionRequest): readonly Binding[] {
  const head = path.at(-1)?.id ?? null;
  return bindings.filter(
    binding => binding.agent === program.ref.id && binding.head === head && !binding.dirty && isAsTold(binding, path),
  );
}

type Found = ResolvedSession | { readonly why: string };

async function known(
  agent: RunningAgent,
  binding: Binding,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<Found> {
  const { agentSession: id } = binding;
  const resolved = (session: AgentSession): ResolvedSession => ({
    session,
    seed: null,
    continuity: { kind: 'remembers' },
    from: binding.from,
  });
  const isListed = () => listed(agent, id, request.place.cwd, signal);
  if (request.fork && agent.abilities.fork) {
    const forked = await orNull(agent.forkSession(id, request.place, signal), isListed);
    if (forked) return resolved(forked);
  }
  const live = agent.session(id);
  // A fork must leave the branch that it starts from as it is.
  if (request.fork) return { why: 'this agent cannot copy what it knows' };
  if (live && isOwn(binding, request)) return resolved(live);
  if (!isFree(binding, request)) return { why: 'another window has the agent’s session' };
  // Another window went on with it in a process of its own.
  await live?.close();
  // Only what is played back shows whether the session went on elsewhere.
  const loaded = agent.abilities.load ? await orNull(agent.loadSession(id, request.place, signal), isListed) : null;
  if (loaded) {
    if (isReplayOf(loaded.replayedPrompts, promptsOf(binding, request.path))) return resolved(loaded.session);
    await loaded.session.close();
    return { why: 'the agent’s session went on elsewhere' };
  }
  const resumed = agent.abilities.resume
    ? await orNull(agent.resumeSession(id, request.place, signal), isListed)
    : null;
  return resumed ? resolved(resumed) : { why: 'the agent no longer has this conversation' };
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

async function takePath(agent: RunningAgent, request: SessionRequest, signal: AbortSignal): Promise<ResolvedSession> {
  // It remembers nothing, so any session of it does, and one for the whole conversation is enough.
  const session = (request.live && agent.session(request.live.id)) ?? (await agent.newSession(request.place, signal));
  return { session, seed: null, continuity: given(request, session.contextWindow), from: null };
}

/** Of the path, what an agent that is given it is not told, because its model takes only so much at once. */
export function notGiven(
  { path, program }: Pick<SessionRequest, 'path' | 'program'>,
  window: number | null,
): readonly Message[] {
  return window === null ? [] : fitted(path, roomFor(window), keptBy(program)).leftOut;
}

function keptBy({ ref, newestKept = usualNewest }: AgentProgram): FittingWay {
  return { agent: ref.id, newest: newestKept };
}

/** What an agent that is given the path will know of it: all, unless its model takes only so much at once. */
export function given({ path, program }: Pick<SessionRequest, 'path' | 'program'>, window: number | null): Continuity {
  if (path.length === 0) return { kind: 'fresh' };
  if (window === null) return { kind: 'remembers' };
  const { summary, left, tokens } = fitted(path, roomFor(window), keptBy(program));
  if (left === 0) return { kind: 'remembers', ...(summary === null ? {} : { compacted: true }) };
  const why = 'its model takes no more at once';
  return { kind: 'reseeded', messages: path.length - left, of: path.length, tokens, why };
}

/** So much goes to any model that can be worked with. */
const smallestWindow = 8192;

function givenAhead(request: SessionRequest): Continuity {
  const { live, contextWindow, program } = request;
  const window = live?.contextWindow ?? contextWindow;
  if (window !== null || !program.hasWindow) return given(request, window);
  // Which model it will be is known when a session of it is open.
  return given(request, smallestWindow).kind === 'reseeded' ? { kind: 'checking', asked: false } : given(request, null);
}

async function fresh(agent: RunningAgent, request: SessionRequest, signal: AbortSignal): Promise<ResolvedSession> {
  const session = await agent.newSession(request.place, signal);
  return { session, seed: null, continuity: { kind: 'fresh' }, from: null };
}

async function seeded(
  agent: RunningAgent,
  request: SessionRequest,
  why: string | undefined,
  signal: AbortSignal,
): Promise<ResolvedSession> {
  const seed = seedOf(request.path, budgetOf(request));
  const session = await agent.newSession(request.place, signal);
  const from = request.path.at(-1)?.id ?? null;
  return { session, seed, continuity: reseeded(seed, why ?? whyNot(request)), from };
}

function reseeded({ messages, of, tokens }: Seed, why: string | null): Continuity {
  return { kind: 'reseeded', messages, of, tokens, ...(why === null ? {} : { why }) };
}

/** How much a transcript holds. */
export function budgetOf({ budget, contextWindow }: Pick<SessionRequest, 'budget' | 'contextWindow'>): SeedBudget {
  return budget ?? budgetFor(contextWindow);
}

/** This window prompted it last: what its process knows is what is bound. */
function isOwn({ owner }: Binding, { writer }: SessionRequest): boolean {
  return owner === writer;
}

export function isFree({ owner }: Binding, { writer, alive }: SessionRequest): boolean {
  return owner === writer || !alive.has(owner);
}

/** Why no session of the agent is bound here, in words that go on "it gets a transcript, because …". */
function whyNot({ bindings, program, path }: SessionRequest): string | null {
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
