// One function for each intent that asks something of the conversation which a panel shows. The panel is not trusted: files
// are looked up by index in the conversation itself, and links are confirmed where they are opened.

import type { Conversation } from '../../core/conversation/conversation.ts';
import { changesIn } from '../../core/conversation/decisions.ts';
import { longestTitle } from '../../core/conversation/title.ts';
import type { Permission } from '../../model/agentState.ts';
import type { IntentKind, IntentOf } from '../../model/intent.ts';
import { fitOf } from '../../model/permissionSize.ts';
import { textOf, type Location, type Message, type MessageId, type SessionId } from '../../model/message.ts';
import type { OpenedChanges } from '../files/changesView.ts';
import { mentionsAt, type Mention } from './mentions.ts';
import { locationAt, toolCallAt, type BlockPlace } from './named.ts';

export interface IntentPorts {
  readonly resumeSession: () => void;
  /** An incognito one; the person is asked first. */
  readonly endSession: (session: SessionId) => void;
  readonly manageTrust: () => void;
  readonly openFolder: () => void;
  readonly selectAgent: () => void;
  /** The person chooses in which folder it works. */
  readonly chooseFolder: (conversation: Conversation) => Promise<void>;
  /** The person is asked for a title. */
  readonly askTitle: (session: SessionId) => void;
  /** The person chooses as what, and where to. */
  readonly exportSession: (session: SessionId) => void;
  readonly connectAgent: () => void;
  /** The person chooses a value for it. */
  readonly pickOption: (conversation: Conversation, option: string) => Promise<void>;
  readonly openLink: (url: string) => void;
  readonly copyText: (text: string) => void;
  /** Answers in words where nothing was inserted. */
  readonly insertCode: (text: string) => Promise<string | null>;
  /** Answers in words where it was not opened. */
  readonly openLocation: (location: Location) => Promise<string | null>;
  /** The same of a file that was named in words. */
  readonly openMention: (mention: Mention) => Promise<string | null>;
  readonly openChanges: (of: OpenedChanges) => Promise<void>;
  /** All that a tool was given and gave back, to be read. */
  readonly openTool: (place: BlockPlace, title: string) => Promise<void>;
  /** All that a permission would allow, to be read. Rejects where it is not shown whole. */
  readonly openPermission: (session: SessionId, permission: Permission) => Promise<void>;
  /** Something was not done, and the words say what. */
  readonly tell: (words: string) => void;
}

/** `ready` and `keepDraft` also come from a panel that has no conversation yet. */
type HandledKind = Exclude<IntentKind, 'ready' | 'keepDraft'>;
type Handler<Handled> = (intent: Handled, conversation: Conversation) => void | Promise<void>;
export type IntentHandlers = { readonly [kind in HandledKind]: Handler<IntentOf<kind>> };

export function handleIntent<Kind extends HandledKind>(
  handlers: { readonly [kind in Kind]: Handler<IntentOf<kind>> },
  intent: IntentOf<Kind>,
  conversation: Conversation,
): void | Promise<void> {
  return handlers[intent.type](intent, conversation);
}

/** The intents for which it does not matter which panel they come from. */
export function createConversationHandlers(ports: IntentPorts) {
  const tell = (words: string | null) => {
    if (words !== null) ports.tell(words);
  };
  const afterPrompt =
    <Handled>(handle: Handler<Handled>): Handler<Handled> =>
    (intent, conversation) =>
      isEmpty(conversation) ? tell('Nothing was said in this session yet.') : handle(intent, conversation);
  const moveHead = (conversation: Conversation, head: MessageId | null) => {
    if (conversation.transcript.turn) return tell('An answer is being written. Wait for it, or stop it.');
    return head === null ? conversation.setHead(null) : conversation.forkFrom(head);
  };
  return {
    prepare: (_intent, conversation) => conversation.prepare(),
    answerPermission({ permission, choice }, conversation) {
      conversation.answerPermission(permission, choice);
    },
    async openPermission({ permission }, conversation) {
      const asked = conversation.transcript.permissions.find(({ id }) => id === permission);
      if (!asked || fitOf(asked) !== 'editor') return;
      await ports.openPermission(conversation.session, asked);
      // Only now: a permission that could not be shown was not seen.
      conversation.openedPermission(asked.id);
    },
    answerElicitation({ elicitation, answer }, conversation) {
      const asks = conversation.transcript.elicitations.find(({ id }) => id === elicitation)?.asks;
      if (asks?.kind === 'url' && answer.action === 'accept') ports.openLink(asks.url);
      conversation.answerElicitation(elicitation, answer);
    },
    answerHeld: ({ choice }, conversation) => conversation.answerHeld(choice),
    sendNow: ({ id }, conversation) => conversation.sendNow(id),
    decideChange: async ({ message, file, decision }, conversation) =>
      tell(await conversation.decide(message, file, decision)),
    async openChange({ session, message, file }, conversation) {
      const found = findMessage(conversation, message);
      const changes = found ? changesIn(found).filter((_one, at) => file === null || at === file) : [];
      if (changes.length > 0) await ports.openChanges({ session, message, changes });
    },
    pickOption: ({ option }, conversation) => ports.pickOption(conversation, option),
    async summarise(_intent, conversation) {
      const sent = await conversation.summarise();
      if (!sent.sent) tell(sent.words);
    },
    clear: (_intent, conversation) => (isEmpty(conversation) ? undefined : moveHead(conversation, null)),
    forkHere: afterPrompt((_intent, conversation) =>
      moveHead(conversation, conversation.transcript.messages.at(-1)?.id ?? null),
    ),
    giveTitle: afterPrompt(({ title }, conversation) => {
      if (title === '') return ports.askTitle(conversation.session);
      if (title.length > longestTitle)
        return tell(`A title has at most ${longestTitle} characters; this one has ${title.length}.`);
      return conversation.rename(title);
    }),
    exportSession: afterPrompt(({ session }) => ports.exportSession(session)),
    goToBranch: ({ message }, conversation) => conversation.goTo(message),
    forkFrom: ({ message }, conversation) => conversation.forkFrom(message),
    selectAgent: () => ports.selectAgent(),
    chooseFolder: (_intent, conversation) => ports.chooseFolder(conversation),
    connectAgent: () => ports.connectAgent(),
    acceptUnsaved: (_intent, conversation) => conversation.acceptUnsaved(),
    cancelTurn: (_intent, conversation) => conversation.cancel(),
    restoreSession: (_intent, conversation) => conversation.setTrashed(false),
    endSession: ({ session }) => ports.endSession(session),
    resumeSession: () => ports.resumeSession(),
    manageTrust: () => ports.manageTrust(),
    openFolder: () => ports.openFolder(),
    openLink: ({ url }) => ports.openLink(url),
    copyMessage({ message }, conversation) {
      const found = findMessage(conversation, message);
      if (found) ports.copyText(textOf(found));
    },
    copyText: ({ text }) => ports.copyText(text),
    insertCode: async ({ text }) => tell(await ports.insertCode(text)),
    async openNamed(intent, { transcript }) {
      const mention = mentionsAt(transcript.messages, intent)[intent.at];
      if (mention) tell(await ports.openMention(mention));
    },
    async openTool(intent, { transcript }) {
      const call = toolCallAt(transcript.messages, intent);
      if (call) await ports.openTool(intent, call.title);
    },
    async openLocation(intent, { transcript }) {
      const location = locationAt(transcript.messages, intent);
      if (location) tell(await ports.openLocation(location));
    },
  } satisfies Partial<IntentHandlers>;
}

/** After a clear, what was said is on a branch below the head. */
function isEmpty({ transcript }: Conversation): boolean {
  return transcript.messages.length === 0 && transcript.branches.below.length === 0;
}

function findMessage({ transcript }: Conversation, message: MessageId): Message | undefined {
  return transcript.messages.find(({ id }) => id === message);
}
