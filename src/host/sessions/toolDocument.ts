// A tool call of a conversation as a document that can be read and searched, however long it is. Promises: it is made when it
// is opened, from what the conversation holds; whatever is not there is a sentence.

import { Uri, window } from 'vscode';
import type { Message, MessageId } from '../../model/message.ts';
import type { BlockPlace } from '../chat/named.ts';
import { schemes } from '../contributed.ts';
import { toolText } from './toolText.ts';

export async function openTool(place: BlockPlace, title: string): Promise<void> {
  // The title is the agent's own: nothing in it may become a folder.
  const name = title.replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const { session, message, block } = place;
  const query = JSON.stringify({ session, message, block });
  const uri = Uri.from({ scheme: schemes.tool, path: `/${name.slice(0, 60) || 'Tool'}.txt`, query });
  await window.showTextDocument(uri, { preview: true });
}

/** `find` gives the message as it is now. */
export async function toolDocument(
  uri: Uri,
  find: (place: BlockPlace) => Promise<Message | undefined>,
): Promise<string> {
  try {
    const place = JSON.parse(uri.query) as BlockPlace & { readonly message: MessageId };
    const block = (await find(place))?.blocks[place.block];
    return block?.kind === 'toolCall' ? toolText(block) : 'This is not in the history any more.\n';
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
