// Which part of a tool call's output is a terminal, and how it stands, in words. Pure, so that a table can prove it.

import type { Json, TerminalOutput, ToolCallBlock } from '../../model/message.ts';
import { cleanLine } from '../transcript/cleanText.ts';

/** Undefined for anything that is not exactly one: the agent wrote it, and its words reach history as they came. */
export function terminalIn(value: Json): TerminalOutput | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as { readonly [key: string]: Json };
  const { type, terminalId, output, command, cwd, exit } = fields;
  if (type !== 'terminal' || typeof terminalId !== 'string' || typeof output !== 'string') return undefined;
  if (command !== undefined && typeof command !== 'string') return undefined;
  if (exit !== undefined && !isExit(exit)) return undefined;
  return {
    type,
    terminalId,
    output,
    ...(command !== undefined && { command }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(fields['truncated'] === true && { truncated: true }),
    ...(exit !== undefined && { exit }),
  };
}

function isExit(value: Json): value is NonNullable<TerminalOutput['exit']> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { code, signal } = value as { readonly [key: string]: Json };
  return (code === null || typeof code === 'number') && (signal === null || typeof signal === 'string');
}

export function exitWords(exit: TerminalOutput['exit'], lines: number, running: boolean): string {
  if (!exit) return running ? 'Running' : 'How it ended is not known';
  if (exit.code === 0) return lines === 0 ? 'Done, with no output' : '';
  if (exit.code !== null) return `Exit code ${exit.code}`;
  return exit.signal === null ? 'Ended' : `Ended by ${cleanLine(exit.signal)}`;
}

export interface TerminalStand {
  readonly running: boolean;
  /** What the line of the tool call says of it; empty where all is well. */
  readonly words: string;
}

/** Null where none of the output is a terminal. */
export function terminalStand({ output }: Pick<ToolCallBlock, 'output'>): TerminalStand | null {
  const terminals = output.flatMap(value => terminalIn(value) ?? []);
  if (terminals.length === 0) return null;
  const bad = terminals.find(({ exit }) => exit !== undefined && exit.code !== 0);
  return {
    running: terminals.some(({ exit }) => exit === undefined),
    words: bad ? exitWords(bad.exit, 1, false).replace('Exit code', 'exit') : '',
  };
}
