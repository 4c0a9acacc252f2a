// What an agent did with a tool: one quiet line with its state, and below it, folded, what went in and came out. A
// terminal that runs for longer than a moment opens by itself, and folds again where it ended well.

import { useEffect, useState } from 'preact/hooks';
import type { ToolCallBlock, ToolStatus } from '../../model/message.ts';
import { cleanLine } from '../transcript/cleanText.ts';
import { Fold } from '../transcript/fold.tsx';
import { icon, type IconName } from '../icons.ts';
import { memo } from '../transcript/memo.ts';
import { Output } from './output.tsx';
import { OpenPlace, placeTitle, Places, placeWords, type BlockAt } from './place.tsx';
import { answerWords } from '../asking/questions.ts';
import { usePanel } from '../panel.ts';
import { terminalIn, terminalStand } from './terminals.ts';
import { shownInput, shownOutput } from './toolOutput.ts';
import { toolWords } from '../words.ts';

const openAfter = 700;

interface Look {
  readonly icon: IconName;
  readonly words: string;
}

const looks: { readonly [status in ToolStatus]: Look } = {
  pending: { icon: 'circle', words: 'Waiting' },
  in_progress: { icon: 'circle', words: 'Running' },
  completed: { icon: 'done', words: 'Done' },
  failed: { icon: 'fail', words: 'Failed' },
  cancelled: { icon: 'stop', words: 'Stopped' },
};

export interface ToolCallProps extends BlockAt {
  readonly block: ToolCallBlock;
  /** Whether its message runs: what was in progress when a message ended never finished. */
  readonly running: boolean;
}

export const ToolCall = memo(({ message, at, block, running }: ToolCallProps) => {
  const open = block.status === 'pending' || block.status === 'in_progress';
  const status = open && !running ? 'cancelled' : block.status;
  const look = looks[status] ?? looks.pending;
  const [verb, rest] = toolWords(block.tool, block.title);
  const answer = block.permission ? answerWords(block.permission) : '';
  const stand = terminalStand(block);
  const isWatched = useWatched(stand !== null && stand.running && running, stand?.words !== '');
  const line = (
    <>
      <span class={`glyph ${status}`} role="img" aria-label={look.words}>
        {icon(look.icon)}
      </span>
      {verb !== '' && <span class="verb">{verb}</span>}
      <span class="lineWords strong">{rest || cleanLine(block.tool)}</span>
      {stand !== null && stand.words !== '' && <span class="ended">{stand.words}</span>}
      {answer !== '' && <span class="answered">{answer}</span>}
    </>
  );
  const title = [`${verb} ${rest}`.trim(), ...block.locations.map(placeTitle), ...(answer === '' ? [] : [answer])].join(
    '\n',
  );
  // More than one file is a list inside.
  const [place, ...others] = block.locations;
  const beside = place && others.length === 0 && (
    <OpenPlace message={message} at={at} location={0} words={placeWords(place)} title={placeTitle(place)} />
  );
  const empty = block.input === undefined && block.output.length === 0 && others.length === 0;
  const inside = () => <Details message={message} at={at} block={block} running={running} />;
  return (
    <div class="block tool">
      {empty ? (
        <div class="lineRow">
          <div class="line" title={title}>
            {line}
          </div>
          {beside}
        </div>
      ) : (
        <Fold line={line} title={title} beside={beside} opens={isWatched} inside={inside} />
      )}
    </div>
  );
});

function Details({ message, at, block, running }: ToolCallProps) {
  const late = usePanel().late.value;
  const onlyTerminals = block.output.every(output => terminalIn(output) !== undefined);
  return (
    <>
      {block.input !== undefined && (
        <>
          <div class="small">Input</div>
          <pre tabIndex={0}>{shownInput(block.input)}</pre>
        </>
      )}
      {block.locations.length > 1 && <Places message={message} at={at} locations={block.locations} />}
      {!onlyTerminals && <div class="small">Output</div>}
      {block.output.map((output, index) => {
        const terminal = terminalIn(output);
        if (terminal) return late && <late.Terminal key={index} terminal={terminal} running={running} />;
        return <Output key={index} shown={shownOutput(output)} />;
      })}
      {late && <late.ShowAll message={message} at={at} block={block} />}
    </>
  );
}

/** Open from a moment after it began to run until it ended well: what is over at once never moves the page. */
function useWatched(isRunning: boolean, isBad: boolean): boolean {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(() => setOpened(true), openAfter);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return opened && (isRunning || isBad);
}
