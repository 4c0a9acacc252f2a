// What may be believed of a file with sessions: its text is a stranger's until shown otherwise. Pure. Promises: a session is
// read whole or refused in words, and one that is refused takes no other with it; what is let through holds ids that can
// be names of files, times that have come, messages of the known shape without a circle, and only what may travel.

import type { Json, Message } from '../../model/message.ts';
import {
  exchangeFormat,
  exchangeVersion,
  type ExchangedField,
  type ExchangedSession,
  type TakenField,
} from './exchange.ts';
import { isAgentRef, isMessageId, isObject, isText, messageIn } from './messageShape.ts';

export type ExchangeIn =
  | { readonly words: string }
  | { readonly sessions: readonly (ExchangedSession | { readonly title: string; readonly words: string })[] };

/** A clock may be wrong by so much. */
const day = 24 * 3_600_000;
/** What is nested deeper, no agent made. */
const deepest = 1000;
const longestWords = 500;
const longestValue = 256 * 1024;

/** `text` is the whole file. */
export function exchangeIn(text: string, now: number): ExchangeIn {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Which character is wrong helps nobody.
    return { words: 'It is not JSON, or its end is missing.' };
  }
  if (!isObject(value) || value['format'] !== exchangeFormat) return { words: 'It is not an export of sessions.' };
  const { version, sessions } = value;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    return { words: 'It does not say of which version it is.' };
  if (version > exchangeVersion)
    return { words: 'It was written by a newer version of Throughline. Update, and try again.' };
  if (!Array.isArray(sessions)) return { words: 'There is no list of sessions in it.' };
  return { sessions: sessions.map((one, at) => sessionIn(one, at, now)) };
}

class Refused extends Error {}

function sessionIn(value: unknown, at: number, now: number): ExchangedSession | { title: string; words: string } {
  const title = titleIn(value) || `Session ${at + 1}`;
  try {
    return checkedSession(value, now);
  } catch (cause) {
    if (cause instanceof Refused) return { title, words: cause.message };
    throw cause;
  }
}

function checkedSession(value: unknown, now: number): ExchangedSession {
  if (!isObject(value)) throw new Refused('It is no session.');
  if (isTooDeep(value)) throw new Refused('Something in it is nested too deeply.');
  const { id, created, agent, cwd, origin, systemPrompt, fields, messages, blobs } = value;
  // It becomes part of the names of files.
  if (typeof id !== 'string' || !/^[2-9a-hjkmnp-z]{12}$/.test(id)) throw new Refused('Its id is none.');
  if (!isTime(created, now)) throw new Refused('The time at which it began is none, or is still to come.');
  if (!isAgentRef(agent)) throw new Refused('Its agent has no name.');
  for (const one of [cwd, origin, systemPrompt]) if (one !== undefined && !isText(one)) throw new Refused(malformed);
  if (!Array.isArray(fields) || !Array.isArray(messages) || !isObject(blobs)) throw new Refused(malformed);
  const read = messages.map((one, number) => messageOf(one, number, now));
  mustBeTree(read);
  const ids = new Set(read.map(message => message.id));
  return {
    id,
    created: created as number,
    agent: named(agent as ExchangedSession['agent']),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof origin === 'string' ? { origin: cleanWords(origin) } : {}),
    ...(typeof systemPrompt === 'string' ? { systemPrompt } : {}),
    fields: fields.flatMap(one => fieldIn(one, ids)),
    messages: read,
    blobs: blobsIn(blobs),
  };
}

const malformed = 'It is not written as an export is.';

function messageOf(value: unknown, at: number, now: number): Omit<Message, 'session'> {
  const message = messageIn(value);
  if (!message) throw new Refused(`Its message ${at + 1} is not written as an export is.`);
  if (!isTime(message.created, now) || (message.end && !isTime(message.end.at, now)))
    throw new Refused(`The time of its message ${at + 1} is none, or is still to come.`);
  return message.agent ? { ...message, agent: named(message.agent) } : message;
}

/** A message may answer one that is missing, as in a damaged history: then it begins the conversation. */
function mustBeTree(messages: readonly Omit<Message, 'session'>[]): void {
  const parents = new Map(messages.map(({ id, parent }) => [id, parent]));
  if (parents.size < messages.length) throw new Refused('Two of its messages have the same id.');
  const fine = new Set<string>();
  for (const { id } of messages) {
    const walked = new Set<string>();
    let at: string | null | undefined = id;
    for (; typeof at === 'string' && !fine.has(at); at = parents.get(at)) {
      if (walked.has(at)) throw new Refused('Its messages answer one another in a circle.');
      walked.add(at);
    }
    for (const one of walked) fine.add(one);
  }
}

/** What does not fit is left out: nothing that was said is lost with it. */
function fieldIn(value: unknown, messages: ReadonlySet<string>): readonly ExchangedField[] {
  if (!isObject(value)) return [];
  const { name, of, from, value: set } = value;
  if (typeof name !== 'string' || !Object.hasOwn(fits, name) || set === undefined) return [];
  if ((of !== undefined && !isText(of)) || (from !== undefined && !isMessageId(from))) return [];
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
  agent: ({ of, value }) => of === undefined && isAgentRef(value),
  label: ({ of, value }) => of !== undefined && of !== '' && typeof value === 'boolean',
  metadata: ({ of }) => of !== undefined,
  name: isOfBranch,
  note: isOfBranch,
};

function blobsIn(blobs: { readonly [hash: string]: unknown }): { readonly [hash: string]: string } {
  const found = Object.entries(blobs);
  if (found.some(([hash, content]) => !/^[0-9a-f]{64}$/.test(hash) || typeof content !== 'string'))
    throw new Refused('One of its attachments is not written as an export is.');
  return Object.fromEntries(found) as { readonly [hash: string]: string };
}

/** Walked without calling itself: it is here because of what would break that. */
function isTooDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const below: object[] = [];
    for (const one of level) {
      for (const inside of Object.values(one) as readonly unknown[]) {
        if (typeof inside === 'object' && inside !== null) below.push(inside);
      }
    }
    level = below;
  }
  return false;
}

function isTime(value: unknown, now: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= now + day;
}

function named<Named extends { readonly name: string }>(one: Named): Named {
  return { ...one, name: cleanWords(one.name) };
}

/** Without what would turn a list around or hide in it. */
export function cleanWords(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u{e0000}-\u{e007f}]/gu, ' ');
  const characters = clean.length > longestWords ? Array.from(clean) : [];
  return characters.length > longestWords ? `${characters.slice(0, longestWords - 1).join('')}…` : clean;
}

/** What to call it where it is not read. */
function titleIn(value: unknown): string {
  if (!isObject(value) || !Array.isArray(value['fields'])) return '';
  const fields = value['fields'].filter(isObject);
  for (const name of ['givenTitle', 'title']) {
    const set = fields.find(one => one['name'] === name)?.['value'];
    if (typeof set === 'string' && set.trim() !== '') return cleanWords(set).slice(0, 80);
  }
  return '';
}
