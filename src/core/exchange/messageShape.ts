// Whether a message and its blocks, as they stand in a file that somebody gave us, are what the rest of the house takes
// them for. Promises: what is let through has every field of the type that it should have, and no field that nobody
// knows, in the order in which they came; JSON that an agent made is any JSON. It judges no content.

import type { FileChange, FileState } from '../../model/changes.ts';
import type { Block, Message, StopReason, ToolStatus } from '../../model/message.ts';

type Check = (value: unknown) => boolean;
interface Shape {
  readonly [field: string]: Check;
}

/** Given to a field that may be missing. */
const optional = new WeakSet<Check>();

function maybe(check: Check): Check {
  const copy: Check = value => check(value);
  optional.add(copy);
  return copy;
}

export const isText: Check = value => typeof value === 'string';
export const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value);
const isJson: Check = value => value !== undefined;
const oneOf =
  (...words: readonly string[]): Check =>
  value =>
    words.includes(value as string);
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check);
const has =
  (shape: Shape): Check =>
  value =>
    isObject(value) &&
    Object.entries(shape).every(([field, check]) =>
      Object.hasOwn(value, field) ? check(value[field]) : optional.has(check),
    );

/** It becomes part of the names of files. */
export const isMessageId: Check = value => typeof value === 'string' && /^[0-9a-z]{1,64}$/.test(value);
export const isAgentRef: Check = has({ id: isText, name: isText });
const isBlob: Check = value =>
  isObject(value) && /^[0-9a-f]{64}$/.test(String(value['sha256'])) && Number.isSafeInteger(value['size']);
const statuses: readonly ToolStatus[] = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'];
const reasons: readonly StopReason[] = [
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
  'failed',
];

const fileStateShape: Shape = { kind: isText, is: maybe(isBlob), content: maybe(isBlob) };
const isFileState: Check = value =>
  isObject(value) &&
  (value['kind'] === 'absent' ||
    value['kind'] === 'unknown' ||
    (value['kind'] === 'file' && has({ ...fileStateShape, is: isBlob })(value)));

const fileStates: Shape = { before: isFileState, after: isFileState };
const fileShape: Shape = {
  path: isText,
  ...fileStates,
  lines: maybe(has({ added: isNumber, removed: isNumber })),
  seen: oneOf('written', 'told', 'disk'),
  // An older version exports what a newer one imported with its real states here.
  foreign: maybe(has(fileStates)),
};

const words: Shape = { text: isText };
const media: Shape = { data: maybe(isBlob), uri: maybe(isText), name: maybe(isText) };

/** Besides what every block has. */
const blocks: { readonly [kind in Block['kind']]: Shape } = {
  text: words,
  thought: words,
  toolCall: {
    callId: isText,
    title: isText,
    tool: isText,
    status: oneOf(...statuses),
    locations: listOf(has({ path: isText, line: maybe(isNumber) })),
    input: maybe(isJson),
    output: listOf(isJson),
    raw: maybe(isJson),
    permission: maybe(
      has({
        choice: value => value === null || isText(value),
        allowed: value => typeof value === 'boolean',
        byRule: maybe(value => value === true),
      }),
    ),
  },
  plan: {
    entries: listOf(
      has({
        content: isText,
        priority: oneOf('high', 'medium', 'low'),
        status: oneOf('pending', 'in_progress', 'completed'),
      }),
    ),
  },
  image: media,
  audio: media,
  video: media,
  resource: { uri: isText, name: maybe(isText), text: maybe(isText), data: maybe(isBlob) },
  notice: { severity: oneOf('info', 'warning', 'error'), text: isText },
  changes: {
    files: listOf(has(fileShape)),
  },
  unknown: { value: isJson },
};

const everyBlock: Shape = { kind: isText, mime: isText, extra: maybe(isObject) };

const endShape: Shape = {
  reason: oneOf(...reasons),
  at: isNumber,
  detail: maybe(isText),
  usage: maybe(
    has({
      inputTokens: maybe(isNumber),
      outputTokens: maybe(isNumber),
      cachedTokens: maybe(isNumber),
      thoughtTokens: maybe(isNumber),
      cost: maybe(has({ amount: isNumber, currency: isText })),
    }),
  ),
};

const messageShape: Shape = {
  id: isMessageId,
  parent: value => value === null || isMessageId(value),
  role: oneOf('user', 'assistant', 'summary'),
  created: isNumber,
  agent: maybe(isAgentRef),
  label: maybe(isText),
  covers: maybe(isMessageId),
  leftOut: maybe(listOf(isMessageId)),
  blocks: Array.isArray,
  end: maybe(has(endShape)),
};

/** The message without its blocks, which are read one by one. Null where it is none. */
export function messageIn(value: unknown): Omit<Message, 'session'> | null {
  if (!has(messageShape)(value)) return null;
  const message = only(value as object, messageShape) as { blocks: readonly unknown[]; end?: object };
  message.blocks = [];
  if (message.end) message.end = only(message.end, endShape);
  return message as unknown as Omit<Message, 'session'>;
}

/** Null where it is none. */
export function blockIn(value: unknown): Block | null {
  if (!isObject(value) || !has(everyBlock)(value)) return null;
  const kind = String(value['kind']);
  const shape = Object.hasOwn(blocks, kind) ? { ...everyBlock, ...blocks[kind as Block['kind']] } : null;
  if (!shape || !has(shape)(value)) return null;
  const block = only(value, shape) as unknown as Block;
  return block.kind === 'changes' ? { ...block, files: block.files.map(changeIn) } : block;
}

function changeIn(change: FileChange): FileChange {
  const { foreign, ...own } = only(change, fileShape) as FileChange;
  const { before, after } = foreign ?? own;
  const state = (one: FileState) => only(one, fileStateShape) as FileState;
  return { ...own, before: state(before), after: state(after) };
}

function only(value: object, shape: Shape): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => Object.hasOwn(shape, field)));
}
