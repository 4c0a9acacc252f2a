// What a conversation is made from, and what it answers to whoever sends.

import type { Attached } from '../../model/attachment.ts';
import type { MessageId, SessionId } from '../../model/message.ts';
import type { Transcript } from '../../model/transcript.ts';
import type { AgentPlace, AgentProgram } from '../agents.ts';
import type { FileWatch } from '../changes.ts';
import type { JudgePaths } from '../files.ts';
import type { SessionHistory, StoredEnd, StoredSession } from '../history/history.ts';
import type { Clock, Ids } from '../ports.ts';
import type { AllowRules } from './allowRules.ts';
import type { AttachingPorts } from './attaching.ts';

export interface ConversationPorts {
  readonly history: SessionHistory;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where a session works that began, or is to begin, in this folder; null is wherever sessions begin. */
  readonly place: (cwd: string | null) => AgentPlace;
  readonly rules: AllowRules;
  readonly judgePaths: JudgePaths;
  /** Null where there are no files to watch. */
  readonly files: FileWatch | null;
  /** The agent of this name, where another window chose it; without this, only the window's own choice counts. */
  readonly programOf?: (agent: string) => Promise<AgentProgram>;
  /** Where it is missing, attached files are only named to the agent. */
  readonly attachedText?: AttachingPorts['attachedText'];
}

/** A session of history, with its path or only the end of it, or the id of one that is new and the folder in which it is to work. */
export type ConversationStart =
  | { readonly stored: StoredSession | StoredEnd }
  | { readonly id: SessionId; readonly cwd?: string | null };

export type Sent =
  | { readonly sent: true }
  /** `noAgent`: the agent could not be started, so that another one may be what helps. */
  | { readonly sent: false; readonly words: string; readonly noAgent?: true };

export const busy: Sent = { sent: false, words: 'An answer is being written. Wait for it, or stop it.' };
export const gone: Sent = { sent: false, words: 'That message is not in what is shown any more.' };

/** Why nothing can be sent now, in words; null where it can. */
export function refusalOf({ trashed, elsewhere }: Transcript): string | null {
  if (trashed) return 'This session is in the trash. Restore it to go on.';
  if (elsewhere === null) return null;
  return 'Another window is having this session answered. Wait for the end, or stop it there.';
}

export interface SendOptions {
  /** Comes back with the message that the prompt became. */
  readonly request?: string;
  /** The id that the prompt gets in history; without it a new one. */
  readonly message?: MessageId | undefined;
  /** What goes with the words. */
  readonly attached?: readonly Attached[];
  /** The message that it answers; without it the last one of the path. Null begins a new branch from the root. */
  readonly parent?: MessageId | null;
  /** Of an agent that can copy what it knows, a copy goes on. */
  readonly fork?: boolean;
}
