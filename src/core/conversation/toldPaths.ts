// Which files a tool call says that it changes, or is about to: those that it shows a difference for, and where its kind
// is one that changes files, those that it names. Pure.

import type { ToolCallBlock } from '../../model/message.ts';

const changing: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

export function toldPaths({ tool, locations, output }: ToolCallBlock): readonly string[] {
  const shown = output.flatMap(item => {
    if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'diff') return [];
    return typeof item['path'] === 'string' ? [item['path']] : [];
  });
  const named = changing.has(tool) ? locations.map(({ path }) => path) : [];
  return [...new Set([...shown, ...named])];
}
