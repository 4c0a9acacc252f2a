// What the panel asks of the host, as one table: the kinds of intents, and the parser of each of their fields. The panel is
// not trusted. An intent holds only opaque ids, indexes into lists and the person's words, never a path, a command or an
// argument list; `parseIntent` answers undefined for everything else, and leaves out fields that are not in the table.

import {
  absent,
  address,
  base64,
  code,
  decision,
  elicitationAnswer,
  heldChoice,
  id,
  idOrNull,
  idsOrNone,
  index,
  indexOrNull,
  isRaw,
  name,
  optionalId,
  optionalIds,
  prompt,
  text,
  textOrNull,
  typed,
  type Field,
} from './intentFields.ts';

type Fields = { readonly [name: string]: Field };

const none = {};
const ofSession = { session: id };
const ofMessage = { session: id, message: id };
const ofBlock = { session: id, message: id, block: index };

/** `session` is the session that the panel shows, unless the comment of the kind says otherwise. */
export const intentFields = {
  /** The page has loaded and wants a snapshot. `session` is what it showed before a reload, `message` what it looked at. */
  ready: { session: idOrNull, message: optionalId },
  /** The page missed an event (a gap in `seq`), or could not apply one. */
  requestSnapshot: none,
  /** The part of the path before index `first`; answered with `earlierRead`. */
  wantEarlier: { session: id, first: index },
  /** The panel no longer has what is before index `first` of the path. */
  letGo: { session: id, first: index },
  /** `request` is the panel's own id of this prompt: a refusal names it, and its words go back to the composer. */
  sendPrompt: { request: id, session: id, text: prompt, attached: optionalIds },
  /** Files and folders that match what was typed; answered with `completions`. `list` is the same while one list is open. */
  complete: { session: id, request: id, list: id, text: typed },
  /** A picture that was pasted or dropped. */
  attachPicture: { session: id, request: id, name, base64 },
  /** What was dropped as an address. */
  attachUri: { session: id, request: id, uri: address },
  /** What is attached to the draft. */
  keepAttached: { session: id, attached: idsOrNone },
  /** Shows the session before its first message; what was said stays as a branch. */
  clear: ofSession,
  /** Shows another branch through this message: the leaf that was written to last. */
  goToBranch: ofMessage,
  /** The next prompt answers this message. */
  forkFrom: ofMessage,
  /** The next prompt answers the last message shown. */
  forkHere: ofSession,
  /** An empty title asks the person for one. */
  giveTitle: { session: id, title: text },
  exportSession: ofSession,
  /** Sends a prompt again in other words, as a branch. */
  editPrompt: { ...ofMessage, request: id, text: prompt },
  /** Sends the prompt of an answer again, as a branch. */
  retry: { ...ofMessage, request: id },
  /** May name a session that this panel showed before: what was typed can arrive after it was left. */
  keepDraft: { session: id, text },
  /** The person is about to write. */
  prepare: ofSession,
  answerPermission: { session: id, permission: id, choice: name },
  /** Shows a permission that is too long for the panel in an editor. */
  openPermission: { session: id, permission: id },
  answerHeld: { session: id, choice: heldChoice },
  answerElicitation: { session: id, elicitation: id, answer: elicitationAnswer },
  /** `file` is an index into the message's changes; null is all of them. */
  decideChange: { ...ofMessage, file: indexOrNull, decision },
  openChange: { ...ofMessage, file: indexOrNull },
  /** The person wants to choose a value for it. */
  pickOption: { session: id, option: name },
  /** Asks the agent for a summary, which tells the next agent what was said. */
  summarise: ofSession,
  /** Null takes the prompt out of the queue. */
  changeQueued: { session: id, id, text: textOrNull },
  sendNow: { session: id, id },
  selectAgent: none,
  /** Only before the first message. */
  chooseFolder: ofSession,
  /** Opens where a person adds an agent of their own. */
  connectAgent: none,
  acceptUnsaved: ofSession,
  cancelTurn: ofSession,
  newSession: none,
  manageTrust: none,
  openFolder: none,
  resumeSession: none,
  restoreSession: ofSession,
  /** Ends an incognito session, of which nothing is kept. */
  endSession: ofSession,
  openLink: { url: address },
  copyText: { text },
  /** Copies the whole message, however much of it the panel has. */
  copyMessage: ofMessage,
  /** The rest of a text of which the panel has `offset` characters; answered with `textAppended`. */
  wantText: { ...ofBlock, offset: index },
  /** Inserts at the cursor of the text editor. Nothing is run. */
  insertCode: { text: code },
  /** Opens one of a tool call's locations, or with `location` 0 the file of a resource. */
  openLocation: { ...ofBlock, location: index },
  /** The picture of this block; answered with `media`. */
  wantMedia: ofBlock,
  /** The files that the text of this block names; answered with `namedFiles`. */
  wantFiles: ofBlock,
  /** Opens one of these files, by its index among them. */
  openNamed: { ...ofBlock, at: index },
  /** Shows a whole tool call in an editor. */
  openTool: ofBlock,
} satisfies { readonly [kind: string]: Fields };

export type IntentKind = keyof typeof intentFields;

type ValueOf<Parse> = Parse extends Field<infer Value> ? Value : never;
type OptionalOf<Of> = { [name in keyof Of]: typeof absent extends ValueOf<Of[name]> ? name : never }[keyof Of];
type Parsed<Of> = { readonly [name in Exclude<keyof Of, OptionalOf<Of>>]: ValueOf<Of[name]> } & {
  readonly [name in OptionalOf<Of>]?: Exclude<ValueOf<Of[name]>, typeof absent>;
};

/** Derived from the table; `IntentOf<'sendPrompt'>` is the intent of one kind. */
export type IntentOf<Kind extends IntentKind> = {
  readonly [kind in Kind]: { readonly type: kind } & Parsed<(typeof intentFields)[kind]>;
}[Kind];
export type Intent = IntentOf<IntentKind>;

export function parseIntent(value: unknown): Intent | undefined {
  if (!isRaw(value) || !isKind(value['type'])) return undefined;
  const parsed: { [name: string]: unknown } = { type: value['type'] };
  for (const [name, parse] of Object.entries<Field>(intentFields[value['type']])) {
    const field = parse(value[name]);
    if (field === undefined) return undefined;
    if (field !== absent) parsed[name] = field;
  }
  return parsed as Intent;
}

function isKind(type: unknown): type is IntentKind {
  return typeof type === 'string' && Object.hasOwn(intentFields, type);
}
