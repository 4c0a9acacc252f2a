// A tool call of a conversation, or what a permission would allow, as a document that can be read and searched, however long
// it is. It is made when it is opened, from what the conversation holds; whatever is not there is a sentence.

import { TabInputText, Uri, window } from 'vscode';
import type { Permission, PermissionChoice } from '../../model/agentState.ts';
import type { Message, MessageId, SessionId } from '../../model/message.ts';
import { permissionDocument } from '../../model/permissionParts.ts';
import type { BlockPlace } from '../chat/named.ts';
import { schemes } from '../contributed.ts';
import { showInfo } from '../notify/messages.ts';
import { documentName } from '../notify/outsideText.ts';
import { pickOne } from '../notify/pickers.ts';
import { toolText } from './toolText.ts';

export interface ToolDocumentPorts {
  /** As it is now. */
  readonly message: (place: BlockPlace) => Promise<Message | undefined>;
  readonly permission: (session: SessionId, permission: string) => Promise<Permission | undefined>;
}

export async function openTool(place: BlockPlace, title: string): Promise<void> {
  const { session, message, block } = place;
  await window.showTextDocument(addressOf(title, 'txt', { session, message, block }), { preview: true });
}

/** Throws where the editor does not show exactly what the permission is about: then nobody has seen it. */
export async function openPermission(session: SessionId, permission: Permission): Promise<void> {
  // By this ending VS Code colors what is added and removed.
  const address = addressOf(permission.title, 'diff', { session, permission: permission.id });
  const { document } = await window.showTextDocument(address, { preview: true });
  if (document.getText() !== permissionDocument(permission)) throw new Error('The editor doesn’t show all of it.');
}

/** Where a permission that was opened is answered, beside what it would allow. */
export interface Reviewed {
  readonly permission: ToolDocumentPorts['permission'];
  /** False where nobody waits for it any more. */
  readonly answer: (session: SessionId, permission: string, choice: string) => Promise<boolean>;
}

const reviewKinds = {
  allow: ['allow_once', 'allow_always'],
  reject: ['reject_once', 'reject_always'],
} as const satisfies { readonly [wish: string]: readonly PermissionChoice['kind'][] };

/** Answers as the person wishes, for this once where the agent offers that, and closes the document. */
export async function answerReview(
  uri: Uri | undefined,
  wish: keyof typeof reviewKinds,
  { permission, answer }: Reviewed,
) {
  const address = uri ?? window.activeTextEditor?.document.uri;
  if (address?.scheme !== schemes.tool) return;
  const { session, permission: id = '' } = JSON.parse(address.query) as BlockPlace & { readonly permission?: string };
  const asked = await permission(session, id);
  const choice = asked && (await choiceFor(asked, wish));
  if (asked && !choice) return;
  if (!choice || !(await answer(session, id, choice))) {
    const isOpen = (await permission(session, id)) !== undefined;
    void showInfo(
      isOpen ? 'It can’t be allowed: the editor doesn’t show all of it.' : 'This request was answered already.',
    );
    if (isOpen) return;
  }
  const tabs = window.tabGroups.all.flatMap(group => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof TabInputText && input.uri.toString() === address.toString(),
  );
  await window.tabGroups.close(shown);
}

async function choiceFor({ choices }: Permission, wish: keyof typeof reviewKinds): Promise<string | null> {
  for (const kind of reviewKinds[wish]) {
    const fit = choices.filter(choice => choice.kind === kind);
    const [only] = fit;
    if (only && fit.length === 1) return only.id;
    if (!only) continue;
    const title = 'The agent offers several choices';
    return (
      (
        await pickOne(
          fit.map(choice => ({ label: choice.name, choice })),
          { title },
        )
      )?.choice.id ?? null
    );
  }
  void showInfo('The agent doesn’t say which of its choices that is. Answer in the chat.');
  return null;
}

export async function toolDocument(uri: Uri, ports: ToolDocumentPorts): Promise<string> {
  try {
    const place = JSON.parse(uri.query) as BlockPlace & { readonly message: MessageId; readonly permission?: string };
    if (place.permission !== undefined) {
      const permission = await ports.permission(place.session, place.permission);
      return permission ? permissionDocument(permission) : 'This request was answered.\n';
    }
    const block = (await ports.message(place))?.blocks[place.block];
    return block?.kind === 'toolCall' ? toolText(block) : 'This is not in the history any more.\n';
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function addressOf(title: string, ending: string, place: object): Uri {
  const path = `/${documentName(title, 'Tool')}.${ending}`;
  return Uri.from({ scheme: schemes.tool, path, query: JSON.stringify(place) });
}
