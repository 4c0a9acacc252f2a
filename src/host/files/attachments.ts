// What panels may attach: files and folders of the workspace, and pictures that a person gave. Promises: a panel is
// given an id for each and never a path, and sends nothing but ids back; what a panel or a page says of a picture or an
// address is looked at here before it is believed; what is outside of the workspace is not attached; what is attached to
// words that are not sent is on the disk beside them, pictures up to a bound. What is done with it when it is sent is left
// to core/conversation/attaching.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { attachedIn, attachedValue } from '../../core/conversation/attaching.ts';
import {
  attachmentOf,
  folderKind,
  hasBytes,
  isWholeFile,
  largestPicture,
  mostAttachments,
  pictureKindOf,
} from '../../model/attachment.ts';
import type { Attached, Attachment } from '../../model/attachment.ts';
import type { Json, ResourceBlock, SessionId } from '../../model/message.ts';
import { CompletionList, type CompletionListPorts } from './completionList.ts';
import { KnownAttachments } from './knownAttachments.ts';
import type { Guard } from '../../node/files/guard.ts';

export interface AttachmentsPorts extends CompletionListPorts {
  readonly guard: Guard;
  readonly newId: () => string;
  /** What `keepAttached` kept of a session, in an earlier window too; else the empty text. */
  readonly readAttached: (session: SessionId) => Promise<string>;
  readonly keepAttached: (session: SessionId, text: string) => void;
}

/** Empty where the signal says that nobody waits for it any more. */
export type Complete = (typed: string, signal: AbortSignal) => Promise<readonly Attachment[]>;

export type Taken = { readonly attachment: Attachment } | { readonly words: string };

/** Of the pictures of one draft, on the disk. */
const mostKept = 32 * 1024 * 1024;
/** A larger one is shown by its name. */
const largestPreview = 1024 * 1024;

export class Attachments {
  private readonly known: KnownAttachments;
  private readonly drafts = new Map<SessionId, readonly string[]>();
  private readonly ports: AttachmentsPorts;

  constructor(ports: AttachmentsPorts) {
    this.ports = ports;
    this.known = new KnownAttachments(ports.newId, () => [...this.drafts.values()].flat());
  }

  /** What completes while one list is open: files, folders and what else is offered, as far as it fits, the best first. */
  openList(session: SessionId): Complete {
    const list = new CompletionList(this.ports, session);
    return async (typed, signal) =>
      (await list.complete(typed, signal)).map(one => {
        if ('block' in one) return { ...attachmentOf(this.known.offer(one.block)), folder: one.more };
        const { path, shown, isFolder } = one;
        const at = shown.lastIndexOf('/');
        const folder = shown.slice(0, Math.max(0, at));
        return { ...attachmentOf(this.offerPath(path, isFolder)), name: shown.slice(at + 1), folder };
      });
  }

  /** A file or folder that was dropped, by its address. */
  async takeUri(uri: string): Promise<Taken> {
    const path = pathIn(uri);
    if (path === null) return { words: 'Only files of this workspace can be attached.' };
    const guarded = await this.ports.guard.resolve(path, 'read');
    if (guarded.kind === 'refused')
      return { words: `“${basename(path)}” was not attached: it is not in this workspace.` };
    const about = await stat(guarded.real).catch(() => null);
    if (!about) return { words: `“${basename(path)}” was not attached: it is not there.` };
    return { attachment: attachmentOf(this.offerPath(path, about.isDirectory())) };
  }

  /** A text that a person chose. */
  takeText(block: ResourceBlock): Attachment {
    return attachmentOf(this.known.put({ id: this.ports.newId(), block }));
  }

  takePicture(name: string, base64: string): Taken {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    if (bytes.length > largestPicture) return { words: `“${name}” was not attached: it is larger than 10 MB.` };
    const mime = pictureKindOf(bytes);
    if (mime === null) return { words: `“${name}” was not attached: it is no PNG, JPEG, GIF or WebP picture.` };
    const picture = { id: this.ports.newId(), block: { kind: 'image', mime, name, data: bytes } } as const;
    return { attachment: attachmentOf(this.known.put(picture)) };
  }

  /** Null where one of them is not known, as after a reload of the window. */
  named(ids: readonly string[]): readonly Attached[] | null {
    const found = this.known.named(ids);
    return found.length === ids.length ? found : null;
  }

  /** What waited in a queue goes back to a panel. */
  keep(attached: readonly Attached[]): void {
    for (const one of attached) this.known.put(one);
  }

  /** What is attached to the words that are not sent yet. */
  keepDraft(session: SessionId, ids: readonly string[]): void {
    this.drafts.set(session, ids);
    const kept: Attached[] = [];
    let bytes = 0;
    for (const attached of this.known.named(ids)) {
      bytes += hasBytes(attached.block.data) ? attached.block.data.length : 0;
      if (bytes <= mostKept) kept.push(attached);
    }
    this.ports.keepAttached(session, kept.length === 0 ? '' : JSON.stringify(attachedValue(kept)));
  }

  /** At the end of what is attached already. */
  async addToDraft(session: SessionId, ids: readonly string[]): Promise<void> {
    await this.draftOf(session);
    this.keepDraft(session, [...new Set([...(this.drafts.get(session) ?? []), ...ids])].slice(0, mostAttachments));
  }

  /** For a page that is made anew, also in another window; what is gone from the disk says so. */
  async draftOf(session: SessionId): Promise<readonly Attachment[]> {
    if (!this.drafts.has(session)) {
      const kept = attachedIn(parsed(await this.ports.readAttached(session)));
      // What was kept meanwhile is newer.
      if (!this.drafts.has(session)) {
        this.keep(kept);
        this.drafts.set(
          session,
          kept.map(({ id }) => id),
        );
      }
    }
    return Promise.all(this.known.named(this.drafts.get(session) ?? []).map(withLook));
  }

  private offerPath(path: string, isFolder: boolean): Attached {
    const uri = pathToFileURL(path).href;
    return this.known.offer({ kind: 'resource', mime: isFolder ? folderKind : '', uri, name: basename(path) });
  }
}

function parsed(text: string): Json | undefined {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Json);
  } catch {
    // Not what was written here.
    return undefined;
  }
}

/** How it is shown again: a picture by itself where it is not too large, a file that is gone as gone. */
async function withLook(attached: Attached): Promise<Attachment> {
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
function pathIn(uri: string): string | null {
  try {
    const url = new URL(uri);
    if (url.protocol === 'file:') return fileURLToPath(url);
    return url.protocol === 'vscode-remote:' ? fileURLToPath(`file://${url.pathname}`) : null;
  } catch {
    // No address, or none of a file.
    return null;
  }
}
