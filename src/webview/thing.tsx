// A picture, a sound, a film or a file in a message: one line with what is known of it. Promises: nothing is loaded from
// its address; text that came with it is there, folded.

import type { MediaBlock, ResourceBlock } from '../model/message.ts';
import { cleanLine } from './cleanText.ts';
import { Fold } from './fold.tsx';
import { icon } from './icons.ts';
import { memo } from './memo.ts';
import { thingWords } from './things.ts';
import { shownInput } from './toolOutput.ts';

const longestTitle = 500;

export const Thing = memo(({ block }: { readonly block: MediaBlock | ResourceBlock }) => {
  const { name, facts } = thingWords(block);
  const text = block.kind === 'resource' ? block.text : undefined;
  const title = cleanLine((block.uri ?? name).slice(0, longestTitle));
  const line = (
    <>
      {icon(block.kind === 'resource' ? 'file' : block.kind === 'image' ? 'image' : 'play')}
      <span class="lineWords strong">{name}</span>
      {facts !== '' && <span class="facts">{facts}</span>}
    </>
  );
  return (
    <div class="block thing">
      {text === undefined ? (
        <div class="line" title={title}>
          {line}
        </div>
      ) : (
        <Fold line={line} title={title} inside={() => <pre tabIndex={0}>{shownInput(text)}</pre>} />
      )}
    </div>
  );
});
