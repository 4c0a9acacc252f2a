// What a person attached, on its way into a message and out to the agent, and how it waits in the queue on the disk.
// Promises: what history says was attached is what the agent was given, byte for byte; an agent that takes no pictures
// is sent nothing, and the words say so; the text of a file or a session is that of the moment at which it goes out, any
// other that which the person chose. Leaves to the host which files may be read.

import type { Attached } from '../../model/attachment.ts';
import { folderKind, hasBytes, isWholeFile, sessionIn } from '../../model/attachment.ts';
import { plain, type BlobRef, type Json, type MediaBlock, type ResourceBlock } from '../../model/message.ts';
import type { AgentAbilities } from '../agents.ts';
import type { PromptPart } from '../agentTurn.ts';

export type AttachedBlock = Attached['block'];

export interface AttachingPorts {
  /** The text of a file or a session that may be sent along; null for one that is only named: a secret, no text, too long. */
  readonly attachedText?: (uri: string, signal: AbortSignal) => Promise<string | null>;
  readonly bytes: (ref: BlobRef) => Promise<Uint8Array>;
}

/** As they go into the message, or why they cannot be sent. */
export async function blocksFor(
  attached: readonly Attached[],
  agent: { readonly name: string; readonly abilities: Pick<AgentAbilities, 'images' | 'embedded'> },
  ports: AttachingPorts,
  signal: AbortSignal,
): Promise<readonly AttachedBlock[] | { readonly words: string }> {
  const { images, embedded } = agent.abilities;
  if (!images && attached.some(({ block }) => block.kind !== 'resource'))
    return { words: `${agent.name} takes no images.` };
  return Promise.all(
    attached.map(async ({ block }) => {
      if (block.kind !== 'resource') return withBytes(block, ports);
      if (block.text !== undefined && !isWholeFile(block.uri) && sessionIn(block.uri) === null) return block;
      const { text: _before, ...named } = block;
      // An agent could not open the address of a session.
      if (block.mime === folderKind || (!embedded && sessionIn(block.uri) === null)) return named;
      const text = await ports.attachedText?.(block.uri, signal);
      return text === undefined || text === null ? named : { ...named, mime: plain, text };
    }),
  );
}

export function partOf(block: AttachedBlock): PromptPart {
  if (block.kind !== 'resource') {
    const data = hasBytes(block.data) ? block.data : new Uint8Array();
    return { type: block.kind === 'audio' ? 'audio' : 'image', mime: block.mime, data };
  }
  const { uri, name = uri, mime, text } = block;
  return text === undefined ? { type: 'link', uri, name } : { type: 'resource', uri, name, mime, text };
}

/** What is sent again lies in history. */
async function withBytes(block: MediaBlock, { bytes }: AttachingPorts): Promise<MediaBlock> {
  return block.data === undefined || hasBytes(block.data) ? block : { ...block, data: await bytes(block.data) };
}

/** `keepBytes` says what stands for the bytes of a picture. */
export function attachedValue(attached: readonly Attached[], keepBytes: (bytes: Uint8Array) => Json = toBase64): Json {
  return attached.map(({ id, block }) => {
    const { kind, mime, uri = null, name = null } = block;
    const text = block.kind === 'resource' && !isWholeFile(block.uri) ? (block.text ?? null) : null;
    return { id, kind, mime, uri, name, text, data: hasBytes(block.data) ? keepBytes(block.data) : null };
  });
}

/** What a later or another hand wrote is passed over. */
export function attachedIn(
  value: Json | undefined,
  readBytes: (data: Json | undefined) => Uint8Array | null = fromBase64,
): readonly Attached[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one): readonly Attached[] => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [];
    const { id, kind, mime, uri, name, text, data } = one as { readonly [field: string]: Json };
    if (typeof id !== 'string' || typeof mime !== 'string') return [];
    const named = typeof name === 'string' ? { name } : {};
    if (kind === 'resource' && typeof uri === 'string') {
      const block: ResourceBlock = { kind, mime, uri, ...named, ...(typeof text === 'string' ? { text } : {}) };
      return [{ id, block }];
    }
    if (kind !== 'image') return [];
    const bytes = readBytes(data);
    return bytes ? [{ id, block: { kind, mime, ...named, data: bytes } }] : [];
  });
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  // More arguments at once than a call may have would throw.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function fromBase64(text: Json | undefined): Uint8Array | null {
  if (typeof text !== 'string') return null;
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    // Not what was written here.
    return null;
  }
}
