// What a message shows, or in the place of a prompt the editor of its words. Promises: why something was not sent is said
// here, with the words still in hand.

import type { ComponentChildren } from 'preact';
import { useComputed } from '@preact/signals';
import type { Message, MessageId } from '../../model/message.ts';
import { cleanText } from '../transcript/cleanText.ts';
import { icon } from '../icons.ts';
import { usePanel } from '../panel.ts';

export function Editable({ message, children }: { readonly message: Message; readonly children: ComponentChildren }) {
  const { branching, late } = usePanel();
  const isEdited = useComputed(() => branching.editing.value?.message === message.id).value;
  const hasMore = message.blocks.some(({ kind }) => kind !== 'text');
  return (
    <>
      {isEdited && late.value ? <late.value.EditPrompt hasMore={hasMore} /> : children}
      <BranchTrouble message={message.id} />
    </>
  );
}

function BranchTrouble({ message }: { readonly message: MessageId }) {
  const { branching } = usePanel();
  const words = useComputed(() => {
    const trouble = branching.trouble.value;
    return trouble?.message === message ? trouble.words : null;
  }).value;
  if (words === null) return null;
  return (
    <div class="ending failed" role="alert">
      {icon('warning')}
      <span>
        <b>Not sent.</b> {cleanText(words)}
      </span>
    </div>
  );
}
