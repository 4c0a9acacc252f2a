// Waiting for something that somebody else may go on with, only as long as one's own signal allows.

import { AgentError } from '../../core/agentError.ts';

/** The value, or `cancelled` as soon as the signal says so. */
export function waitFor<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

export function cancelled(): AgentError {
  return new AgentError('cancelled', 'It was cancelled.');
}
