// What a terminal printed: its command, the newest lines, and how it ended. Promises: long output is twelve lines until
// the rest is asked for; nothing of it reaches the page but text and colours.

import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TerminalOutput } from '../../model/message.ts';
import { cleanLine, cleanText } from '../transcript/cleanText.ts';
import { exitWords } from './terminals.ts';
import { styleOf } from './terminalLook.ts';
import { terminalText, type Line } from './terminalText.ts';

const shownAtFirst = 12;
const longestCommand = 2000;

export interface TerminalProps {
  readonly terminal: TerminalOutput;
  /** Whether its message runs: a terminal that was never seen to end is not running for ever. */
  readonly running: boolean;
}

export function Terminal({ terminal, running }: TerminalProps) {
  const { command, cwd, output, truncated, exit } = terminal;
  const { lines, count } = useMemo(() => terminalText(output), [output]);
  const [all, setAll] = useState(false);
  const end = exitWords(exit, count, running);
  const id = useId();
  const screen = useRef<HTMLPreElement>(null);
  // Long lines may not all fit, and what came last counts.
  useLayoutEffect(() => {
    if (!all && screen.current) screen.current.scrollTop = screen.current.scrollHeight;
  }, [lines, all]);
  const showAll = () => {
    setAll(true);
    // The button goes away; what it was about stays.
    screen.current?.focus({ preventScroll: true });
  };
  const shown = all ? lines : lines.slice(-shownAtFirst);
  const hidden = count - shown.length;
  return (
    <div class="terminal">
      {command !== undefined && (
        <div class="terminalCommand" title={cwd === undefined ? undefined : cleanLine(cwd)}>
          <span class="prompt" aria-hidden="true">
            $
          </span>
          <code>{cleanText(command.slice(0, longestCommand))}</code>
        </div>
      )}
      {(truncated === true || hidden > 0) && (
        <div class="terminalMore">
          {truncated === true && <span>The beginning was not kept</span>}
          {all && hidden > 0 && <span>{`${hidden} earlier lines are not shown`}</span>}
          {!all && hidden > 0 && (
            <button type="button" class="quietButton" aria-controls={id} onClick={showAll}>
              {`Show all ${count} lines`}
            </button>
          )}
        </div>
      )}
      {shown.length > 0 && (
        <pre ref={screen} class={all ? 'whole' : undefined} id={id} tabIndex={0} aria-label="Output of the terminal">
          {shown.map((line, at) => (
            // A line keeps its place from the beginning, so that what is there is not drawn again when one is added.
            <LineOf key={count - shown.length + at} line={line} />
          ))}
        </pre>
      )}
      {end !== '' && <div class={exit && exit.code !== 0 ? 'terminalEnd bad' : 'terminalEnd'}>{end}</div>}
    </div>
  );
}

function LineOf({ line }: { readonly line: Line }) {
  const runs = line.map(({ text, look }, at) => {
    const style = styleOf(look);
    if (!style) return text;
    return (
      <span key={at} style={style}>
        {text}
      </span>
    );
  });
  return <div>{runs.length === 0 ? '\n' : runs}</div>;
}
