// A session as Markdown to read, one branch or all of them. Pure. Promises: what was said is there, in order, with tools and
// what agents thought folded to a line; of several branches nothing is said twice.

import type { SessionSummary, TreeNode } from '../../core/history/history.ts';
import { Tree } from '../../core/history/tree.ts';
import type { Block, Message, MessageId } from '../../model/message.ts';
import { branchRows, linesOf } from './branchRows.ts';
import { counted, titleWords } from './sessionRows.ts';

export function markdownOf(summary: SessionSummary, path: readonly Message[]): string {
  const begun = new Date(summary.created).toISOString();
  const head = `# ${titleWords(summary)}\n\n${summary.agent.name} · begun ${begun}\n`;
  return [head, ...path.map(message => messageWords(message))].join('\n');
}

/** `you` is who wrote the prompts. */
export function messageWords(message: Message, you = 'You'): string {
  const who = message.role === 'user' ? you : message.role === 'summary' ? 'Summary' : (message.agent?.name ?? 'Agent');
  const parts = message.blocks.flatMap(block => blockWords(block) ?? []);
  const { end } = message;
  if (!end) parts.push('_Interrupted._');
  else if (end.detail !== undefined) parts.push(`_${end.detail}_`);
  else if (end.reason === 'cancelled') parts.push('_Stopped._');
  return `## ${who}\n\n${parts.join('\n\n')}\n`;
}

function blockWords(block: Block): string | undefined {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'thought':
      return block.text.replace(/^/gm, '> ');
    case 'toolCall':
      return `- **${block.title}** (${block.status.replace('_', ' ')})`;
    case 'plan':
      return block.entries
        .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${content}`)
        .join('\n');
    case 'image':
    case 'audio':
    case 'video':
      return `_${block.kind}${block.name === undefined ? '' : `: ${block.name}`}_`;
    case 'resource':
      return `_${block.name ?? block.uri}_`;
    case 'notice':
      return `> ${block.text}`;
    case 'changes':
      return block.files.map(({ path }) => `- changed \`${path}\``).join('\n');
    default:
      return undefined;
  }
}

/**
 * The branch that ends in `head` whole, and every other one from where it parts. What is in the trash is not read aloud.
 */
export function markdownOfTree(
  summary: SessionSummary,
  nodes: readonly TreeNode[],
  messages: ReadonlyMap<MessageId, Message>,
  head: MessageId | null,
): string {
  const tree = new Tree(nodes);
  const pathTo = (leaf: MessageId) => tree.pathTo(leaf).flatMap(id => messages.get(id) ?? []);
  const names = new Map(branchRows(linesOf(nodes)).map(({ leaf, label }) => [leaf, label]));
  const shown = head === null ? undefined : tree.lastLeafBelow(head);
  const leaves = tree.leaves().map(({ id }) => id);
  const first = shown ?? leaves[0];
  if (first === undefined) return markdownOf(summary, []);
  const told = new Set(tree.pathTo(first));
  const parts = [markdownOf(summary, pathTo(first))];
  for (const leaf of leaves) {
    if (leaf === first) continue;
    const path = pathTo(leaf);
    const same = path.findIndex(({ id }) => !told.has(id));
    const rest = same < 0 ? [] : path.slice(same);
    for (const { id } of rest) told.add(id);
    const before =
      same <= 0
        ? 'It begins anew.'
        : same === 1
          ? 'Its first message is above.'
          : `Its first ${counted(same, 'message')} are above.`;
    parts.push(
      [
        `# Branch: ${names.get(leaf) ?? 'without words'}\n\n_${before}_\n`,
        ...rest.map(message => messageWords(message)),
      ].join('\n'),
    );
  }
  return parts.join('\n');
}
