// What a person is told about an error, and the log behind it. Promises: a failure is one sentence that
// says what did not work and why, with a way to the log; the log has the causes, and never what was said in a
// conversation.

import type { LogOutputChannel } from 'vscode';
import type { Redact } from '../node/acp/errors.ts';
import { showError } from './notify/messages.ts';
import { logLine, shownLine } from './reportWords.ts';

export interface Report {
  /** Something that a person asked for did not work. */
  readonly failure: (what: string, cause: unknown) => void;
  /** Something went wrong that nobody waits for. */
  readonly warn: (what: string, cause?: unknown) => void;
  readonly info: (what: string) => void;
}

export function reportTo(log: LogOutputChannel, redact: Redact): Report {
  return {
    failure(what, cause) {
      log.error(logLine(what, cause, redact));
      void showError(shownLine(what, cause, redact), 'Show Log').then(choice => {
        if (choice) log.show();
      });
    },
    warn: (what, cause) => log.warn(cause === undefined ? redact(what) : logLine(what, cause, redact)),
    info: what => log.info(redact(what)),
  };
}
