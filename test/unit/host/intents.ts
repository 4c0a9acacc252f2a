// Messages that a page can send, kept apart from the table that parses them: for each kind literal ones that are taken and
// refused, at the limits of each field; for each parser which hostile values it takes; and what is no intent at all.

import { intentFields, type IntentKind } from '../../../src/model/intent.ts';
import * as fields from '../../../src/model/intentFields.ts';

type Raw = { readonly [field: string]: unknown };

/** The first of `good` is whole; the others, and those of `bad`, replace some of its fields. */
interface Samples {
  readonly good: readonly [Raw, ...Raw[]];
  readonly bad: readonly Raw[];
}

const chars = (length: number) => 'x'.repeat(length);
const numbered = (length: number) => Array.from({ length }, (_, at) => `x${at}`);
const longest = 4 * 1024 * 1024;
const largestPicture = 13_981_016;

const [id, overId] = [chars(128), chars(129)];
const [session, message, request] = [id, id, id];
const none: Samples = { good: [{}], bad: [] };
const ofSession: Samples = { good: [{ session }], bad: [{ session: overId }] };
const ofMessage: Samples = { good: [{ session, message }], bad: [...ofSession.bad, { message: overId }] };
const ofBlock: Samples = {
  good: [{ session, message, block: 2 ** 53 - 1 }],
  bad: [...ofMessage.bad, { block: -1 }, { block: null }],
};
const ofRequest = [...ofSession.bad, { request: overId }];
const ofFile = [...ofMessage.bad, { file: -1 }, { file: '0' }, { file: undefined }];

export const samples: { readonly [kind in IntentKind]: Samples } = {
  ready: {
    good: [{ session: null }, { session, message }],
    bad: [...ofMessage.bad, { session: undefined }, { message: null }],
  },
  requestSnapshot: none,
  wantEarlier: { good: [{ session, first: 0 }], bad: [...ofSession.bad, { first: -1 }, { first: null }] },
  letGo: { good: [{ session, first: 0 }], bad: [...ofSession.bad, { first: 0.5 }, { first: null }] },
  sendPrompt: {
    good: [{ request, session, text: chars(longest) }, { attached: numbered(32) }],
    bad: [...ofRequest, { text: chars(longest + 1) }, { text: ' \n' }, { attached: numbered(33) }, { attached: [] }],
  },
  complete: {
    good: [{ session, request, list: id, text: chars(256) }, { text: '' }],
    bad: [...ofRequest, { list: overId }, { list: undefined }, { text: chars(257) }],
  },
  attachPicture: {
    good: [
      { session, request, name: chars(1024), base64: 'A'.repeat(largestPicture) },
      { name: '', base64: 'Ab+/0A==' },
    ],
    bad: [
      ...ofRequest,
      { name: chars(1025) },
      { base64: 'A'.repeat(largestPicture + 4) },
      { base64: '' },
      { base64: 'AAA' },
      { base64: 'A===' },
      { base64: 'AA-_' },
    ],
  },
  attachUri: { good: [{ session, request, uri: chars(8192) }, { uri: '' }], bad: [...ofRequest, { uri: chars(8193) }] },
  keepAttached: {
    good: [{ session, attached: [] }, { attached: numbered(32) }],
    bad: [...ofSession.bad, { attached: numbered(33) }, { attached: ['x1', 'x1'] }, { attached: undefined }],
  },
  clear: ofSession,
  goToBranch: ofMessage,
  forkFrom: ofMessage,
  forkHere: ofSession,
  giveTitle: {
    good: [{ session, title: chars(longest) }, { title: '' }],
    bad: [...ofSession.bad, { title: chars(longest + 1) }],
  },
  exportSession: ofSession,
  editPrompt: {
    good: [{ session, message, request, text: chars(longest) }],
    bad: [...ofMessage.bad, { request: overId }, { text: chars(longest + 1) }, { text: ' \n' }],
  },
  retry: { good: [{ session, message, request }], bad: [...ofMessage.bad, { request: overId }] },
  keepDraft: {
    good: [{ session, text: chars(longest) }, { text: '' }],
    bad: [...ofSession.bad, { text: chars(longest + 1) }],
  },
  prepare: ofSession,
  answerPermission: {
    good: [{ session, permission: id, choice: chars(1024) }, { choice: '' }],
    bad: [...ofSession.bad, { permission: overId }, { choice: chars(1025) }],
  },
  openPermission: { good: [{ session, permission: id }], bad: [...ofSession.bad, { permission: overId }] },
  answerHeld: {
    good: [
      { session, choice: { signIn: chars(1024) } },
      { choice: { signIn: '' } },
      { choice: 'transcript' },
      { choice: 'retry' },
      { choice: 'cancel' },
    ],
    bad: [...ofSession.bad, { choice: { signIn: chars(1025) } }, { choice: 'send' }, { choice: ['retry'] }],
  },
  answerElicitation: {
    good: [
      { session, elicitation: id, answer: { action: 'decline' } },
      { answer: { action: 'cancel' } },
      { answer: accepted({}) },
      { answer: accepted({ [chars(1024)]: chars(65_536), some: numbered(256), size: -0.5, isSure: false }) },
      { answer: accepted(Object.fromEntries(numbered(256).map(name => [name, '']))) },
    ],
    bad: [
      ...ofSession.bad,
      { elicitation: overId },
      { answer: { action: 'accept' } },
      { answer: { action: 'launch', content: {} } },
      { answer: accepted({ [chars(1025)]: true }) },
      { answer: accepted({ text: chars(65_537) }) },
      { answer: accepted({ texts: [chars(65_537)] }) },
      { answer: accepted({ texts: numbered(257) }) },
      { answer: accepted({ texts: ['x', 7] }) },
      { answer: accepted({ nothing: null }) },
      { answer: accepted(Object.fromEntries(numbered(257).map(name => [name, '']))) },
      { answer: accepted(Object.fromEntries(numbered(65).map(name => [name, chars(65_000)]))) },
    ],
  },
  decideChange: {
    good: [{ session, message, file: 0, decision: 'keep' }, { file: null }, { decision: 'undo' }, { decision: 'redo' }],
    bad: [...ofFile, { decision: 'delete' }],
  },
  openChange: { good: [{ session, message, file: 0 }, { file: null }], bad: ofFile },
  pickOption: {
    good: [{ session, option: chars(1024) }, { option: '' }],
    bad: [...ofSession.bad, { option: chars(1025) }],
  },
  summarise: ofSession,
  changeQueued: {
    good: [{ session, id, text: chars(longest) }, { text: '' }, { text: null }],
    bad: [...ofSession.bad, { id: overId }, { text: chars(longest + 1) }, { text: undefined }],
  },
  sendNow: { good: [{ session, id }], bad: [...ofSession.bad, { id: overId }] },
  selectAgent: none,
  chooseFolder: ofSession,
  connectAgent: none,
  acceptUnsaved: ofSession,
  cancelTurn: ofSession,
  newSession: none,
  manageTrust: none,
  openFolder: none,
  resumeSession: none,
  restoreSession: ofSession,
  endSession: ofSession,
  openLink: { good: [{ url: chars(8192) }, { url: '' }], bad: [{ url: chars(8193) }] },
  copyText: { good: [{ text: chars(longest) }, { text: '' }], bad: [{ text: chars(longest + 1) }] },
  copyMessage: ofMessage,
  wantText: {
    good: [{ ...ofBlock.good[0], offset: 0 }],
    bad: [...ofBlock.bad, { offset: -1 }, { offset: null }],
  },
  insertCode: { good: [{ text: chars(longest) }, { text: ' \n' }], bad: [{ text: chars(longest + 1) }, { text: '' }] },
  openLocation: {
    good: [{ ...ofBlock.good[0], location: 0 }],
    bad: [...ofBlock.bad, { location: -1 }, { location: null }],
  },
  wantMedia: ofBlock,
  wantFiles: ofBlock,
  openNamed: { good: [{ ...ofBlock.good[0], at: 0 }], bad: [...ofBlock.bad, { at: -1 }, { at: null }] },
  openTool: ofBlock,
};

export const kinds = Object.keys(samples) as readonly IntentKind[];

/** The first good message of its kind. */
export function goodIntent(kind: IntentKind, shown = 'x1'): Raw {
  const made: Raw = { type: kind, ...samples[kind].good[0] };
  return 'session' in made ? { ...made, session: shown } : made;
}

function accepted(content: Raw): Raw {
  return { action: 'accept', content };
}

const huge = chars(16 * 1024 * 1024);
const noItems: readonly string[] = [];
const oneItem = ['x1'];
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
  chars(129),
  chars(1025),
  chars(8193),
  chars(longest + 1),
  huge,
  noItems,
  oneItem,
  ['x1', 'x1'],
  ['x1', 7],
  numbered(33),
  numbered(500_000),
  {},
  { signIn: 7 },
  { signIn: huge },
  { action: 'accept' },
  { action: 'accept', content: [] },
  { action: 'accept', content: { field: deep } },
  { action: 'accept', content: { field: [[]] } },
  { action: 'accept', content: { field: Number.NaN } },
  { action: 'accept', content: { field: huge } },
  { action: 'accept', content: { [chars(1025)]: true } },
  { action: 'accept', content: Object.fromEntries(numbered(257).map(name => [name, true])) },
  {
    action: 'accept',
    content: Object.fromEntries(numbered(100).map(name => [name, chars(65_000)])),
  },
  { action: 'launch' },
  { toString: 'words', valueOf: 7 },
  deep,
  new Date(0),
  new Map([['x', 1]]),
  JSON.parse('{"__proto__": {"action": "decline", "signIn": "key"}}'),
];

const mayBeNull = ['ready.session', 'decideChange.file', 'openChange.file', 'changeQueued.text'];
const mayBeAbsent = ['ready.message', 'sendPrompt.attached'];
/** Which of the other values each parser takes; one that is not here takes none. */
const anyId = [' \n\t ', 'words'];
const anyShort = ['', ...anyId, chars(129)];
const anyText = [...anyShort, chars(1025), chars(8193)];
const takenBy = new Map<fields.Field, readonly unknown[]>([
  [fields.id, anyId],
  [fields.idOrNull, anyId],
  [fields.optionalId, anyId],
  [fields.optionalIds, [oneItem]],
  [fields.idsOrNone, [noItems, oneItem]],
  [fields.text, anyText],
  [fields.textOrNull, anyText],
  [fields.code, anyText.slice(1)],
  [fields.prompt, anyText.slice(2)],
  [fields.typed, anyShort],
  [fields.name, anyShort],
  [fields.address, [...anyShort, chars(1025)]],
  [fields.index, [7]],
  [fields.indexOrNull, [7]],
]);

/** One field of a good intent is something else, which is taken or not. */
export function* oddIntents(
  kind: IntentKind,
  shown = 'x1',
): Iterable<{ readonly odd: Raw; readonly isTaken: boolean }> {
  for (const [name, parse] of Object.entries<fields.Field>(intentFields[kind])) {
    for (const value of values) {
      const { [name]: _, ...rest } = goodIntent(kind, shown);
      const odd = value === undefined ? rest : { ...rest, [name]: value };
      if (value === undefined) yield { odd, isTaken: mayBeAbsent.includes(`${kind}.${name}`) };
      else if (value === null) yield { odd, isTaken: mayBeNull.includes(`${kind}.${name}`) };
      else yield { odd, isTaken: takenBy.get(parse)?.includes(value) ?? false };
    }
  }
}

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
