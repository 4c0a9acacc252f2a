// What the agent will know when the next prompt is sent: worked out before it is sent, and never better than the truth.

import type { Message } from '../../model/message.ts';
import type { Continuity } from '../../model/transcript.ts';
import type { Agent } from '../ports.ts';

export function continuityOf(path: readonly Message[], agent: Pick<Agent, 'takesPath'>): Continuity {
  // An agent that is not given the path knows nothing of it, so for that agent a long conversation is fresh as well.
  return path.length > 0 && agent.takesPath ? { kind: 'remembers' } : { kind: 'fresh' };
}
