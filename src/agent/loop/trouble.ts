// What goes wrong with a model, with a code for the loop and words for a person. Promises: the words say what happened and
// what can be done about it, and hold no key.

import { thinkingNames, type ThinkingLevel } from './model.ts';

export type TroubleCode =
  | 'noKey'
  | 'refused'
  | 'noCredit'
  | 'tooOften'
  | 'tooLong'
  | 'noModel'
  | 'unreachable'
  | 'broken'
  | 'server'
  | 'other';

export class ModelTrouble extends Error {
  override readonly name = 'ModelTrouble';
  readonly code: TroubleCode;

  constructor(code: TroubleCode, words: string) {
    super(words);
    this.code = code;
  }
}

/** Not by its class: what throws it may be a bundle of its own. */
export function troubleIn(cause: unknown): ModelTrouble | null {
  return cause instanceof Error && cause.name === 'ModelTrouble' ? (cause as ModelTrouble) : null;
}

/** An answer of a server that is no answer of a model. */
export interface ServerSaid {
  readonly status: number;
  readonly message: string;
  /** Its word for the kind of trouble, where it has one. */
  readonly kind: string;
  /** Seconds. */
  readonly retryAfter: number | null;
}

interface Row {
  readonly fits: (said: ServerSaid) => boolean;
  readonly code: TroubleCode;
  readonly words: (who: string, said: ServerSaid) => string;
}

const connect = '“Throughline: Connect a Model…”';

/** The first that fits counts. Servers agree on few codes, so some are told by their words. */
const table: readonly Row[] = [
  {
    fits: ({ status, message, kind }) =>
      status !== 429 &&
      /context.?length|context.?window|context_size|maximum context|prompt is too long|too many tokens|request_too_large|exceeds? the (available|model)/i.test(
        `${kind} ${message}`,
      ),
    code: 'tooLong',
    words: who => `The conversation is too long for ${who}. Begin a new session, or summarise this one and go on.`,
  },
  {
    fits: ({ status }) => status === 401,
    code: 'refused',
    words: who => `${who} does not accept the key. Set another one with ${connect}.`,
  },
  {
    fits: ({ status, message, kind }) =>
      status === 402 || /insufficient_quota|credit balance|billing/i.test(`${kind} ${message}`),
    code: 'noCredit',
    words: (who, { message }) => `The account at ${who} has no credit left.${quoted(message)}`,
  },
  {
    fits: ({ status }) => status === 429,
    code: 'tooOften',
    words: (who, { retryAfter, message }) =>
      `${who} was asked too often. Try again ${retryAfter === null ? 'in a while' : `in ${inWords(retryAfter)}`}.${quoted(message)}`,
  },
  {
    fits: ({ status, message, kind }) =>
      status === 404 || /model_not_found|model .*(not found|does not exist)/i.test(`${kind} ${message}`),
    code: 'noModel',
    words: (who, { message }) => `${who} is not there any more. Choose another model.${quoted(message)}`,
  },
  {
    fits: ({ status }) => status === 403,
    code: 'refused',
    words: (who, { message }) => `${who} may not be used with this key.${quoted(message)}`,
  },
  {
    fits: ({ status }) => status === 413,
    code: 'tooLong',
    words: who => `What was sent is too long for ${who}. Begin a new session, or summarise this one and go on.`,
  },
  {
    fits: ({ status }) => status === 529 || status === 503,
    code: 'server',
    words: who => `${who} is overloaded at the moment. Try again in a while.`,
  },
  {
    fits: ({ status }) => status >= 500,
    code: 'server',
    words: (who, { status, message }) => `${who} has trouble of its own (${status}).${quoted(message)}`,
  },
  {
    fits: () => true,
    code: 'other',
    words: (who, { status, message }) =>
      `${who} refused the request${status > 0 ? ` (${status})` : ''}.${quoted(message)}`,
  },
];

export function troubleOf(who: string, said: ServerSaid): ModelTrouble {
  const row = table.find(({ fits }) => fits(said));
  if (!row) throw new Error('The table ends with a row for everything.');
  return new ModelTrouble(row.code, row.words(who, said));
}

export function noKey(who: string, why: string): ModelTrouble {
  return new ModelTrouble('noKey', `${who} needs a key. ${why}`);
}

export function unreachable(who: string, where: string): ModelTrouble {
  return new ModelTrouble(
    'unreachable',
    `${who} cannot be reached at ${where}. Is it running, and is there a network?`,
  );
}

/** It was told how long it may think, and refuses that. */
export function noThinking(who: string, level: ThinkingLevel, message: string): ModelTrouble {
  const words = `${who} refuses the request because of “Thinking: ${thinkingNames[level]}”.`;
  return new ModelTrouble(
    'other',
    `${words} Set Thinking to something else, or to Default, and send it again.${quoted(message)}`,
  );
}

export function broken(who: string): ModelTrouble {
  return new ModelTrouble(
    'broken',
    `The connection to ${who} broke in the middle of the answer. What had come is kept.`,
  );
}

function quoted(message: string): string {
  const words = message.replace(/\s+/g, ' ').trim().slice(0, 500);
  return words === '' ? '' : ` It says: “${words}”`;
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
