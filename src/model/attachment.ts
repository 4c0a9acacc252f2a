// What goes with a prompt besides its words: a file or a folder of the workspace, or a picture. Plain data and pure
// functions. A panel knows each only by an id that the host gave it, and never by its path.

import type { Bytes, MediaBlock, ResourceBlock } from './message.ts';

/** As a panel shows it, before it is sent. */
export interface Attachment {
  readonly id: string;
  readonly kind: 'file' | 'folder' | 'image';
  readonly name: string;
  /** Where it is, for a person: the folder, from the workspace on. Empty for what is in no folder. */
  readonly folder: string;
}

/** With what it becomes in the message. */
export interface Attached {
  readonly id: string;
  readonly block: MediaBlock | ResourceBlock;
}

export const largestPicture = 10 * 1024 * 1024;
export const mostAttachments = 32;

/** The kinds of pictures that are sent and shown: those that run nothing and load nothing. */
export const pictureKinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type PictureKind = (typeof pictureKinds)[number];

export function isPictureKind(mime: string): mime is PictureKind {
  return (pictureKinds as readonly string[]).includes(mime);
}

/** What the bytes themselves say; null where they are no picture of these kinds. */
export function pictureKindOf(bytes: Uint8Array): PictureKind | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : null;
}

/** A folder's own kind: there is no text in it to be sent. */
export const folderKind = 'inode/directory';

export function attachmentOf({ id, block }: Attached): Attachment {
  const kind = block.kind === 'resource' ? (block.mime === folderKind ? 'folder' : 'file') : 'image';
  return { id, kind, name: block.name ?? 'Image', folder: '' };
}

export function hasBytes(data: Bytes | undefined): data is Uint8Array {
  return data instanceof Uint8Array;
}
