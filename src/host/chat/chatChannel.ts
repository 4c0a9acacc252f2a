// One webview and what it shows. Promises: every message that it sends is numbered, in order; text that streams is sent
// at most once per frame; a panel that boots or has lost count gets a snapshot; what comes from the panel is parsed as
// if an attacker had sent it, and is obeyed only for the session that this panel shows.

import type { Disposable, Webview } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { Sent } from '../../core/conversation/terms.ts';
import type { BlobRef, MessageId, SessionId } from '../../model/message.ts';
import type { Attachment } from '../../model/attachment.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import { parseIntent, type Intent, type IntentKind, type IntentOf } from '../../model/intent.ts';
import { Attaching, type AttachingPorts } from '../files/attaching.ts';
import { GivenPath } from './givenPath.ts';
import { mentionsAt, type Mention } from './mentions.ts';
import { mediaAt } from './named.ts';
import { createConversationHandlers, handleIntent, type IntentHandlers, type IntentPorts } from './intentHandlers.ts';
import type { SharedDrafts } from './sharedDrafts.ts';
import { wireVersion, type FocusOn, type GoTo, type HostEvent, type Place, type NamedFile } from '../../model/wire.ts';

export interface ChatChannelPorts extends IntentPorts, AttachingPorts {
  /** `cwd` is where the session works that is shown, where that is known. */
  readonly place: (cwd: string | null) => Place;
  /** What a panel shows that was showing `session` before, or nothing. */
  readonly restore: (session: SessionId | null) => Promise<Conversation>;
  readonly newSession: () => Promise<Conversation>;
  readonly readDraft: (session: SessionId) => Promise<string>;
  readonly keepDraft: (session: SessionId, text: string) => void;
  /** Told what is typed here, and tells what is typed in the other panels of this window. */
  readonly shared: SharedDrafts;
  /** The panel shows another conversation than before, or none. */
  readonly onShownChanged: () => void;
  /** The panel shows this conversation from now on. */
  readonly shown?: (conversation: Conversation) => void;
  /** Those that are files of this workspace. */
  readonly filesNamed: (mentions: readonly Mention[]) => Promise<readonly NamedFile[]>;
  readonly blob: (session: SessionId, ref: BlobRef) => Promise<Uint8Array>;
  readonly failure: (what: string, cause: unknown) => void;
}

const frame = 16;
/** In milliseconds. */
const drawing = 100;
/** Of so many prompts it is known that they were taken already. */
const mostTaken = 1000;
let lastUse = 0;
/** What only a person does, and only where they are. */
const meant: ReadonlySet<IntentKind> = new Set(['prepare', 'keepDraft', 'sendPrompt', 'newSession', 'goToBranch']);

type TextAppended = Extract<TranscriptEvent, { type: 'textAppended' }>;
type Refused = Extract<Sent, { readonly sent: false }>;

export class ChatChannel implements Disposable {
  private seq = 0;
  private conversation: Conversation | null = null;
  /** When a person did something here last, counted over all panels of the window. */
  usedAt = 0;
  private showing: Promise<void> = Promise.resolve();
  /** Of the conversation that is shown, which may hold only its last messages. */
  private loading: Promise<void> = Promise.resolve();
  /** Added before the page stood. */
  private waiting: readonly Attachment[] = [];
  private draft = '';
  private readonly path = new GivenPath(event => this.post(event));
  /** Prompts of this panel that are in no conversation or queue yet; their words are still in its draft. */
  private readonly underway = new Set<string>();
  /** Each goes out once, however often the page says so. */
  private readonly taken = new Set<string>();
  /** What this panel has shown: what was typed in a session may come after it was left. */
  private readonly seen = new Set<SessionId>();
  private readonly stopSharing: () => void;
  private readonly attaching: Attaching;
  private readonly handlers: IntentHandlers;
  /** Asked of a page that may not stand yet. */
  private goTo: GoTo | null = null;
  private stopListening = () => {};
  private text: TextAppended | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly receiving: Disposable;
  private readonly webview: Webview;
  private readonly ports: ChatChannelPorts;

  constructor(webview: Webview, ports: ChatChannelPorts) {
    this.webview = webview;
    this.ports = ports;
    this.attaching = new Attaching(ports, event => this.post(event));
    this.handlers = this.createHandlers();
    this.stopSharing = ports.shared.listen((session, draft, by) => {
      if (by === this || session !== this.session) return;
      this.draft = draft;
      this.post({ type: 'draftChanged', draft });
    });
    this.receiving = webview.onDidReceiveMessage((message: unknown) => {
      const intent = parseIntent(message);
      if (!intent) return;
      this.handle(intent).catch(cause => ports.failure('That did not work.', cause));
    });
  }

  /** The session that this panel shows; null until it has booted. */
  get session(): SessionId | null {
    return this.conversation?.session ?? null;
  }

  /** `wanted` is the message that was looked at. */
  show(conversation: Conversation, wanted?: MessageId): Promise<void> {
    this.showing = this.shows(conversation, wanted);
    return this.showing;
  }

  /** To what is attached to the words that are being written, also where the page is hidden or not there yet. */
  async add(attachments: readonly Attachment[]): Promise<void> {
    if (!this.conversation) {
      this.waiting = [...this.waiting, ...attachments];
      return;
    }
    await this.showing;
    const { session } = this.conversation;
    await (
      await this.ports.attachments()
    ).addToDraft(
      session,
      attachments.map(({ id }) => id),
    );
    this.post({ type: 'added', attachments });
    this.focus();
  }

  private async shows(conversation: Conversation, wanted?: MessageId): Promise<void> {
    this.stopListening();
    this.conversation = conversation;
    this.seen.add(conversation.session);
    this.ports.shown?.(conversation);
    this.ports.onShownChanged();
    const isShowable = hasMessage(conversation.transcript, wanted);
    const [{ draft, attached }] = await Promise.all([
      this.kept(conversation.session),
      isShowable ? null : this.load(conversation),
    ]);
    // Another conversation may have been chosen meanwhile.
    if (this.conversation !== conversation) return;
    this.draft = draft;
    this.path.begin();
    this.stopListening();
    this.stopListening = conversation.onDidChange(event => this.event(event));
    this.sendSnapshot(attached, wanted);
    if (conversation.isReleased) this.loading = this.loadAfterDrawing(conversation);
    const { waiting } = this;
    this.waiting = [];
    // After this one is over, for which it waits.
    if (waiting.length > 0) void this.add(waiting).catch(cause => this.ports.failure('It was not added.', cause));
  }

  /** What is seen is drawn before the rest is read, which keeps a small machine busy. */
  private async loadAfterDrawing(conversation: Conversation): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, drawing));
    if (this.conversation === conversation) await this.load(conversation);
  }

  private async load(conversation: Conversation): Promise<void> {
    await conversation
      .load()
      .catch(cause => this.ports.failure('The messages of this session could not be read.', cause));
  }

  /** What was typed and attached and is not sent. */
  private async kept(session: SessionId): Promise<{ draft: string; attached: readonly Attachment[] }> {
    const [draft, attached] = await Promise.all([
      this.ports.readDraft(session),
      this.ports.attachments().then(attachments => attachments.draftOf(session)),
    ]);
    return { draft, attached };
  }

  focus(on?: FocusOn): void {
    const goTo = typeof on === 'object' ? on : null;
    this.goTo = goTo;
    const isShown = this.conversation !== null;
    if (goTo && this.conversation) this.path.upTo(this.conversation.transcript, goTo.message);
    void this.deliver({ type: 'focus', ...(on && { on }) }).then(hasCome => {
      if (hasCome && isShown && this.goTo === goTo) this.goTo = null;
    });
  }

  /** The window's state changed: its trust, its folder. */
  refresh(): void {
    this.sendSnapshot();
  }

  dispose(): void {
    this.stopListening();
    this.stopSharing();
    this.receiving.dispose();
    this.dropText();
    this.ports.onShownChanged();
  }

  private async handle(intent: Intent): Promise<void> {
    if (meant.has(intent.type)) this.usedAt = ++lastUse;
    if (intent.type === 'ready') return this.boot(intent);
    if (intent.type === 'keepDraft') return this.keepDraft(intent);
    const { conversation } = this;
    if (!conversation || ('session' in intent && intent.session !== conversation.session)) return;
    // What is asked may be about a message that isn't read yet.
    if (conversation.isReleased && 'session' in intent) await this.loading;
    if (this.conversation !== conversation) return;
    return handleIntent(this.handlers, intent, conversation);
  }

  private async boot({ session, message }: IntentOf<'ready'>): Promise<void> {
    // The host remembers as well: a view that was hidden and is shown again boots with its conversation still open.
    const conversation = this.conversation ?? (await this.ports.restore(session));
    await this.show(conversation, conversation.session === session ? message : undefined);
    if (this.goTo) this.focus(this.goTo);
  }

  private keepDraft({ session, text }: IntentOf<'keepDraft'>): void {
    if (this.conversation && !this.seen.has(session)) return;
    if (session === this.conversation?.session) this.draft = text;
    // What is on its way already is not for the other panels to send once more.
    if (this.underway.size === 0) this.ports.shared.tell(session, text, this);
    this.ports.keepDraft(session, text);
  }

  private createHandlers(): IntentHandlers {
    return {
      requestSnapshot: () => this.sendSnapshot(),
      wantEarlier: ({ first }, { transcript }) => this.path.earlier(transcript, first),
      wantText: (intent, { transcript }) => {
        this.flushText();
        this.path.text(transcript, intent);
      },
      letGo: ({ first }, { transcript }) => this.path.letGo(transcript, first),
      sendPrompt: (intent, conversation) => this.send(conversation, intent),
      editPrompt: ({ request, message, text }, conversation) =>
        this.sendAgain(request, () => conversation.edit(message, text, request)),
      retry: ({ request, message }, conversation) =>
        this.sendAgain(request, () => conversation.retry(message, request)),
      newSession: async () => {
        await this.show(await this.ports.newSession());
        this.focus();
      },
      wantMedia: async (intent, conversation) => {
        const media = await mediaAt(conversation.transcript.messages, intent, this.ports.blob);
        if (this.conversation === conversation) this.post({ type: 'media', ...media });
      },
      wantFiles: async (intent, conversation) => {
        const { message, block } = intent;
        const files = await this.ports.filesNamed(mentionsAt(conversation.transcript.messages, intent));
        if (files.length === 0 || this.conversation !== conversation) return;
        this.post({ type: 'namedFiles', message, block, files });
      },
      changeQueued: async ({ id, text }, conversation) => {
        // What is taken out to be edited may be sent again.
        await this.attaching.keepQueued(id, conversation);
        conversation.changeQueued(id, text);
      },
      complete: intent => this.attaching.complete(intent),
      attachUri: intent => this.attaching.attachUri(intent),
      attachPicture: (intent, conversation) => this.attaching.attachPicture(intent, conversation),
      keepAttached: intent => this.attaching.keepAttached(intent),
      ...createConversationHandlers(this.ports),
    };
  }

  private async sendAgain(request: string, send: () => Promise<Sent>): Promise<void> {
    if (!this.isFirst(request)) return;
    const outcome = await send();
    if (!outcome.sent) this.refuse(request, outcome);
  }

  private isFirst(request: string): boolean {
    if (this.taken.has(request)) return false;
    this.taken.add(request);
    const [oldest] = this.taken;
    if (oldest !== undefined && this.taken.size > mostTaken) this.taken.delete(oldest);
    return true;
  }

  private async send(
    conversation: Conversation,
    { request, text, attached: ids = [] }: IntentOf<'sendPrompt'>,
  ): Promise<void> {
    if (!this.isFirst(request)) return;
    const attached = ids.length === 0 ? [] : (await this.ports.attachments()).named(ids);
    if (!attached) {
      const words = 'Something that was attached is not known any more. Attach it again.';
      return this.post({ type: 'refused', request, words });
    }
    this.underway.add(request);
    this.ports.shared.tell(conversation.session, '', this);
    try {
      const outcome = await conversation.send(text, { request, attached });
      if (outcome.sent) return;
      this.refuse(request, outcome);
      // It is a draft again, in every panel.
      if (conversation === this.conversation) this.ports.shared.tell(conversation.session, this.draft, this);
    } finally {
      this.underway.delete(request);
    }
  }

  private refuse(request: string, { words, noAgent }: Refused): void {
    this.post({ type: 'refused', request, words, ...(noAgent && { noAgent }) });
  }

  private event(event: TranscriptEvent): void {
    if (event.type === 'messageAdded' && event.request !== undefined) this.underway.delete(event.request);
    if (event.type !== 'textAppended') {
      this.flushText();
      this.post(this.path.event(event));
      return;
    }
    const { text } = this;
    if (text && (text.message !== event.message || text.at !== event.at)) this.flushText();
    this.text = this.text ? { ...this.text, text: this.text.text + event.text } : event;
    this.timer ??= setTimeout(() => this.flushText(), frame);
  }

  private flushText(): void {
    const { text } = this;
    this.dropText();
    if (text) this.post(text);
  }

  private dropText(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.text = null;
  }

  /** A page that shows the session already knows what is attached there; `wanted` is the message that it looks at. */
  private sendSnapshot(attached: readonly Attachment[] = [], wanted?: MessageId): void {
    if (!this.conversation) return;
    // What waits for the next frame is in the transcript already.
    this.dropText();
    const { cwd, transcript: whole } = this.conversation;
    const transcript = this.path.snapshot(whole, wanted);
    this.post({ type: 'snapshot', transcript, place: this.ports.place(cwd), draft: this.draft, attached });
  }

  private post(event: HostEvent): void {
    void this.deliver(event);
  }

  /** A hidden webview loses what is posted to it, and asks for a snapshot when it is shown again. */
  private deliver(event: HostEvent): Thenable<boolean> {
    return this.webview.postMessage({ v: wireVersion, seq: this.seq++, event });
  }
}

/** Something can be shown, and this message with it. */
function hasMessage({ messages }: Transcript, wanted: MessageId | undefined): boolean {
  return messages.length > 0 && (wanted === undefined || messages.some(({ id }) => id === wanted));
}
