// How long an answer took, and, where its agent said more, what it took, beside it while it is pointed at or has the
// focus. Promises: it is read to whoever cannot see it, goes by Escape, and is never cut off by what it stands in.

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../model/message.ts';
import { usePanel } from '../panel.ts';
import { spentRows, tookRows, type TookRow } from './tookWords.ts';

export function Took({ message, span }: { readonly message: Message; readonly span: string }) {
  const id = useId();
  const tip = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { store } = usePanel();
  // Read while it is open only: the sum changes with each answer, and every answer has such a tip.
  const [branch, setBranch] = useState<readonly TookRow[]>([]);
  const rows = tookRows(message);
  const isOpen = () => tip.current?.matches(':popover-open') ?? false;
  const hide = () => {
    removeEventListener('scroll', follow, true);
    if (isOpen()) tip.current?.hidePopover();
  };
  // What moves away from under a pointer is not what it tells of; what has the focus may have been scrolled to for it.
  const follow = () => (document.activeElement === button.current ? place() : hide());
  const show = () => {
    if (!tip.current || isOpen()) return;
    setBranch(spentRows(store.transcript.peek()?.spent));
    tip.current.showPopover();
    place();
    addEventListener('scroll', follow, true);
  };
  const place = () => {
    if (!tip.current || !button.current) return;
    const [at, size] = [button.current.getBoundingClientRect(), tip.current.getBoundingClientRect()];
    const isBelow = at.bottom + size.height < innerHeight;
    tip.current.style.left = `${Math.max(4, Math.min(at.left, innerWidth - size.width - 4))}px`;
    tip.current.style.top = `${isBelow ? at.bottom : Math.max(0, at.top - size.height)}px`;
  };
  // It is higher with the rows of the branch.
  useLayoutEffect(() => {
    if (isOpen()) place();
  }, [branch]);
  if (rows.length === 0) return span ? <span class="span">{span}</span> : null;
  return (
    <span class="span took" onPointerEnter={show} onPointerLeave={hide}>
      <button
        type="button"
        aria-label={`This answer took ${span || 'less than a second'}`}
        aria-describedby={id}
        ref={button}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={event => {
          if (event.key !== 'Escape' || !isOpen()) return;
          // Elsewhere Escape stops the answer.
          event.stopPropagation();
          hide();
        }}
      >
        {span || '< 1 s'}
      </button>
      <div class="tip" role="tooltip" id={id} popover="manual" ref={tip}>
        <Rows rows={rows} />
        {branch.length > 0 && <div class="heading">Whole branch</div>}
        <Rows rows={branch} />
      </div>
    </span>
  );
}

function Rows({ rows }: { readonly rows: readonly TookRow[] }) {
  return rows.map(([what, much]) => (
    <div key={`${what} ${much}`}>
      <span>{`${what} `}</span>
      <b>{much}</b>
    </div>
  ));
}
