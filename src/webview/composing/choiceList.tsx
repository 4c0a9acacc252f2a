// The list of completions above the box. The box keeps the focus; the list is read through it.

import { useEffect, useRef } from 'preact/hooks';
import { icon } from '../icons.ts';
import { listId, optionId } from './choiceIds.ts';
import type { Completer } from './completer.ts';

export function ChoiceList({ completer }: { readonly completer: Completer }) {
  const list = completer.list.value;
  const frame = useRef<HTMLUListElement>(null);
  const active = list?.active ?? 0;
  useEffect(() => {
    frame.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, list?.choices]);
  if (!list) return null;
  return (
    <ul
      class="completions"
      ref={frame}
      id={listId}
      role="listbox"
      aria-label={list.at.kind === 'command' ? 'Commands' : 'Files'}
    >
      {list.choices.map(({ key, name, more, look }, at) => (
        <li
          key={key}
          id={optionId(at)}
          role="option"
          aria-selected={at === active}
          class={at === active ? 'active' : ''}
          title={more === '' ? name : `${name} · ${more}`}
          // The focus stays where the person writes.
          onMouseDown={event => event.preventDefault()}
          onClick={() => completer.take(at)}
        >
          {look !== null && icon(look)}
          <span class="choiceName">{name}</span>
          <span class="choiceMore">{more}</span>
        </li>
      ))}
    </ul>
  );
}
