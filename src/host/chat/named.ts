// What a panel names by places in a conversation, looked up in the conversation itself. Promises: what is not there, or is
// of another kind, is null; of a picture only the kinds that a page draws without running anything are given, and none
// over the limit is even read.

import { fileURLToPath } from 'node:url';
import type { BlobRef, Block, Location, Message, MessageId, SessionId, ToolCallBlock } from '../../model/message.ts';

export interface BlockPlace {
  readonly session: SessionId;
  readonly message: MessageId;
  readonly block: number;
}

export interface Media {
  readonly message: MessageId;
  readonly block: number;
  readonly mime: string;
  readonly base64: string | null;
}

export const largestMedia = 10 * 1024 * 1024;
const drawn = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function locationAt(
  messages: readonly Message[],
  place: BlockPlace & { readonly location: number },
): Location | null {
  const block = blockAt(messages, place);
  if (block?.kind === 'toolCall') return block.locations[place.location] ?? null;
  return block?.kind === 'resource' && place.location === 0 ? fileOf(block.uri) : null;
}

export function toolCallAt(messages: readonly Message[], place: BlockPlace): ToolCallBlock | undefined {
  const block = blockAt(messages, place);
  return block?.kind === 'toolCall' ? block : undefined;
}

export async function mediaAt(
  messages: readonly Message[],
  place: BlockPlace,
  read: (session: SessionId, ref: BlobRef) => Promise<Uint8Array>,
): Promise<Media> {
  const { session, message, block: at } = place;
  const block = blockAt(messages, place);
  const mime = block?.kind === 'image' ? block.mime.toLowerCase().replace(/\s*;.*$/s, '') : '';
  const none = { message, block: at, mime, base64: null };
  if (block?.kind !== 'image' || block.data === undefined || !drawn.has(mime)) return none;
  const { data } = block;
  if (('sha256' in data ? data.size : data.byteLength) > largestMedia) return none;
  try {
    const bytes = 'sha256' in data ? await read(session, data) : data;
    return bytes.byteLength > largestMedia ? none : { ...none, base64: Buffer.from(bytes).toString('base64') };
  } catch {
    // The bytes are gone or damaged, which the check of the history tells; the panel shows the name.
    return none;
  }
}

function blockAt(messages: readonly Message[], { message, block }: BlockPlace): Block | undefined {
  return messages.find(({ id }) => id === message)?.blocks[block];
}

/** An address may name lines, as `file:///a.ts#L12`. */
function fileOf(uri: string): Location | null {
  try {
    const url = new URL(uri);
    const line = Number(/^#L(\d{1,9})/.exec(url.hash)?.[1] ?? 0);
    return { path: fileURLToPath(url), ...(line > 0 && { line }) };
  } catch {
    // It is no address of a file here.
    return null;
  }
}
