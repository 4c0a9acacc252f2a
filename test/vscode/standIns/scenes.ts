// The states of the panel that are looked at: what the host says, and what a person does then. One table for pictures,
// for the accessibility tests and for the golden layouts; a new state is a new row.

import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Attachment } from '../../../src/model/attachment.ts';
import type { Transcript } from '../../../src/model/transcript.ts';
import type { HostEvent, Place } from '../../../src/model/wire.ts';
import { chart } from './chart.ts';
import { base } from './conversation.ts';
import { counted, extremes, longDraft } from './extremes.ts';
import { cancelled, failed, failedAtOnce, forked, interrupted, parted, pictured, sought, told } from './reading.ts';
import { states } from './states.ts';

export interface Scene {
  readonly transcript: Transcript;
  readonly place?: Partial<Place>;
  readonly attached?: readonly Attachment[];
  readonly draft?: string;
  /** A session of which nothing is kept. */
  readonly isIncognito?: true;
  /** Said after the snapshot, and what is seen then. */
  readonly then?: { readonly event: HostEvent; readonly drawn: (chat: FrameLocator | Page) => Locator };
  /** What a person does in the panel. */
  readonly act?: (chat: FrameLocator | Page, page: Page) => Promise<void>;
}

const nothing: Transcript = {
  ...base,
  title: '',
  messages: [],
  turn: null,
  continuity: { kind: 'fresh' },
  options: [],
};

const scout: Transcript = {
  ...nothing,
  agent: { id: 'scout', name: 'Offline scout' },
  about: {
    words: 'The offline scout is not an AI: it searches files and conversations, without network or keys.',
    examples: ['Where is the configuration read?', 'Which files mention a test?', '"TODO"'],
  },
};

const attached: readonly Attachment[] = [
  { id: 'f1', kind: 'file', name: 'processor.go', folder: 'internal/orders' },
  { id: 'f2', kind: 'folder', name: 'orders', folder: 'internal' },
  { id: 'f3', kind: 'image', name: 'goroutines.png', folder: '' },
];

const commands = [
  { name: 'review', description: 'Review the changes of this branch', hint: 'what to look at' },
  { name: 'compact', description: 'Shorten what the agent remembers', hint: null },
  { name: 'init', description: 'Write down how this project is built', hint: null },
];

const press =
  (name: string, act: (chat: FrameLocator | Page) => ReturnType<FrameLocator['getByRole']>) =>
  async (chat: FrameLocator | Page): Promise<void> => {
    await act(chat).getByRole('button', { name, exact: true }).first().click({ force: true });
  };

const own: { readonly [name: string]: Scene } = {
  conversation: { transcript: told },
  fresh: { transcript: nothing },
  firstRun: { transcript: scout, place: { agentWanted: true } },
  empty: { transcript: scout },
  branches: { transcript: parted },
  forked: { transcript: forked },
  editing: {
    transcript: parted,
    act: press('Edit and resend', chat => chat.getByRole('article').first()),
  },
  find: {
    transcript: sought,
    async act(chat, page) {
      await chat.getByRole('region', { name: 'Conversation' }).focus();
      await page.keyboard.press('Control+f');
      await chat.getByRole('textbox', { name: 'Find' }).fill('context');
      // The line for screen readers says the same a moment later.
      await chat.locator('.findCount', { hasText: /^\d of \d/ }).waitFor();
    },
  },
  completing: {
    transcript: { ...told, commands },
    async act(chat, page) {
      await chat.getByRole('textbox', { name: 'Message' }).focus();
      await page.keyboard.type('/');
      await chat.getByRole('listbox', { name: 'Commands' }).waitFor();
    },
  },
  attached: { transcript: told, attached, draft: 'What keeps these goroutines alive?' },
  thought: {
    transcript: told,
    act: press('Thought', chat => chat.getByRole('article').nth(1)),
  },
  picture: {
    transcript: pictured,
    then: {
      event: { type: 'media', message: 'a', block: 1, mime: 'image/png', base64: chart() },
      drawn: chat => chat.locator('article img').first(),
    },
  },
  failed: { transcript: failed },
  failedAtOnce: { transcript: failedAtOnce },
  interrupted: { transcript: interrupted },
  cancelled: { transcript: cancelled },
  restricted: { transcript: scout, place: { trusted: false } },
  incognito: { transcript: scout, isIncognito: true },
  noFolder: { transcript: scout, place: { folder: null } },
  folders: {
    transcript: scout,
    place: {
      workFolder: 'orders (services)',
      notes: [
        'This session works in orders (services). Choose another folder below before you send.',
        'Another window has this history open: what is said there appears here, and both can be used at once.',
      ],
    },
  },
  foldersBegun: { transcript: told, place: { workFolder: 'orders (services)' } },
  trashed: { transcript: { ...told, trashed: true } },
  notSaved: {
    transcript: {
      ...told,
      unsaved: { code: 'no-space', words: 'The disk is full. Free some space and send again.', accepted: false },
    },
  },
  draft: { transcript: counted, attached, draft: longDraft },
  took: {
    transcript: counted,
    async act(chat) {
      await chat.getByRole('button', { name: /^This answer took/ }).hover();
    },
  },
  meter: {
    transcript: counted,
    async act(chat, page) {
      await chat.getByRole('meter', { name: 'Context used' }).hover();
      await page.waitForTimeout(1200);
    },
  },
  full: { transcript: { ...told, context: { used: 171_000, size: 200_000 } } },
};

export const scenes: { readonly [name: string]: Scene } = {
  ...Object.fromEntries(Object.entries({ ...states, ...extremes }).map(([name, transcript]) => [name, { transcript }])),
  ...own,
};
