// What an agent did with a tool: one quiet line with its state, and below it, folded, what went in and came out.

import type { ToolCallBlock, ToolStatus } from '../model/message.ts';
import { cleanLine } from './cleanText.ts';
import { Fold } from './fold.tsx';
import { icon, type IconName } from './icons.ts';
import { memo } from './memo.ts';
import { Output } from './output.tsx';
import { answerWords } from './questions.ts';
import { shownInput, shownOutput } from './toolOutput.ts';
import { toolWords } from './words.ts';

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
  const line = (
    <>
      <span class={`glyph ${status}`} role="img" aria-label={look.words}>
        {icon(look.icon)}
      </span>
      {verb !== '' && <span class="verb">{verb}</span>}
      <span class="lineWords strong">{rest || cleanLine(block.tool)}</span>
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
        <Fold line={line} title={title} inside={() => <Details block={block} />} />
      )}
    </div>
  );
});

function Details({ block }: { readonly block: ToolCallBlock }) {
  return (
    <>
      {block.input !== undefined && (
        <>
          <div class="small">Input</div>
          <pre tabIndex={0}>{shownInput(block.input)}</pre>
        </>
      )}
      {block.output.length > 0 && <div class="small">Output</div>}
      {block.output.map((output, at) => (
        <Output key={at} shown={shownOutput(output)} />
      ))}
    </>
  );
}
