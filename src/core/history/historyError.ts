// What can go wrong with history, each with a code for programs and words for a person. Expected trouble of storage is
// always one of these; anything else that is thrown is a bug.

export type HistoryErrorCode =
  | 'disk-full'
  | 'no-permission'
  | 'read-only'
  | 'gone'
  | 'io'
  | 'no-session'
  | 'no-parent'
  | 'no-message'
  | 'no-blob'
  | 'exists'
  | 'has-children'
  | 'erased'
  | 'trashed'
  | 'agent-session-taken'
  | 'too-large'
  | 'invalid'
  | 'export-too-large'
  | 'export-too-long'
  | 'busy'
  | 'restarting'
  | 'crashed'
  | 'internal'
  | 'closed';

const words: { readonly [code in HistoryErrorCode]: string } = {
  'disk-full': 'The disk is full, so this conversation cannot be saved. Free some space and send again.',
  'no-permission': 'The history folder may not be written to, so this conversation cannot be saved.',
  'read-only': 'The history folder is on a read-only disk, so this conversation cannot be saved.',
  gone: 'The history folder is gone, so this conversation cannot be saved.',
  io: 'The disk reported an error, so this conversation could not be saved.',
  'no-session': 'This session is not in the history.',
  'no-parent': 'The message that this one answers is not in the history.',
  'no-message': 'This message is not in the history.',
  'no-blob': 'The file with this content is gone from the history folder, or is damaged.',
  exists: 'A message with this id is in the history already.',
  'has-children': 'This message has been answered. Delete the whole branch below it, or nothing.',
  erased: 'This was deleted permanently, so nothing can be added to it.',
  trashed: 'The branch that this message continues is in the trash. Restore it to go on.',
  'agent-session-taken': 'Another window went on with the agent’s session.',
  'too-large': 'A value of the session is too large to be kept: it may have up to 256 KB.',
  invalid: 'This is not in a form that the history can keep.',
  'export-too-large':
    'This history is too large for one SQLite file: it may take up to 1 GB, and memory for twice as much. Nothing was written.',
  'export-too-long':
    'This is too much for one JSON file: it may have up to 256 MB. Export fewer sessions at once, or the whole history as SQLite. Nothing was written.',
  busy: 'The history is being searched already. Stop that search, or wait for its end.',
  restarting: 'The history stopped and is restarting. Until it’s back, new messages aren’t saved.',
  crashed: 'The history stopped unexpectedly while it worked on this, so it wasn’t done.',
  internal: 'The history reported an internal error. The Throughline log has the details.',
  closed: 'The history is closed.',
};

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, cause?: unknown) {
    super(words[code], cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Where an unexpected error was thrown. Its message is left out: it may quote a conversation, and this goes to the log.
 */
export function stackOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause;
  const code = 'code' in cause ? ` ${String(cause.code)}` : '';
  const frames = (cause.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return [`${cause.name}${code}`, ...frames].join('\n');
}

const codes: { readonly [systemCode: string]: HistoryErrorCode } = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EFBIG: 'disk-full',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'read-only',
  ENOENT: 'gone',
  ENOTDIR: 'gone',
};

/**
 * The error of a history that was thrown. Not by its class: what throws it may be a bundle of its own, with a class of the
 * same name.
 */
export function historyErrorIn(cause: unknown): HistoryError | null {
  return cause instanceof Error && cause.name === 'HistoryError' ? (cause as HistoryError) : null;
}

/** The history error that a failed system call means; what is none of those is a bug, and says so. */
export function historyErrorOf(cause: unknown): HistoryError {
  const known = historyErrorIn(cause);
  if (known) return known;
  const systemCode = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
  return new HistoryError(systemCode === null ? 'internal' : (codes[systemCode] ?? 'io'), cause);
}
