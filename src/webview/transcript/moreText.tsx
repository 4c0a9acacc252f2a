// Under a very long text of which the panel has the beginning: how much is left, and a button that has more of it sent.

import { useEffect, useState } from 'preact/hooks';
import type { MessageId } from '../../model/message.ts';
import { usePanel } from '../panel.ts';

export interface MoreTextProps {
  readonly of: MessageId;
  /** Its place in the message. */
  readonly at: number;
  /** How much is there, and how much is left. */
  readonly length: number;
  readonly left: number;
}

export function MoreText({ of, at, length, left }: MoreTextProps) {
  const { store, post } = usePanel();
  const [isAsked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [length]);
  const session = store.part('session').value;
  const ask = () => {
    if (session === undefined) return;
    setAsked(true);
    post({ type: 'wantText', session, message: of, block: at, offset: length });
  };
  return (
    <div class="moreText">
      <span>{leftWords(length, left)}</span>
      <button type="button" class="quietButton" disabled={isAsked} onClick={ask}>
        Show more
      </button>
    </div>
  );
}

/** In millions of letters, which nobody counts one by one. */
export function leftWords(length: number, left: number): string {
  const millions = (letters: number) => (letters / 1_000_000).toFixed(letters < 100_000 ? 2 : 1);
  return `The first ${millions(length)} of ${millions(length + left)} million characters`;
}
