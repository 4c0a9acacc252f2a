// Two branches of one session as two texts for a diff editor. Pure. Promises: both begin with the same line about what they
// share and go on from where they part; a branch that grew is told to its end; what is not there any more is a sentence.

import type { TreeNode } from '../../core/history/history.ts';
import { Tree } from '../../core/history/tree.ts';
import type { Message, MessageId } from '../../model/message.ts';
import { counted } from './sessionRows.ts';
import { messageWords } from './sessionText.ts';

export interface Compared {
  /** How many messages both begin with. */
  readonly same: number;
  /** What is only on the one that was asked for, in its order. */
  readonly ids: readonly MessageId[];
}

/** Null where one of the two is gone. */
export function comparedWith(nodes: readonly TreeNode[], leaf: MessageId, other: MessageId): Compared | null {
  const tree = new Tree(nodes);
  if (!tree.rows.has(leaf) || !tree.rows.has(other)) return null;
  const [path, theirs] = [tree.pathTo(tree.lastLeafBelow(leaf)), new Set(tree.pathTo(tree.lastLeafBelow(other)))];
  const parting = path.findIndex(id => !theirs.has(id));
  const same = parting < 0 ? path.length : parting;
  return { same, ids: path.slice(same) };
}

export function comparedText({ same }: Compared, messages: readonly Message[]): string {
  const before =
    same === 0
      ? 'The branches have no message in common.'
      : same === 1
        ? 'The first message is the same. From there:'
        : `The first ${counted(same, 'message')} are the same. From there:`;
  const rest =
    messages.length > 0 ? messages.map(message => messageWords(message)).join('\n') : '_Nothing more was said._\n';
  return `_${before}_\n\n${rest}`;
}
