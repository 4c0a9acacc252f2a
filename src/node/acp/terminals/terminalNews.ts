// What an agent tells in `_meta` of a tool call about a terminal that it runs itself: where it is, what it printed, how it
// ended. Promises: nothing here throws; a key that has not the shape that agents give it is no news, and is kept with the
// rest of `_meta` for whoever understands it.

import type { TerminalOutput } from '../../../model/message.ts';
import { fieldsOf, textOf, type Fields } from '../fields.ts';

export type TerminalExit = NonNullable<TerminalOutput['exit']>;

export type TerminalNews = { readonly terminalId: string } & (
  | { readonly type: 'info'; readonly command: string | null; readonly cwd: string | null }
  | { readonly type: 'output'; readonly data: string }
  | { readonly type: 'exit'; readonly exit: TerminalExit }
);

const outputOf = (terminalId: string, { data }: Fields): TerminalNews | undefined =>
  typeof data === 'string' ? { terminalId, type: 'output', data } : undefined;

const readers: { readonly [key: string]: (terminalId: string, fields: Fields) => TerminalNews | undefined } = {
  terminal_info: (terminalId, { command, cwd }) => ({
    terminalId,
    type: 'info',
    command: textOf(command) ?? null,
    cwd: textOf(cwd) ?? null,
  }),
  // Both are more of what was printed; which one an agent sends depends on what it believes of us.
  terminal_output: outputOf,
  terminal_output_delta: outputOf,
  terminal_exit: (terminalId, { exit_code: code, signal }) => ({
    terminalId,
    type: 'exit',
    exit: { code: typeof code === 'number' ? code : null, signal: textOf(signal) ?? null },
  }),
};

/** In the order in which they make sense, whatever the order of the keys. */
export function terminalNewsOf(meta: Fields): readonly TerminalNews[] {
  return Object.keys(readers).flatMap(key => newsIn(meta, key) ?? []);
}

export function withoutTerminalNews(meta: Fields): Fields {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => newsIn(meta, key) === undefined));
}

function newsIn(meta: Fields, key: string): TerminalNews | undefined {
  const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
  const fields = fieldsOf(meta[key]);
  const terminalId = textOf(fields?.['terminal_id']);
  return read && fields && terminalId !== undefined ? read(terminalId, fields) : undefined;
}
