// One conversation in one window: its transcript, and what a person can do with it. Every change is an event that the
// transcript's own reducer applies first, so that a panel's snapshot and its events never differ from what is here.
// Invariants: at most one turn runs, what is sent meanwhile waits in the queue; every turn goes out through one approach;
// it knows no panel and no vscode. How a prompt goes out is in `delivery.ts`, following other windows in
// `following.ts`.

import type { Continuity, HeldChoice, Queued } from '../../model/agentState.ts';
import type { AgentRef, Message, MessageId, SessionId } from '../../model/message.ts';
import { reduce, type Transcript, type TranscriptEvent } from '../../model/transcript.ts';
import type { AgentPlace, AgentProgram, AgentSession, AgentSessionChange } from '../agents.ts';
import type { History, StoredSession } from '../history/history.ts';
import type { HistoryError } from '../history/historyError.ts';
import type { Clock, Ids } from '../ports.ts';
import { Approach } from './approach.ts';
import type { Binding } from './binding.ts';
import { deliver, type DeliveryPorts } from './delivery.ts';
import { Following } from './following.ts';
import { continuityAhead, type Climb } from './ladder.ts';
import { bindingsIn, openingTranscript, queueValue } from './opening.ts';
import { PendingPermissions } from './pendingPermissions.ts';
import { Question } from './question.ts';
import { Saver } from './saver.ts';
import { windowCloses } from './turn.ts';

export interface ConversationPorts {
  readonly history: History;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly place: () => AgentPlace;
}

/** A session of history, or the id of one that is new. */
export type ConversationStart = { readonly stored: StoredSession } | { readonly id: SessionId };

export type Sent = { readonly sent: true } | { readonly sent: false; readonly words: string };

export interface SendOptions {
  /** Comes back with the message that the prompt became. */
  readonly request?: string;
  /** The message that it answers; without it the last one of the path. Null begins a new branch from the root. */
  readonly parent?: MessageId | null;
  /** Of an agent that can copy what it knows, a copy goes on. */
  readonly fork?: boolean;
}

export class Conversation {
  readonly session: SessionId;
  private state: Transcript;
  private stored: boolean;
  private program: AgentProgram;
  private bindings: readonly Binding[];
  private turn: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null;
  private stopListening = () => {};
  private isNamed: boolean;
  private alive: ReadonlySet<string> = new Set();
  private listening: AgentSession | null = null;
  private readonly approach: Approach;
  private readonly question: Question;
  private readonly following: Following;
  private readonly permissions: PendingPermissions;
  private readonly saver: Saver;
  private readonly listeners = new Set<(event: TranscriptEvent) => void>();
  private readonly ports: ConversationPorts;

  /** A stored session goes on from its head; a new one is in history from its first prompt on. */
  constructor(ports: ConversationPorts, program: AgentProgram, start: ConversationStart) {
    const stored = 'stored' in start ? start.stored : undefined;
    this.ports = ports;
    this.program = program;
    this.stored = stored !== undefined;
    this.session = 'stored' in start ? start.stored.id : start.id;
    this.bindings = stored ? bindingsIn(stored) : [];
    this.isNamed = stored?.named ?? false;
    const { clock } = ports;
    this.question = new Question(held => this.show({ type: 'heldChanged', held }));
    this.approach = new Approach({
      clock,
      show: continuity => this.show({ type: 'continuityChanged', continuity }),
      hold: (held, signal) => this.question.ask(held, signal),
    });
    this.permissions = new PendingPermissions(open => this.show({ type: 'permissionsChanged', permissions: open }));
    this.state = openingTranscript(this.session, program, stored);
    this.state = { ...this.state, continuity: this.ahead() };
    this.following = new Following({
      history: ports.history,
      clock,
      session: this.session,
      state: () => this.state,
      isBusy: () => this.turn !== null || !this.stored,
      show: event => this.show(event),
      learn: stored => {
        this.bindings = bindingsIn(stored);
        this.show({ type: 'continuityChanged', continuity: this.ahead() });
      },
    });
    this.saver = new Saver(ports.history, this.session, failure => this.savingChanged(failure));
  }

  get transcript(): Transcript {
    return this.state;
  }

  get agent(): AgentRef {
    return this.program.ref;
  }

  /** Every event from now on, in order, after it is in `transcript`. */
  onDidChange(listener: (event: TranscriptEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Goes out now, or waits in the queue while a turn runs. */
  async send(text: string, options: SendOptions = {}): Promise<Sent> {
    const refused = this.refusal();
    if (refused !== null) return { sent: false, words: refused };
    if (!this.turn) return this.begin(text, options);
    const id = options.request ?? this.ports.ids.message();
    this.setQueue([...this.state.queue, { id, text }]);
    return { sent: true };
  }

  /** Of the queue: other words, or none, which takes it back. */
  changeQueued(id: string, text: string | null): void {
    const queue = this.state.queue.flatMap(one => (one.id !== id ? [one] : text === null ? [] : [{ id, text }]));
    this.setQueue(queue);
  }

  /** This one of the queue goes out now; what runs is stopped first. */
  async sendNow(id: string): Promise<void> {
    const { queue } = this.state;
    const first = queue.filter(one => one.id === id);
    this.setQueue([...first, ...queue.filter(one => one.id !== id)]);
    await this.cancel();
    if (first.length > 0) this.sendNext();
  }

  /** Shows at once; resolves when the turn is over and saved. */
  async cancel(): Promise<void> {
    const { turn } = this;
    if (!turn) return;
    if (this.state.turn && !this.state.turn.cancelling) {
      this.show({ type: 'turnChanged', turn: { ...this.state.turn, cancelling: true } });
    }
    turn.abort.abort();
    await turn.ended;
  }

  /** False where nobody waits for it any more. */
  answerPermission(id: string, choice: string): boolean {
    return this.permissions.answer(id, choice);
  }

  answerHeld(choice: HeldChoice): void {
    this.question.answer(choice);
  }

  /** The person is about to write: what the agent remembers is found out now. */
  async prepare(): Promise<void> {
    if (this.turn || this.state.trashed) return;
    this.alive = await this.ports.history.alive().catch(() => this.alive);
    if (!this.turn) this.approach.prepare(this.way());
  }

  /** The next prompt goes to this one. */
  async setAgent(program: AgentProgram): Promise<void> {
    if (program === this.program) return;
    await this.cancel();
    this.approach.forget();
    this.listenTo(null);
    this.program = program;
    const { ref: agent, about } = program;
    if (this.stored) {
      const value = { id: agent.id, name: agent.name };
      await this.saver.save([{ type: 'set', session: this.session, name: 'agent', value }]);
    }
    this.show({ type: 'agentChanged', agent, about });
    this.show({ type: 'continuityChanged', continuity: this.ahead() });
  }

  /** Shows another branch, or a part of this one: the next prompt goes on from there. */
  async setHead(head: MessageId | null): Promise<void> {
    if (this.turn || !this.stored) return;
    const { history } = this.ports;
    const path = head === null ? [] : ((await history.open(this.session, head))?.path ?? []);
    this.approach.forget();
    await this.saver.save([{ type: 'set', session: this.session, name: 'head', value: head }]);
    this.show({ type: 'pathChanged', messages: path, elsewhere: null });
    this.show({ type: 'continuityChanged', continuity: this.ahead() });
  }

  /** Takes over what another window added at the end of this path. */
  follow(): Promise<void> {
    return this.following.look();
  }

  /** The window closes: what arrived is saved, and the message stays without an end. */
  async leave(): Promise<void> {
    this.approach.forget();
    this.listenTo(null);
    this.turn?.abort.abort(windowCloses);
    await this.turn?.ended;
  }

  /** From now on prompts are sent although they cannot be saved. */
  acceptUnsaved(): void {
    const { unsaved } = this.state;
    if (unsaved) this.show({ type: 'unsavedChanged', unsaved: { ...unsaved, accepted: true } });
  }

  /** To the trash or back. A running turn is stopped first. Throws HistoryError, and then nothing has changed. */
  async setTrashed(on: boolean): Promise<void> {
    await this.cancel();
    const { history } = this.ports;
    await (on ? history.trash(this.session) : history.restore(this.session));
    this.show({ type: 'trashedChanged', trashed: on });
  }

  private refusal(): string | null {
    if (this.state.trashed) return 'This session is in the trash. Restore it to go on.';
    if (this.state.elsewhere === null) return null;
    return 'Another window is having this session answered. Wait for the end, or stop it there.';
  }

  /** Resolves when the prompt is in history and on its way, or is not to be sent. */
  private async begin(text: string, { request, parent, fork = false }: SendOptions): Promise<Sent> {
    const abort = new AbortController();
    let over = () => {};
    this.turn = { abort, ended: new Promise(resolve => (over = resolve)) };
    this.show({ type: 'turnChanged', turn: { message: null, cancelling: false } });
    const done = () => {
      this.turn = null;
      this.show({ type: 'turnChanged', turn: null });
      this.show({ type: 'continuityChanged', continuity: this.ahead() });
      over();
    };
    try {
      const path = parent === undefined ? this.state.messages : await this.pathTo(parent);
      this.alive = await this.ports.history.alive().catch(() => this.alive);
      const delivery = {
        session: this.session,
        text,
        request,
        way: { ...this.way(), path, fork },
        shown: parent === undefined ? this.state.continuity : nothing,
        isFirst: !this.stored,
        unsaved: this.state.unsaved?.accepted ?? false,
        elsewhere: parent !== undefined,
      };
      const delivered = await deliver(delivery, this.deliveryPorts(), abort.signal);
      if ('words' in delivered) {
        done();
        return { sent: false, words: delivered.words };
      }
      void delivered.ended.then(end => {
        done();
        // After a stop or a failure, and when the window goes, the person says whether the rest goes out.
        if (end && end.reason !== 'cancelled' && end.reason !== 'failed') this.sendNext();
      });
      return { sent: true };
    } catch (cause) {
      done();
      return { sent: false, words: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  private deliveryPorts(): DeliveryPorts {
    const { clock, ids } = this.ports;
    return {
      approach: this.approach,
      saver: this.saver,
      clock,
      ids,
      ask: (permission, signal) => this.permissions.ask(permission, signal),
      show: event => this.show(event),
      onSession: session => this.listenTo(session),
      onStored: () => (this.stored = true),
      onBinding: binding => {
        const isSame = (one: Binding) => one.agentSession === binding.agentSession && one.agent === binding.agent;
        this.bindings = [binding, ...this.bindings.filter(one => !isSame(one))];
        if (!this.turn) this.show({ type: 'continuityChanged', continuity: this.ahead() });
      },
    };
  }

  /** What can be said of the next prompt without asking the agent. */
  private ahead(): Continuity {
    return continuityAhead(this.way());
  }

  private sendNext(): void {
    const [next] = this.state.queue;
    if (!next || this.turn || this.refusal() !== null) return;
    // On the disk it stays until it is in the conversation, so that no words are lost.
    this.show({ type: 'queueChanged', queue: this.state.queue.slice(1) });
    void this.begin(next.text, { request: next.id }).then(sent => {
      this.setQueue(sent.sent ? this.state.queue : [next, ...this.state.queue]);
    });
  }

  /** It is kept with the session: the window may go before it was sent. */
  private setQueue(queue: readonly Queued[]): void {
    this.show({ type: 'queueChanged', queue });
    if (!this.stored) return;
    const value = queueValue(queue, this.ports.history.writer);
    void this.saver.save([{ type: 'set', session: this.session, name: 'queue', value }]);
  }

  private way(): Climb {
    const { history, place } = this.ports;
    return {
      program: this.program,
      place: place(),
      path: this.state.messages,
      bindings: this.bindings,
      live: this.listening,
      writer: history.writer,
      alive: this.alive,
      fork: false,
      contextWindow: this.state.context?.size ?? null,
    };
  }

  private async pathTo(message: MessageId | null): Promise<readonly Message[]> {
    if (message === null) return [];
    const stored = await this.ports.history.open(this.session, message);
    return stored?.path ?? [];
  }

  /** What the agent says of its session, in turns and between them. */
  private listenTo(session: AgentSession | null): void {
    if (session === this.listening) return;
    this.stopListening();
    this.listening = session;
    this.stopListening = session?.onDidChange(change => this.agentSaid(change)) ?? (() => {});
    if (!session) return;
    this.show({ type: 'optionsChanged', options: session.options });
    this.show({ type: 'commandsChanged', commands: session.commands });
  }

  private agentSaid(change: AgentSessionChange): void {
    switch (change.type) {
      case 'options':
        return this.show({ type: 'optionsChanged', options: change.options });
      case 'commands':
        return this.show({ type: 'commandsChanged', commands: change.commands });
      case 'context':
        return this.show({ type: 'contextChanged', context: { used: change.used, size: change.size } });
      case 'title':
        if (this.stored)
          void this.saver.save([{ type: 'set', session: this.session, name: 'title', value: change.title }]);
        // A person's own name stands over it.
        if (this.isNamed) return;
        this.show({ type: 'titleChanged', title: change.title });
        return;
      case 'aside':
        return;
    }
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

const nothing: Continuity = { kind: 'fresh' };
