// The way back to the end, while the person is elsewhere. Promises: it takes no focus with it when it goes, whoever made
// it go: that is where the person writes, then.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

export interface JumpProps {
  readonly words: string;
  readonly press: () => void;
}

export function Jump({ words, press }: JumpProps) {
  const { focusWanted } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const mine = button.current;
    return () => {
      if (document.activeElement === mine) focusWanted.value += 1;
    };
  }, []);
  return (
    <button type="button" class="jump" ref={button} onClick={press}>
      {icon('down')}
      {words}
    </button>
  );
}
