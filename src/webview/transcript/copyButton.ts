// A quiet button that copies. Promises: it says that it did, to the eye for a moment and to a screen reader once. The
// clipboard itself is the host's.

import { h, type ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { icon } from '../icons.ts';
import type { Message } from '../../model/message.ts';
import { usePanel } from '../panel.ts';

const shownFor = 1500;

export interface CopyButtonProps {
  readonly name: string;
  readonly text: () => string;
  /** All of it, also where the panel has not all of its text. */
  readonly message?: Message;
}

export function CopyButton({ name, text, message }: CopyButtonProps): ComponentChild {
  const { post, said } = usePanel();
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return undefined;
    const timer = setTimeout(() => setCopied(0), shownFor);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    if (message?.blocks.some(block => 'left' in block)) {
      post({ type: 'copyMessage', session: message.session, message: message.id });
    } else post({ type: 'copyText', text: text() });
    setCopied(count => count + 1);
    said.value = 'Copied';
  };
  const look = copied > 0 ? 'iconButton copied' : 'iconButton';
  return h(
    'button',
    { type: 'button', class: look, 'aria-label': name, title: name, onClick: copy },
    icon(copied > 0 ? 'done' : 'copy'),
  );
}
