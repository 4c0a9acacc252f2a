// The conversations that are open in this window, one object each, whoever shows them. Promises: a session is opened
// once; a change of any of them, or of history, is told with the session's id; what nobody sees is released from memory
// after a while, and whoever asks for it gets it whole; closing leaves every running turn and waits until what had arrived
// is saved.

import { EventEmitter, type Event } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationStart } from '../../core/conversation/terms.ts';
import type { HistoryChange } from '../../core/history/historyChange.ts';
import { HistoryError } from '../../core/history/historyError.ts';
import type { History, SessionHistory, SessionQuery, SessionSummary, StoredEnd } from '../../core/history/history.ts';
import type { AgentPlace } from '../../core/agents.ts';
import type { ConversationPorts } from '../../core/conversation/terms.ts';
import type { Clock, Ids } from '../../core/ports.ts';
import { incognitoId, isIncognito } from '../../model/incognito.ts';
import type { Message, MessageId, SessionId } from '../../model/message.ts';
import type { FieldName } from '../../model/record.ts';
import type { TranscriptEvent } from '../../model/transcript.ts';
import type { Agents } from '../agents/agents.ts';
import { onceEach } from '../once.ts';
import type { Keeping } from './incognito.ts';

export interface ConversationsPorts {
  /** Of all sessions, the incognito ones too. */
  readonly history: () => Promise<History>;
  /** Of one session. */
  readonly keeping: (session: SessionId) => Promise<Keeping>;
  readonly agents: Pick<Agents, 'get'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly place: (cwd: string | null) => AgentPlace;
  /** The folder in which new sessions begin; null is the first one. */
  readonly startsIn: () => string | null;
  readonly attachedText: NonNullable<ConversationPorts['attachedText']>;
  readonly judgePaths: ConversationPorts['judgePaths'];
  /** A panel of this window shows it. */
  readonly isShown: (session: SessionId) => boolean;
  /** Another window erased one that is open here. */
  readonly onGone: (conversation: Conversation) => Promise<void>;
}

export class Conversations {
  /** What lists and rows show of it may be other than before. */
  readonly onDidChange: Event<SessionId>;
  /** Its messages may be other than before; of an answer that streams this is told again and again. */
  readonly onDidWrite: Event<SessionId>;
  /** What it does, or what it asks, is other than before. */
  readonly onDidStir: Event<Conversation>;
  /** Those that this window is deleting for ever. */
  readonly erasing = new Set<SessionId>();
  /** Those that another window erased, until they are forgotten here. */
  private readonly gone = new Set<SessionId>();
  private readonly stirred = new EventEmitter<Conversation>();
  private readonly changed = new EventEmitter<SessionId>();
  private readonly written = new EventEmitter<SessionId>();
  private readonly open = new Map<SessionId, Promise<Conversation>>();
  private readonly running = new Map<SessionId, Conversation>();
  private readonly waiting = new Map<SessionId, Conversation>();
  private readonly ports: ConversationsPorts;
  private isReleaseDue = false;

  constructor(ports: ConversationsPorts) {
    this.ports = ports;
    this.onDidChange = this.changed.event;
    this.onDidWrite = this.written.event;
    this.onDidStir = this.stirred.event;
  }

  async list(query?: SessionQuery): Promise<readonly SessionSummary[]> {
    return (await this.history()).sessions(query);
  }

  isRunning(session: SessionId): boolean {
    return this.running.has(session);
  }

  /** Something is asked there that only a person can answer. */
  needsPerson(session: SessionId): boolean {
    return this.waiting.has(session);
  }

  /** How many need a person. */
  get needing(): number {
    return this.waiting.size;
  }

  /** Those that run or need a person, each once. */
  get active(): readonly Conversation[] {
    return [...new Set([...this.waiting.values(), ...this.running.values()])];
  }

  /** It is open here already, or is being opened. */
  isOpen(session: SessionId): boolean {
    return this.open.has(session);
  }

  /** The one that is open here already, or is being opened, with its messages as far as they can be read. */
  opened(session: SessionId): Promise<Conversation> | undefined {
    return this.open.get(session)?.then(async conversation => {
      await this.loaded(conversation).catch(() => {});
      return conversation;
    });
  }

  /** As it is here: of a turn that runs, history doesn't have everything yet. */
  async message(session: SessionId, id: MessageId): Promise<Message | undefined> {
    const shown = (await this.open.get(session))?.transcript.messages.find(one => one.id === id);
    return shown ?? (await (await this.history()).messages([id]))[0];
  }

  /** Panels show other sessions than before: what nobody sees is released, once nobody came back to it for a while. */
  releaseUnseen(): void {
    if (this.isReleaseDue) return;
    this.isReleaseDue = true;
    this.ports.clock.after(releaseAfter, () => {
      this.isReleaseDue = false;
      void this.release();
    });
  }

  /** It was erased: nothing here goes on with it, and what its agents run for it ends. */
  async forget(session: SessionId): Promise<void> {
    const opening = this.open.get(session);
    this.open.delete(session);
    if (opening) {
      (await opening.catch(() => null))?.closeSessions();
      await left(opening);
    }
    this.running.delete(session);
    this.waiting.delete(session);
    this.changed.fire(session);
    this.written.fire(session);
  }

  /** Throws HistoryError `no-session` where history does not know it. */
  async get(session: SessionId): Promise<Conversation> {
    return this.loaded(await this.getEnd(session));
  }

  /** For a panel, which loads what is not read yet: of a long session only the last messages are. Throws as `get` does. */
  async getEnd(session: SessionId): Promise<Conversation> {
    return this.once(session, async () => {
      const { history } = await this.keeping(session);
      const stored = (await this.endOf(session)) ?? (await history.open(session));
      if (!stored) throw new HistoryError('no-session');
      return this.create({ stored }, stored.agent.id);
    });
  }

  /** An empty conversation; an `id` gives one that a panel had before a reload, with nothing said in it yet. */
  async fresh(id: SessionId = this.ports.ids.session()): Promise<Conversation> {
    return this.once(id, () => this.create({ id, cwd: this.ports.startsIn() }, null));
  }

  /** An empty one of which nothing is kept. */
  incognito(): Promise<Conversation> {
    return this.fresh(incognitoId(this.ports.ids.session()));
  }

  /** A new one that begins with what was said in another; null where nothing was. Throws HistoryError. */
  async after(other: SessionId): Promise<Conversation | null> {
    const { ids, clock, place } = this.ports;
    const history = await this.history();
    const from = await history.open(other);
    if (!from) throw new HistoryError('no-session');
    const { ref: agent } = await this.ports.agents.get(from.agent.id);
    // Of what was said in an incognito session nothing may be kept elsewhere either.
    const session = isIncognito(other) ? incognitoId(ids.session()) : ids.session();
    const { cwd } = place(from.cwd);
    const { contextFacts } = await import('../adding/adding.ts');
    const facts = contextFacts(from, { session, message: ids.message(), agent, cwd, now: clock.now() });
    if (!facts) return null;
    await history.append(session, facts);
    return this.get(session);
  }

  /** Another program stands behind the name of an agent, or none: what is open goes on with what is there now. */
  async agentsChanged(): Promise<void> {
    for (const opening of this.open.values()) {
      const conversation = await opening.catch(() => null);
      if (conversation) await conversation.setAgent(await this.ports.agents.get(conversation.agent.id));
    }
  }

  /** New sessions begin with another agent; so does a session in which nothing was said yet. */
  async usualAgentChanged(): Promise<void> {
    for (const opening of this.open.values()) {
      const conversation = await opening.catch(() => null);
      if (conversation?.isEmpty) await conversation.setAgent(await this.ports.agents.get(null));
    }
  }

  /** For a panel that has nothing to come back to, as `getEnd` gives it: the latest session that is not in the trash. */
  async latest(): Promise<Conversation> {
    const last = (await this.list()).find(({ id, trashed }) => !trashed && !isIncognito(id));
    return last ? this.getEnd(last.id) : this.fresh();
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map(left));
    this.changed.dispose();
    this.written.dispose();
    this.stirred.dispose();
  }

  private async loaded(conversation: Conversation): Promise<Conversation> {
    if (conversation.isReleased) {
      this.releaseUnseen();
      await conversation.load();
    }
    return conversation;
  }

  private async release(): Promise<void> {
    for (const [session, opening] of this.open) {
      const conversation = await opening.catch(() => null);
      if (!conversation || conversation.isEmpty || this.ports.isShown(session)) continue;
      // What is under way ends at some time.
      if (!(await conversation.release())) this.releaseUnseen();
    }
  }

  private once(session: SessionId, make: () => Promise<Conversation>): Promise<Conversation> {
    return onceEach(this.open, session, make);
  }

  private async create(start: ConversationStart, agent: string | null): Promise<Conversation> {
    const { clock, ids, place, attachedText, judgePaths } = this.ports;
    const [{ history, rules, files }, program, talk] = await Promise.all([
      this.keeping('stored' in start ? start.stored.id : start.id),
      this.ports.agents.get(agent),
      import('../../core/conversation/conversation.ts'),
    ]);
    const conversation = new talk.Conversation(
      {
        history,
        clock,
        ids,
        place,
        rules,
        judgePaths,
        files,
        attachedText,
        programOf: id => this.ports.agents.get(id),
      },
      program,
      start,
    );
    if (conversation.transcript.elsewhere !== null) void conversation.follow();
    conversation.onDidChange(event => {
      if (!tellsDoing.has(event.type)) return;
      const { session, transcript } = conversation;
      const { turn, permissions, elicitations, held } = transcript;
      const needsPerson = permissions.length + elicitations.length > 0 || held !== null;
      const was = [this.running.has(session), this.waiting.has(session)];
      note(this.running, conversation, turn !== null);
      note(this.waiting, conversation, needsPerson);
      this.stirred.fire(conversation);
      if (was[0] !== (turn !== null) || was[1] !== needsPerson) this.changed.fire(session);
    });
    return conversation;
  }

  private async endOf(session: SessionId): Promise<StoredEnd | null> {
    // An incognito session is in memory, and read as fast.
    return isIncognito(session) ? null : (await this.history()).openEnd(session).catch(() => null);
  }

  private async keeping(session: SessionId): Promise<Keeping> {
    const keeping = await this.ports.keeping(session);
    this.listenTo(keeping.history);
    return keeping;
  }

  private async history(): Promise<History> {
    const history = await this.ports.history();
    this.listenTo(history);
    return history;
  }

  private async follow(conversation: Conversation, change: HistoryChange): Promise<void> {
    if (await conversation.follow(change)) return;
    const { session } = conversation;
    if (!this.open.has(session) || this.erasing.has(session) || this.gone.has(session)) return;
    this.gone.add(session);
    try {
      await this.ports.onGone(conversation);
      await this.forget(session);
    } finally {
      this.gone.delete(session);
    }
  }

  private readonly listening = new Set<SessionHistory>();
  private listenTo(history: SessionHistory): void {
    if (this.listening.has(history)) return;
    this.listening.add(history);
    history.onDidAppend(change => {
      const { session } = change;
      if (mayShow(change)) {
        this.written.fire(session);
        if (!change.textOnly) this.changed.fire(session);
      }
      const opened = this.open.get(session);
      // A conversation that could not be opened has nothing to follow.
      opened?.then(conversation => this.follow(conversation, change)).catch(() => {});
    });
  }
}

/** In milliseconds. */
const releaseAfter = 30_000;

/** What is set without being in any list, row or text of a session. */
const unseen: ReadonlySet<FieldName> = new Set(['queue', 'queued', 'option', 'binding', 'decision', 'systemPrompt']);

function mayShow({ all, messages, fields }: HistoryChange): boolean {
  // The beginning of a session names neither.
  return all || messages.length > 0 || fields.length === 0 || fields.some(name => !unseen.has(name));
}

/** After these it may be running, or need a person, and was not, or the other way round. */
const tellsDoing: ReadonlySet<TranscriptEvent['type']> = new Set([
  'turnChanged',
  'permissionsChanged',
  'elicitationsChanged',
  'heldChanged',
]);

function note(some: Map<SessionId, Conversation>, conversation: Conversation, isOne: boolean): void {
  if (isOne) some.set(conversation.session, conversation);
  else some.delete(conversation.session);
}

async function left(opening: Promise<Conversation>): Promise<void> {
  const conversation = await opening.catch(() => null);
  await conversation?.leave();
}
