// The chat in editors: the same app as in the side bar, one editor per session. Promises: opening what an editor shows
// already brings that editor to the front; after a reload of the window each editor has its session again; the tab is
// called what the session is called. What is said and kept is the conversation's; the page of a hidden editor is gone
// and is made anew, with its scroll and what was typed.

import { commands, Uri, ViewColumn, type Disposable, type WebviewPanel, type WebviewPanelSerializer } from 'vscode';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { isIncognito } from '../../model/incognito.ts';
import type { Attachment } from '../../model/attachment.ts';
import type { SessionId } from '../../model/message.ts';
import type { FocusOn } from '../../model/wire.ts';
import { chatPanelType } from '../contributed.ts';
import { ChatChannel, type ChatChannelPorts } from './chatChannel.ts';
import { chatPage, webviewFolder } from './chatPage.ts';
import { createPanel, setPanelTitle } from '../notify/titles.ts';

export interface ChatPanelsPorts extends ChatChannelPorts {
  readonly nonce: () => string;
  /** The person chooses a session; undefined where they did not. */
  readonly pickSession: (title: string) => Promise<SessionId | undefined>;
  /** Throws HistoryError `no-session`. */
  readonly conversation: (session: SessionId) => Promise<Conversation>;
}

export class ChatPanels implements WebviewPanelSerializer, Disposable {
  private readonly panels = new Set<ChatPanel>();
  private readonly extensionUri: Uri;
  private readonly ports: ChatPanelsPorts;

  constructor(extensionUri: Uri, ports: ChatPanelsPorts) {
    this.extensionUri = extensionUri;
    this.ports = ports;
  }

  /** In a new editor, or in the one that shows it already, wherever that is. */
  open(conversation: Conversation, column: ViewColumn = ViewColumn.Active, on?: FocusOn): void {
    const there = this.of(conversation.session);
    if (there) return there.reveal(on);
    const panel = createPanel(chatPanelType, titleOf(conversation), column);
    this.add(panel, conversation, conversation.session, on);
  }

  /** VS Code calls this when a tab of the window before is first looked at, which may be long after the reload. */
  deserializeWebviewPanel(panel: WebviewPanel, state: unknown): Promise<void> {
    const session = sessionIn(state);
    const there = session === null ? undefined : this.of(session);
    if (there) {
      panel.dispose();
      there.reveal();
    } else this.add(panel, null, session);
    return Promise.resolve();
  }

  /** It was erased: no editor shows it any more. */
  close(session: SessionId): void {
    this.of(session)?.close();
  }

  refresh(): void {
    for (const panel of this.panels) panel.channel.refresh();
  }

  dispose(): void {
    // The tabs stay: the next window restores them.
    for (const { channel } of this.panels) channel.dispose();
  }

  isShown(session: SessionId): boolean {
    return this.of(session) !== undefined;
  }

  /** An editor that shows it can be seen. */
  isVisible(session: SessionId): boolean {
    return this.of(session)?.isVisible ?? false;
  }

  /** Brings the editor that shows it to the front; false where none does. */
  reveal(session: SessionId, on?: FocusOn): boolean {
    const there = this.of(session);
    there?.reveal(on);
    return there !== undefined;
  }

  /** The session of the editor that is in front, where that is one of these. */
  get active(): SessionId | null {
    return [...this.panels].find(panel => panel.isActive)?.session ?? null;
  }

  /** To the words that are written in this one, which takes the focus. */
  async addTo(channel: ChatChannel, attachments: readonly Attachment[]): Promise<void> {
    [...this.panels].find(panel => panel.channel === channel)?.reveal();
    await channel.add(attachments);
  }

  /** Those that a person sees. */
  get inView(): readonly ChatChannel[] {
    return [...this.panels].filter(panel => panel.isVisible).map(({ channel }) => channel);
  }

  private of(session: SessionId): ChatPanel | undefined {
    return [...this.panels].find(panel => panel.session === session);
  }

  private add(panel: WebviewPanel, conversation: Conversation | null, session: SessionId | null, on?: FocusOn): void {
    const { extensionUri, ports } = this;
    const media = (file: string) => Uri.joinPath(extensionUri, 'media', file);
    panel.iconPath = { light: media('chat-light.svg'), dark: media('chat-dark.svg') };
    panel.webview.options = { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] };
    const added = new ChatPanel(panel, conversation, session, on, {
      ...ports,
      resumeSession: () => {
        this.resumeIn(added).catch((cause: unknown) => ports.failure('The session could not be resumed.', cause));
      },
    });
    this.panels.add(added);
    panel.onDidDispose(() => {
      this.panels.delete(added);
      added.dispose();
    });
    panel.webview.html = chatPage(panel.webview, extensionUri, ports.nonce());
  }

  /** Another session in the same editor, where no other editor has it. */
  private async resumeIn(panel: ChatPanel): Promise<void> {
    const session = await this.ports.pickSession('Resume which session?');
    if (session === undefined) return;
    const there = this.of(session);
    if (there) return there.reveal();
    await panel.channel.show(await this.ports.conversation(session));
    panel.channel.focus();
  }
}

class ChatPanel implements Disposable {
  readonly channel: ChatChannel;
  private stopListening = () => {};
  private isNew: boolean;
  /** What a new one goes to first. */
  private readonly on: FocusOn | undefined;
  private readonly panel: WebviewPanel;
  private readonly expected: SessionId | null;

  /** `conversation` is shown once the page stands; without one the page says what it showed before. */
  constructor(
    panel: WebviewPanel,
    conversation: Conversation | null,
    expected: SessionId | null,
    on: FocusOn | undefined,
    ports: ChatChannelPorts,
  ) {
    this.panel = panel;
    this.on = on;
    this.expected = expected;
    this.isNew = conversation !== null;
    this.channel = new ChatChannel(panel.webview, {
      ...ports,
      restore: session => (conversation ? Promise.resolve(conversation) : ports.restore(session ?? expected)),
      // The command alone would mean the session of the side bar.
      selectAgent: () => void commands.executeCommand('throughline.selectAgent', this.session),
      shown: shown => this.shown(shown),
    });
  }

  get session(): SessionId | null {
    return this.channel.session ?? this.expected;
  }

  close(): void {
    this.panel.dispose();
  }

  get isVisible(): boolean {
    return this.panel.visible;
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  reveal(on?: FocusOn): void {
    this.panel.reveal();
    this.channel.focus(on);
  }

  dispose(): void {
    this.stopListening();
    this.channel.dispose();
  }

  private shown(conversation: Conversation): void {
    this.stopListening();
    setPanelTitle(this.panel, titleOf(conversation));
    this.stopListening = conversation.onDidChange(event => {
      if (event.type === 'titleChanged') setPanelTitle(this.panel, titleOf(conversation));
    });
    if (this.isNew && (this.on || this.panel.active)) this.channel.focus(this.on);
    this.isNew = false;
  }
}

const longestTitle = 80;

/** Nothing in a title breaks the line, hides, or turns it around. */
function titleOf({ session, transcript }: Conversation): string {
  // VS Code keeps the titles of tabs.
  if (isIncognito(session)) return 'Incognito session';
  const title = transcript.title.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() || 'New session';
  return title.length > longestTitle ? `${title.slice(0, longestTitle).trimEnd()}…` : title;
}

/** What a page keeps with `setState` is in src/webview/vscodeApi.ts; whoever has the workspace's state may have changed it. */
function sessionIn(state: unknown): SessionId | null {
  if (typeof state !== 'object' || state === null || !('session' in state)) return null;
  return typeof state.session === 'string' ? state.session : null;
}
