// The button that leads back to the end of the conversation while the person is elsewhere. It never goes while it has the
// focus: whoever tabs through the panel would lose their place when the conversation reaches its end by itself.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

export interface JumpProps {
  /** The end is not followed. */
  readonly isAway: boolean;
  readonly words: string;
  readonly press: () => void;
}

export function Jump({ isAway, words, press }: JumpProps) {
  const { focusWanted } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const hasFocus = useSignal(false);
  useLayoutEffect(
    () => () => {
      // The conversation is drawn anew. What has no window focus must not take it.
      if (document.hasFocus() && document.activeElement === button.current) focusWanted.value += 1;
    },
    [],
  );
  if (!isAway && !hasFocus.value) return null;
  return (
    <button
      type="button"
      class="jump"
      ref={button}
      onFocus={() => void (hasFocus.value = true)}
      onBlur={() => void (hasFocus.value = false)}
      onClick={() => {
        press();
        // The button goes away; whoever pressed it is writing.
        focusWanted.value += 1;
      }}
    >
      {icon('down')}
      {words}
    </button>
  );
}
