// What travels between the history's client and its worker.

import type {
  BranchChoice,
  CheckReport,
  Erased,
  HistoryStatistics,
  FreshSession,
  MessageQuery,
  ScanProgress,
  SearchQuery,
  SearchResult,
  SessionAudit,
  SessionQuery,
  SessionSummary,
  StoredEnd,
  StoredFields,
  StoredSession,
  TreeNode,
} from '../../core/history/history.ts';
import type { HistoryChange } from '../../core/history/historyChange.ts';
import type { SearchFilter } from '../../core/history/searchFilter.ts';
import type { ExchangeProgress, ImportedFile } from '../../core/exchange/exchange.ts';
import type { HistoryErrorCode } from '../../core/history/historyError.ts';
import type { BlobRef, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Branches } from '../../model/transcript.ts';
import type { Recovery } from './intake.ts';
import type { LongText } from './longTexts.ts';

export interface WorkerStart {
  readonly folder: string;
  /** The id of this window. Its worker writes under it until it is restarted. */
  readonly writer: string;
  readonly wasmFile: string;
}

/** Of a worker that stands in for one that ended: what the window has been told of is not older than this tick. */
export interface WorkerData extends WorkerStart {
  /** The worker's own file, of which the thread that reads an import is started. */
  readonly workerFile: string;
  readonly resumeAfter: string | null;
}

/** An append that is asked for again is first looked up among the records of the workers that may have written it. */
export interface AppendAttempt {
  /** The same for each attempt, and no other append of this window has it. */
  readonly number: number;
  readonly writers: readonly string[];
}

/** What can be asked, with its answer. */
export interface Calls {
  append: (session: SessionId, facts: readonly Fact[], attempt: AppendAttempt) => undefined;
  openByKey: (key: string, fresh: FreshSession) => SessionId;
  resetKey: (key: string) => undefined;
  trashedSince: () => ReadonlyMap<SessionId, number>;
  trash: (session: SessionId, branch: BranchChoice | null) => undefined;
  restore: (session: SessionId, message: MessageId | null) => undefined;
  erase: (session: SessionId, branch: BranchChoice | null) => Erased;
  sessions: (query: SessionQuery) => readonly SessionSummary[];
  open: (session: SessionId, at: MessageId | null) => StoredSession | undefined;
  fields: (session: SessionId) => StoredFields | undefined;
  erased: (ids: readonly SessionId[]) => ReadonlySet<SessionId>;
  openEnd: (session: SessionId) => StoredEnd | null;
  branches: (session: SessionId, head: MessageId | null) => Branches | undefined;
  messages: (ids: readonly MessageId[]) => readonly Message[];
  list: (query: MessageQuery) => readonly Message[];
  tree: (session: SessionId) => readonly TreeNode[];
  bound: (agent: string) => ReadonlyMap<string, SessionId>;
  audit: (session: SessionId) => SessionAudit | undefined;
  blob: (session: SessionId, ref: BlobRef) => Uint8Array<ArrayBuffer>;
  search: (words: string, query: SearchQuery) => SearchResult;
  /** Answers when it is over or stopped; what it finds meanwhile is told as progress. */
  scan: (text: string, filter: SearchFilter) => ScanProgress;
  /** Of the scan that runs. */
  stopScan: () => undefined;
  check: () => CheckReport;
  repair: () => CheckReport;
  statistics: () => HistoryStatistics;
  exportSqlite: (file: string) => undefined;
  exportJson: (sessions: readonly SessionId[], file: string) => boolean;
  importJson: (file: string) => ImportedFile;
  /** Of one of these two, by the number of its call. */
  stop: (call: number) => undefined;
  /** Joins the files of sessions that nobody writes to, or of the one that is named. */
  join: (session: SessionId | null) => undefined;
  alive: () => ReadonlySet<string>;
  /** Of a text that the answer to a call names, from an offset on. */
  textPart: (call: number, text: number, offset: number) => string;
  close: () => undefined;
}

export type Call = {
  [Name in keyof Calls]: { readonly name: Name; readonly args: Parameters<Calls[Name]> };
}[keyof Calls];

export type ToWorker = Call & {
  readonly id: number;
  /** Asked again, because the answer could not be read as it was. */
  readonly asText?: true;
};

export type FromWorker =
  | { readonly type: 'opened'; readonly recovery: Recovery; readonly tick: string }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** `texts` are empty in the value, and are asked for in parts. */
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown; readonly texts?: readonly LongText[] }
  | { readonly type: 'answerText'; readonly id: number; readonly json: string }
  | { readonly type: 'progress'; readonly id: number; readonly progress: ScanProgress | ExchangeProgress }
  | { readonly type: 'refused'; readonly id: number; readonly failure: Failure }
  /** This process or another changed a session, and the index has it, up to this tick of the clock. */
  | { readonly type: 'appended'; readonly change: HistoryChange; readonly tick: string }
  /** Something that is only a cache, or only tidier, could not be written. */
  | { readonly type: 'warned'; readonly failure: Failure };

export interface Failure {
  readonly code: HistoryErrorCode;
  readonly detail: string;
}
