// A message that stands for what came before it: one quiet line, with the text inside.

import type { Message } from '../../model/message.ts';
import { textOf } from '../../model/message.ts';
import { cleanText } from './cleanText.ts';
import { CopyButton } from './copyButton.ts';
import { Fold } from './fold.tsx';
import { Markdown } from '../markdown/markdown.tsx';

export function Summary({ message, running }: { readonly message: Message; readonly running: boolean }) {
  const text = textOf(message);
  return (
    <div class={running ? 'block thought running' : 'block thought'}>
      <Fold
        line={<span class="lineWords">{running ? 'Summarising what came before' : 'Summary of what came before'}</span>}
        inside={() => (
          <>
            <div class="words">
              <Markdown text={cleanText(text)} running={running} />
            </div>
            {!running && text !== '' && (
              <span class="summaryCopy">
                <CopyButton name="Copy" text={() => text} />
              </span>
            )}
          </>
        )}
      />
    </div>
  );
}
