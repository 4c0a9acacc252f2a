// How what is attached is shown again: a picture by itself where it is not too large, a file that is gone as gone.

import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { attachmentOf, hasBytes, isWholeFile, type Attached, type Attachment } from '../../model/attachment.ts';

/** A larger one is shown by its name. */
const largestPreview = 1024 * 1024;

export async function withLook(attached: Attached): Promise<Attachment> {
  const { block } = attached;
  const shown = attachmentOf(attached);
  if (block.kind !== 'resource') {
    const { data } = block;
    if (!hasBytes(data) || data.length > largestPreview) return shown;
    return { ...shown, preview: `data:${block.mime};base64,${Buffer.from(data).toString('base64')}` };
  }
  const path = isWholeFile(block.uri) ? pathIn(block.uri) : null;
  const isThere = path === null || (await stat(path).catch(() => null)) !== null;
  return isThere ? shown : { ...shown, gone: true };
}

/** Of a remote window the paths are those of this machine, on which the extension runs. */
export function pathIn(uri: string): string | null {
  try {
    const url = new URL(uri);
    if (url.protocol === 'file:') return fileURLToPath(url);
    return url.protocol === 'vscode-remote:' ? fileURLToPath(`file://${url.pathname}`) : null;
  } catch {
    // No address, or none of a file.
    return null;
  }
}
