// Goes through the panel by Tab, as a person without a mouse does, and writes down what has the focus and whether that
// can be seen. What it finds is judged by the tests.

import type { Frame } from 'playwright-core';
import type { Window } from '../vscode/workbench.ts';

export interface Stop {
  /** The number that `mark` gave it. */
  readonly id: string;
  readonly name: string;
  /** What is not right about it, in words; empty where nothing is. */
  readonly trouble: string;
}

/** The frame of the page itself, for what a locator cannot do. */
export async function frameOf(window: Window): Promise<Frame> {
  const body = await window.chat().locator('body').elementHandle();
  const frame = await body?.ownerFrame();
  if (!frame) throw new Error('The panel has no frame.');
  return frame;
}

/** Every action of the panel that can be pressed or written into now, in their order; of some radios only the one. */
export async function mark(frame: Frame): Promise<readonly Stop[]> {
  return frame.evaluate(() => {
    // Of a walk before this one.
    for (const one of document.querySelectorAll<HTMLElement>('[data-stop]')) delete one.dataset['stop'];
    const groups = new Map<string, string>();
    const all = [...document.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, [tabindex="0"]')];
    return all.flatMap((one, at) => {
      // The way back to the end comes and goes with where the walk is.
      const isOff = one.matches(':disabled, [tabindex="-1"], .jump') || one.closest('[aria-hidden="true"]') !== null;
      if (isOff || !one.checkVisibility({ visibilityProperty: true })) return [];
      if (one instanceof HTMLInputElement && one.type === 'radio') {
        const known = groups.get(one.name);
        if (known !== undefined) one.dataset['stop'] = known;
        if (known !== undefined) return [];
        groups.set(one.name, String(at));
      }
      one.dataset['stop'] = String(at);
      return [{ id: String(at), name: nameOf(one), trouble: '' }];
    });

    function nameOf(one: HTMLElement): string {
      return `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)}`;
    }
  });
}

/** What has the focus now; null where it is not in the panel any more. */
async function stop(frame: Frame): Promise<Stop | null> {
  return frame.evaluate(() => {
    const one = document.activeElement;
    if (!document.hasFocus() || !(one instanceof HTMLElement) || one === document.body) return null;
    const name = `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)}`;
    return { id: one.dataset['stop'] ?? '', name, trouble: troubleOf(one) };

    function troubleOf(of: HTMLElement): string {
      const { left, right, top, bottom, width, height } = of.getBoundingClientRect();
      if (width < 8 || height < 8) return 'it has no size';
      if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return 'it is out of sight';
      for (let around: Element | null = of; around; around = around.parentElement) {
        if (Number(getComputedStyle(around).opacity) < 0.3) return 'it cannot be seen';
      }
      // What is written into shows its focus by the frame around it.
      const framed = of.closest<HTMLElement>('.box, .message.user');
      if (of.matches('textarea') && framed) return isRing(getComputedStyle(framed), 'border') ? '' : 'it has no frame';
      return isRing(getComputedStyle(of), 'outline') ? '' : 'it has no ring';
    }

    function isRing(style: CSSStyleDeclaration, kind: 'outline' | 'border'): boolean {
      const focus = probe();
      const isDrawn = kind === 'outline' ? style.outlineStyle !== 'none' : style.borderTopStyle !== 'none';
      const width = parseFloat(kind === 'outline' ? style.outlineWidth : style.borderTopWidth);
      return isDrawn && width >= 1 && focus.includes(kind === 'outline' ? style.outlineColor : style.borderTopColor);
    }

    /** The colours that this theme has for what has the focus. */
    function probe(): readonly string[] {
      const made = document.body.appendChild(document.createElement('i'));
      const colours = ['--vscode-focusBorder', '--vscode-contrastActiveBorder'].map(variable => {
        made.style.color = `var(${variable})`;
        return getComputedStyle(made).color;
      });
      made.remove();
      return colours;
    }
  });
}

const longest = 120;

/**
 * From what has the focus now until the focus leaves the panel or comes round. A key that was pressed has done what it
 * does: the browser acknowledges it only after the page has handled it, and moves the focus while it is handled.
 */
export async function walk(window: Window, frame: Frame, key: 'Tab' | 'Shift+Tab'): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  for (let presses = 0; presses < longest; presses++) {
    const last = stops.at(-1);
    const now = await stop(frame);
    if (!now) return stops;
    // Some inputs have stops of their own inside.
    if (last?.id !== now.id || last.name !== now.name) stops.push(now);
    if (stops.length > 2 && now.id !== '' && stops[0]?.id === now.id) return stops;
    await window.page.keyboard.press(key);
  }
  throw new Error(`The focus does not leave the panel: ${stops.map(({ name }) => name).join(', ')}`);
}
