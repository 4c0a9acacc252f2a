// The words for what stands in a message and is neither said nor done: a plan, a picture, a file. Pure, so that a table
// can prove it.

import type { Bytes, MediaBlock, PlanEntry, ResourceBlock } from '../../model/message.ts';
import { cleanLine } from './cleanText.ts';

export function planWords(entries: readonly PlanEntry[]): string {
  if (entries.length === 0) return 'Plan';
  const done = entries.filter(entry => entry.status === 'completed').length;
  return `Plan · ${done} of ${entries.length} done`;
}

export interface ThingWords {
  readonly name: string;
  /** Kind and size, as far as they are known. */
  readonly facts: string;
}

const kinds = { image: 'Image', audio: 'Audio', video: 'Video', resource: 'File' } as const;

export function thingWords(block: MediaBlock | ResourceBlock): ThingWords {
  const name = cleanLine(block.name ?? '') || lastPart(cleanLine(block.uri ?? '')) || kinds[block.kind];
  const size = block.data === undefined ? '' : sizeWords(sizeOf(block.data));
  return { name, facts: [cleanLine(block.mime), size].filter(fact => fact !== '').join(' · ') };
}

export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kibibytes = bytes / 1024;
  return kibibytes < 1000 ? `${rounded(kibibytes)} KiB` : `${rounded(kibibytes / 1024)} MiB`;
}

function sizeOf(data: Bytes): number {
  return 'size' in data ? data.size : data.byteLength;
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

/** Bytes that stand in the address itself are no name. */
function lastPart(uri: string): string {
  if (uri.startsWith('data:')) return '';
  return (
    uri
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast(part => part !== '') ?? ''
  );
}
