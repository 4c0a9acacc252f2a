// Under a tool call of which not all is shown here: a button that opens all of it in an editor, where it can be searched.

import { useMemo } from 'preact/hooks';
import type { ToolCallBlock } from '../../model/message.ts';
import type { BlockAt } from './place.tsx';
import { usePanel } from '../panel.ts';
import { isCut } from './isCut.ts';

export function ShowAll({ message, at, block }: BlockAt & { readonly block: ToolCallBlock }) {
  const { store, post } = usePanel();
  const session = store.part('session').value;
  const isPart = useMemo(() => isCut(block), [block]);
  if (!isPart || session === undefined) return null;
  return (
    <div class="moreText">
      <span>Not all of it is shown here</span>
      <button
        type="button"
        class="quietButton"
        title="Open all of it in an editor"
        onClick={() => post({ type: 'openTool', session, message, block: at })}
      >
        Show all
      </button>
    </div>
  );
}
