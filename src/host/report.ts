// The one place that talks to a person about errors, and the log behind it. Promises: a failure is one sentence that
// says what did not work and why, with a way to the log; the log has the causes, and never what was said in a
// conversation.

import { type LogOutputChannel, window } from 'vscode';
import { agentErrorIn } from '../core/agentError.ts';

export interface Report {
  /** Something that a person asked for did not work. */
  readonly failure: (what: string, cause: unknown) => void;
  /** Something went wrong that nobody waits for. */
  readonly warn: (what: string, cause?: unknown) => void;
  readonly info: (what: string) => void;
}

export function reportTo(log: LogOutputChannel): Report {
  return {
    failure(what, cause) {
      log.error(`${what} ${detailOf(cause)}`);
      const words = cause instanceof Error ? `${what} ${cause.message}` : what;
      void window.showErrorMessage(words, 'Show Log').then(choice => {
        if (choice) log.show();
      });
    },
    warn: (what, cause) => log.warn(cause === undefined ? what : `${what} ${detailOf(cause)}`),
    info: what => log.info(what),
  };
}

/** Of an agent's failure only its kind: its words are the agent's, which may say again what was said to it. */
function detailOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `(${typeof cause})`;
  const agents = agentErrorIn(cause);
  if (agents) return `[${agents.name}] ${agents.code}`;
  const inner = cause.cause === undefined ? '' : `: ${detailOf(cause.cause)}`;
  return `[${cause.name}] ${cause.message}${inner}`;
}
