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

interface Size {
  characters: number;
  lines: number;
}

/** At least how much there is; where it is more than any editor takes, counting stops. */
export function sizeOf({ title, locations, input, output }: Permission): Size {
  const size: Size = { characters: 0, lines: 0 };
  addText(title, size);
  for (const { path } of locations) addText(path, size);
  for (const one of output) addValue(one, size, 0);
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
