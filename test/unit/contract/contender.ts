// An agent that the contracts are run with: how it is started, and with which words of a person it does what. What one
// cannot do it does not offer, and the rows that need it are not made.

import type { AboutAgent, Message } from '../../../src/model/message.ts';
import type { Transport } from '../../../src/node/acp/transport.ts';
import type { Case } from './runner.ts';
import type { Passed } from './wire.ts';

export interface Contender {
  readonly name: string;
  /** What it is called in history. */
  readonly id: string;
  /** Everything that it keeps, apart from every other test's. `project` is the folder that it works in. */
  readonly setUp: (t: Case, project: string) => Promise<Backstage>;
  /** Something to be answered in many pieces; different for each `n`. */
  readonly answer: (n: number) => Said;
  /** Something that is answered with more than words. */
  readonly tour: (project: string) => string;
  /** Begins to speak and goes on for long. */
  readonly slow: string;
  /** Whatever else stands in a prompt, these words do not change what it does. */
  readonly note: (words: string, said: Said) => string;
  readonly can: Abilities;
}

/** What a person says, and the text of the answer to it after what was said before. */
export interface Said {
  readonly prompt: string;
  readonly text: (before: readonly Message[], prompt: string, project: string) => Promise<string>;
}

export interface Abilities {
  /** Says exactly this, which does not stand in the prompt as it is. */
  readonly say?: (words: string) => string;
  /** Says at least so many characters. */
  readonly long?: (characters: number) => Said;
  /** Asks, and writes a file if it may; then it says something. */
  readonly write?: (path: string, content: string) => string;
  /** Its files are written by us, so that none outside of the project is. */
  readonly writesThroughUs?: true;
  /** Writes these words where a program complains, and then is as slow as `slow`. */
  readonly complain?: (words: string) => string;
  /** It is a process, which can be killed. */
  readonly dies?: true;
  /** It plays back what was said, so that we see what went on without us. */
  readonly playsBack?: true;
  /** It ends with words where a prompt is as long as five megabytes. */
  readonly limited?: true;
  /** It keeps sessions that outlive it. */
  readonly remembers?: true;
}

export interface Backstage {
  readonly open: (onWarning: (words: string) => void) => Promise<Transport>;
  readonly about?: AboutAgent;
  readonly takesPath?: boolean;
  /** All that the model was told when it answered the prompt with this word in it, which is the last of its path. */
  readonly told: (word: string, passed: readonly Passed[]) => string;
  /** Its sessions are deleted, while it does not run. */
  readonly forget?: () => void;
}
