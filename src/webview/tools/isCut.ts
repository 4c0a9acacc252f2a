// Whether a tool call has more than its card shows. Pure, so that a table can prove it.

import type { Json, ToolCallBlock } from '../../model/message.ts';
import { terminalIn } from './terminals.ts';
import { terminalText } from './terminalText.ts';
import { longest, shownOutput } from './toolOutput.ts';

export function isCut({ input, output, left }: ToolCallBlock): boolean {
  return left !== undefined || (input !== undefined && isLonger(input)) || output.some(isOutputCut);
}

function isOutputCut(value: Json): boolean {
  const terminal = terminalIn(value);
  if (terminal) {
    const { lines, count } = terminalText(terminal.output);
    return lines.length < count;
  }
  const shown = shownOutput(value);
  return shown.kind === 'text' && shown.text.length > longest;
}

function isLonger(value: Json): boolean {
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).length > longest;
}
