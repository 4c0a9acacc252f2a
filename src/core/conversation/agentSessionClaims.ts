// The record of a prompt claims the agent session that will answer it: it binds that session, as one of which nobody knows
// what it will know. Two windows can both find the same session free before either has read of the other; only the first
// claim is appended, because the second one no longer goes on from what the session knows.

import type { Json, MessageId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { bindingOf } from './binding.ts';

export interface AgentSessionClaim {
  /** The field of the session in which the binding is kept. */
  readonly of: string;
  readonly binding: Json;
  /** The last message that the agent session has to know, and nothing after it. */
  readonly parent: MessageId | null;
}

export function claimsIn(facts: readonly Fact[]): readonly AgentSessionClaim[] {
  const begun = facts.find(fact => fact.type === 'message');
  if (begun?.type !== 'message') return [];
  const { parent } = begun.message;
  return facts.flatMap(fact => {
    if (fact.type !== 'set' || fact.name !== 'binding') return [];
    const binding = fact.value as Json;
    return bindingOf(binding)?.dirty ? [{ of: fact.of ?? '', binding, parent }] : [];
  });
}

/** `stored` is the binding as history has it; undefined where the agent session was never bound. */
export function isClaimable(stored: Json | undefined, { binding, parent }: AgentSessionClaim): boolean {
  if (stored === undefined) return true;
  const known = bindingOf(stored);
  if (known?.dirty === false && known.head === parent) return true;
  // The same claim stands there of a turn whose end this window could not save.
  return JSON.stringify(stored) === JSON.stringify(binding);
}
