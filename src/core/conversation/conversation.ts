// One conversation in one window: its transcript, and what a person can do with it. Every change is an event that the
// transcript's own reducer applies first, so that a panel's snapshot and its events never differ from what is here.
// Invariants: at most one turn runs, what is sent meanwhile waits in the queue; every turn goes out through one approach;
// it knows no panel and no vscode. How a prompt goes out is in `delivery.ts`, what the agent's session says in
// `listening.ts`, what other windows do in `following.ts`.

import type { ElicitationAnswer, HeldChoice } from '../../model/agentState.ts';
import type { AgentRef, MessageId, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { reduce, type Transcript, type TranscriptEvent } from '../../model/transcript.ts';
import type { AgentProgram } from '../agents.ts';
import { Asking } from './asking.ts';
import { Branching, busy } from './branching.ts';
import { decide, type Deciding } from './decisions.ts';
import { deliver, type Delivery, type DeliveryPorts } from './delivery.ts';
import { Following } from './following.ts';
import { Knowledge } from './knowledge.ts';
import { savingShown } from './notSaved.ts';
import { openingTranscript } from './opening.ts';
import { Question } from './question.ts';
import { Queue } from './queue.ts';
import { Saver } from './saver.ts';
import { signInMeanwhile, type SignInPorts } from './signIn.ts';
import { summarise } from './summarising.ts';
import { refusalOf, type ConversationPorts, type ConversationStart, type SendOptions, type Sent } from './terms.ts';
import { windowCloses } from './turn.ts';
import { TurnGate } from './turnGate.ts';
import { TurnRunner } from './turnRunner.ts';
import { closePatience, within } from './within.ts';

export class Conversation {
  readonly session: SessionId;
  readonly branching: Branching;
  private state: Transcript;
  private stored: boolean;
  /** A person gave it its title: what an agent calls it is not shown. */
  private named: boolean;
  private readonly gate = new TurnGate();
  private readonly turns: TurnRunner;
  private settling: Promise<unknown> = Promise.resolve();
  readonly asking: Asking;
  private readonly question: Question;
  private readonly queue: Queue;
  private readonly following: Following;
  readonly knowledge: Knowledge;
  private readonly saver: Saver;
  private readonly listeners = new Set<(event: TranscriptEvent) => void>();
  private readonly ports: ConversationPorts;
  private readonly leaving = new AbortController();

  /** A stored session goes on from its head; a new one is in history from its first prompt on. */
  constructor(ports: ConversationPorts, program: AgentProgram, start: ConversationStart) {
    const stored = 'stored' in start ? start.stored : undefined;
    this.ports = ports;
    this.stored = stored !== undefined;
    this.named = stored?.named ?? false;
    this.session = 'stored' in start ? start.stored.id : start.id;
    this.state = openingTranscript(this.session, program, stored, ports.history.unavailable);
    const { clock, history, ids, place } = ports;
    const { session } = this;
    const show = (event: TranscriptEvent) => this.show(event);
    const save = (facts: readonly Fact[]) => void (this.stored && this.saver.save(facts));
    this.saver = new Saver({ history, session, clock, ...savingShown(() => this.state, show) });
    this.asking = new Asking({ rules: ports.rules, judgePaths: ports.judgePaths, asker: () => this, show });
    this.question = new Question(held => show({ type: 'heldChanged', held }));
    const waiting = () => this.state.queue;
    const isStored = () => this.stored;
    this.queue = new Queue({ session, writer: history.writer, newMessage: ids.message, isStored, waiting, show, save });
    const path = () => this.state.messages;
    const contextWindow = () => this.state.context?.size ?? null;
    const isNamed = () => this.named;
    this.branching = new Branching({
      session,
      history,
      state: () => this.state,
      isStored,
      change: step => this.gate.change(step),
      show,
      save: facts => this.saver.save(facts),
      send: (text, options) => this.send(text, options),
      onMoving: () => this.knowledge.approach.forget(),
      onMoved: () => this.showAhead(),
    });
    this.turns = new TurnRunner({
      gate: this.gate,
      session,
      clock,
      state: () => this.state,
      show,
      save,
      leaving: this.leaving.signal,
      onOver: () => {
        this.showAhead();
        this.following.turnIsOver();
      },
      onEnded: end => {
        void signInMeanwhile(end, this.knowledge.program, this.signInPorts(), this.leaving.signal);
        // After a stop or a failure, and when the window goes, the person says whether the rest goes out.
        if (end.reason !== 'cancelled' && end.reason !== 'failed') void this.sendNext();
      },
    });
    const fork = () => this.branching.isFork;
    const { hold, ask } = this.signInPorts();
    // A turn that ran says it at its end.
    const onGone = () => void (this.gate.turn || this.showAhead());
    this.knowledge = new Knowledge(
      { session, history, clock, place, path, contextWindow, fork, isNamed, show, save, hold, ask, onGone },
      program,
      stored,
      'cwd' in start ? start.cwd : null,
    );
    this.following = new Following({
      history,
      clock,
      session,
      state: () => this.state,
      isStored,
      isBusy: () => this.gate.turn !== null,
      show,
      onNamed: named => (this.named = named),
      onTrashed: () => void this.cancel().then(() => this.knowledge.endTerminals()),
      learn: stored => {
        this.knowledge.learn(stored);
        this.showAhead();
      },
    });
    this.state = { ...this.state, queue: this.queue.restore(stored), continuity: this.knowledge.ahead() };
  }

  get transcript(): Transcript {
    return this.state;
  }

  get agent(): AgentRef {
    return this.knowledge.agent;
  }

  /** Where its agents work. */
  get cwd(): string | null {
    return this.knowledge.place.cwd;
  }

  /** Every event from now on, in order, after it is in `transcript`. */
  onDidChange(listener: (event: TranscriptEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Goes out now, or waits in the queue while a turn runs: only what answers the end of the path can wait. */
  send(text: string, options: SendOptions = {}): Promise<Sent> {
    return this.gate.whenUnchanging(() => {
      const refused = refusalOf(this.state);
      if (refused !== null) return { sent: false, words: refused };
      if (!this.gate.turn) return this.begin(text, options);
      if (options.parent !== undefined) return busy;
      const { request: id = this.ports.ids.message(), attached = [] } = options;
      this.queue.add({ id, text, ...(attached.length > 0 ? { attached } : {}) });
      return { sent: true };
    });
  }

  /** Of the queue: other words, or none, which takes it back. */
  changeQueued(id: string, text: string | null): void {
    this.queue.change(id, text);
  }

  /** This one of the queue goes out now; what runs is stopped first. */
  async sendNow(id: string): Promise<void> {
    // What went out meanwhile may be the very turn that runs.
    if (!this.queue.toFront(id)) return;
    await this.cancel();
    void this.sendNext();
  }

  /** Shows at once; resolves when the turn is over and saved. */
  async cancel(): Promise<void> {
    const { turn } = this.gate;
    if (!turn) return;
    if (this.state.turn && !this.state.turn.cancelling) {
      this.show({ type: 'turnChanged', turn: { ...this.state.turn, cancelling: true } });
    }
    turn.abort();
    await turn.ended;
  }

  /** False where nobody waits for it any more. */
  answerPermission(id: string, choice: string): boolean {
    return this.asking.answerPermission(id, choice);
  }

  answerElicitation(id: string, answer: ElicitationAnswer): boolean {
    return this.asking.answerElicitation(id, answer);
  }

  answerHeld(choice: HeldChoice): void {
    this.question.answer(choice);
  }

  /** The person is about to write: what the agent remembers is found out now, and how the files are. */
  async prepare(): Promise<void> {
    if (this.gate.turn || this.state.trashed) return;
    this.ports.files?.prepare();
    await this.knowledge.prepare(() => !this.gate.turn);
  }

  /** Of the agent, by the person, for this conversation. Throws AgentError. */
  async setOption(option: string, value: string | boolean): Promise<void> {
    await this.knowledge.listening.choose(option, value, this.leaving.signal);
  }

  /** `file` is a place in the message's list of changes; null is all of them. Resolves with what was not done. */
  async decide(message: MessageId, file: number | null, deciding: Deciding): Promise<string | null> {
    const { files, history } = this.ports;
    const found = this.state.messages.find(({ id }) => id === message);
    if (!files || !found || this.state.turn?.message === message) return null;
    const show = (decided: Transcript['decided']) => this.show({ type: 'decidedChanged', decided });
    const save = (facts: readonly Fact[]) => this.saver.save(facts);
    const ports = { session: this.session, history, files, decided: () => this.state.decided, show, save };
    return decide({ message: found, file, deciding }, ports, this.leaving.signal);
  }

  /** The next prompt goes to this one. A running turn is stopped first. */
  async setAgent(program: AgentProgram): Promise<void> {
    if (program === this.knowledge.program) return;
    await this.changeStopped(async () => {
      this.knowledge.setProgram(program);
      const { ref: agent, about } = program;
      const value = { id: agent.id, name: agent.name };
      if (this.stored) await this.saver.save([{ type: 'set', session: this.session, name: 'agent', value }]);
      this.show({ type: 'agentChanged', agent, about });
      this.showAhead();
    });
  }

  /** False where it works somewhere already. */
  setFolder(folder: string): boolean {
    if (this.stored || this.gate.turn) return false;
    this.knowledge.setFolder(folder);
    this.showAhead();
    return true;
  }

  /** Shows another branch, or a part of this one: the next prompt goes on from there. */
  setHead(head: MessageId | null): Promise<void> {
    return this.branching.setHead(head);
  }

  /** An agent writes a summary of what was said, which stands for it from then on. */
  summarise(): Promise<Sent> {
    return this.gate.whenUnchanging(() => {
      const refused = refusalOf(this.state);
      if (refused !== null) return { sent: false, words: refused };
      return this.turns.run(async signal => {
        const unsaved = this.state.unsaved?.accepted ?? false;
        const way = await this.knowledge.wayNow();
        const { branches } = this.state;
        return summarise({ way, session: this.session, unsaved, branches }, this.deliveryPorts(), signal);
      });
    });
  }

  /** Takes over what another window added at the end of this path; false where it erased all of it. */
  follow(change?: Parameters<Following['look']>[0]): Promise<boolean> {
    return this.following.look(change);
  }

  /** The window closes: what arrived is saved as far as that goes in time, and the message stays without an end. */
  async leave(): Promise<void> {
    this.leaving.abort();
    this.knowledge.leave();
    this.gate.turn?.abort(windowCloses);
    const saved = async () => {
      await this.gate.turn?.ended;
      await this.settling;
      await this.saver.close();
    };
    await within(this.ports.clock, closePatience, saved());
  }

  /** From now on prompts are sent although they cannot be saved. */
  acceptUnsaved(): void {
    const { unsaved } = this.state;
    if (unsaved) this.show({ type: 'unsavedChanged', unsaved: { ...unsaved, accepted: true } });
  }

  /** To the trash or back. What runs is stopped first. Throws HistoryError, and then nothing has changed. */
  async setTrashed(on: boolean): Promise<void> {
    const { history } = this.ports;
    await this.changeStopped(async () => {
      await (on ? history.trash(this.session) : history.restore(this.session));
      if (on) this.knowledge.endTerminals();
      this.show({ type: 'trashedChanged', trashed: on });
    });
  }

  /** A person's own title; null gives back the one that was made. Throws HistoryError, and then nothing has changed. */
  async rename(title: string | null): Promise<void> {
    const { history } = this.ports;
    await history.append(this.session, [{ type: 'set', session: this.session, name: 'givenTitle', value: title }]);
    this.named = title !== null;
    const shown = title ?? (await history.open(this.session))?.title;
    if (shown && shown !== this.state.title) this.show({ type: 'titleChanged', title: shown });
  }

  /** Resolves when the prompt is in history and on its way, or is not to be sent. */
  private begin(text: string, { request, message, attached = [], parent, fork }: SendOptions): Promise<Sent> {
    return this.turns.run(async signal => {
      const way = await this.knowledge.wayNow();
      const other = parent === undefined ? null : await this.branching.wayTo(parent);
      const delivery: Delivery = {
        session: this.session,
        text,
        attached,
        request,
        message,
        way: { ...way, path: other?.path ?? this.state.messages, fork: fork ?? (way.fork && other === null) },
        shown: other === null ? this.state.continuity : { kind: 'fresh' },
        isFirst: !this.stored,
        unsaved: this.state.unsaved?.accepted ?? false,
        branches: other?.branches ?? null,
      };
      return deliver(delivery, this.deliveryPorts(), signal);
    });
  }

  /** A turn that runs is stopped first, as often as one begins. */
  private async changeStopped(step: () => Promise<void>): Promise<void> {
    do await this.cancel();
    while (!(await this.gate.change(step)));
  }

  private signInPorts(): SignInPorts {
    return {
      hold: (held, signal) => this.question.ask(held, signal),
      ask: (elicitation, signal) => this.asking.elicit(elicitation, signal),
    };
  }

  private deliveryPorts(): DeliveryPorts {
    const { history, clock, ids, files, attachedText } = this.ports;
    const { approach, listening } = this.knowledge;
    return {
      approach,
      asking: this.asking,
      saver: this.saver,
      clock,
      ids,
      files,
      attaching: { ...(attachedText ? { attachedText } : {}), bytes: ref => history.blob(this.session, ref) },
      show: event => this.show(event),
      setAgain: (session, signal) => listening.setAgain(session, signal),
      optionFacts: () => listening.allFacts(),
      onSession: session => listening.to(session),
      onStored: () => {
        const wasStored = this.stored;
        this.stored = true;
        if (!wasStored) this.queue.stored();
      },
      onSettling: settled => void (this.settling = Promise.allSettled([this.settling, settled])),
      onBinding: binding => {
        this.knowledge.bound(binding);
        if (!this.gate.turn) this.showAhead();
      },
    };
  }

  /** What can be said of the next prompt without asking the agent. */
  private showAhead(): void {
    this.show({ type: 'continuityChanged', continuity: this.knowledge.ahead() });
  }

  private sendNext(): Promise<void> {
    return this.gate.whenUnchanging(() => {
      if (this.gate.turn || refusalOf(this.state) !== null) return undefined;
      return this.queue.send(async ({ id, text, attached }, message) => {
        const sent = await this.begin(text, { request: id, message, ...(attached ? { attached } : {}) });
        return sent.sent ? null : sent.words;
      });
    });
  }

  private show(event: TranscriptEvent): void {
    const next = reduce(this.state, event);
    // Our own events fit by construction; one that does not is a bug that must not pass in silence.
    if (!next) throw new Error(`The event ${event.type} does not fit the transcript of ${this.session}.`);
    this.state = next;
    for (const listener of this.listeners) this.tell(listener, event);
  }

  private tell(listener: (event: TranscriptEvent) => void, event: TranscriptEvent): void {
    try {
      listener(event);
    } catch (cause) {
      // What fails in a panel is reported like any exception, and ends no turn.
      queueMicrotask(() => {
        throw cause;
      });
    }
  }
}
