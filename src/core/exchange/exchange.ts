// Sessions as a file that leaves one history and comes into another: JSON with everything in it. What is said here is what
// other programs build on, and the README says it to people: a change that an older reader would misread is a new
// version. What may be believed of a file that comes in is in `readExchange.ts`.

import type { AgentRef, Json, Message, MessageId, SessionId } from '../../model/message.ts';
import type { FieldName } from '../../model/record.ts';

export const exchangeFormat = 'throughline-sessions';
export const exchangeVersion = 1;

/** What is longer than this is neither written nor read: a text of more than 512 MB does not exist in JavaScript. */
export const longestExchange = 256 * 1024 * 1024;

/** The whole file. */
export interface Exchange {
  readonly format: typeof exchangeFormat;
  readonly version: number;
  readonly sessions: readonly ExchangedSession[];
}

export interface ExchangedSession {
  readonly id: SessionId;
  readonly created: number;
  readonly agent: AgentRef;
  readonly cwd?: string;
  /** Told, and never taken over: it belongs to the history that gave it. */
  readonly key?: { readonly key: string; readonly generation: number };
  readonly origin?: string;
  readonly systemPrompt?: string;
  readonly fields: readonly ExchangedField[];
  /** All branches, what is in the trash and what subagents wrote too, the oldest first. */
  readonly messages: readonly Omit<Message, 'session'>[];
  /** What messages name by `{sha256, size}`, in base64, by the hash. What is missing was missing in the history. */
  readonly blobs: { readonly [sha256: string]: string };
}

/** What an import knows of a session before it takes its messages. */
export interface ExchangedOutline extends Omit<ExchangedSession, 'messages' | 'blobs' | 'key'> {
  readonly messages: readonly MessageOutline[];
  /** The hashes of its attachments, whose content was looked at. */
  readonly blobs: ReadonlySet<string>;
}

export interface MessageOutline {
  readonly id: MessageId;
  readonly parent: MessageId | null;
  /** Its place among the messages of the file. */
  readonly at: number;
  readonly hasEnded: boolean;
}

/** Something that was set of the session or of one of its messages, as it was set last. */
export interface ExchangedField {
  readonly name: FieldName;
  readonly of?: string;
  readonly value: Json;
  readonly from?: MessageId;
}

interface Travel {
  readonly exported: boolean;
  /** Whether an import takes it for a session that isn't here yet. */
  readonly forNew: boolean;
  /**
   * For a session that is here: `newMessages` where it is said of a message that came with the file, `goesOn` where it is
   * a message that came and that leads on from the one that is set here.
   */
  readonly forHere: 'never' | 'newMessages' | 'goesOn';
}

/** An import sets nothing that a person set, or could have left unset, of a session that is here. */
const newOnly = { exported: true, forNew: true, forHere: 'never' } as const;
/** What is said of a branch. */
const ofBranch = { exported: true, forNew: true, forHere: 'newMessages' } as const;
/** To be put into the trash or away on a date, and what becomes of files, is decided here and by nobody else. */
const exportedOnly = { exported: true, forNew: false, forHere: 'never' } as const;
/**
 * What an agent's session knows, what it is set to and what waits to be sent belong to one machine: there a stranger's
 * word about them would make a panel say what is not so, or let an agent do what nobody allowed.
 */
const stays = { exported: false, forNew: false, forHere: 'never' } as const;

/** Which fields are in an export, and which of them an import takes. */
export const travel = {
  title: newOnly,
  givenTitle: newOnly,
  archived: newOnly,
  pinned: newOnly,
  agent: newOnly,
  model: newOnly,
  mode: newOnly,
  label: newOnly,
  metadata: newOnly,
  head: { exported: true, forNew: true, forHere: 'goesOn' },
  name: ofBranch,
  note: ofBranch,
  trashed: exportedOnly,
  expires: exportedOnly,
  decision: exportedOnly,
  closed: stays,
  binding: stays,
  option: stays,
  queue: stays,
  queued: stays,
  // A file has it as `metadata`.
  systemPrompt: stays,
} as const satisfies Record<FieldName, Travel>;

/** A field that an import takes at all. */
export type TakenField = {
  [Name in FieldName]: (typeof travel)[Name] extends { forNew: false; forHere: 'never' } ? never : Name;
}[FieldName];

/** The name comes from a file or from the index, where a newer version may have written it. */
export function travelOf(name: string): Travel | null {
  return Object.hasOwn(travel, name) ? travel[name as FieldName] : null;
}

/** What an imported session says of where it came from. */
export function importedOrigin(origin: string | undefined): string {
  if (origin === undefined) return 'import';
  return isImported(origin) ? origin : `import:${origin}`;
}

export function isImported(origin: string | null): boolean {
  return origin !== null && /^import\b/.test(origin);
}

/** What came of one file. */
export interface ImportedFile {
  readonly added: readonly ImportedSession[];
  /** Were here, and have more now. */
  readonly grown: readonly ImportedSession[];
  /** Were here, with all that the file has. */
  readonly here: readonly ImportedSession[];
  readonly unread: readonly { readonly title: string; readonly words: string }[];
  /** Messages that were deleted permanently here, and stay so. */
  readonly erased: number;
  /** A person stopped it: what had come in whole is here. */
  readonly stopped: boolean;
}

export interface ImportedSession {
  readonly id: SessionId;
  readonly title: string;
  /** How many messages came. */
  readonly messages: number;
}

export interface ExchangeProgress {
  readonly done: number;
  readonly sessions: number;
}
