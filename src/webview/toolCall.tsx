// What an agent did with a tool: one quiet line with its state, and below it, folded, what went in and came out. A
// terminal that runs for longer than a moment opens by itself, and folds again where it ended well.

import { useEffect, useState } from 'preact/hooks';
import type { ToolCallBlock, ToolStatus } from '../model/message.ts';
import { cleanLine } from './cleanText.ts';
import { Fold } from './fold.tsx';
import { icon, type IconName } from './icons.ts';
import { memo } from './memo.ts';
import { Output } from './output.tsx';
import { answerWords } from './questions.ts';
import { Terminal } from './terminal.tsx';
import { terminalIn, terminalStand } from './terminals.ts';
import { shownInput, shownOutput } from './toolOutput.ts';
import { toolWords } from './words.ts';

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

export interface ToolCallProps {
  readonly block: ToolCallBlock;
  /** Whether its message runs: what was in progress when a message ended never finished. */
  readonly running: boolean;
}

export const ToolCall = memo(({ block, running }: ToolCallProps) => {
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
  const title = [
    `${verb} ${rest}`.trim(),
    ...block.locations.map(({ path, line: at }) => cleanLine(at ? `${path}:${at}` : path)),
    ...(answer === '' ? [] : [answer]),
  ].join('\n');
  const empty = block.input === undefined && block.output.length === 0;
  return (
    <div class="block tool">
      {empty ? (
        <div class="line" title={title}>
          {line}
        </div>
      ) : (
        <Fold line={line} title={title} opens={isWatched} inside={() => <Details block={block} running={running} />} />
      )}
    </div>
  );
});

function Details({ block, running }: ToolCallProps) {
  const onlyTerminals = block.output.every(output => terminalIn(output) !== undefined);
  return (
    <>
      {block.input !== undefined && (
        <>
          <div class="small">Input</div>
          <pre tabIndex={0}>{shownInput(block.input)}</pre>
        </>
      )}
      {!onlyTerminals && <div class="small">Output</div>}
      {block.output.map((output, at) => {
        const terminal = terminalIn(output);
        if (terminal) return <Terminal key={at} terminal={terminal} running={running} />;
        return <Output key={at} shown={shownOutput(output)} />;
      })}
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
