// What a webview asks of the host. It is not trusted: `parseIntent` answers undefined for anything that is not exactly an
// intent, and an intent never holds a path, a command or an argument list, only opaque ids, places in lists and the
// person's words.

import type { ElicitationAnswer, FormValue, HeldChoice } from './agentState.ts';
import { largestPicture } from './attachment.ts';
import { heldChoice, id, ids, isNone, isRaw, longestChoice, place, words, type Raw } from './intentFields.ts';
import type { MessageId, SessionId } from './message.ts';

export type Intent =
  /** The webview stands and wants a snapshot; `session` is the one that it showed before a reload, `message` the one where. */
  | { readonly type: 'ready'; readonly session: SessionId | null; readonly message?: MessageId }
  /** A gap in `seq`, or an event that did not fit. */
  | { readonly type: 'requestSnapshot' }
  /** More of the path, before its message in the place `first`: answered with `earlierRead`. */
  | { readonly type: 'wantEarlier'; readonly session: SessionId; readonly first: number }
  /** The panel has nothing before its message in the place `first` any more. */
  | { readonly type: 'letGo'; readonly session: SessionId; readonly first: number }
  /** `request` is the webview's own id of this prompt: a refusal names it, and the words come back to the composer. */
  | {
      readonly type: 'sendPrompt';
      readonly request: string;
      readonly session: SessionId;
      readonly text: string;
      /** The host's ids of what goes with it; never empty. */
      readonly attached?: readonly string[];
    }
  /** Files and folders that fit what was typed; answered with `completions`. */
  | { readonly type: 'complete'; readonly session: SessionId; readonly request: string; readonly text: string }
  /** A picture that was pasted or dropped, and something that was dropped by its address. */
  | {
      readonly type: 'attachPicture';
      readonly session: SessionId;
      readonly request: string;
      readonly name: string;
      readonly base64: string;
    }
  | { readonly type: 'attachUri'; readonly session: SessionId; readonly request: string; readonly uri: string }
  /** What is attached to words that are not sent yet. */
  | { readonly type: 'keepAttached'; readonly session: SessionId; readonly attached: readonly string[] }
  /** Before the first message: what was said stays as a branch. */
  | { readonly type: 'clear'; readonly session: SessionId }
  /** Of another branch that goes through this message, the end that was written to last is shown. */
  | { readonly type: 'goToBranch'; readonly session: SessionId; readonly message: MessageId }
  /** The next prompt answers this message. */
  | { readonly type: 'forkFrom'; readonly session: SessionId; readonly message: MessageId }
  /** The same, of the last one that is shown. */
  | { readonly type: 'forkHere'; readonly session: SessionId }
  /** Empty asks for one. */
  | { readonly type: 'giveTitle'; readonly session: SessionId; readonly title: string }
  | { readonly type: 'exportSession'; readonly session: SessionId }
  /** A prompt in other words, and the prompt of an answer once more: each begins a branch beside what is there. */
  | {
      readonly type: 'editPrompt';
      readonly request: string;
      readonly session: SessionId;
      readonly message: MessageId;
      readonly text: string;
    }
  | { readonly type: 'retry'; readonly request: string; readonly session: SessionId; readonly message: MessageId }
  /** The one intent that may name another session than the panel shows now: the one that it has just left. */
  | { readonly type: 'keepDraft'; readonly session: SessionId; readonly text: string }
  /** The person is about to write. */
  | { readonly type: 'prepare'; readonly session: SessionId }
  | {
      readonly type: 'answerPermission';
      readonly session: SessionId;
      readonly permission: string;
      readonly choice: string;
    }
  /** All of one that is too long for the panel, in an editor. */
  | { readonly type: 'openPermission'; readonly session: SessionId; readonly permission: string }
  | { readonly type: 'answerHeld'; readonly session: SessionId; readonly choice: HeldChoice }
  | {
      readonly type: 'answerElicitation';
      readonly session: SessionId;
      readonly elicitation: string;
      readonly answer: ElicitationAnswer;
    }
  /** `file` is the place in the message's list of changes; null is all of them. */
  | {
      readonly type: 'decideChange';
      readonly session: SessionId;
      readonly message: MessageId;
      readonly file: number | null;
      readonly decision: 'keep' | 'undo' | 'redo';
    }
  | {
      readonly type: 'openChange';
      readonly session: SessionId;
      readonly message: MessageId;
      readonly file: number | null;
    }
  /** The person wants to choose a value for it. */
  | { readonly type: 'pickOption'; readonly session: SessionId; readonly option: string }
  /** What was said so far is to be told shortly to whoever goes on. */
  | { readonly type: 'summarise'; readonly session: SessionId }
  /** Null takes it back. */
  | { readonly type: 'changeQueued'; readonly session: SessionId; readonly id: string; readonly text: string | null }
  | { readonly type: 'sendNow'; readonly session: SessionId; readonly id: string }
  | { readonly type: 'selectAgent' }
  /** Of a session in which nothing was said yet. */
  | { readonly type: 'chooseFolder'; readonly session: SessionId }
  /** Where a person brings an agent of their own. */
  | { readonly type: 'connectAgent' }
  | { readonly type: 'acceptUnsaved'; readonly session: SessionId }
  | { readonly type: 'cancelTurn'; readonly session: SessionId }
  | { readonly type: 'newSession' }
  | { readonly type: 'manageTrust' }
  /** The person chooses which. */
  | { readonly type: 'openFolder' }
  | { readonly type: 'resumeSession' }
  | { readonly type: 'restoreSession'; readonly session: SessionId }
  /** Of an incognito session: it is gone then. */
  | { readonly type: 'endSession'; readonly session: SessionId }
  | { readonly type: 'openLink'; readonly url: string }
  | { readonly type: 'copyText'; readonly text: string }
  /** All of it, however much of it the panel has. */
  | { readonly type: 'copyMessage'; readonly session: SessionId; readonly message: MessageId }
  /** More of a text, of which the panel has as much: answered with `textAppended`. */
  | {
      readonly type: 'wantText';
      readonly session: SessionId;
      readonly message: MessageId;
      readonly block: number;
      readonly offset: number;
    }
  /** Into the text that the person edits, where the cursor is; it is never run. */
  | { readonly type: 'insertCode'; readonly text: string }
  /** A place of a tool call, or with `location` 0 the file that a message names. */
  | {
      readonly type: 'openLocation';
      readonly session: SessionId;
      readonly message: MessageId;
      readonly block: number;
      readonly location: number;
    }
  /** The picture in this block is to be seen; it is answered with `media`. */
  | { readonly type: 'wantMedia'; readonly session: SessionId; readonly message: MessageId; readonly block: number }
  /** The files that the words of this block name are to be found; they are answered with `namedFiles`. */
  | { readonly type: 'wantFiles'; readonly session: SessionId; readonly message: MessageId; readonly block: number }
  /** All of a tool call, in an editor. */
  | { readonly type: 'openTool'; readonly session: SessionId; readonly message: MessageId; readonly block: number }
  /** One of them, by its place among them. */
  | {
      readonly type: 'openNamed';
      readonly session: SessionId;
      readonly message: MessageId;
      readonly block: number;
      readonly at: number;
    };

/** A prompt may be long (a pasted log), an id never is. */
export const longestPrompt = 4 * 1024 * 1024;
const mostFields = 256;
const longestField = 65_536;
const longestTyped = 256;
const longestName = 1024;
const longestPicture = Math.ceil(largestPicture / 3) * 4;

type Parse = (raw: Raw) => Intent | undefined;
type Kind = Intent['type'];

export function parseIntent(value: unknown): Intent | undefined {
  if (!isRaw(value)) return undefined;
  const { type } = value;
  return typeof type === 'string' && Object.hasOwn(parsers, type) ? parsers[type as Kind](value) : undefined;
}

const parsers: { readonly [kind in Kind]: Parse } = {
  ready(raw) {
    const session = raw['session'] === null ? null : id(raw['session']);
    const message = raw['message'] === undefined ? null : id(raw['message']);
    if (session === undefined || message === undefined) return undefined;
    return { type: 'ready', session, ...(message !== null && { message }) };
  },
  wantEarlier: ofPlace('wantEarlier'),
  letGo: ofPlace('letGo'),
  requestSnapshot: () => ({ type: 'requestSnapshot' }),
  newSession: () => ({ type: 'newSession' }),
  manageTrust: () => ({ type: 'manageTrust' }),
  openFolder: () => ({ type: 'openFolder' }),
  selectAgent: () => ({ type: 'selectAgent' }),
  connectAgent: () => ({ type: 'connectAgent' }),
  resumeSession: () => ({ type: 'resumeSession' }),
  prepare: ofSession('prepare'),
  acceptUnsaved: ofSession('acceptUnsaved'),
  cancelTurn: ofSession('cancelTurn'),
  restoreSession: ofSession('restoreSession'),
  endSession: ofSession('endSession'),
  summarise: ofSession('summarise'),
  clear: ofSession('clear'),
  forkHere: ofSession('forkHere'),
  exportSession: ofSession('exportSession'),
  chooseFolder: ofSession('chooseFolder'),
  giveTitle(raw) {
    const [session, title] = [id(raw['session']), words(raw['title'], longestPrompt)];
    return session === undefined || title === undefined ? undefined : { type: 'giveTitle', session, title };
  },
  sendPrompt(raw) {
    const [request, session, text] = [id(raw['request']), id(raw['session']), words(raw['text'], longestPrompt)];
    if (request === undefined || session === undefined || text === undefined || text.trim() === '') return undefined;
    const attached = raw['attached'] === undefined ? null : ids(raw['attached']);
    if (attached === undefined) return undefined;
    return { type: 'sendPrompt', request, session, text, ...(attached && { attached }) };
  },
  keepAttached(raw) {
    const [session, attached] = [id(raw['session']), isNone(raw['attached']) ? [] : ids(raw['attached'])];
    return session === undefined || attached === undefined ? undefined : { type: 'keepAttached', session, attached };
  },
  complete(raw) {
    const [session, request, text] = [id(raw['session']), id(raw['request']), words(raw['text'], longestTyped)];
    if (session === undefined || request === undefined || text === undefined) return undefined;
    return { type: 'complete', session, request, text };
  },
  attachPicture(raw) {
    const [session, request, name] = [id(raw['session']), id(raw['request']), words(raw['name'], longestName)];
    const base64 = words(raw['base64'], longestPicture);
    if (session === undefined || request === undefined || name === undefined || base64 === undefined) return undefined;
    if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
    return { type: 'attachPicture', session, request, name, base64 };
  },
  attachUri(raw) {
    const [session, request, uri] = [id(raw['session']), id(raw['request']), words(raw['uri'], 8192)];
    if (session === undefined || request === undefined || uri === undefined) return undefined;
    return { type: 'attachUri', session, request, uri };
  },
  goToBranch: ofMessage('goToBranch'),
  copyMessage: ofMessage('copyMessage'),
  wantText(raw) {
    const [session, message] = [id(raw['session']), id(raw['message'])];
    const [block, offset] = [place(raw['block']), place(raw['offset'])];
    if (session === undefined || message === undefined || typeof block !== 'number' || typeof offset !== 'number')
      return undefined;
    return { type: 'wantText', session, message, block, offset };
  },
  forkFrom: ofMessage('forkFrom'),
  editPrompt(raw) {
    const [request, session, message] = [id(raw['request']), id(raw['session']), id(raw['message'])];
    const text = words(raw['text'], longestPrompt);
    if (request === undefined || session === undefined || message === undefined || !text?.trim()) return undefined;
    return { type: 'editPrompt', request, session, message, text };
  },
  retry(raw) {
    const [request, session, message] = [id(raw['request']), id(raw['session']), id(raw['message'])];
    if (request === undefined || session === undefined || message === undefined) return undefined;
    return { type: 'retry', request, session, message };
  },
  keepDraft(raw) {
    const [session, text] = [id(raw['session']), words(raw['text'], longestPrompt)];
    return session === undefined || text === undefined ? undefined : { type: 'keepDraft', session, text };
  },
  answerPermission(raw) {
    const [session, permission] = [id(raw['session']), id(raw['permission'])];
    const choice = words(raw['choice'], longestChoice);
    if (session === undefined || permission === undefined || choice === undefined) return undefined;
    return { type: 'answerPermission', session, permission, choice };
  },
  openPermission(raw) {
    const [session, permission] = [id(raw['session']), id(raw['permission'])];
    return session === undefined || permission === undefined
      ? undefined
      : { type: 'openPermission', session, permission };
  },
  answerHeld(raw) {
    const [session, choice] = [id(raw['session']), heldChoice(raw['choice'])];
    return session === undefined || choice === undefined ? undefined : { type: 'answerHeld', session, choice };
  },
  answerElicitation(raw) {
    const [session, elicitation, answer] = [id(raw['session']), id(raw['elicitation']), elicited(raw['answer'])];
    if (session === undefined || elicitation === undefined || answer === undefined) return undefined;
    return { type: 'answerElicitation', session, elicitation, answer };
  },
  decideChange(raw) {
    const [session, message, file] = [id(raw['session']), id(raw['message']), place(raw['file'])];
    const { decision } = raw;
    if (session === undefined || message === undefined || file === undefined) return undefined;
    if (decision !== 'keep' && decision !== 'undo' && decision !== 'redo') return undefined;
    return { type: 'decideChange', session, message, file, decision };
  },
  openChange(raw) {
    const [session, message, file] = [id(raw['session']), id(raw['message']), place(raw['file'])];
    if (session === undefined || message === undefined || file === undefined) return undefined;
    return { type: 'openChange', session, message, file };
  },
  pickOption(raw) {
    const [session, option] = [id(raw['session']), words(raw['option'], longestChoice)];
    return session === undefined || option === undefined ? undefined : { type: 'pickOption', session, option };
  },
  changeQueued(raw) {
    const [session, queued] = [id(raw['session']), id(raw['id'])];
    const text = raw['text'] === null ? null : words(raw['text'], longestPrompt);
    if (session === undefined || queued === undefined || text === undefined) return undefined;
    return { type: 'changeQueued', session, id: queued, text };
  },
  sendNow(raw) {
    const [session, queued] = [id(raw['session']), id(raw['id'])];
    return session === undefined || queued === undefined ? undefined : { type: 'sendNow', session, id: queued };
  },
  openLink(raw) {
    const url = words(raw['url'], 8192);
    return url === undefined ? undefined : { type: 'openLink', url };
  },
  copyText(raw) {
    const text = words(raw['text'], longestPrompt);
    return text === undefined ? undefined : { type: 'copyText', text };
  },
  insertCode(raw) {
    const text = words(raw['text'], longestPrompt);
    return text === undefined || text === '' ? undefined : { type: 'insertCode', text };
  },
  openLocation(raw) {
    const [session, message] = [id(raw['session']), id(raw['message'])];
    const [block, location] = [place(raw['block']), place(raw['location'])];
    if (session === undefined || message === undefined || typeof block !== 'number' || typeof location !== 'number')
      return undefined;
    return { type: 'openLocation', session, message, block, location };
  },
  wantMedia: ofBlock('wantMedia'),
  wantFiles: ofBlock('wantFiles'),
  openTool: ofBlock('openTool'),
  openNamed(raw) {
    const [session, message] = [id(raw['session']), id(raw['message'])];
    const [block, at] = [place(raw['block']), place(raw['at'])];
    if (session === undefined || message === undefined || typeof block !== 'number' || typeof at !== 'number')
      return undefined;
    return { type: 'openNamed', session, message, block, at };
  },
};

type OfSession =
  | 'prepare'
  | 'acceptUnsaved'
  | 'cancelTurn'
  | 'restoreSession'
  | 'endSession'
  | 'summarise'
  | 'clear'
  | 'forkHere'
  | 'exportSession'
  | 'chooseFolder';

function ofSession(type: OfSession): Parse {
  return raw => {
    const session = id(raw['session']);
    return session === undefined ? undefined : { type, session };
  };
}

function ofPlace(type: 'wantEarlier' | 'letGo'): Parse {
  return raw => {
    const [session, first] = [id(raw['session']), place(raw['first'])];
    return session === undefined || typeof first !== 'number' ? undefined : { type, session, first };
  };
}

function ofMessage(type: 'goToBranch' | 'forkFrom' | 'copyMessage'): Parse {
  return raw => {
    const [session, message] = [id(raw['session']), id(raw['message'])];
    return session === undefined || message === undefined ? undefined : { type, session, message };
  };
}

function ofBlock(type: 'wantMedia' | 'wantFiles' | 'openTool'): Parse {
  return raw => {
    const [session, message, block] = [id(raw['session']), id(raw['message']), place(raw['block'])];
    if (session === undefined || message === undefined || typeof block !== 'number') return undefined;
    return { type, session, message, block };
  };
}

function elicited(value: unknown): ElicitationAnswer | undefined {
  if (!isRaw(value)) return undefined;
  const { action, content } = value;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept' || !isRaw(content)) return undefined;
  const fields = Object.entries(content);
  const fits = ([name, one]: readonly [string, unknown]) => name.length <= longestChoice && isFormValue(one);
  if (fields.length > mostFields || !fields.every(fits) || lengthOf(fields) > longestPrompt) return undefined;
  return { action, content: Object.fromEntries(fields) as { readonly [field: string]: FormValue } };
}

function lengthOf(fields: readonly (readonly [string, unknown])[]): number {
  const texts = fields.flatMap(([, value]) => value).filter(one => typeof one === 'string');
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value))
    return value.length <= mostFields && value.every(one => words(one, longestField) !== undefined);
  return typeof value === 'boolean' || Number.isFinite(value) || words(value, longestField) !== undefined;
}
