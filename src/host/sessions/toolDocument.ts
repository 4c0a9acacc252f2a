// A tool call of a conversation, or what a permission would allow, as a document that can be read and searched, however long
// it is. It is made when it is opened, from what the conversation holds; whatever is not there is a sentence.

import { Uri, window } from 'vscode';
import type { Permission } from '../../model/agentState.ts';
import type { Message, MessageId, SessionId } from '../../model/message.ts';
import { permissionDocument } from '../../model/permissionParts.ts';
import type { BlockPlace } from '../chat/named.ts';
import { schemes } from '../contributed.ts';
import { documentName } from '../notify/outsideText.ts';
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
