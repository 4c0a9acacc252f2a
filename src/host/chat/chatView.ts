// The chat in the secondary side bar. It owns the view and its one channel; what is said and kept is the
// conversation's. A conversation may be chosen before the view exists: it is shown when the view does.

import { commands, type WebviewView, type WebviewViewProvider, type Uri } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { Attachment } from '../../model/attachment.ts';
import type { SessionId } from '../../model/message.ts';
import type { FocusOn } from '../../model/wire.ts';
import { ChatChannel, type ChatChannelPorts } from './chatChannel.ts';
import { chatViewId } from '../contributed.ts';
import { chatPage, webviewFolder } from './chatPage.ts';
import type { LastShown } from './restoring.ts';
import { setViewDescription } from '../notify/titles.ts';

export class ChatView implements WebviewViewProvider {
  private view: WebviewView | null = null;
  private channel: ChatChannel | null = null;
  private next: Conversation | null = null;
  /** Added before the view was there. */
  private waiting: readonly Attachment[] = [];
  private nextOn: FocusOn | undefined;
  private readonly extensionUri: Uri;
  private readonly nonce: () => string;
  private readonly lastShown: LastShown;
  private readonly ports: ChatChannelPorts;

  constructor(extensionUri: Uri, nonce: () => string, ports: ChatChannelPorts, lastShown: LastShown) {
    this.extensionUri = extensionUri;
    this.nonce = nonce;
    this.lastShown = lastShown;
    this.ports = {
      ...ports,
      restore: async session => {
        const { next } = this;
        this.next = null;
        return next ?? (await ports.restore(lastShown.get() ?? session));
      },
    };
  }

  /** It shows this session where it can be seen. */
  isVisible(session: SessionId): boolean {
    return this.view?.visible === true && this.channel?.session === session;
  }

  get session(): SessionId | null {
    return this.channel?.session ?? this.next?.session ?? null;
  }

  /** The channel that a person sees; null where the view is hidden or was never opened. */
  get inView(): ChatChannel | null {
    return this.view?.visible ? this.channel : null;
  }

  resolveWebviewView(view: WebviewView): void {
    const { webview, onDidDispose } = view;
    webview.options = { enableScripts: true, localResourceRoots: [webviewFolder(this.extensionUri)] };
    const shown = ({ session }: Conversation) => {
      this.lastShown.set(session);
      setViewDescription(view, isIncognito(session) ? 'Incognito' : '');
    };
    const channel = new ChatChannel(webview, { ...this.ports, shown });
    this.channel = channel;
    this.view = view;
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length > 0) void channel.add(waiting);
    onDidDispose(() => {
      channel.dispose();
      if (this.channel !== channel) return;
      this.channel = null;
      this.view = null;
    });
    if (this.nextOn) channel.focus(this.nextOn);
    this.nextOn = undefined;
    webview.html = chatPage(webview, this.extensionUri, this.nonce());
  }

  /** Shows the conversation and puts the cursor where a person writes, or goes to what is named. */
  async show(conversation: Conversation, on?: FocusOn): Promise<void> {
    if (this.channel) await this.channel.show(conversation);
    else this.next = conversation;
    await this.focus(on);
  }

  /** What it showed is gone: this stands in its place, and nobody is taken from what they do. */
  async replace(conversation: Conversation): Promise<void> {
    if (this.channel) await this.channel.show(conversation);
    else this.next = conversation;
  }

  /** Opens the view where it is not. */
  async add(attachments: readonly Attachment[]): Promise<void> {
    await this.focus();
    if (this.channel) await this.channel.add(attachments);
    else this.waiting = [...this.waiting, ...attachments];
  }

  async focus(on?: FocusOn): Promise<void> {
    if (!this.channel) this.nextOn = on;
    await commands.executeCommand(`${chatViewId}.focus`);
    this.channel?.focus(on);
  }

  refresh(): void {
    this.channel?.refresh();
  }
}
