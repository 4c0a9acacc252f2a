// A panel that nobody looks at: a webview whose two ends a test holds, and what a channel needs around it where nothing is
// opened, copied, asked or attached. A test names what it cares about; drafts are on a real disk where it has one.

import type { Webview } from 'vscode';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { History } from '../../../src/core/history/history.ts';
import { ChatChannel, type ChatChannelPorts } from '../../../src/host/chat/chatChannel.ts';
import { SharedDrafts } from '../../../src/host/chat/sharedDrafts.ts';
import { Attachments } from '../../../src/host/files/attachments.ts';
import type { HostMessage } from '../../../src/model/wire.ts';
import { draftsIn, type Drafts } from '../../../src/node/drafts.ts';
import { guardIn } from '../../../src/node/files/guard.ts';
import { closesWith, ids } from './history.ts';

export interface HeldWebview {
  readonly webview: Webview;
  /** What the page would post; after the channel is disposed of nobody hears it. */
  readonly say: (message: unknown) => void;
}

export function heldWebview(posted: (message: HostMessage) => void): HeldWebview {
  let hear: (message: unknown) => void = () => {};
  const webview = {
    postMessage(message: HostMessage) {
      posted(message);
      return Promise.resolve(true);
    },
    onDidReceiveMessage(listener: (message: unknown) => void) {
      hear = listener;
      return { dispose: () => (hear = () => {}) };
    },
  } as unknown as Webview;
  return { webview, say: message => hear(message) };
}

export function quietPorts(
  conversation: Conversation,
  history: Pick<History, 'blob'>,
  more: Partial<ChatChannelPorts> & Pick<ChatChannelPorts, 'failure'>,
): ChatChannelPorts {
  const nothing = () => {};
  const attachments = new Attachments({
    find: () => Promise.resolve({ files: [], isWhole: true }),
    offered: () => () => Promise.resolve([]),
    guard: guardIn(() => []),
    newId: ids.message,
    readAttached: () => Promise.resolve(''),
    keepAttached: nothing,
  });
  const none = () => Promise.resolve(null);
  return {
    place: () => ({ folder: 'orders', trusted: true }),
    restore: () => Promise.resolve(conversation),
    newSession: () => Promise.resolve(conversation),
    onShownChanged: nothing,
    endSession: nothing,
    resumeSession: nothing,
    connectAgent: nothing,
    manageTrust: nothing,
    openFolder: nothing,
    selectAgent: nothing,
    chooseFolder: () => Promise.resolve(),
    askTitle: nothing,
    exportSession: nothing,
    pickOption: () => Promise.resolve(),
    openChanges: () => Promise.resolve(),
    openTool: () => Promise.resolve(),
    openPermission: () => Promise.resolve(),
    tell: nothing,
    readDraft: () => Promise.resolve(''),
    keepDraft: nothing,
    shared: new SharedDrafts(),
    attachments: () => Promise.resolve(attachments),
    takesImages: () => Promise.resolve(false),
    openLink: nothing,
    copyText: nothing,
    insertCode: none,
    openLocation: none,
    openMention: none,
    filesNamed: () => Promise.resolve([]),
    blob: (session, ref) => history.blob(session, ref),
    ...more,
  };
}

/** A channel in a folder of `temporaryFolder`, gone with it. */
export function openTestChannel(folder: string, webview: Webview, ports: ChatChannelPorts): ChatChannel {
  const channel = new ChatChannel(webview, ports);
  closesWith(folder, () => Promise.resolve(channel.dispose()));
  return channel;
}

/** Drafts in a folder of `temporaryFolder`, which waits for what is being written. */
export function openTestDrafts(folder: string): Drafts {
  const drafts = draftsIn(folder);
  let writing = Promise.resolve();
  closesWith(folder, () => writing);
  return {
    ...drafts,
    keep(session, text) {
      const kept = drafts.keep(session, text);
      writing = Promise.allSettled([writing, kept]).then(() => {});
      return kept;
    },
  };
}
