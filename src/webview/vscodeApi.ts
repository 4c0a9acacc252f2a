// The one place that touches what VS Code gives to a webview: posting intents, and the small state that outlives a
// hidden or reloaded panel. Promises: the saved state holds the session and the scroll, never content of
// a conversation, and what is read back is checked before it is believed. When to save is left to others.

import type { MessageId, SessionId } from '../model/message.ts';
import type { Intent } from '../model/intent.ts';

interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The article at the upper edge and how far it is scrolled past it; null is the end of the conversation. */
export interface ScrollAnchor {
  readonly message: MessageId;
  readonly offset: number;
}

export interface SavedState {
  readonly session: SessionId | null;
  readonly scroll: ScrollAnchor | null;
}

export interface Window {
  readonly post: (intent: Intent) => void;
  readonly saved: SavedState;
  readonly save: (state: SavedState) => void;
}

/** VS Code allows this once per page, so the composition root calls it and hands the result on. */
export function openWindow(): Window {
  const api = acquireVsCodeApi();
  return {
    post: intent => api.postMessage(intent),
    saved: parseSavedState(api.getState()),
    save: state => api.setState(state),
  };
}

export function parseSavedState(value: unknown): SavedState {
  const fields = asFields(value);
  const scroll = asFields(fields['scroll']);
  const { message, offset } = scroll;
  return {
    session: typeof fields['session'] === 'string' ? fields['session'] : null,
    scroll: typeof message === 'string' && typeof offset === 'number' ? { message, offset } : null,
  };
}

function asFields(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {};
}
