// A quiet button that copies. Promises: it says that it did, to the eye for a moment and to a screen reader once. The
// clipboard itself is the host's.

import { h, type ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

const shownFor = 1500;

export function CopyButton({ name, text }: { readonly name: string; readonly text: () => string }): ComponentChild {
  const { post, said } = usePanel();
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return undefined;
    const timer = setTimeout(() => setCopied(0), shownFor);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    post({ type: 'copyText', text: text() });
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
