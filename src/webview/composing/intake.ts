// What is pasted into the composer or dropped on it and is no text: pictures, and files out of the explorer. Promises:
// text is pasted as text, also where a picture of it lies beside it; what cannot be taken is said in words.

import { isPictureKind, largestPicture } from '../../model/attachment.ts';
import type { SessionId } from '../../model/message.ts';
import type { AttachedChips } from './attached.ts';

const uriKinds = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Whether it was taken, and the browser is not to paste it. */
export function takePasted(data: DataTransfer, session: SessionId, attached: AttachedChips): boolean {
  const files = [...data.files];
  if (files.length === 0 || data.getData('text/plain') !== '') return false;
  takeFiles(files, session, attached);
  return true;
}

export function canBeDropped(data: DataTransfer): boolean {
  return data.types.includes('Files') || uriKinds.some(kind => data.types.includes(kind));
}

export function takeDropped(data: DataTransfer, session: SessionId, attached: AttachedChips): boolean {
  const uris = urisIn(uriKinds.map(kind => data.getData(kind)).find(list => list !== '') ?? '');
  if (uris.length > 0) {
    attached.trouble.value = null;
    for (const uri of uris) attached.giveUri(session, uri);
    return true;
  }
  const files = [...data.files];
  takeFiles(files, session, attached);
  return files.length > 0;
}

/** Of files on the machine; a page that is dropped is an address as well, and is text. */
export function urisIn(list: string): readonly string[] {
  return list.split(/\r?\n/).filter(line => /^(file|vscode-remote):/.test(line));
}

function takeFiles(files: readonly File[], session: SessionId, attached: AttachedChips): void {
  attached.trouble.value = null;
  for (const file of files) {
    const words = whyNot(file);
    if (words !== null) attached.trouble.value = words;
    else void give(file, session, attached);
  }
}

function whyNot({ name, type, size }: File): string | null {
  if (!isPictureKind(type))
    return `“${name}” was not attached: only PNG, JPEG, GIF and WebP pictures, and files of this workspace.`;
  return size > largestPicture ? `“${name}” was not attached: it is larger than 10 MB.` : null;
}

async function give(file: File, session: SessionId, attached: AttachedChips): Promise<void> {
  try {
    const preview = await dataAddress(file);
    const base64 = preview.slice(preview.indexOf(',') + 1);
    attached.givePicture(session, { name: file.name === '' ? 'Image' : file.name, base64, preview });
  } catch {
    attached.trouble.value = `“${file.name}” could not be read.`;
  }
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('not readable'));
    reader.readAsDataURL(file);
  });
}
