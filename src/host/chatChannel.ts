// One webview and what it shows. Promises: every message that it sends is numbered, in order; text that streams is sent
// at most once per frame; a panel that boots or has lost count gets a snapshot; what comes from the panel is parsed as
// if an attacker had sent it, and is obeyed only for the session that this panel shows.

import type { Disposable, Webview } from 'vscode';
import type { Conversation } from '../core/conversation/conversation.ts';
import type { SessionId } from '../model/message.ts';
import type { TranscriptEvent } from '../model/transcript.ts';
import { parseIntent, type Intent } from '../model/intent.ts';
import { obey, type ObeyPorts } from './obey.ts';
import { wireVersion, type HostEvent, type Place } from '../model/wire.ts';

export interface ChatChannelPorts extends ObeyPorts {
  readonly place: () => Place;
  /** What a panel shows that was showing `session` before, or nothing. */
  readonly restore: (session: SessionId | null) => Promise<Conversation>;
  readonly newSession: () => Promise<Conversation>;
  readonly readDraft: (session: SessionId) => Promise<string>;
  readonly keepDraft: (session: SessionId, text: string) => void;
  readonly failure: (what: string, cause: unknown) => void;
}

const frame = 16;
type TextAppended = Extract<TranscriptEvent, { type: 'textAppended' }>;

export class ChatChannel implements Disposable {
  private seq = 0;
  private conversation: Conversation | null = null;
  private draft = '';
  private stopListening = () => {};
  private text: TextAppended | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly receiving: Disposable;
  private readonly webview: Webview;
  private readonly ports: ChatChannelPorts;

  constructor(webview: Webview, ports: ChatChannelPorts) {
    this.webview = webview;
    this.ports = ports;
    this.receiving = webview.onDidReceiveMessage((message: unknown) => {
      const intent = parseIntent(message);
      if (!intent) return;
      this.obey(intent).catch(cause => ports.failure('That did not work.', cause));
    });
  }

  /** The session that this panel shows; null until it has booted. */
  get session(): SessionId | null {
    return this.conversation?.session ?? null;
  }

  async show(conversation: Conversation): Promise<void> {
    this.stopListening();
    this.conversation = conversation;
    const draft = await this.ports.readDraft(conversation.session);
    // Another conversation may have been chosen meanwhile.
    if (this.conversation !== conversation) return;
    this.draft = draft;
    this.stopListening();
    this.stopListening = conversation.onDidChange(event => this.event(event));
    this.sendSnapshot();
  }

  focus(): void {
    this.post({ type: 'focus' });
  }

  /** The window's state changed: its trust, its folder. */
  refresh(): void {
    this.sendSnapshot();
  }

  dispose(): void {
    this.stopListening();
    this.receiving.dispose();
    this.dropText();
  }

  private async obey(intent: Intent): Promise<void> {
    const { conversation } = this;
    if (intent.type === 'ready') {
      // The host remembers as well: a view that was hidden and is shown again boots with its conversation still open.
      return this.show(conversation ?? (await this.ports.restore(intent.session)));
    }
    if (intent.type === 'keepDraft') {
      if (intent.session === conversation?.session) this.draft = intent.text;
      return this.ports.keepDraft(intent.session, intent.text);
    }
    if (!conversation || ('session' in intent && intent.session !== conversation.session)) return;
    switch (intent.type) {
      case 'requestSnapshot':
        return this.sendSnapshot();
      case 'sendPrompt': {
        const outcome = await conversation.send(intent.text, { request: intent.request });
        if (!outcome.sent) this.post({ type: 'refused', request: intent.request, words: outcome.words });
        return;
      }
      case 'newSession':
        await this.show(await this.ports.newSession());
        return this.focus();
      default:
        return obey(intent, conversation, this.ports);
    }
  }

  private event(event: TranscriptEvent): void {
    if (event.type !== 'textAppended') {
      this.flushText();
      this.post(event);
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

  private sendSnapshot(): void {
    if (!this.conversation) return;
    // What waits for the next frame is in the transcript already.
    this.dropText();
    const { transcript } = this.conversation;
    this.post({ type: 'snapshot', transcript, place: this.ports.place(), draft: this.draft });
  }

  private post(event: HostEvent): void {
    // A hidden webview loses what is posted to it, and asks for a snapshot when it is shown again.
    void this.webview.postMessage({ v: wireVersion, seq: this.seq++, event });
  }
}
