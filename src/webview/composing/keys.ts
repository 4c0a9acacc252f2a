// Which key sends. Pure. Promises: never while an input method composes.

import type { Place } from '../../model/wire.ts';

export interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** 229 is what some input methods still report in place of `isComposing`. */
export function isComposed({ isComposing, keyCode }: Pick<Pressed, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229;
}

export function sends(pressed: Pressed, sendWith: Place['sendWith']): boolean {
  if (pressed.key !== 'Enter' || isComposed(pressed)) return false;
  return sendWith === 'ctrlEnter' ? pressed.ctrlKey || pressed.metaKey : !pressed.shiftKey;
}

export function sendKey(sendWith: Place['sendWith'], isMac: boolean): string {
  return sendWith === undefined ? 'Enter' : isMac ? 'Cmd+Enter' : 'Ctrl+Enter';
}
