// What travels between the history's client and its worker.

import type { HistoryErrorCode } from '../../core/history/historyError.ts';
import type { SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Recovery } from './store.ts';

export interface WorkerStart {
  readonly folder: string;
  readonly writer: string;
  readonly wasmFile: string;
}

export type Request =
  | { readonly type: 'append'; readonly session: SessionId; readonly facts: readonly Fact[] }
  | { readonly type: 'sessions'; readonly limit: number; readonly offset: number }
  | { readonly type: 'open'; readonly session: SessionId }
  | { readonly type: 'close' };

export type ToWorker = Request & { readonly id: number };

export type FromWorker =
  | { readonly type: 'opened'; readonly recovery: Recovery }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly failure: Failure }
  /** This process or another appended to the session, and the index has it. */
  | { readonly type: 'appended'; readonly session: SessionId }
  /** Something that is only a cache could not be written. */
  | { readonly type: 'warned'; readonly failure: Failure };

export interface Failure {
  readonly code: HistoryErrorCode;
  readonly detail: string;
}
