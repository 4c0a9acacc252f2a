// Keys that a box does itself: select all, undo, redo. VS Code hears every key of a page and does these in the editor of a file
// where it does not know yet that the page has the focus: then it would be the file in which something is undone. Promises:
// in a box of ours these keys do what they do in any box, and nobody else hears of them.

import type { Pressed } from './keys.ts';

const ofBoxes: ReadonlySet<string> = new Set(['a', 'y', 'z']);

export function isOfBox({ key, ctrlKey, metaKey }: Pick<Pressed, 'key' | 'ctrlKey' | 'metaKey'>): boolean {
  return (ctrlKey || metaKey) && ofBoxes.has(key.toLowerCase());
}

/** VS Code listens at the window, after everything in the page. */
export function keepKeysInBoxes(page: Document): void {
  page.addEventListener('keydown', event => {
    const { target } = event;
    const isBox = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isBox && !event.altKey && isOfBox(event)) event.stopPropagation();
  });
}
