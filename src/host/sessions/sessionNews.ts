// Tells a person what happened in a session that they do not look at: its answer has ended, or it needs them. Promises:
// nothing is told of what is in front of the person, of what they stopped themselves, or while it is switched off; the same
// thing is never told twice, in however many panels it is; an answer after which the next prompt goes out by itself is
// told when the last one has ended.

import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Clock } from '../../core/ports.ts';
import type { MessageEnd, MessageId, SessionId } from '../../model/message.ts';
import { isIncognito } from '../../model/incognito.ts';

export interface SessionNewsPorts {
  readonly clock: Clock;
  readonly isOn: () => boolean;
  /** A panel that shows it is visible, in a window that has the focus. */
  readonly isSeen: (session: SessionId) => boolean;
  /** Shows the words with one button; true where it was pressed. */
  readonly tell: (words: string, severity: 'information' | 'warning') => Promise<boolean>;
  readonly open: (conversation: Conversation) => Promise<void>;
}

/** What waits in the queue goes out at once, and a question may come with its answer by a rule. */
const settleMs = 300;
const longestTitle = 60;

export class SessionNews {
  private readonly told = new Set<string>();
  /** The last message when the turn began. */
  private readonly before = new Map<SessionId, MessageId | null>();
  private readonly settling = new Map<SessionId, () => void>();
  private readonly ports: SessionNewsPorts;

  constructor(ports: SessionNewsPorts) {
    this.ports = ports;
  }

  /** Something changed of what it does, or of what it asks. */
  hear(conversation: Conversation): void {
    const { clock } = this.ports;
    const { session, transcript } = conversation;
    // What stood there before the turn is no news at its end, also where nothing was sent after all.
    if (transcript.turn?.message === null) this.before.set(session, transcript.messages.at(-1)?.id ?? null);
    this.settling.get(session)?.();
    this.settling.set(
      session,
      clock.after(settleMs, () => {
        this.settling.delete(session);
        this.look(conversation);
      }),
    );
  }

  dispose(): void {
    for (const stop of this.settling.values()) stop();
  }

  private look(conversation: Conversation): void {
    const { isOn, isSeen } = this.ports;
    const news = newsIn(conversation, this.before.get(conversation.session)).filter(({ key }) => !this.told.has(key));
    for (const { key } of news) this.told.add(key);
    const [first] = news;
    if (!first || first.isQuiet || !isOn() || isSeen(conversation.session)) return;
    void this.tell(first, conversation);
  }

  private async tell({ words, severity }: News, conversation: Conversation): Promise<void> {
    if (await this.ports.tell(words, severity)) await this.ports.open(conversation);
  }
}

interface News {
  readonly key: string;
  readonly words: string;
  readonly severity: 'information' | 'warning';
  /** The person did it. */
  readonly isQuiet: boolean;
}

function newsIn({ session, transcript, agent }: Conversation, before: MessageId | null | undefined): readonly News[] {
  const { permissions, elicitations, held, messages, turn, title } = transcript;
  const name = `“${shownTitle(session, title)}”`;
  const needs = (id: string, words: string): News => ({
    key: `${session} ${id}`,
    words,
    severity: 'warning',
    isQuiet: false,
  });
  const last = messages.at(-1);
  return [
    ...permissions.map(({ id }) => needs(id, `${name} needs you: ${agent.name} asks for permission.`)),
    ...elicitations.map(({ id }) => needs(id, `${name} needs you: ${agent.name} has a question.`)),
    ...(held ? [needs(`held ${last?.id ?? ''} ${held.kind}`, `${name} needs you: the prompt was not sent yet.`)] : []),
    ...(last?.role === 'assistant' && last.end && !turn && before !== undefined && before !== last.id
      ? [
          {
            key: `${session} ${last.id}`,
            words: endedWords(name, agent.name, last.end),
            severity: last.end.reason === 'failed' ? ('warning' as const) : ('information' as const),
            isQuiet: last.end.reason === 'cancelled',
          },
        ]
      : []),
  ];
}

function endedWords(name: string, agent: string, { reason }: MessageEnd): string {
  if (reason === 'failed') return `${name}: the answer of ${agent} failed.`;
  if (reason === 'refusal') return `${name}: ${agent} declined to answer.`;
  return `${name}: ${agent} has answered.`;
}

/** What others may see over the shoulder does not say what an incognito session is about. */
export function shownTitle(session: SessionId, title: string): string {
  if (isIncognito(session)) return 'Incognito session';
  const line = title.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() || 'New session';
  return line.length > longestTitle ? `${line.slice(0, longestTitle).trimEnd()}…` : line;
}
