// One conversation in one window: its transcript, and what a person can do with it. Every change is an event that the
// transcript's own reducer applies first, so that a panel's snapshot and its events never differ from what is here.
// Invariants: the prompt is durable before the agent sees it; at most one turn runs; it knows no panel and no vscode.

import type { AgentRef, Message, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { reduce, type Transcript, type TranscriptEvent } from '../../model/transcript.ts';
import type { HistoryError } from '../history/historyError.ts';
import type { History, StoredSession } from '../history/history.ts';
import type { Agent, Clock, Ids } from '../ports.ts';
import { continuityOf } from './continuity.ts';
import { Saver } from './saver.ts';
import { titleOf } from './title.ts';
import { runTurn, windowCloses } from './turn.ts';

export interface ConversationPorts {
  readonly history: History;
  readonly agent: Agent;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The folder that the agent works in. */
  readonly cwd: string | null;
}

/** A session of history, or the id of one that is new. */
export type ConversationStart = { readonly stored: StoredSession } | { readonly id: SessionId };

export type Sent = { readonly sent: true } | { readonly sent: false; readonly words: string };

/** Longer than a writer's last sign of life counts: a window that died says nothing of it. */
const lookAgainAfter = 16_000;

export class Conversation {
  readonly session: SessionId;
  private state: Transcript;
  private stored: boolean;
  private running: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null;
  private sending = false;
  private following: 'no' | 'now' | 'again' = 'no';
  private stopLooking = () => {};
  private readonly saver: Saver;
  private readonly listeners = new Set<(event: TranscriptEvent) => void>();
  private readonly ports: ConversationPorts;

  /** A stored session goes on from its head; a new one is in history from its first prompt on. */
  constructor(ports: ConversationPorts, start: ConversationStart) {
    const stored = 'stored' in start ? start.stored : undefined;
    this.ports = ports;
    this.stored = stored !== undefined;
    this.session = 'stored' in start ? start.stored.id : start.id;
    const messages = stored?.path ?? [];
    this.state = {
      session: this.session,
      title: stored?.title ?? 'New session',
      agent: ports.agent.ref,
      about: ports.agent.about,
      messages,
      turn: null,
      elsewhere: stored?.writing ?? null,
      continuity: continuityOf(messages, ports.agent),
      unsaved: null,
      trashed: stored?.trashed ?? false,
    };
    this.saver = new Saver(ports.history, this.session, failure => this.savingChanged(failure));
  }

  get transcript(): Transcript {
    return this.state;
  }

  get agent(): AgentRef {
    return this.ports.agent.ref;
  }

  /** Every event from now on, in order, after it is in `transcript`. */
  onDidChange(listener: (event: TranscriptEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** `request` comes back with the message that the prompt became. */
  async send(text: string, request?: string): Promise<Sent> {
    if (this.state.trashed) return { sent: false, words: 'This session is in the trash. Restore it to go on.' };
    if (this.state.elsewhere !== null) {
      return {
        sent: false,
        words: 'Another window is having this session answered. Wait for the end, or stop it there.',
      };
    }
    if (this.sending || this.running) {
      return { sent: false, words: `${this.agent.name} is still answering. Stop it, or wait for the end.` };
    }
    this.sending = true;
    try {
      return await this.begin(text, request);
    } finally {
      this.sending = false;
    }
  }

  /** Shows at once; resolves when the turn is over and saved. */
  async cancel(): Promise<void> {
    const { running } = this;
    const { turn } = this.state;
    if (!running || !turn) return;
    if (!turn.cancelling) this.show({ type: 'turnChanged', turn: { ...turn, cancelling: true } });
    running.abort.abort();
    await running.ended;
  }

  /**
   * Takes over what another window added at the end of this path. A panel owns its head: where the other window went
   * on from elsewhere, what is shown here stays.
   */
  async follow(): Promise<void> {
    if (this.following !== 'no') {
      this.following = 'again';
      return;
    }
    try {
      do {
        this.following = 'now';
        await this.followOnce();
        // What came while it was looked up is looked up as well.
      } while ((this.following as string) === 'again');
    } finally {
      this.following = 'no';
    }
  }

  /** The window closes: what arrived is saved, and the message stays without an end. */
  async leave(): Promise<void> {
    this.running?.abort.abort(windowCloses);
    await this.running?.ended;
  }

  /** From now on prompts are sent although they cannot be saved. */
  acceptUnsaved(): void {
    const { unsaved } = this.state;
    if (unsaved) this.show({ type: 'unsavedChanged', unsaved: { ...unsaved, accepted: true } });
  }

  /** To the trash or back. A running turn is stopped first. Throws HistoryError, and then nothing has changed. */
  async setTrashed(on: boolean): Promise<void> {
    await this.cancel();
    await this.ports.history.append(this.session, [{ type: 'set', session: this.session, name: 'trashed', value: on }]);
    this.show({ type: 'trashedChanged', trashed: on });
  }

  private async followOnce(): Promise<void> {
    if (!this.stored || this.running || this.sending) return;
    const stored = await this.ports.history.open(this.session).catch(() => undefined);
    if (!stored || this.running || this.sending) return;
    if (stored.title !== this.state.title) this.show({ type: 'titleChanged', title: stored.title });
    if (stored.trashed !== this.state.trashed) this.show({ type: 'trashedChanged', trashed: stored.trashed });
    const { messages, elsewhere } = this.state;
    if (!messages.every(({ id }, at) => stored.path[at]?.id === id)) return;
    // One look at a time: every record of a long turn elsewhere comes through here.
    this.stopLooking();
    if (stored.writing !== null) {
      this.stopLooking = this.ports.clock.after(lookAgainAfter, () => void this.follow());
    }
    if (stored.writing === elsewhere && isSame(messages, stored.path)) return;
    this.show({ type: 'pathChanged', messages: stored.path, elsewhere: stored.writing });
    this.show({ type: 'continuityChanged', continuity: continuityOf(stored.path, this.ports.agent) });
  }

  private async begin(text: string, request: string | undefined): Promise<Sent> {
    const { ids, clock, agent, cwd } = this.ports;
    const { session } = this;
    const path = this.state.messages;
    const now = clock.now();
    const prompt: Omit<Message, 'session'> = {
      id: ids.message(),
      parent: path.at(-1)?.id ?? null,
      role: 'user',
      created: now,
      blocks: [{ kind: 'text', mime: 'text/markdown', text }],
      end: { reason: 'end_turn', at: now },
    };
    const answer: Omit<Message, 'session'> = {
      id: ids.message(),
      parent: prompt.id,
      role: 'assistant',
      created: now,
      agent: agent.ref,
      blocks: [],
    };
    const title = this.stored ? this.state.title : titleOf(text);
    const facts: Fact[] = [];
    if (!this.stored) {
      facts.push({ type: 'session', session, created: now, agent: agent.ref, ...(cwd === null ? {} : { cwd }) });
      facts.push({ type: 'set', session, name: 'title', value: title, from: prompt.id });
    }
    facts.push({ type: 'message', session, message: prompt }, { type: 'message', session, message: answer });
    facts.push({ type: 'set', session, name: 'head', value: answer.id });

    if (this.state.unsaved?.accepted) await this.saver.save(facts);
    else {
      const failure = await this.saver.saveOrDrop(facts);
      if (failure) return { sent: false, words: failure.message };
    }
    this.stored = true;

    const abort = new AbortController();
    this.show({ type: 'titleChanged', title });
    this.show({ type: 'messageAdded', message: { ...prompt, session }, ...(request === undefined ? {} : { request }) });
    // The turn first, so that the empty answer is never seen without it: that would look interrupted.
    this.show({ type: 'turnChanged', turn: { message: answer.id, cancelling: false } });
    this.show({ type: 'messageAdded', message: { ...answer, session } });
    const ended = runTurn({
      agent,
      request: { session, cwd, path, text },
      message: answer.id,
      saver: this.saver,
      clock,
      show: event => this.show(event),
      signal: abort.signal,
    }).then(end => {
      this.running = null;
      if (end) this.show({ type: 'messageEnded', message: answer.id, end });
      this.show({ type: 'turnChanged', turn: null });
      this.show({ type: 'continuityChanged', continuity: continuityOf(this.state.messages, agent) });
    });
    this.running = { abort, ended };
    return { sent: true };
  }

  private savingChanged(failure: HistoryError | null): void {
    const unsaved = failure && {
      code: failure.code,
      words: failure.message,
      accepted: this.state.unsaved?.accepted ?? false,
    };
    this.show({ type: 'unsavedChanged', unsaved });
  }

  private show(event: TranscriptEvent): void {
    const next = reduce(this.state, event);
    // Our own events fit by construction; one that does not is a bug that must not pass in silence.
    if (!next) throw new Error(`The event ${event.type} does not fit the transcript of ${this.session}.`);
    this.state = next;
    for (const listener of this.listeners) listener(event);
  }
}

/** Only a message without an end can have changed. */
function isSame(ours: readonly Message[], theirs: readonly Message[]): boolean {
  if (ours.length !== theirs.length) return false;
  return ours.every((message, at) => message.end || JSON.stringify(message) === JSON.stringify(theirs[at]));
}
