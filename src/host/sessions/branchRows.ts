// The branches of one session as rows under it: pure, from the tree that history gives. A session with one branch has no
// rows: its own row is that branch.

import type { TreeNode } from '../../core/history/history.ts';
import { Tree } from '../../core/history/tree.ts';
import type { MessageId } from '../../model/message.ts';

export interface BranchRow {
  /** The end of the branch: where a panel that opens it stands. */
  readonly leaf: MessageId;
  readonly label: string;
  readonly named: boolean;
  readonly note: string | null;
  readonly created: number;
}

const longest = 80;

/** Newest first. */
export function branchRows(nodes: readonly TreeNode[]): readonly BranchRow[] {
  const tree = new Tree(nodes);
  const leaves = tree.leaves();
  if (leaves.length < 2) return [];
  return leaves.map(leaf => ({
    leaf: leaf.id,
    label: leaf.name ?? lastPrompt(tree, leaf),
    named: leaf.name !== null,
    note: leaf.note,
    created: leaf.created,
  }));
}

/** Answers have no words of their own here: a branch is called by what was last said in it. */
function lastPrompt(tree: Tree<TreeNode>, leaf: TreeNode): string {
  for (let at: TreeNode | undefined = leaf; at; at = tree.rows.get(tree.parent(at.id) ?? '')) {
    if (at.preview !== '') return shortened(at.preview);
  }
  return 'Branch without words';
}

function shortened(words: string): string {
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest);
  const space = cut.lastIndexOf(' ');
  // The last half of a surrogate pair must not stay behind alone.
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
