// What a person asks of the conversation that a panel shows, besides talking. Promises: nothing here trusts the panel more
// than its intent says: files are named by their place in what the conversation itself holds, and what leads out of the
// editor is asked about where it is opened.

import type { Conversation } from '../../core/conversation/conversation.ts';
import { changesIn } from '../../core/conversation/decisions.ts';
import { longestTitle } from '../../core/conversation/title.ts';
import type { Permission } from '../../model/agentState.ts';
import type { FileChange } from '../../model/changes.ts';
import type { AttachingIntent } from '../files/attaching.ts';
import type { Intent } from '../../model/intent.ts';
import { fitOf } from '../../model/permissionSize.ts';
import { textOf, type Location, type MessageId, type SessionId } from '../../model/message.ts';
import { mentionsAt, type Mention } from './mentions.ts';
import { locationAt, toolCallAt, type BlockPlace } from './named.ts';

export interface ObeyPorts {
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

export interface OpenedChanges {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly changes: readonly FileChange[];
}

type Obeyed = Exclude<
  Intent,
  {
    readonly type:
      | 'ready'
      | 'keepDraft'
      | 'requestSnapshot'
      | 'sendPrompt'
      | 'editPrompt'
      | 'retry'
      | 'newSession'
      | 'wantEarlier'
      | 'letGo'
      | 'wantText'
      | 'wantMedia'
      | 'wantFiles'
      | AttachingIntent['type'];
  }
>;

export async function obey(intent: Obeyed, conversation: Conversation, ports: ObeyPorts): Promise<void> {
  switch (intent.type) {
    case 'prepare':
      return conversation.prepare();
    case 'answerPermission':
      conversation.answerPermission(intent.permission, intent.choice);
      return;
    case 'openPermission': {
      const asked = conversation.transcript.permissions.find(({ id }) => id === intent.permission);
      if (!asked || fitOf(asked) !== 'editor') return;
      await ports.openPermission(conversation.session, asked);
      // Only now: what could not be opened was not seen.
      return conversation.openedPermission(asked.id);
    }
    case 'answerElicitation': {
      const { elicitation, answer } = intent;
      const asks = conversation.transcript.elicitations.find(({ id }) => id === elicitation)?.asks;
      if (asks?.kind === 'url' && answer.action === 'accept') ports.openLink(asks.url);
      conversation.answerElicitation(elicitation, answer);
      return;
    }
    case 'answerHeld':
      return conversation.answerHeld(intent.choice);
    case 'changeQueued':
      return conversation.changeQueued(intent.id, intent.text);
    case 'sendNow':
      return conversation.sendNow(intent.id);
    case 'decideChange': {
      const words = await conversation.decide(intent.message, intent.file, intent.decision);
      if (words !== null) ports.tell(words);
      return;
    }
    case 'openChange': {
      const { session, message, file } = intent;
      const found = conversation.transcript.messages.find(({ id }) => id === message);
      const changes = found ? changesIn(found).filter((_one, at) => file === null || at === file) : [];
      if (changes.length > 0) await ports.openChanges({ session, message, changes });
      return;
    }
    case 'pickOption':
      return ports.pickOption(conversation, intent.option);
    case 'summarise': {
      const sent = await conversation.summarise();
      if (!sent.sent) ports.tell(sent.words);
      return;
    }
    case 'clear':
    case 'forkHere':
    case 'giveTitle':
    case 'exportSession':
      return command(intent, conversation, ports);
    case 'goToBranch':
      return conversation.goTo(intent.message);
    case 'forkFrom':
      return conversation.forkFrom(intent.message);
    case 'selectAgent':
      return ports.selectAgent();
    case 'chooseFolder':
      return ports.chooseFolder(conversation);
    case 'connectAgent':
      return ports.connectAgent();
    case 'acceptUnsaved':
      return conversation.acceptUnsaved();
    case 'cancelTurn':
      return conversation.cancel();
    case 'restoreSession':
      return conversation.setTrashed(false);
    case 'endSession':
      return ports.endSession(intent.session);
    case 'resumeSession':
      return ports.resumeSession();
    case 'manageTrust':
      return ports.manageTrust();
    case 'openFolder':
      return ports.openFolder();
    case 'openLink':
      return ports.openLink(intent.url);
    case 'copyMessage': {
      const found = conversation.transcript.messages.find(({ id }) => id === intent.message);
      return found && ports.copyText(textOf(found));
    }
    case 'copyText':
      return ports.copyText(intent.text);
    case 'insertCode': {
      const words = await ports.insertCode(intent.text);
      if (words !== null) ports.tell(words);
      return;
    }
    case 'openNamed': {
      const mention = mentionsAt(conversation.transcript.messages, intent)[intent.at];
      const words = mention ? await ports.openMention(mention) : null;
      if (words !== null) ports.tell(words);
      return;
    }
    case 'openTool': {
      const call = toolCallAt(conversation.transcript.messages, intent);
      return call && ports.openTool(intent, call.title);
    }
    case 'openLocation': {
      const location = locationAt(conversation.transcript.messages, intent);
      const words = location && (await ports.openLocation(location));
      if (words !== null) ports.tell(words);
      return;
    }
  }
}

type Commanded = Extract<Intent, { readonly type: 'clear' | 'forkHere' | 'giveTitle' | 'exportSession' }>;

/** What was typed as a command: where it cannot be done, the words say why. */
async function command(intent: Commanded, conversation: Conversation, ports: ObeyPorts): Promise<void> {
  const { session, transcript } = conversation;
  const last = transcript.messages.at(-1)?.id ?? null;
  // After a clear what was said is below what is shown.
  if (last === null && transcript.branches.below.length === 0) {
    if (intent.type !== 'clear') ports.tell('Nothing was said in this session yet.');
    return;
  }
  switch (intent.type) {
    case 'clear':
    case 'forkHere':
      if (transcript.turn) return ports.tell('An answer is being written. Wait for it, or stop it.');
      return intent.type === 'clear' || last === null ? conversation.setHead(null) : conversation.forkFrom(last);
    case 'giveTitle':
      if (intent.title === '') return ports.askTitle(session);
      if (intent.title.length > longestTitle)
        return ports.tell(`A title has at most ${longestTitle} characters; this one has ${intent.title.length}.`);
      return conversation.rename(intent.title);
    case 'exportSession':
      return ports.exportSession(session);
  }
}
