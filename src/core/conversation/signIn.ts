// The person signs in to an agent that asks for it before it answers. Promises: nothing is tried that the person did not
// choose; what went wrong is said, and another way can be chosen; the prompt that waits goes out when it worked.

import type { Held, HeldChoice } from '../../model/agentState.ts';
import { AgentError, agentErrorIn } from '../agentError.ts';
import type { AgentProgram, AskPerson } from '../agents.ts';

export interface SignInPorts {
  readonly hold: (held: Held, signal: AbortSignal) => Promise<HeldChoice | null>;
  readonly ask: AskPerson;
}

/** Throws the agent's refusal where it names no way to sign in. */
export async function signIn(
  program: AgentProgram,
  refusal: AgentError,
  { hold, ask }: SignInPorts,
  signal: AbortSignal,
): Promise<'retry' | 'cancel'> {
  const agent = await program.start(signal);
  const methods = agent.abilities.authMethods.map(({ id, name, description, kind }) => ({
    id,
    name,
    description,
    kind,
  }));
  if (methods.length === 0) throw refusal;
  for (let words: string | null = null; ;) {
    const choice = await hold({ kind: 'signIn', methods, trying: null, words }, signal);
    if (choice === 'retry') return 'retry';
    if (choice === null || typeof choice === 'string') return 'cancel';
    const method = methods.find(({ id }) => id === choice.signIn);
    if (!method) continue;
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const trying = hold({ kind: 'signIn', methods, trying: method.id, words: null }, until);
    try {
      const signedIn = program.signIn(method.id, ask, until).then(() => 'retry' as const);
      const first = await Promise.race([signedIn, trying.then(() => 'stopped' as const)]);
      if (first === 'retry') return 'retry';
      signedIn.catch(() => {
        // The person does not want it any more.
      });
      words = null;
    } catch (cause) {
      words = agentErrorIn(cause)?.message ?? String(cause);
    } finally {
      over.abort();
    }
    if (signal.aborted) return 'cancel';
  }
}

/** Where the agent asked for it in the middle: what was sent stays as it ended, and the next prompt finds the door open. */
export async function signInMeanwhile(
  end: { readonly needsSignIn?: boolean; readonly detail?: string },
  program: AgentProgram,
  ports: SignInPorts,
  signal: AbortSignal,
): Promise<void> {
  if (!end.needsSignIn) return;
  const refusal = new AgentError('sign-in', end.detail ?? 'The agent wants to know who you are.');
  await signIn(program, refusal, ports, signal).catch(() => {
    // It names no way to sign in: its words stand at the end of the answer.
  });
}
