// One conversation in one window: its state, the mailbox through which everything that happens to it comes one at a time,
// and what a person can do with it. Every change is an event that the transcript's own reducer applied first, so that a
// panel's snapshot and its events never differ from what is here. It knows no panel and no vscode; what happens next is in
// `step.ts`, what is asked of the world in `effects.ts`.

import type { ElicitationAnswer, HeldChoice } from '../../model/agentState.ts';
import { textOf, type AgentRef, type Message, type MessageId, type SessionId } from '../../model/message.ts';
import type { Attached } from '../../model/attachment.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { AgentProgram } from '../agents.ts';
import { changedAltogether } from '../history/historyChange.ts';
import { isForkHere, isResting, isUnread } from './agentLink.ts';
import { takesElicitation, takesPermission } from './asking.ts';
import type { Deciding } from './decisions.ts';
import { Effects } from './effects.ts';
import type { CallId } from './effect.ts';
import type { GrowingTranscript } from './growingTranscript.ts';
import type { Input, Request } from './input.ts';
import { stateAtOpening } from './opening.ts';
import type { State } from './state.ts';
import { endBroken, step } from './step.ts';
import { gone, type ConversationPorts, type ConversationStart, type SendOptions, type Sent } from './terms.ts';
import type { Given, Stepped } from './transition.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

/** A request without its call, which it gets here. */
type Asked = Request extends infer Each ? (Each extends Request ? Omit<Each, 'call'> : never) : never;

export class Conversation {
  readonly session: SessionId;
  private state: State;
  private shown: GrowingTranscript;
  private readonly inputs: Input[] = [];
  private isStepping = false;
  private readonly calls = new Map<CallId, Waiting>();
  private nextCall = 0;
  private readonly effects: Effects;
  private readonly listeners = new Set<(event: TranscriptEvent) => void>();
  private readonly ports: ConversationPorts;

  /** A stored session goes on from its head; a new one is in history from its first prompt on. */
  constructor(ports: ConversationPorts, program: AgentProgram, start: ConversationStart) {
    this.ports = ports;
    this.session = 'stored' in start ? start.stored.id : start.id;
    this.state = stateAtOpening(program, start, this.given());
    this.shown = this.state.transcript;
    this.effects = new Effects(this.session, ports, {
      post: input => this.post(input),
      reply: (call, value) => this.answer(call, waiting => waiting.resolve(value)),
      fail: (call, cause) => this.answer(call, waiting => waiting.reject(cause)),
    });
  }

  /** As the events so far have made it. */
  get transcript(): Transcript {
    return this.shown.whole;
  }

  get agent(): AgentRef {
    return this.state.link.program.ref;
  }

  /** Where its agents work. */
  get cwd(): string | null {
    return this.ports.place(this.state.link.folder).cwd;
  }

  /** The person asked for a fork, and the next prompt begins it. */
  get isFork(): boolean {
    return isForkHere(this.state);
  }

  /** Nothing was said in it yet. */
  get isEmpty(): boolean {
    return this.shown.whole.messages.length === 0 && !this.isReleased;
  }

  /** It holds no messages: `load` reads them. */
  get isReleased(): boolean {
    return isUnread(this.state);
  }

  /** Every event from now on, in order, after it is in `transcript`. */
  onDidChange(listener: (event: TranscriptEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Goes out now, or waits in the queue while a turn runs: only what answers the end of the path can wait. */
  send(text: string, options: SendOptions = {}): Promise<Sent> {
    return this.ask({ type: 'send', text, options });
  }

  /** Sends other words in the place of a prompt; what was attached to it stays. */
  async edit(message: MessageId, text: string, request: string): Promise<Sent> {
    const prompt = this.transcript.messages.find(({ id, role }) => id === message && role === 'user');
    return prompt ? this.sendAgain(prompt, text, request) : gone;
  }

  /** Sends the prompt again that this message answers. */
  async retry(message: MessageId, request: string): Promise<Sent> {
    const { messages } = this.transcript;
    const at = messages.findIndex(({ id }) => id === message);
    const prompt = messages.slice(0, at + 1).findLast(({ role }) => role === 'user');
    return prompt ? this.sendAgain(prompt, textOf(prompt), request) : gone;
  }

  /** Of the queue: other words, or none, which takes it back. */
  changeQueued(id: string, text: string | null): void {
    this.post({ type: 'changeQueued', id, text });
  }

  /** This one of the queue goes out now; what runs is stopped first. */
  sendNow(id: string): Promise<void> {
    return this.ask({ type: 'sendNow', id });
  }

  /** Shows at once; resolves when the turn is over and saved. */
  cancel(): Promise<void> {
    return this.ask({ type: 'cancel' });
  }

  /** False where nobody waits for it any more. */
  answerPermission(id: string, choice: string): boolean {
    const isTaken = takesPermission(this.state, id, choice);
    this.post({ type: 'answerPermission', id, choice });
    return isTaken;
  }

  /** All of it stands in an editor now. */
  openedPermission(id: string): void {
    this.post({ type: 'openedPermission', id });
  }

  answerElicitation(id: string, answer: ElicitationAnswer): boolean {
    const isTaken = takesElicitation(this.state, id, answer);
    this.post({ type: 'answerElicitation', id, answer });
    return isTaken;
  }

  answerHeld(choice: HeldChoice): void {
    this.post({ type: 'answerHeld', choice });
  }

  /** The person is about to write: what the agent remembers is found out now, and how the files are. */
  prepare(): Promise<void> {
    return this.ask({ type: 'prepare' });
  }

  /** Of the agent, by the person, for this conversation. Throws AgentError. */
  async setOption(option: string, value: string | boolean): Promise<void> {
    await this.ask({ type: 'setOption', option, value });
  }

  /** `file` is a place in the message's list of changes; null is all of them. Resolves with what was not done. */
  decide(message: MessageId, file: number | null, deciding: Deciding): Promise<string | null> {
    return this.ask({ type: 'decide', message, file, deciding });
  }

  /** The next prompt goes to this one. A running turn is stopped first. */
  setAgent(program: AgentProgram): Promise<void> {
    return this.ask({ type: 'setAgent', program });
  }

  /** False where it works somewhere already. */
  setFolder(folder: string): boolean {
    if (this.state.isStored || !isResting(this.state)) return false;
    this.post({ type: 'setFolder', folder });
    return true;
  }

  /** Shows another branch, or a part of this one: the next prompt goes on from there. */
  setHead(head: MessageId | null): Promise<void> {
    return this.ask({ type: 'setHead', head });
  }

  /** Shows the branch through this message that was written to last. */
  goTo(message: MessageId): Promise<void> {
    return this.ask({ type: 'goTo', message });
  }

  /** The next prompt answers this message, whatever answers it already. */
  forkFrom(message: MessageId): Promise<void> {
    return this.ask({ type: 'forkFrom', message });
  }

  /** An agent writes a summary of what was said, which stands for it from then on. */
  summarise(): Promise<Sent> {
    return this.ask({ type: 'summarise' });
  }

  /** Takes over what another window did to the session; false where it erased all of it. */
  follow(change = changedAltogether(this.session)): Promise<boolean> {
    return this.ask({ type: 'follow', change });
  }

  /**
   * Its messages go from memory; false where something is under way, waits or is not saved. What is asked of it later has
   * them read again.
   */
  release(): Promise<boolean> {
    return this.ask({ type: 'release' });
  }

  /** Resolves when its messages are there. Throws HistoryError. */
  load(): Promise<void> {
    return this.ask({ type: 'load' });
  }

  /** The window closes: what arrived is saved as far as that goes in time, and the message stays without an end. */
  leave(): Promise<void> {
    return this.ask({ type: 'leave' });
  }

  /** From now on prompts are sent although they cannot be saved. */
  acceptUnsaved(): void {
    this.post({ type: 'acceptUnsaved' });
  }

  /** To the trash or back. What runs is stopped first. Throws HistoryError, and then nothing has changed. */
  async setTrashed(on: boolean): Promise<void> {
    await this.ask({ type: 'setTrashed', on });
  }

  /** A person's own title; null gives back the one that was made. Throws HistoryError, and then nothing has changed. */
  async rename(title: string | null): Promise<void> {
    await this.ask({ type: 'rename', title });
  }

  /** Ends its sessions at the agents, with all that runs in them: those with these ids, or all. Waits for no agent. */
  closeSessions(ids: ReadonlySet<string> | null = null): void {
    this.post({ type: 'closeSessions', ids });
  }

  private sendAgain(prompt: Message, text: string, request: string): Promise<Sent> {
    const attached = attachedTo(prompt);
    return this.send(text, { request, parent: prompt.parent, ...(attached.length > 0 ? { attached } : {}) });
  }

  private ask<Answer>(asked: Asked): Promise<Answer> {
    const call = this.nextCall++;
    return new Promise<Answer>((resolve, reject) => {
      this.calls.set(call, { resolve: value => resolve(value as Answer), reject });
      this.post({ ...asked, call } as Request);
    });
  }

  private answer(call: CallId, settle: (waiting: Waiting) => void): void {
    const waiting = this.calls.get(call);
    this.calls.delete(call);
    if (waiting) settle(waiting);
  }

  /** The mailbox: what comes while a step is made waits for its turn. */
  private post(input: Input): void {
    this.inputs.push(input);
    if (this.isStepping) return;
    this.isStepping = true;
    try {
      for (let next = this.inputs.shift(); next; next = this.inputs.shift()) this.take(next);
    } finally {
      this.isStepping = false;
    }
  }

  private take(input: Input): void {
    const { state, events, effects } = this.stepWith(input);
    this.state = state;
    for (const { event, transcript } of events) {
      this.shown = transcript;
      for (const listener of this.listeners) this.tell(listener, event);
    }
    for (const effect of effects) this.effects.run(effect);
  }

  /** Whoever asked hears of what is thrown; where an outcome was taken, what was under way ends with it. */
  private stepWith(input: Input): Stepped {
    try {
      return step(this.state, input, this.given());
    } catch (cause) {
      if ('call' in input) throw cause;
      queueMicrotask(() => {
        throw cause;
      });
      return endBroken(this.state, cause, this.given());
    }
  }

  private given(): Given {
    const { clock, ids, history, place, rules, files } = this.ports;
    return {
      now: clock.now(),
      newMessage: ids.message,
      writer: history.writer,
      place,
      rules: rules.all,
      hasFiles: files !== null,
      unavailable: history.unavailable,
    };
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

function attachedTo(prompt: Message): readonly Attached[] {
  return prompt.blocks.flatMap((block, at) =>
    block.kind === 'resource' || block.kind === 'image' || block.kind === 'audio' || block.kind === 'video'
      ? [{ id: `${prompt.id}:${at}`, block }]
      : [],
  );
}
