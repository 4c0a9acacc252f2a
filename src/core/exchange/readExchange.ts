// What may be believed of a file with sessions: it is a stranger's until shown otherwise. Pure. Promises: a session is taken
// whole or refused in words; what is let through holds ids that can be names of files, times that have come, messages of
// the known shape without a circle, and only what may travel. Who reads the file gives it part by part, so that none of it
// has to be in memory as a whole, and measures each part before it is made into anything.

import * as z from 'zod/mini';
import type { Block, Json, Message, MessageId } from '../../model/message.ts';
import {
  exchangeFormat,
  exchangeVersion,
  type ExchangedField,
  type MessageOutline,
  type TakenField,
} from './exchange.ts';
import { agentRef, blockIn, cleanWords, isObject, messageId, messageIn } from './messageShape.ts';

/** A session, or what belongs to it, can't be taken; the message says why, for a person. */
export class Refused extends Error {}

/** What a part of a session takes; `depth` counts from the session. */
export interface PartSize {
  readonly length: number;
  readonly values: number;
  readonly depth: number;
}

/** A clock may be wrong by so much. */
const day = 24 * 3_600_000;
/** What is nested deeper, no agent made. */
const deepest = 1000;
const megabyte = 1024 * 1024;
/** Of a block, a field, a system prompt: parsing takes some times as much memory, and there is one at a time. */
const longestPart = 8 * megabyte;
const mostValues = 500_000;
const longestValue = 256 * 1024;
const longestFields = 16 * megabyte;
/** What is said of a message or a session in a few words. */
export const longestAbout = megabyte;
export const mostSessions = 100_000;
const mostMessages = 50_000;
/** In base64. */
export const longestAttachment = 64 * megabyte;

export const notJson = 'It is not JSON, or its end is missing.';
export const notExchange = 'It is not an export of sessions.';
export const malformed = 'It is not written as an export is.';
export const changedAttachment = 'One of its attachments is not what it was when it was exported.';

/** Throws Refused for the file. */
export function checkExchange(format: unknown, version: unknown, hasSessions: boolean): void {
  if (format !== exchangeFormat) throw new Refused(notExchange);
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    throw new Refused('It does not say of which version it is.');
  if (version > exchangeVersion)
    throw new Refused('It was written by a newer version of Throughline. Update, and try again.');
  if (!hasSessions) throw new Refused('There is no list of sessions in it.');
}

/** Before a part of a session is parsed. */
export function mustBeSmall({ length, values, depth }: PartSize, longest = longestPart): void {
  if (depth > deepest) throw new Refused('Something in it is nested too deeply.');
  if (length > longest) throw new Refused(`A part of it is larger than ${longest / megabyte} MB.`);
  if (values > mostValues) throw new Refused('A part of it has too many values.');
}

const aboutShape = z.object({
  // It becomes part of the names of files.
  id: z.string().check(z.regex(/^[2-9a-hjkmnp-z]{12}$/)),
  created: z.number(),
  agent: agentRef,
  cwd: z.exactOptional(z.string()),
  origin: z.exactOptional(z.pipe(z.string(), z.transform(cleanWords))),
  systemPrompt: z.exactOptional(z.string()),
});

const noTime = 'The time at which it began is none, or is still to come.';
const refusals: ReadonlyMap<unknown, string> = new Map([
  ['id', 'Its id is none.'],
  ['created', noTime],
  ['agent', 'Its agent has no name.'],
]);

/** Of a session what it says of itself. */
export function aboutSession(value: { readonly [key: string]: unknown }, now: number): z.infer<typeof aboutShape> {
  const { data, error } = aboutShape.safeParse(value);
  if (error) throw new Refused(refusals.get(error.issues[0]?.path[0]) ?? malformed);
  if (!isTime(data.created, now)) throw new Refused(noTime);
  return data;
}

/** A message whose blocks come apart; `at` is its place among those of the session. */
export function messageOf(value: unknown, at: number, now: number): Omit<Message, 'session'> {
  const message = messageIn(value);
  if (!message) throw notMessage(at);
  if (!isTime(message.created, now) || (message.end && !isTime(message.end.at, now)))
    throw new Refused(`The time of its message ${at + 1} is none, or is still to come.`);
  return message;
}

export function blockOf(value: unknown, at: number): Block {
  const block = blockIn(value);
  if (!block) throw notMessage(at);
  return block;
}

export function notMessage(at: number): Refused {
  return new Refused(`Its message ${at + 1} is not written as an export is.`);
}

/** Collects what has to be known of all messages of a session at once. */
export class Outlines {
  readonly list: MessageOutline[] = [];
  private readonly ids = new Set<MessageId>();

  add(outline: MessageOutline): void {
    if (this.list.length === mostMessages) throw new Refused('It has more than 50,000 messages.');
    if (this.ids.has(outline.id)) throw new Refused('Two of its messages have the same id.');
    this.ids.add(outline.id);
    this.list.push(outline);
  }

  /** Throws where they are no tree. One may answer another that is missing, as in a damaged history. */
  checked(): ReadonlySet<MessageId> {
    const parents = new Map(this.list.map(({ id, parent }) => [id, parent]));
    const fine = new Set<string>();
    for (const { id } of this.list) {
      const walked = new Set<string>();
      let at: string | null | undefined = id;
      for (; typeof at === 'string' && !fine.has(at); at = parents.get(at)) {
        if (walked.has(at)) throw new Refused('Its messages answer one another in a circle.');
        walked.add(at);
      }
      for (const one of walked) fine.add(one);
    }
    return this.ids;
  }
}

/** Of all fields that are taken, so that they may be in memory together. */
export class FieldSizes {
  private length = 0;
  private values = 0;

  add({ length, values }: PartSize): void {
    this.length += length;
    this.values += values;
    if (this.length > longestFields || this.values > mostValues) throw new Refused('Too much was set of it.');
  }
}

/** What does not fit is left out: nothing that was said is lost with it. */
export function fieldIn(value: unknown, messages: ReadonlySet<string>): readonly ExchangedField[] {
  if (!isObject(value)) return [];
  const { name, of, from, value: set } = value;
  if (typeof name !== 'string' || !Object.hasOwn(fits, name) || set === undefined) return [];
  if ((of !== undefined && typeof of !== 'string') || (from !== undefined && !messageId.safeParse(from).success))
    return [];
  const field = { name, of, from, value: set } as ExchangedField;
  if (JSON.stringify(set).length > longestValue || !fits[name as TakenField](field, messages)) return [];
  return [
    {
      name: field.name,
      ...(field.of === undefined ? {} : { of: name === 'label' ? cleanWords(field.of) : field.of }),
      value: shown.has(name) && typeof set === 'string' ? cleanWords(set) : (set as Json),
      ...(field.from === undefined ? {} : { from: field.from }),
    },
  ];
}

/** A person reads them in lists. */
const shown: ReadonlySet<string> = new Set(['title', 'givenTitle', 'name', 'note', 'model', 'mode']);

type Fit = (field: ExchangedField, messages: ReadonlySet<string>) => boolean;

const isWords = ({ of, value }: ExchangedField) => of === undefined && (value === null || typeof value === 'string');
const isSwitch = ({ of, value }: ExchangedField) => of === undefined && typeof value === 'boolean';
const isOfBranch: Fit = ({ of, value }, messages) =>
  of !== undefined && messages.has(of) && (value === null || typeof value === 'string');

/** What is not here is never taken. */
const fits: { readonly [name in TakenField]: Fit } = {
  title: isWords,
  givenTitle: isWords,
  model: isWords,
  mode: isWords,
  archived: isSwitch,
  pinned: isSwitch,
  head: ({ of, value }, messages) =>
    of === undefined && (value === null || (typeof value === 'string' && messages.has(value))),
  agent: ({ of, value }) => of === undefined && agentRef.safeParse(value).success,
  label: ({ of, value }) => of !== undefined && of !== '' && typeof value === 'boolean',
  metadata: ({ of }) => of !== undefined,
  name: isOfBranch,
  note: isOfBranch,
};

function isTime(time: number, now: number): boolean {
  return time >= 0 && time <= now + day;
}

/** What to call a session, by its fields as they stand in the file. */
export function titleOf(values: readonly unknown[]): string {
  const fields = values.filter(isObject);
  for (const name of ['givenTitle', 'title']) {
    const set = fields.find(one => one['name'] === name)?.['value'];
    if (typeof set === 'string' && set.trim() !== '') return cleanWords(set).slice(0, 80);
  }
  return '';
}
