// What panels may attach: files and folders of the workspace, and pictures that a person gave. Promises: a panel is
// given an id for each and never a path, and sends nothing but ids back; what a panel or a page says of a picture or an
// address is looked at here before it is believed; what is outside of the workspace is not attached; what is attached to
// words that are not sent is on the disk beside them, pictures up to a bound. What is done with it when it is sent is left
// to core/conversation/attaching.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attachedIn, attachedValue } from '../../core/conversation/attaching.ts';
import {
  attachmentOf,
  folderKind,
  hasBytes,
  largestPicture,
  mostAttachments,
  pictureKindOf,
} from '../../model/attachment.ts';
import type { Attached, Attachment } from '../../model/attachment.ts';
import type { Json, ResourceBlock, SessionId } from '../../model/message.ts';
import { pathIn, withLook } from './attachmentLook.ts';
import { completionsOf, type FoundFile, type Offered } from './completions.ts';
import type { Guard } from '../../node/files/guard.ts';

export interface AttachmentsPorts {
  /** For a session, of which it is none itself. */
  readonly offered: (session: SessionId) => Promise<readonly Offered[]>;
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly FoundFile[]>;
  readonly guard: Guard;
  readonly newId: () => string;
  /** What `keepAttached` kept of a session, in an earlier window too; else the empty text. */
  readonly readAttached: (session: SessionId) => Promise<string>;
  readonly keepAttached: (session: SessionId, text: string) => void;
}

export type Taken = { readonly attachment: Attachment } | { readonly words: string };

/** A picture that was taken back again is not told of: the oldest makes room. */
const mostPictures = 24;
/** Of the pictures of one draft, on the disk. */
const mostKept = 32 * 1024 * 1024;

export class Attachments {
  private readonly known = new Map<string, Attached>();
  /** The same file has the same id always. */
  private readonly idsByPath = new Map<string, string>();
  private readonly drafts = new Map<SessionId, readonly string[]>();
  private readonly ports: AttachmentsPorts;

  constructor(ports: AttachmentsPorts) {
    this.ports = ports;
  }

  /** Files, folders and what else is offered, as far as it fits, the best first. */
  async complete(typed: string, signal: AbortSignal, session: SessionId): Promise<readonly Attachment[]> {
    const [found, offered] = await Promise.all([this.ports.find(typed, signal), this.ports.offered(session)]);
    if (signal.aborted) return [];
    return completionsOf(typed, found, offered).map(one => {
      if ('block' in one) return { ...attachmentOf(this.keepOffered(one.block)), folder: one.more };
      const { path, shown, isFolder } = one;
      const id = this.keepPath(path, isFolder);
      const at = shown.lastIndexOf('/');
      return {
        id,
        kind: isFolder ? 'folder' : 'file',
        name: shown.slice(at + 1),
        folder: shown.slice(0, Math.max(0, at)),
      };
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
    const id = this.keepPath(path, about.isDirectory());
    return this.shown(id);
  }

  /** A text that a person chose. */
  takeText(block: ResourceBlock): Attachment {
    const attached = { id: this.ports.newId(), block };
    this.known.set(attached.id, attached);
    return attachmentOf(attached);
  }

  takePicture(name: string, base64: string): Taken {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    if (bytes.length > largestPicture) return { words: `“${name}” was not attached: it is larger than 10 MB.` };
    const mime = pictureKindOf(bytes);
    if (mime === null) return { words: `“${name}” was not attached: it is no PNG, JPEG, GIF or WebP picture.` };
    this.makeRoom();
    const id = this.ports.newId();
    this.known.set(id, { id, block: { kind: 'image', mime, name, data: bytes } });
    return this.shown(id);
  }

  /** Null where one of them is not known, as after a reload of the window. */
  named(ids: readonly string[]): readonly Attached[] | null {
    const found = ids.flatMap(id => this.known.get(id) ?? []);
    return found.length === ids.length ? found : null;
  }

  /** What waited in a queue goes back to a panel. */
  keep(attached: readonly Attached[]): void {
    for (const one of attached) this.known.set(one.id, one);
  }

  /** What is attached to the words that are not sent yet. */
  keepDraft(session: SessionId, ids: readonly string[]): void {
    this.drafts.set(session, ids);
    const kept: Attached[] = [];
    let bytes = 0;
    for (const attached of ids.flatMap(id => this.known.get(id) ?? [])) {
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
    const all = (this.drafts.get(session) ?? []).flatMap(id => this.known.get(id) ?? []);
    return Promise.all(all.map(withLook));
  }

  /** The same has the same id always. */
  private keepOffered(block: ResourceBlock): Attached {
    const key = `${block.uri}\n${block.text ?? ''}`;
    const id = this.idsByPath.get(key) ?? this.ports.newId();
    this.idsByPath.set(key, id);
    const attached = { id, block };
    this.known.set(id, attached);
    return attached;
  }

  private keepPath(path: string, isFolder: boolean): string {
    const id = this.idsByPath.get(path) ?? this.ports.newId();
    this.idsByPath.set(path, id);
    const uri = pathToFileURL(path).href;
    this.known.set(id, {
      id,
      block: { kind: 'resource', mime: isFolder ? folderKind : '', uri, name: basename(path) },
    });
    return id;
  }

  private shown(id: string): Taken {
    const attached = this.known.get(id);
    return attached ? { attachment: attachmentOf(attached) } : { words: 'It was not attached.' };
  }

  private makeRoom(): void {
    const pictures = [...this.known.values()].filter(({ block }) => block.kind === 'image');
    for (const { id } of pictures.slice(0, Math.max(0, pictures.length - mostPictures + 1))) this.known.delete(id);
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
