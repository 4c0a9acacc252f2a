// The jobs that reach an agent: finding its session, setting its options, signing in, and sending a prompt.

import { agentErrorIn } from '../agentError.ts';
import type { AgentAnswer, TurnDesk } from '../agentTurn.ts';
import type { ChosenOption, Jobs } from './effect.ts';
import type { JobTable } from './effects.ts';
import { tried } from './effects.ts';
import { isCommand, partsOf, seedAlone } from './prompt.ts';
import { given, resolveSession, type ResolvedSession } from './resumeAgentSession.ts';
import type { TurnEffects } from './turnEffects.ts';

export function agentJobs(
  turns: TurnEffects,
): Pick<
  JobTable,
  'resolveSession' | 'confirmSession' | 'restoreOptions' | 'setOption' | 'readSignInMethods' | 'signIn' | 'prompt'
> {
  return {
    resolveSession: ({ request }, signal) => tried(() => resolveSession(request, signal)),
    confirmSession: (asked, signal) => tried(() => confirmSession(asked, signal)),
    restoreOptions,
    setOption: ({ session, option, value }, signal) =>
      tried(async () => {
        await session.setOption(option, value, signal);
        return null;
      }),
    readSignInMethods: ({ program }, signal) => tried(async () => (await program.start(signal)).abilities.authMethods),
    signIn: ({ program, method }, signal) =>
      tried(async () => {
        await program.signIn(method, (elicitation, asked) => turns.elicit(null, elicitation, asked), signal);
        return null;
      }),
    prompt: (asked, signal) => prompt(asked, turns, signal),
  };
}

/** An agent that was stopped meanwhile, as an idle one is, has no session any more. */
async function confirmSession(
  { request, found }: Jobs['confirmSession']['ask'],
  signal: AbortSignal,
): Promise<ResolvedSession> {
  const agent = await request.program.start(signal);
  if (agent.session(found.session.id) !== found.session) return resolveSession(request, signal);
  // Another model may have been chosen since, which takes less.
  const { takesPath } = request.program;
  return takesPath ? { ...found, continuity: given(request, found.session.contextWindow) } : found;
}

/** Makes a session what the person set this agent to. */
async function restoreOptions(
  { session, chosen }: Jobs['restoreOptions']['ask'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const words: string[] = [];
  // What else there is to be set depends on the model.
  const isModel = ({ option }: ChosenOption) =>
    session.options.some(({ id, category }) => id === option && category === 'model');
  const inOrder = [...chosen.filter(isModel), ...chosen.filter(one => !isModel(one))];
  for (const { option, value } of inOrder) {
    const known = session.options.find(({ id }) => id === option);
    if (!known || known.value === value) continue;
    if (known.choices && !known.choices.some(choice => choice.value === value)) {
      words.push(`“${known.name}” cannot be “${value}” any more.`);
      continue;
    }
    try {
      await session.setOption(option, value, signal);
    } catch (cause) {
      if (signal.aborted) return words;
      const why = agentErrorIn(cause)?.message ?? 'the agent refused';
      words.push(`“${known.name}” could not be set to “${value}” again: ${why}`);
    }
  }
  return words;
}

async function prompt(asked: Jobs['prompt']['ask'], turns: TurnEffects, signal: AbortSignal): Promise<AgentAnswer> {
  try {
    const desk = turns.begin(asked.turn, asked.text !== null, signal);
    return await send(asked, desk, signal);
  } catch (cause) {
    return { reason: 'failed', detail: cause instanceof Error ? cause.message : String(cause), agreed: false };
  }
}

async function send(
  { session, seed, path, text, parts }: Jobs['prompt']['ask'],
  desk: TurnDesk,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  if (text === null) return session.prompt({ parts, path }, desk, signal);
  if (seed && isCommand(text)) {
    const told = await session.prompt({ parts: seedAlone(seed), path }, silentIn(desk), signal);
    if (told.reason !== 'end_turn') return told;
    if (signal.aborted) return { reason: 'cancelled', agreed: false };
  }
  return session.prompt({ parts: partsOf(text, seed, parts), path }, desk, signal);
}

/** Nobody is shown or asked anything; what is written belongs to the turn all the same. */
function silentIn({ onWrite, onWriting }: TurnDesk): TurnDesk {
  return {
    onUpdate() {},
    ask: () => Promise.resolve(null),
    elicit: () => Promise.resolve({ action: 'cancel' }),
    onWrite,
    onWriting,
  };
}
