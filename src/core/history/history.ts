// The history of one folder as everything outside sees it: what goes in, what is asked, what comes out. Behind it stand
// a journal and an index in a worker thread, or nothing where a history could not be opened. All of it is asynchronous;
// failures are HistoryErrors with a code.

import type { AgentRef, BlobRef, Cost, Json, Message, MessageId, SessionId } from '../../model/message.ts';
import type { Fact, SessionFact } from '../../model/record.ts';
import type { Branches } from '../../model/transcript.ts';
import type { ExchangeProgress, ImportedFile } from '../exchange/exchange.ts';
import type { HistoryChange } from './historyChange.ts';
import type { HistoryError } from './historyError.ts';
import type { SearchFilter } from './searchFilter.ts';

export interface History {
  /** This window, as the others know it. */
  readonly writer: string;
  /** Why nothing can be read or saved, where that is so from the start. */
  readonly unavailable?: HistoryError;
  /** The windows that gave a sign of life lately. */
  alive(): Promise<ReadonlySet<string>>;
  /**
   * One record, one transaction. Durable on disk when it resolves; the index and `onDidAppend` follow. Throws
   * HistoryError: `no-session`, `no-parent`, `no-message`, `exists` and `erased` before anything is written, the disk's
   * own trouble after trying a new segment.
   */
  readonly append: (session: SessionId, facts: readonly Fact[]) => Promise<void>;
  /**
   * The session of a stable key, made where there is none: the same one in every window. One that expired, was reset,
   * trashed or erased is followed by the next generation.
   */
  openByKey(key: string, fresh: FreshSession): Promise<SessionId>;
  /** The next `openByKey` begins a new generation; what there is stays. */
  resetKey(key: string): Promise<void>;
  /** Most recently active first, the trashed and archived ones among them unless the query says otherwise. */
  sessions(query?: SessionQuery): Promise<readonly SessionSummary[]>;
  /**
   * The session with the messages from the root to its head, or to `at`, each whole; undefined where there is no such
   * session.
   */
  open(session: SessionId, at?: MessageId): Promise<StoredSession | undefined>;
  /** What `open` gives, without the messages and the branches; undefined where there is no such session. */
  fields(session: SessionId): Promise<StoredFields | undefined>;
  /**
   * Those of these sessions that were erased. One that isn't here and isn't among them may be back: its files are out of
   * sight, or it was never here.
   */
  erased(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>>;
  /** What `open` gives with the end of the path only, of a session that takes a while to open; else null. */
  openEnd(session: SessionId): Promise<StoredEnd | null>;
  /** Where the path to this head could go another way; undefined where there is no such message. No text is read. */
  branches(session: SessionId, head: MessageId | null): Promise<Branches | undefined>;
  /** Whole messages, in the order of the ids; `no-message` where one is missing. */
  messages(ids: readonly MessageId[]): Promise<readonly Message[]>;
  /** Whole messages of one session or of all. */
  list(query: MessageQuery): Promise<readonly Message[]>;
  /**
   * How the session began, as it is in the journal, with its system prompt and the one that was used last: for audit
   * only, it reads the session's files. Undefined where its beginning is not there.
   */
  audit(session: SessionId): Promise<SessionAudit | undefined>;
  /** The bytes of a block that has them in a file of their own. */
  blob(session: SessionId, ref: BlobRef): Promise<Uint8Array>;
  /**
   * Every message of the session without its text, subagents' and trashed ones too, oldest first. `new Tree(…)` of them
   * knows the children, the leaves and their branches, the paths, and where two of them part.
   */
  tree(session: SessionId): Promise<readonly TreeNode[]>;
  /** Which sessions of an agent are bound to which of ours, by its own ids. */
  bound(agent: string): Promise<ReadonlyMap<string, SessionId>>;
  /**
   * To the trash and back: the session, or with a message that message and all below it. What is restored is shown, so
   * what it answers is restored with it. Unknown ids are no error.
   */
  trash(session: SessionId, branch?: BranchChoice): Promise<void>;
  restore(session: SessionId, message?: MessageId): Promise<void>;
  /** The sessions that are in the trash, and since when each of them is. */
  trashedSince(): Promise<ReadonlyMap<SessionId, number>>;
  /** For ever, every byte, in every window. Unknown ids are no error. */
  erase(session: SessionId, branch?: BranchChoice): Promise<Erased>;
  /**
   * Words in titles and prose, on all branches, the newest first. Whatever the words are, it is no error; where there are
   * none, a filter gives the sessions that fit it.
   */
  search(words: string, query?: SearchQuery): Promise<SearchResult>;
  /** Any text, tool output and thoughts too, read from the journal, the newest first; hits come as they are found. */
  scan(
    text: string,
    onProgress: (progress: ScanProgress) => void,
    signal: AbortSignal,
    filter?: SearchFilter,
  ): Promise<ScanProgress>;
  /** Reads everything and says what it found; changes nothing. */
  check(): Promise<CheckReport>;
  /** Makes the index again, finishes what was left half done, and says what a check finds then. */
  repair(): Promise<CheckReport>;
  /** How much there is. */
  statistics(): Promise<HistoryStatistics>;
  /** One plain SQLite file with everything inline. */
  exportSqlite(file: string): Promise<void>;
  /**
   * These sessions as one JSON file with everything in it; false where the signal stopped it, and then there is no file.
   */
  exportJson(sessions: readonly SessionId[], file: string, running: Exchanging): Promise<boolean>;
  /**
   * What a file of `exportJson` has and this history has not, each session whole or not at all. Trouble with the file is
   * in the answer.
   */
  importJson(file: string, running: Exchanging): Promise<ImportedFile>;
  /** Called after each append or erasure, by whichever window, this one too. */
  onDidAppend(listener: (change: HistoryChange) => void): () => void;
  close(): Promise<void>;
}

export interface HistoryStatistics {
  /** Bytes on the disk, and the ends of branches, those in the trash too. */
  readonly sizes: readonly { readonly session: SessionId; readonly bytes: number; readonly branches: number }[];
  /** What agents told that their answers took. */
  readonly spent: readonly SpentRow[];
  /** Of the whole folder, caches included. */
  readonly bytes: number;
}

export interface SpentRow {
  /** `2026-11`, in UTC. */
  readonly month: string;
  readonly session: SessionId;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  /** Null where no cost was told. */
  readonly currency: string | null;
}

/** How who waits hears of it, and stops it. */
export interface Exchanging {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExchangeProgress) => void;
}

/** What is asked of single sessions, and which ones there are: all that one needs that lives nowhere but in memory. */
export type SessionHistory = Pick<
  History,
  | 'writer'
  | 'unavailable'
  | 'alive'
  | 'append'
  | 'open'
  | 'fields'
  | 'erased'
  | 'branches'
  | 'messages'
  | 'audit'
  | 'blob'
  | 'tree'
  | 'trash'
  | 'restore'
  | 'erase'
  | 'onDidAppend'
> & { sessions(query?: Pick<SessionQuery, 'ids'>): Promise<readonly SessionSummary[]> };

export interface SessionAudit extends SessionFact {
  readonly lastSystemPrompt?: string;
}

/** What a session that is made by its key begins with. */
export type FreshSession = Omit<SessionFact, 'type' | 'session' | 'key'>;

export interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

/** Each one that is given narrows the list. */
export interface SessionQuery extends Page {
  /** Of these only; a few, as those that changed. */
  readonly ids?: readonly SessionId[];
  readonly trashed?: boolean;
  readonly archived?: boolean;
  readonly label?: string;
  readonly agent?: string;
}

export interface SessionSummary {
  readonly id: SessionId;
  /** The person's own, or the one that was made. */
  readonly title: string;
  /** The last one that it was set to. */
  readonly agent: AgentRef;
  readonly model: string | null;
  readonly mode: string | null;
  readonly cwd: string | null;
  readonly key: { readonly key: string; readonly generation: number } | null;
  readonly origin: string | null;
  readonly created: number;
  readonly active: number;
  readonly expires: number | null;
  /** Of the conversation; subagents' messages are not counted. */
  readonly messages: number;
  /** It has more than one line: branches, those in the trash too, or what subagents said. */
  readonly forked: boolean;
  readonly trashed: boolean;
  readonly archived: boolean;
  readonly pinned: boolean;
  readonly labels: readonly string[];
  readonly metadata: { readonly [key: string]: Json };
}

/** Over all messages of a session, its subagents' too. */
export interface Totals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costs: readonly Cost[];
}

export interface StoredFields extends SessionSummary {
  readonly totals: Totals;
  /** A person gave it its title. */
  readonly named: boolean;
  /** What a window of f23b1dd kept to be sent later, where that window is gone; else null. */
  readonly queue: Json;
  /** The prompts that wait of windows that are gone, and of this one. */
  readonly queued: readonly StoredQueued[];
  /** What agents' sessions know of it, as it was written, the newest first. */
  readonly bindings: readonly Json[];
  /** What a person set its agents to, as it was written. */
  readonly options: readonly Json[];
  /** What a person decided about the files that its turns changed, as it was written. */
  readonly decisions: readonly Json[];
  readonly head: MessageId | null;
  /** The last message of the path, where another live window is writing it now. */
  readonly writing: MessageId | null;
}

export interface StoredSession extends StoredFields {
  readonly path: readonly Message[];
  readonly branches: Branches;
}

/** A session of which only the end of the path was read. */
export interface StoredEnd extends StoredFields {
  readonly path: readonly Message[];
  /** How many messages come before these, as far as the session has one branch only. */
  readonly earlier: number;
}

export interface StoredQueued {
  /** The name of its field. */
  readonly field: string;
  /** The id that its message will have. */
  readonly message: MessageId;
  /** Its place among those that wait; null where an older version kept it. */
  readonly position: number | null;
  /** As it was kept; null where its file is gone or damaged. */
  readonly content: string | null;
  readonly data: readonly (Uint8Array | null)[];
}

export interface MessageQuery extends Page {
  readonly session?: SessionId;
  readonly order: 'newest' | 'oldest';
  /** `subagent:<name>:<run>`, or with a colon at its end all that begin so. */
  readonly label?: string;
}

export interface TreeNode {
  readonly id: MessageId;
  readonly parent: MessageId | null;
  readonly role: Message['role'];
  readonly created: number;
  readonly label: string | null;
  /** The first words of a prompt or a summary; an answer has none. */
  readonly preview: string;
  /** In the trash, by itself or below one that is. */
  readonly trashed: boolean;
  /** Of the branch that ends here. */
  readonly name: string | null;
  readonly note: string | null;
}

export interface BranchChoice {
  readonly message: MessageId;
  /** Without it a message that is answered is refused: `has-children`. */
  readonly subtree: boolean;
}

export interface Erased {
  readonly messages: number;
  /** Files that hold something of it still, because another window has to let go of them first. */
  readonly remaining: number;
}

export interface SearchQuery {
  readonly limit?: number;
  /** At most so many of the hits are titles. Of one session, its title is a hit only where this says so. */
  readonly titles?: number;
  /** At most so many of the hits are messages of one session. */
  readonly perSession?: number;
  readonly session?: SessionId;
  readonly filter?: SearchFilter;
  /** How much was searched is wanted too, which takes longer. */
  readonly count?: boolean;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** There are more than the limit let through. */
  readonly more: boolean;
  /** Where it was asked for, and there was a word to search for. */
  readonly searched?: { readonly sessions: number; readonly messages: number };
}

export interface SearchHit {
  readonly session: SessionId;
  readonly title: string;
  /** Null for a hit in the title. */
  readonly message: MessageId | null;
  readonly role: Message['role'] | null;
  /** The end of the newest branch that the message is on. */
  readonly leaf: MessageId | null;
  readonly where: HitPlace;
  /** Which block, and where in its text the first word stands. */
  readonly block: number;
  readonly position: number;
  readonly created: number;
  readonly snippet: string;
  /** Where the words stand in the snippet. */
  readonly marks: readonly { readonly at: number; readonly length: number }[];
}

/** What there is to say of where a hit stands, besides its session's title. */
export interface HitPlace {
  readonly agent: string;
  readonly archived: boolean;
  /** The session, or what was said. */
  readonly trashed: boolean;
  /** On none of what is shown where the session was left. */
  readonly dormant: boolean;
  /** The name of the branch that `leaf` ends, where it has one. */
  readonly branch: string | null;
  /** Of a subagent's message. */
  readonly label: string | null;
}

export interface ScanProgress {
  readonly hits: readonly SearchHit[];
  readonly bytesRead: number;
  readonly bytes: number;
}

export interface CheckReport {
  readonly segments: number;
  readonly records: number;
  readonly sessions: number;
  readonly messages: number;
  readonly blobs: number;
  readonly bytes: number;
  /** Empty where all is well. */
  readonly findings: readonly Finding[];
}

export interface Finding {
  readonly code:
    | 'bad-record'
    | 'unfinished-tail'
    | 'newer-record'
    | 'missing-blob'
    | 'damaged-blob'
    | 'missing-parent'
    | 'missing-session'
    | 'index-differs'
    | 'half-done'
    | 'not-erased'
    | 'unreadable-file';
  /** For a person, whole sentences. */
  readonly words: string;
  readonly repairable: boolean;
  readonly file?: string;
}
