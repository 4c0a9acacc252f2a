// Words of a person or an agent. Promises: what is not markdown is shown as it was typed; nothing that controls a
// terminal or turns text around comes through.

import { useMemo } from 'preact/hooks';
import { plain, type TextBlock as Text } from '../../model/message.ts';
import { cleanText } from './cleanText.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { memo } from './memo.ts';

export interface TextBlockProps {
  readonly block: Text;
  readonly running: boolean;
}

export const TextBlock = memo(({ block, running }: TextBlockProps) => {
  const text = useMemo(() => cleanText(block.text), [block.text]);
  if (block.mime === plain) return <div class="block words plain">{text}</div>;
  return (
    <div class={running ? 'block words running' : 'block words'}>
      <Markdown text={text} running={running} />
    </div>
  );
});
