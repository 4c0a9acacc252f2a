// Which files a message changed, and how many in words: what the panel has to know before anything of them is drawn. The
// rest is in `changeWords.ts`, which comes late.

import type { FileChange } from '../../model/changes.ts';
import type { Block, Message } from '../../model/message.ts';

/** Of all its blocks: a place in this list is what the host is told. */
export function changedIn({ blocks }: Pick<Message, 'blocks'>): readonly FileChange[] {
  const changes = blocks.filter(isChanges);
  return changes.length === 1 ? (changes[0]?.files ?? []) : changes.flatMap(({ files }) => files);
}

function isChanges(block: Block): block is Extract<Block, { kind: 'changes' }> {
  return block.kind === 'changes';
}

export function countWords(files: number): string {
  return files === 1 ? '1 file changed' : `${files} files changed`;
}
