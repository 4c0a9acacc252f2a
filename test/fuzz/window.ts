// One window of a run: the conversation that is open in it, and what the host does around it (src/host/chat/
// conversations.ts): it opens the session, follows what history tells, and closes. It notes every call that is under way.

import { noRules } from '../unit/support/noRules.ts';
import { Conversation } from '../../src/core/conversation/conversation.ts';
import type { ConversationStart } from '../../src/core/conversation/terms.ts';
import type { StoredEnd, StoredSession } from '../../src/core/history/history.ts';
import type { HistoryChange } from '../../src/core/history/historyChange.ts';
import type { Clock } from '../../src/core/ports.ts';
import type { Message, MessageId } from '../../src/model/message.ts';
import { reduce, type Transcript, type TranscriptEvent } from '../../src/model/transcript.ts';
import { DiskOfWindow } from './diskOfWindow.ts';
import { FakeAgent, type AgentFiles, type CanResume } from './fakeAgent.ts';
import type { FakeSession, FakeTurn } from './fakeSession.ts';
import type { FakeDisk } from './fakeDisk.ts';
import { checkSaved } from './atTheEnd.ts';
import { checkPrompt, type Code } from './invariants.ts';
import type { Ledger } from './ledger.ts';

/** What a window shares with the others of its run. */
export interface Surroundings {
  readonly disk: FakeDisk;
  readonly ledger: Ledger;
  readonly files: ReadonlyMap<AgentId, AgentFiles>;
  readonly can: CanResume;
  readonly newMessage: () => MessageId;
  readonly report: (code: Code, words: string) => void;
}

/** Of a path, as many messages as a window reads that opens only the end. */
const endLength = 2;

export type AgentId = 'path' | 'own';
export const agentIds: readonly AgentId[] = ['path', 'own'];

/** A call of the conversation that has not resolved yet. */
export interface Call {
  readonly name: string;
  /** What is thrown belongs to what it promises. */
  readonly mayThrow: boolean;
  readonly began: number;
}

export class Window {
  /** How many windows were opened before it. */
  readonly order: number;
  readonly writer: string;
  readonly way: DiskOfWindow;
  readonly agents: ReadonlyMap<AgentId, FakeAgent>;
  readonly ledger: Ledger;
  readonly calls = new Set<Call>();
  readonly report: (code: Code, words: string) => void;
  conversation: Conversation | null = null;
  isOpening = false;
  /** It closes, or has closed. */
  isLeaving = false;
  isGone = false;
  /** It left in order, with all that it asked of the disk done. */
  endedWell = false;
  /** It did not leave. */
  wasKilled = false;
  /** The person agreed that prompts go out although they can't be saved. */
  hasAcceptedUnsaved = false;
  /** It was told at some time that the session is in the trash, where nothing that waits goes out. */
  wasTrashed = false;
  /** The transcript after the last event, and the last one that was checked. */
  seen: Transcript | null = null;
  checked: Transcript | null = null;
  /** The last prompt that reached an agent, and the message that it is answered with. */
  underWay: { readonly turn: FakeTurn; readonly answer: MessageId } | null = null;
  /** What was said to the person about what is not saved. */
  readonly warnings = new Set<string>();
  private readonly clock: Clock;
  readonly around: Surroundings;

  constructor(order: number, around: Surroundings) {
    const writer = `writer${order}`;
    this.order = order;
    this.writer = writer;
    this.around = around;
    this.ledger = around.ledger;
    this.report = (code, words) => around.report(code, `${words} (${writer})`);
    this.way = new DiskOfWindow(around.disk, writer);
    this.clock = around.disk.time.clockOf(this);
    const listener = {
      onPrompt: (turn: FakeTurn, session: FakeSession) => {
        if (this.isGone) return;
        checkPrompt(this, turn, session);
        this.ledger.given(turn.prompt, this, around.disk.ways.length);
      },
    };
    const agentOf = (id: AgentId) =>
      new FakeAgent(id, id === 'path', around.can, around.files.get(id) ?? new Map(), listener);
    this.agents = new Map(agentIds.map(id => [id, agentOf(id)]));
    this.way.history.onDidAppend(change => this.follow(change));
  }

  get program(): FakeAgent {
    return this.agent(this.conversation?.transcript.agent.id === 'own' ? 'own' : 'path');
  }

  agent(id: AgentId): FakeAgent {
    const agent = this.agents.get(id);
    if (!agent) throw new Error(`There is no agent ${id}.`);
    return agent;
  }

  isErased(message: MessageId): boolean {
    return this.around.disk.erased.has(message);
  }

  /** As history has it, whatever this window has read. */
  kept(message: MessageId): Message | null {
    return this.around.disk.truth.message(message);
  }

  /** A new conversation where `isFirst`, else the one of history, or the end of it, as soon as that answers. */
  open(isFirst: boolean, agent: AgentId, isEnd: boolean): void {
    const { session } = this.around.disk;
    if (isFirst) return this.converse({ id: session, cwd: '/project' }, agent);
    this.isOpening = true;
    this.way.history.open(session).then(
      stored => {
        this.isOpening = false;
        if (!stored || this.isLeaving) return;
        this.converse({ stored: isEnd ? endOf(stored) : stored }, stored.agent.id === 'own' ? 'own' : 'path');
      },
      () => (this.isOpening = false),
    );
  }

  /** Notes that the call is under way, and what it throws without having promised it. */
  watch<Value>(name: string, mayThrow: boolean, run: () => Promise<Value>): Promise<Value | undefined> {
    const call: Call = { name, mayThrow, began: this.clock.now() };
    this.calls.add(call);
    const thrown = (cause: unknown) => {
      this.calls.delete(call);
      const isExpected = cause instanceof Error && (cause.name === 'HistoryError' || cause.name === 'AgentError');
      if (!mayThrow || !isExpected) this.report('thrown-in-call', `${name} threw ${String(cause)}`);
      return undefined;
    };
    try {
      return run().then(value => {
        this.calls.delete(call);
        return value;
      }, thrown);
    } catch (cause) {
      return Promise.resolve(thrown(cause));
    }
  }

  follow(change?: HistoryChange): void {
    const { conversation } = this;
    if (!conversation || this.isGone || this.isLeaving) return;
    void this.watch('follow', true, () => conversation.follow(change)).then(isThere => {
      if (isThere !== false || this.conversation !== conversation || this.isLeaving) return;
      this.report('out-of-sight-taken-for-erased', 'follow() answered false, and nothing erased the session.');
    });
  }

  /** The host closes it in order. */
  leave(): void {
    if (this.isLeaving || this.isGone) return;
    this.isLeaving = true;
    const { conversation, way } = this;
    if (!conversation) return this.goAway();
    const began = this.clock.now();
    const wasWell = way.isWell;
    void this.watch('leave', false, () => conversation.leave()).then(() => {
      if (this.isGone) return;
      this.endedWell = wasWell && way.isWell && this.clock.now() - began < 4000;
      if (this.endedWell) {
        this.around.ledger.left(this, this.around.disk.truth.isThere);
        checkSaved(this, this.around.disk);
      }
      const timers = this.around.disk.time.waitingOf(this);
      if (timers > 0) this.report('timer-after-leave', `${timers} timers wait.`);
      this.goAway();
    });
  }

  /** Nothing of it runs any more, and nothing that it asked is answered. */
  kill(): void {
    this.wasKilled = true;
    this.goAway();
  }

  private goAway(): void {
    this.way.isLeft = !this.wasKilled;
    this.way.die();
    this.isGone = this.isLeaving = true;
    this.calls.clear();
    this.around.disk.time.dropTimersOf(this);
  }

  private converse(start: ConversationStart, agent: AgentId): void {
    const conversation = new Conversation(
      {
        history: this.way.history,
        clock: this.clock,
        ids: { session: () => this.around.disk.session, message: this.around.newMessage },
        place: cwd => ({ cwd: cwd ?? '/project', alsoIn: [] }),
        rules: noRules,
        judgePaths: () => Promise.resolve(null),
        files: null,
      },
      this.agent(agent),
      start,
    );
    this.conversation = conversation;
    this.seen = conversation.transcript;
    this.ledger.shown(this, conversation.transcript.queue);
    conversation.onDidChange(event => this.heard(conversation, event));
    if (conversation.transcript.elsewhere !== null) this.follow();
  }

  /** What the events make must be what is shown, field by field; what is made anew is compared at the end. */
  private heard({ transcript }: Conversation, event: TranscriptEvent): void {
    const before = this.seen;
    this.seen = transcript;
    if (event.type === 'unsavedChanged' && event.unsaved?.accepted) {
      this.hasAcceptedUnsaved = this.around.disk.isUnsure = true;
    }
    if (event.type === 'warningsChanged') for (const words of event.warnings) this.warnings.add(words);
    if (event.type === 'trashedChanged') this.wasTrashed ||= event.trashed;
    if (event.type === 'queueChanged') this.ledger.shown(this, event.queue);
    const made = before && reduce(before, event);
    if (!made) return this.report('event-does-not-fit', `${event.type} does not fit.`);
    for (const name of Object.keys({ ...made, ...transcript }) as (keyof Transcript)[]) {
      if (made[name] === transcript[name] || isMadeAnew(made[name], transcript[name])) continue;
      this.report('changed-without-event', `${name} changed with ${event.type}.`);
    }
  }
}

/** What the reducer makes anew with each call: a list, in which one item may be new too, or a small map. */
function isMadeAnew(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.filter((item, at) => item !== other[at]).length <= 1;
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

/** As `src/node/history/openEnd.ts` gives it of a long one. */
function endOf({ branches: _branches, path, ...fields }: StoredSession): StoredEnd {
  const earlier = Math.max(0, path.length - endLength);
  return { ...fields, earlier, path: path.slice(earlier) };
}
