// A picture, a sound, a film or a file in a message: one line with what is known of it. Promises: nothing is loaded from
// its address; text that came with it is there, folded; a picture whose bytes are kept is seen; a file here can be opened.

import type { MediaBlock, ResourceBlock } from '../../model/message.ts';
import { cleanLine } from './cleanText.ts';
import { Fold } from './fold.tsx';
import { icon } from '../icons.ts';
import { memo } from './memo.ts';
import { Picture } from './picture.tsx';
import { isShowable } from './pictures.ts';
import { OpenPlace, type BlockAt } from '../tools/place.tsx';
import { thingWords } from './things.ts';
import { shownInput } from '../tools/toolOutput.ts';

const longestTitle = 500;

export interface ThingProps extends BlockAt {
  readonly block: MediaBlock | ResourceBlock;
}

export const Thing = memo(({ message, at, block }: ThingProps) => {
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
  const isHere = block.kind === 'resource' && block.uri.startsWith('file:');
  const beside = isHere && <OpenPlace message={message} at={at} location={0} words={name} title={title} />;
  const { data } = block;
  const bytes = data === undefined ? Infinity : 'size' in data ? data.size : data.byteLength;
  return (
    <div class="block thing">
      {text === undefined ? (
        <div class="lineRow">
          <div class="line" title={title}>
            {line}
          </div>
          {beside}
        </div>
      ) : (
        <Fold line={line} title={title} beside={beside} inside={() => <pre tabIndex={0}>{shownInput(text)}</pre>} />
      )}
      {block.kind === 'image' && isShowable(block.mime, bytes) && <Picture message={message} at={at} name={name} />}
    </div>
  );
});
