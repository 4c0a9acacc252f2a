// What travels between the host and a webview. Promises: every message from the host carries `seq`, consecutive per
// webview; a snapshot may come with any `seq` and starts the count anew. What comes from a webview is not trusted:
// `parseIntent` answers undefined for anything that is not exactly an intent, and an intent never holds a path, a
// command or an argument list, only opaque ids and the person's words.

import type { HeldChoice } from './agentState.ts';
import type { SessionId } from './message.ts';
import type { Transcript, TranscriptEvent } from './transcript.ts';

export const wireVersion = 1;

export interface HostMessage {
  readonly v: typeof wireVersion;
  readonly seq: number;
  readonly event: HostEvent;
}

export type HostEvent =
  /** `draft` is what was typed in this session and not sent, for a panel that shows another session or has just booted. */
  | { readonly type: 'snapshot'; readonly transcript: Transcript; readonly place: Place; readonly draft: string }
  | { readonly type: 'refused'; readonly request: string; readonly words: string }
  | { readonly type: 'focus' }
  | TranscriptEvent;

/** What the panel has to know of the window that it is in. */
export interface Place {
  /** The name of the workspace folder, or null in an empty window. */
  readonly folder: string | null;
  readonly trusted: boolean;
}

export type Intent =
  /** The webview stands and wants a snapshot; `session` is the one that it showed before a reload. */
  | { readonly type: 'ready'; readonly session: SessionId | null }
  /** A gap in `seq`, or an event that did not fit. */
  | { readonly type: 'requestSnapshot' }
  /** `request` is the webview's own id of this prompt: a refusal names it, and the words come back to the composer. */
  | { readonly type: 'sendPrompt'; readonly request: string; readonly session: SessionId; readonly text: string }
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
  | { readonly type: 'answerHeld'; readonly session: SessionId; readonly choice: HeldChoice }
  /** Null takes it back. */
  | { readonly type: 'changeQueued'; readonly session: SessionId; readonly id: string; readonly text: string | null }
  | { readonly type: 'sendNow'; readonly session: SessionId; readonly id: string }
  | { readonly type: 'selectAgent' }
  | { readonly type: 'acceptUnsaved'; readonly session: SessionId }
  | { readonly type: 'cancelTurn'; readonly session: SessionId }
  | { readonly type: 'newSession' }
  | { readonly type: 'manageTrust' }
  | { readonly type: 'resumeSession' }
  | { readonly type: 'restoreSession'; readonly session: SessionId }
  | { readonly type: 'openLink'; readonly url: string }
  | { readonly type: 'copyText'; readonly text: string };

/** A prompt may be long (a pasted log), an id never is. */
export const longestPrompt = 4 * 1024 * 1024;
const longestId = 128;
/** An agent's own id of what it offers. */
const longestChoice = 1024;

export function parseIntent(value: unknown): Intent | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  const fields = value as { readonly [key: string]: unknown };
  const id = (name: string) => {
    const field = fields[name];
    return typeof field === 'string' && field.length > 0 && field.length <= longestId ? field : undefined;
  };
  const text = (name: string, longest: number) => {
    const field = fields[name];
    return typeof field === 'string' && field.length <= longest ? field : undefined;
  };
  switch (fields['type']) {
    case 'ready': {
      if (fields['session'] === null) return { type: 'ready', session: null };
      const session = id('session');
      return session === undefined ? undefined : { type: 'ready', session };
    }
    case 'requestSnapshot':
    case 'newSession':
    case 'manageTrust':
    case 'selectAgent':
    case 'resumeSession':
      return { type: fields['type'] };
    case 'sendPrompt': {
      const request = id('request');
      const session = id('session');
      const words = text('text', longestPrompt);
      if (request === undefined || session === undefined || words === undefined || words.trim() === '')
        return undefined;
      return { type: 'sendPrompt', request, session, text: words };
    }
    case 'keepDraft': {
      const session = id('session');
      const words = text('text', longestPrompt);
      return session === undefined || words === undefined ? undefined : { type: 'keepDraft', session, text: words };
    }
    case 'answerPermission': {
      const [session, permission, choice] = [id('session'), id('permission'), text('choice', longestChoice)];
      if (session === undefined || permission === undefined || choice === undefined) return undefined;
      return { type: 'answerPermission', session, permission, choice };
    }
    case 'answerHeld': {
      const session = id('session');
      const { choice } = fields;
      if (session === undefined || !isHeldChoice(choice)) return undefined;
      return { type: 'answerHeld', session, choice };
    }
    case 'changeQueued': {
      const [session, queued] = [id('session'), id('id')];
      const words = fields['text'] === null ? null : text('text', longestPrompt);
      if (session === undefined || queued === undefined || words === undefined) return undefined;
      return { type: 'changeQueued', session, id: queued, text: words };
    }
    case 'sendNow': {
      const [session, queued] = [id('session'), id('id')];
      return session === undefined || queued === undefined ? undefined : { type: 'sendNow', session, id: queued };
    }
    case 'prepare':
    case 'acceptUnsaved':
    case 'cancelTurn':
    case 'restoreSession': {
      const session = id('session');
      return session === undefined ? undefined : { type: fields['type'], session };
    }
    case 'openLink': {
      const url = text('url', 8192);
      return url === undefined ? undefined : { type: 'openLink', url };
    }
    case 'copyText': {
      const words = text('text', longestPrompt);
      return words === undefined ? undefined : { type: 'copyText', text: words };
    }
    default:
      return undefined;
  }
}

function isHeldChoice(value: unknown): value is HeldChoice {
  return value === 'transcript' || value === 'retry' || value === 'cancel';
}
