// Whether what stands in a journal's record is what this program takes it for. A record may be whole and have a right
// checksum, and still be written by somebody else: histories are copied, synced and recovered. Promises: facts that don't
// fit are replaced by one that every reader passes over, in the same place; facts of types and fields with names that this
// version doesn't know fit; what fits can be indexed, assembled, sent to another thread and shown without a failure.
// It never throws, and costs little beside parsing the record.
// By hand: the facts of 100,000 messages take 35 ms of CPU time, with a zod/mini schema 350 ms (JSON.parse: 210 ms).

import type { Block } from '../../model/message.ts';
import type { BlobPlace, Fact, JournalRecord } from '../../model/record.ts';
import { putBack } from './blobs.ts';
import { read, type Crc32, type Piece } from './codec.ts';
import { timeOf } from './clock.ts';

/** A record with how many of its facts don't fit. */
export type FittingPiece = Exclude<Piece, { readonly kind: 'record' }> | (Piece & { readonly kind: 'record' } & Unfit);

interface Unfit {
  readonly unfit: number;
}

/** As `read` of the codec, for everyone who looks at facts. */
export function* readFitting(bytes: Uint8Array, crc32: Crc32, start = 0, writer?: string): Generator<FittingPiece> {
  for (const piece of read(bytes, crc32, start, writer)) {
    yield piece.kind === 'record' ? { ...piece, ...fitting(piece.record) } : piece;
  }
}

export function fitting(record: JournalRecord): Unfit & { readonly record: JournalRecord } {
  const places = record.blobs as unknown;
  const blobs = Array.isArray(places) ? places.filter(one => isPlaceIn(record.facts, one)) : [];
  const { blobs: _blobs, ...bare } = record;
  const own = blobs.length === 0 ? (places === undefined ? record : bare) : { ...record, blobs };
  // Of what lies in a blob, null stands in the facts.
  const whole = blobs.length === 0 ? own : putBack(own, () => '');
  const isLate = !isTick(record.h);
  let unfit = 0;
  for (const fact of whole.facts) if (isLate || !isFitting(fact)) unfit++;
  if (unfit === 0) return { record: own, unfit };
  const facts = own.facts.map((fact, at) => (isLate || !isFitting(whole.facts[at]) ? passedOver : fact));
  // The clock follows every tick that it sees, and none can follow that one.
  return { record: { ...own, facts, h: isLate ? '' : own.h }, unfit };
}

/** Whether a fact says what its type says; `null` in the place of a blob doesn't. */
export function isFitting(fact: unknown): fact is Fact {
  if (!isObject(fact) || !isId(fact['session'])) return false;
  const type = fact['type'];
  if (typeof type !== 'string') return false;
  return Object.hasOwn(facts, type) ? facts[type as Fact['type']](fact) : isFlat(fact);
}

export function isPassedOver(fact: Fact | undefined): boolean {
  return fact === passedOver;
}

/** Of a type that no version has. */
const passedOver = { type: 'unfit', session: '' } as unknown as Fact;

type Check = (value: unknown) => boolean;
type Fields = { readonly [field: string]: unknown };

/** A message with more blocks doesn't exist: each is something that an agent did or said. */
const mostBlocks = 100_000;
/** Of JSON in a record. Something deeper can't be written again. */
const deepest = 5000;
/** Of a text that is in the index, and of a value that was set. What is written is at most a quarter of it. */
const longest = 1024 * 1024;
/** The last moment that a date can hold, in milliseconds. */
const lastTime = 8.64e15;
/** The clock's text has room until the year 4199; every tick after one that was seen has to fit, too. */
const lastTick = Date.UTC(3000, 0);

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = value => typeof value === 'string';
const isShort: Check = value => typeof value === 'string' && value.length <= longest;
const isNumber: Check = value => typeof value === 'number';
const isCount: Check = value => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isTime: Check = value => typeof value === 'number' && Math.abs(value) <= lastTime;
const isId: Check = value => typeof value === 'string' && /^[0-9a-z]{1,64}$/.test(value);
const isPlace: Check = value => isCount(value) && (value as number) < mostBlocks;
const isAgent: Check = value => isObject(value) && isShort(value['id']) && isShort(value['name']);
const isRef: Check = value =>
  isObject(value) && /^[0-9a-f]{64}$/.test(String(value['sha256'])) && isCount(value['size']);
/** A number that is none becomes null in JSON. */
const may = (check: Check, value: unknown): boolean => value === undefined || value === null || check(value);
const isListOf = (check: Check, value: unknown): boolean => Array.isArray(value) && value.every(check);

function isTick(h: string): boolean {
  const time = timeOf(h);
  return h.length <= 128 && (time === null || time < lastTick);
}

const facts: { readonly [type in Fact['type']]: (fact: Fields) => boolean } = {
  session: ({ created, agent, cwd, origin, systemPrompt, key }) =>
    isTime(created) &&
    isAgent(agent) &&
    may(isShort, cwd) &&
    may(isShort, origin) &&
    may(isText, systemPrompt) &&
    may(one => isObject(one) && isShort(one['key']) && isCount(one['generation']), key),
  message: ({ message }) => isObject(message) && isMessage(message),
  block: ({ message, at, block }) => isId(message) && isPlace(at) && isBlock(block),
  text: ({ message, at, kind, mime, offset, text }) =>
    isId(message) &&
    isPlace(at) &&
    (kind === 'text' || kind === 'thought') &&
    isText(mime) &&
    isCount(offset) &&
    isText(text),
  end: ({ message, end }) => isId(message) && isEnd(end),
  set: ({ name, of, from, value }) =>
    isShort(name) && may(isShort, of) && may(isShort, from) && value !== undefined && isFlat(value) && !isLong(value),
};

function isMessage({ id, parent, role, created, agent, label, covers, leftOut, blocks, end }: Fields): boolean {
  return (
    isId(id) &&
    (parent === null || isId(parent)) &&
    isShort(role) &&
    isTime(created) &&
    may(isAgent, agent) &&
    may(isShort, label) &&
    may(isId, covers) &&
    may(one => isListOf(isId, one), leftOut) &&
    Array.isArray(blocks) &&
    blocks.length <= mostBlocks &&
    blocks.every(isBlock) &&
    may(isEnd, end)
  );
}

function isEnd(end: unknown): boolean {
  return (
    isObject(end) &&
    isText(end['reason']) &&
    isTime(end['at']) &&
    may(isText, end['detail']) &&
    may(isUsage, end['usage'])
  );
}

function isUsage(usage: unknown): boolean {
  if (!isObject(usage)) return false;
  const { inputTokens, outputTokens, cachedTokens, thoughtTokens, cost } = usage;
  const isCost = (one: unknown) => isObject(one) && may(isNumber, one['amount']) && isShort(one['currency']);
  return [inputTokens, outputTokens, cachedTokens, thoughtTokens].every(one => may(isNumber, one)) && may(isCost, cost);
}

function isBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { kind, mime, extra } = block;
  if (typeof kind !== 'string' || typeof mime !== 'string') return false;
  if (extra !== undefined && !(isObject(extra) && isFlat(extra))) return false;
  return Object.hasOwn(blocks, kind) ? blocks[kind as Block['kind']](block) : isFlat(block);
}

const isWords = ({ text }: Fields): boolean => isText(text);
const isMedia = ({ data, uri, name }: Fields): boolean => may(isRef, data) && may(isText, uri) && may(isText, name);

/** Words of a list (a status, a severity) may be those of a later version. */
const blocks: { readonly [kind in Block['kind']]: (block: Fields) => boolean } = {
  text: isWords,
  thought: isWords,
  toolCall: ({ callId, title, tool, status, locations, input, output, raw, permission }) =>
    isText(callId) &&
    isText(title) &&
    isText(tool) &&
    isText(status) &&
    isListOf(isLocation, locations) &&
    Array.isArray(output) &&
    isFlat(output) &&
    may(isFlat, input) &&
    may(isFlat, raw) &&
    may(isPermission, permission),
  plan: ({ entries }) => isListOf(isEntry, entries),
  image: isMedia,
  audio: isMedia,
  video: isMedia,
  resource: ({ uri, name, text, data }) => isText(uri) && may(isText, name) && may(isText, text) && may(isRef, data),
  notice: ({ severity, text }) => isText(severity) && isText(text),
  changes: ({ files }) => isListOf(isChange, files),
  unknown: ({ value }) => value !== undefined && isFlat(value),
};

function isLocation(one: unknown): boolean {
  return isObject(one) && isText(one['path']) && may(isNumber, one['line']);
}

function isPermission(one: unknown): boolean {
  return isObject(one) && (one['choice'] === null || isText(one['choice'])) && typeof one['allowed'] === 'boolean';
}

function isEntry(one: unknown): boolean {
  return isObject(one) && isText(one['content']) && isText(one['priority']) && isText(one['status']);
}

function isChange(one: unknown): boolean {
  if (!isObject(one)) return false;
  const { path, seen, before, after, lines, foreign } = one;
  const isLines = (counts: unknown) => isObject(counts) && isNumber(counts['added']) && isNumber(counts['removed']);
  const isStates = (states: unknown) => isObject(states) && isState(states['before']) && isState(states['after']);
  return (
    isText(path) && isText(seen) && isState(before) && isState(after) && may(isLines, lines) && may(isStates, foreign)
  );
}

function isState(one: unknown): boolean {
  if (!isObject(one) || typeof one['kind'] !== 'string') return false;
  return one['kind'] !== 'file' || (isRef(one['is']) && may(isRef, one['content']) && may(isRef, one['elsewhere']));
}

/** Walked level by level: it is here because of what would break a function that calls itself. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest) return false;
    const below: object[] = [];
    for (const one of level) {
      for (const inside of Array.isArray(one) ? (one as readonly unknown[]) : Object.values(one)) {
        if (typeof inside === 'object' && inside !== null) below.push(inside);
      }
    }
    level = below;
  }
  return true;
}

/** It is flat enough to be written. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longest;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > longest;
}

/** Whether a blob stands there: `null`, or of a field with content a reference, in a place that is there. */
function isPlaceIn(facts: readonly unknown[], place: unknown): place is BlobPlace {
  if (!isRef(place)) return false;
  const { at, as } = place as Fields;
  if (!Array.isArray(at) || at.length < 2 || (as !== 'text' && as !== 'bytes')) return false;
  let inside: unknown = facts;
  for (const step of at as readonly unknown[]) {
    if (typeof step !== 'string' && !isCount(step)) return false;
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, step as string)) return false;
    inside = (inside as Fields)[step as string];
  }
  return inside === null || isRef(inside);
}
