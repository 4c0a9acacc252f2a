// A session as text that leaves the product: Markdown to read, JSON for programs. Pure. Promises: Markdown has what was
// said, in order, with tools and what agents thought folded to a line; JSON has every block as history has it, and bytes
// as base64.

import type { SessionSummary } from '../../core/history/history.ts';
import type { Block, Message } from '../../model/message.ts';
import { titleWords } from './sessionRows.ts';

/** The bytes of a block that has them in a file of their own, by their hash. */
export type BytesByHash = ReadonlyMap<string, Uint8Array>;

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

export const jsonFormat = 'throughline-session';

export function jsonOf(summary: SessionSummary, path: readonly Message[], bytes: BytesByHash): string {
  const inline = (_name: string, value: unknown): unknown => {
    if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
    const hash = hashIn(value);
    const found = hash === null ? undefined : bytes.get(hash);
    return found ? { ...(value as object), base64: Buffer.from(found).toString('base64') } : value;
  };
  return `${JSON.stringify({ format: jsonFormat, version: 1, session: summary, messages: path }, inline, 2)}\n`;
}

/** Of what is fetched before: blocks that have their bytes elsewhere. */
export function hashesIn(path: readonly Message[]): readonly { readonly sha256: string; readonly size: number }[] {
  const found = new Map<string, { readonly sha256: string; readonly size: number }>();
  for (const { blocks } of path) {
    for (const block of blocks) {
      const data = 'data' in block ? block.data : undefined;
      if (data && 'sha256' in data) found.set(data.sha256, data);
    }
  }
  return [...found.values()];
}

function hashIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('sha256' in value)) return null;
  return typeof value.sha256 === 'string' ? value.sha256 : null;
}
