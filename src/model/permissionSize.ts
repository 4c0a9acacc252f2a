// How much there is to see before a permission can be given: what fits into the panel is shown there whole, what is longer
// is opened in an editor first, and what is too large for an editor as well can't be allowed. The panel draws its buttons
// by this, and the host takes an answer by it.

import type { Permission } from './agentState.ts';
import type { Json } from './message.ts';

/** What a panel draws at once and a person can still scroll through. */
export const mostInPanel = { characters: 150_000, lines: 3000 } as const;
/** Above that VS Code gives an extension no document. */
const mostInEditor = 10_000_000;
const deepest = 100;

export type PermissionFit = 'panel' | 'editor' | 'nowhere';

export interface Size {
  characters: number;
  lines: number;
}

/** At least how much there is; where it is more than any editor takes, counting stops. */
export function sizeOf({ title, locations, input, output }: Permission): Size {
  const size: Size = { characters: 0, lines: 0 };
  addText(title, size);
  for (const { path } of locations) addText(path, size);
  for (const one of output) addOutput(one, size);
  if (input !== undefined) addValue(input, size, 0);
  return size;
}

export function fitOf(permission: Permission): PermissionFit {
  const { characters, lines } = sizeOf(permission);
  if (characters > mostInEditor) return 'nowhere';
  return characters > mostInPanel.characters || lines > mostInPanel.lines ? 'editor' : 'panel';
}

/** Whether the person was able to see all that they would allow. */
export function maySeeAllow(permission: Permission): boolean {
  const fit = fitOf(permission);
  return fit === 'panel' || (fit === 'editor' && permission.opened === true);
}

function addText(text: string, size: Size): void {
  size.characters += text.length;
  size.lines += 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) size.lines += 1;
}

/** Of a change, the whole new text and what goes from the old one: the rest of that is the same. */
function addOutput(value: Json, size: Size): void {
  const { type, path, oldText, newText } = (typeof value === 'object' ? (value ?? {}) : {}) as { [name: string]: Json };
  if (type !== 'diff' || typeof path !== 'string' || typeof newText !== 'string') return addValue(value, size, 0);
  addText(path, size);
  addText(newText, size);
  if (typeof oldText !== 'string') return;
  const most = Math.min(oldText.length, newText.length);
  let head = 0;
  while (head < most && oldText.charCodeAt(head) === newText.charCodeAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && oldText.at(-1 - tail) === newText.at(-1 - tail)) tail += 1;
  addText(oldText.slice(head, oldText.length - tail), size);
}

/** As indented JSON at most; what nobody could read in any form counts as too much. */
function addValue(value: Json, size: Size, depth: number): void {
  if (depth > deepest) size.characters = Infinity;
  if (size.characters > mostInEditor) return;
  size.characters += 2 * depth;
  if (typeof value === 'string') return addText(value, size);
  size.lines += 1;
  if (typeof value !== 'object' || value === null) return void (size.characters += String(value).length);
  for (const [name, one] of Object.entries(value)) {
    size.characters += name.length;
    addValue(one as Json, size, depth + 1);
  }
}
