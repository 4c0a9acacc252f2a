// What stands in a block for a person to read, or for an agent: every text of it, in a fixed order. For a search that
// passes over nothing. Leaves out what only names a kind, and bytes.

import type { Block, Json } from '../../model/message.ts';

export function textsOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'text':
    case 'thought':
    case 'notice':
      return [block.text];
    case 'toolCall':
      return [
        block.title,
        ...valuesOf(block.input),
        ...valuesOf(block.output),
        ...block.locations.map(location => location.path),
      ];
    case 'plan':
      return block.entries.map(entry => entry.content);
    case 'image':
    case 'audio':
    case 'video':
      return [block.name, block.uri].flatMap(text => text ?? []);
    case 'resource':
      return [block.name, block.uri, block.text].flatMap(text => text ?? []);
    case 'changes':
      return block.files.map(file => file.path);
    case 'unknown':
      return valuesOf(block.value);
    default:
      // A block of a later version: nobody here knows what of it is text.
      block satisfies never;
      return [];
  }
}

function valuesOf(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesOf);
}
