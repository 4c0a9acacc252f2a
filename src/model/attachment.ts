// What goes with a prompt besides its words: a file or a folder of the workspace, a picture, or a text that a person chose
// or that is made for them: a selection, a problem, what a terminal shows, changes, a past session. Plain data and pure
// functions. A panel knows each only by an id that the host gave it, and never by its path.

import type { Bytes, MediaBlock, ResourceBlock } from './message.ts';

/** As a panel shows it, before it is sent. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentKind;
  readonly name: string;
  /** Where it is, for a person: the folder, from the workspace on. Empty for what is in no folder. */
  readonly folder: string;
  /** Of a picture that is small enough, as a `data:` address; only where the panel does not have it. */
  readonly preview?: string;
  /** The file is not there any more. */
  readonly gone?: true;
}

/** Those with an address of ours, in which the kind stands. */
const madeKinds = ['problem', 'terminal', 'changes', 'session'] as const;
export type MadeKind = (typeof madeKinds)[number];
export type AttachmentKind = 'file' | 'folder' | 'image' | 'selection' | MadeKind;

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

/** Of what is no file: the kind, and what it is known by. */
export function madeUri(kind: MadeKind, of: string): string {
  return `throughline:${kind}/${encodeURIComponent(of)}`;
}

/** The session that is meant, where it is one. */
export function sessionIn(uri: string): string | null {
  return /^throughline:session\/([^/?#]+)$/.exec(uri)?.[1] ?? null;
}

/** Its text is that of the moment at which it goes out; any other text stays as the person chose it. */
export function isWholeFile(uri: string): boolean {
  return uri.startsWith('file:') && !uri.includes('#');
}

const mostFolderWords = 100;

/** The words by which it is found. */
export function foundBy({ kind, name, folder }: Pick<Attachment, 'kind' | 'name' | 'folder'>): string {
  if (kind === 'session') return name;
  if (kind === 'file' || kind === 'folder') return folder === '' ? name : `${folder}/${name}`;
  return `${name} ${folder.slice(0, mostFolderWords)}`;
}

export function attachmentOf({ id, block }: Attached): Attachment {
  return { id, kind: kindOf(block), name: block.name ?? 'Image', folder: '' };
}

export function kindOf(block: MediaBlock | ResourceBlock): AttachmentKind {
  if (block.kind !== 'resource') return 'image';
  if (block.mime === folderKind) return 'folder';
  const made = madeKinds.find(kind => block.uri.startsWith(`throughline:${kind}/`));
  return made ?? (/#L\d/.test(block.uri) ? 'selection' : 'file');
}

export function hasBytes(data: Bytes | undefined): data is Uint8Array {
  return data instanceof Uint8Array;
}
