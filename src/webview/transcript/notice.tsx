// Lines that are neither the person's nor the agent's words: a notice, the ending of a message that did not come to
// its own end, and an update of a kind that this version does not know.

import type { Json, Message, NoticeBlock } from '../../model/message.ts';
import { cleanLine, cleanText } from './cleanText.ts';
import { Fold } from './fold.tsx';
import { icon } from '../icons.ts';
import { memo } from './memo.ts';
import { usePanel } from '../panel.ts';
import { shownInput } from '../tools/toolOutput.ts';
import type { Ending as EndingWords } from '../words.ts';

export const Notice = memo(({ block }: { readonly block: NoticeBlock }) => (
  <div class={`block notice ${block.severity}`}>
    {icon(block.severity === 'info' ? 'info' : 'warning')}
    <span>{cleanText(block.text)}</span>
  </div>
));

export function Ending({ ending, message }: { readonly ending: EndingWords; readonly message: Message }) {
  const late = usePanel().late.value;
  return (
    <>
      <div class={`ending ${ending.kind}`}>
        {icon(ending.kind === 'cancelled' ? 'stop' : 'warning')}
        <span>{ending.words}</span>
      </div>
      {late && <late.GoOn message={message} />}
    </>
  );
}

export const Unknown = memo(({ value }: { readonly value: Json }) => (
  <div class="block unknown">
    <Fold
      line={<span class="lineWords">{`An update that this version does not know${kindOf(value)}`}</span>}
      inside={() => <pre tabIndex={0}>{shownInput(value)}</pre>}
    />
  </div>
));

function kindOf(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '';
  const fields = value as { readonly [key: string]: Json };
  const kind = fields['sessionUpdate'] ?? fields['type'] ?? fields['kind'];
  return typeof kind === 'string' ? `: ${cleanLine(kind)}` : '';
}
