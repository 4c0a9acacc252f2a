// What panels were offered and given to attach, by id. The same thing has the same id; what nobody used for long is
// forgotten, unless a draft holds it.

import { createHash } from 'node:crypto';
import type { Attached } from '../../model/attachment.ts';
import type { ResourceBlock } from '../../model/message.ts';

/** A list shows fifty at once; what is taken from it stays until the draft of its panel is told here. */
const mostKnown = 500;
/** A picture that was taken back again is not told of: the oldest makes room. */
const mostPictures = 24;

export class KnownAttachments {
  /** The one that was used last is the last. */
  private readonly known = new Map<string, Attached>();
  private readonly idsByKey = new Map<string, string>();
  private readonly newId: () => string;
  private readonly inDrafts: () => Iterable<string>;

  constructor(newId: () => string, inDrafts: () => Iterable<string>) {
    this.newId = newId;
    this.inDrafts = inDrafts;
  }

  /** Those that are known, in this order. */
  named(ids: readonly string[]): readonly Attached[] {
    const found = ids.flatMap(id => this.known.get(id) ?? []);
    for (const one of found) this.put(one);
    return found;
  }

  put(attached: Attached): Attached {
    const { id, block } = attached;
    if (block.kind === 'image' && !this.known.has(id)) this.dropPictures();
    this.known.delete(id);
    this.known.set(id, attached);
    if (this.known.size >= 2 * mostKnown) this.dropUnused();
    return attached;
  }

  /** What was offered before has the id that it had. */
  offer(block: ResourceBlock): Attached {
    const key = keyOf(block);
    const id = this.idsByKey.get(key) ?? this.newId();
    this.idsByKey.set(key, id);
    return this.put({ id, block });
  }

  private dropPictures(): void {
    const pictures = [...this.known.values()].filter(({ block }) => block.kind === 'image');
    for (const { id } of pictures.slice(0, Math.max(0, pictures.length - mostPictures + 1))) this.known.delete(id);
  }

  private dropUnused(): void {
    const used = new Set(this.inDrafts());
    for (const id of this.known.keys()) {
      if (this.known.size <= mostKnown) break;
      if (!used.has(id)) this.known.delete(id);
    }
    for (const [key, id] of this.idsByKey) if (!this.known.has(id)) this.idsByKey.delete(key);
  }
}

/** Two selections of the same lines may differ in their text, which may be long. */
function keyOf({ uri, text }: ResourceBlock): string {
  return text === undefined ? uri : `${uri}\n${createHash('sha256').update(text).digest('base64')}`;
}
