// What an agent thought before it spoke: folded, because the answer comes first.

import type { ThoughtBlock } from '../../model/message.ts';
import { cleanText } from './cleanText.ts';
import { Fold } from './fold.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { memo } from './memo.ts';

export interface ThoughtProps {
  readonly block: ThoughtBlock;
  readonly running: boolean;
}

export const Thought = memo(({ block, running }: ThoughtProps) => (
  <div class={running ? 'block thought running' : 'block thought'}>
    <Fold
      line={<span class="lineWords">{running ? 'Thinking' : 'Thought'}</span>}
      inside={() => (
        <div class="words">
          <Markdown text={cleanText(block.text)} running={running} />
        </div>
      )}
    />
  </div>
));
