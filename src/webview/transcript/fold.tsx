// One quiet line that opens. Promises: a button with aria-expanded, folded at first; what is inside is made when it
// is first opened, so that a folded megabyte costs nothing; what the person chose outranks what it does by itself.

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { icon } from '../icons.ts';

export interface FoldProps {
  readonly line: ComponentChildren;
  /** The whole line for a pointer that rests on it, where it may be cut. */
  readonly title?: string;
  readonly inside: () => ComponentChildren;
  /** A button that stands at the end of the line. */
  readonly beside?: ComponentChildren;
  /** Whether it is open before the person says anything. */
  readonly opens?: boolean;
}

export function Fold({ line, title, inside, beside, opens = false }: FoldProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? opens;
  const id = useId();
  const button = (
    <button
      type="button"
      class="line fold"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      title={title}
      onClick={() => setChosen(!open)}
    >
      {line}
      <span class="turn">{icon('chevron')}</span>
    </button>
  );
  return (
    <>
      {beside === undefined ? (
        button
      ) : (
        <div class="lineRow">
          {button}
          {beside}
        </div>
      )}
      {open && (
        <div class="inside" id={id}>
          {inside()}
        </div>
      )}
    </>
  );
}
