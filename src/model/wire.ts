// What the host sends to a webview. Promises: every message carries `seq`, consecutive per webview; a snapshot may come
// with any `seq` and starts the count anew. What a webview sends is in `intent.ts`.

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
