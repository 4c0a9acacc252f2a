// Every message that a page can send, with what each of its fields may be, said once more and in another way than the
// parser says it, so that the one proves the other; and values that an attacker would try in their place.

import { longestPrompt, type Intent } from '../../../src/model/intent.ts';

export type Field = keyof typeof fits;
type Fields = { readonly [field: string]: Field };
type Raw = { readonly [field: string]: unknown };

const isText = (value: unknown, most: number, least = 0): value is string =>
  typeof value === 'string' && value.length >= least && value.length <= most;
const isId = (value: unknown): value is string => isText(value, 128, 1);
const areIds = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= 32 &&
  value.every(isId) &&
  new Set(value).size === value.length;
const isPlace = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

export const fits = {
  id: isId,
  idOrAbsent: (value: unknown) => value === undefined || isId(value),
  idOrNull: (value: unknown) => value === null || isId(value),
  prompt: (value: unknown) => isText(value, longestPrompt, 1) && value.trim() !== '',
  text: (value: unknown) => isText(value, longestPrompt),
  code: (value: unknown) => isText(value, longestPrompt, 1),
  textOrNull: (value: unknown) => value === null || isText(value, longestPrompt),
  typed: (value: unknown) => isText(value, 256),
  name: (value: unknown) => isText(value, 1024),
  address: (value: unknown) => isText(value, 8192),
  picture: (value: unknown) =>
    isText(value, 15 * 1024 * 1024, 4) && value.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(value),
  idsOrAbsent: (value: unknown) => value === undefined || areIds(value),
  idsOrNone: (value: unknown) => isEmptyList(value) || areIds(value),
  place: isPlace,
  placeOrNull: (value: unknown) => value === null || isPlace(value),
  decision: (value: unknown) => value === 'keep' || value === 'undo' || value === 'redo',
  held: (value: unknown) =>
    value === 'transcript' ||
    value === 'retry' ||
    value === 'cancel' ||
    (isObject(value) && isText(value['signIn'], 1024)),
  answer: (value: unknown) => isObject(value) && (value['action'] === 'decline' || value['action'] === 'cancel'),
};

const session = 'id';
const ofSession = { session } as const;
const ofMessage = { session, message: 'id' } as const;

export const fieldsOf: { readonly [kind in Intent['type']]: Fields } = {
  ready: { session: 'idOrNull', message: 'idOrAbsent' },
  wantEarlier: { session, first: 'place' },
  letGo: { session, first: 'place' },
  copyMessage: ofMessage,
  wantText: { ...ofMessage, block: 'place', offset: 'place' },
  requestSnapshot: {},
  newSession: {},
  manageTrust: {},
  openFolder: {},
  selectAgent: {},
  connectAgent: {},
  resumeSession: {},
  prepare: ofSession,
  acceptUnsaved: ofSession,
  cancelTurn: ofSession,
  restoreSession: ofSession,
  endSession: ofSession,
  summarise: ofSession,
  clear: ofSession,
  forkHere: ofSession,
  exportSession: ofSession,
  chooseFolder: ofSession,
  giveTitle: { session, title: 'text' },
  sendPrompt: { request: 'id', session, text: 'prompt', attached: 'idsOrAbsent' },
  complete: { session, request: 'id', text: 'typed' },
  attachPicture: { session, request: 'id', name: 'name', base64: 'picture' },
  attachUri: { session, request: 'id', uri: 'address' },
  keepAttached: { session, attached: 'idsOrNone' },
  goToBranch: ofMessage,
  forkFrom: ofMessage,
  editPrompt: { ...ofMessage, request: 'id', text: 'prompt' },
  retry: { ...ofMessage, request: 'id' },
  keepDraft: { session, text: 'text' },
  answerPermission: { session, permission: 'id', choice: 'name' },
  openPermission: { session, permission: 'id' },
  answerHeld: { session, choice: 'held' },
  answerElicitation: { session, elicitation: 'id', answer: 'answer' },
  decideChange: { ...ofMessage, file: 'placeOrNull', decision: 'decision' },
  openChange: { ...ofMessage, file: 'placeOrNull' },
  pickOption: { session, option: 'name' },
  changeQueued: { session, id: 'id', text: 'textOrNull' },
  sendNow: { session, id: 'id' },
  openLink: { url: 'address' },
  copyText: { text: 'text' },
  insertCode: { text: 'code' },
  openLocation: { ...ofMessage, block: 'place', location: 'place' },
  wantMedia: { ...ofMessage, block: 'place' },
  wantFiles: { ...ofMessage, block: 'place' },
  openTool: { ...ofMessage, block: 'place' },
  openNamed: { ...ofMessage, block: 'place', at: 'place' },
};

const good: { readonly [field in Field]: unknown } = {
  id: 'x1',
  idOrAbsent: 'x1',
  idOrNull: 'x1',
  prompt: 'words',
  text: 'words',
  code: 'words',
  textOrNull: 'words',
  typed: 'words',
  name: 'words',
  address: 'https://x.example/',
  picture: 'iVBORw0KGgo=',
  idsOrAbsent: ['x1', 'x2'],
  idsOrNone: ['x1'],
  place: 0,
  placeOrNull: 0,
  decision: 'keep',
  held: 'retry',
  answer: { action: 'decline' },
};

/** Exactly what a page may say. */
export function goodIntent(kind: Intent['type'], shown = 'x1'): Raw {
  const fields = Object.entries(fieldsOf[kind]).map(([name, field]) => [name, good[field]]);
  const made: Raw = { type: kind, ...Object.fromEntries(fields) };
  return 'session' in made ? { ...made, session: shown } : made;
}

const huge = 'x'.repeat(16 * 1024 * 1024);
const deep = Array.from({ length: 5000 }).reduce<object>(inside => ({ inside }), {});
const values: readonly unknown[] = [
  undefined,
  null,
  true,
  7,
  -1,
  0.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1n,
  '',
  ' \n\t ',
  'words',
  'x'.repeat(129),
  'x'.repeat(1025),
  'x'.repeat(8193),
  'x'.repeat(longestPrompt + 1),
  huge,
  [],
  ['x1'],
  ['x1', 'x1'],
  ['x1', 7],
  Array.from({ length: 33 }, (_, at) => `x${at}`),
  Array.from({ length: 500_000 }, (_, at) => `x${at}`),
  {},
  { signIn: 7 },
  { signIn: huge },
  { action: 'accept' },
  { action: 'accept', content: [] },
  { action: 'accept', content: { field: deep } },
  { action: 'accept', content: { field: [[]] } },
  { action: 'accept', content: { field: Number.NaN } },
  { action: 'accept', content: { field: huge } },
  { action: 'accept', content: { ['x'.repeat(1025)]: true } },
  { action: 'accept', content: Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`f${at}`, true])) },
  {
    action: 'accept',
    content: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, 'x'.repeat(65_000)])),
  },
  { action: 'launch' },
  { toString: 'words', valueOf: 7 },
  deep,
  new Date(0),
  new Map([['x', 1]]),
  JSON.parse('{"__proto__": {"action": "decline", "signIn": "key"}}'),
];

/** One field of a good intent is something else, which fits or not. */
export function* oddIntents(
  kind: Intent['type'],
  shown = 'x1',
): Iterable<{ readonly odd: Raw; readonly isFit: boolean }> {
  for (const [name, field] of Object.entries(fieldsOf[kind])) {
    for (const value of values) {
      const { [name]: _, ...rest } = goodIntent(kind, shown);
      yield { odd: value === undefined ? rest : { ...rest, [name]: value }, isFit: fits[field](value) };
    }
  }
}

export const kinds = Object.keys(fieldsOf) as readonly Intent['type'][];

/** What is no intent at all. */
export const nonsense: readonly unknown[] = [
  ...values,
  ...[
    'launchMissiles',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'SendPrompt',
    'cancelTurn ',
    '',
    huge,
  ].map(type => ({ ...goodIntent('sendPrompt'), type })),
  ...[undefined, null, 7, ['cancelTurn'], { toString: 'cancelTurn' }].map(type => ({ session: 'x1', type })),
  [goodIntent('cancelTurn')],
  JSON.parse('{"__proto__": {"type": "cancelTurn", "session": "x1"}}'),
];
