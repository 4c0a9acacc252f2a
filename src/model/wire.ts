// What the host sends to a webview. Promises: every message carries `seq`, consecutive per webview; a snapshot may come
// with any `seq` and starts the count anew. What a webview sends is in `intent.ts`.

import type { Attachment } from './attachment.ts';
import type { MessageId } from './message.ts';
import type { Transcript, TranscriptEvent } from './transcript.ts';

export const wireVersion = 1;

export interface HostMessage {
  readonly v: typeof wireVersion;
  readonly seq: number;
  readonly event: HostEvent;
}

export type HostEvent =
  /** `draft` is what was typed in this session and not sent, for a panel that shows another session or has just booted. */
  | {
      readonly type: 'snapshot';
      readonly transcript: Transcript;
      readonly place: Place;
      readonly draft: string;
      /** What is attached to it. */
      readonly attached?: readonly Attachment[];
    }
  /** `noAgent`: another agent may be what helps. */
  | { readonly type: 'refused'; readonly request: string; readonly words: string; readonly noAgent?: true }
  | { readonly type: 'focus'; readonly on?: FocusOn }
  /** Answers `wantMedia`; `base64` is null for what cannot be shown. */
  | {
      readonly type: 'media';
      readonly message: MessageId;
      readonly block: number;
      readonly mime: string;
      readonly base64: string | null;
    }
  /** Answers `wantFiles`, where there are any. */
  | {
      readonly type: 'namedFiles';
      readonly message: MessageId;
      readonly block: number;
      readonly files: readonly NamedFile[];
    }
  /** Another panel of this window shows the same session, and this is what is typed there. */
  | { readonly type: 'draftChanged'; readonly draft: string }
  /** Answers `complete`, best first. */
  | { readonly type: 'completions'; readonly request: string; readonly items: readonly Attachment[] }
  | { readonly type: 'attached'; readonly request: string; readonly attachment: Attachment }
  /** A person added these from elsewhere in the window. */
  | { readonly type: 'added'; readonly attachments: readonly Attachment[] }
  /** Also of something that was attached already, where it turns out that it cannot be sent. */
  | { readonly type: 'notAttached'; readonly request: string; readonly words: string }
  | TranscriptEvent;

/** A file that the words of an answer name; `at` is its place among all that they name. */
export interface NamedFile {
  readonly at: number;
  readonly words: string;
}

/** Absent is where a person writes. */
export type FocusOn = 'lastMessage' | 'find' | GoTo;

/** A message of the path that is shown, or is about to be. */
export interface GoTo {
  readonly message: MessageId;
}

/** What the panel has to know of the window that it is in. */
export interface Place {
  /** The name of the workspace folder, or null in an empty window. */
  readonly folder: string | null;
  /** Where the folders of the window lie, so that a file in them is called as it is called there. */
  readonly folders?: readonly string[];
  readonly trusted: boolean;
  /** In which folder the session works; absent where the window has only one. */
  readonly workFolder?: string;
  /** What else there is to say of this window where nothing was said yet, in whole sentences. */
  readonly notes?: readonly string[];
  /** There is neither an agent nor a model of theirs, and the person may bring one. */
  readonly agentWanted?: true;
  /** What sends a prompt; absent for Enter. */
  readonly sendWith?: 'ctrlEnter';
}
