// Running a command in a terminal of the client. Promises: the person is asked first; one that takes too long or whose turn
// is cancelled is ended; the model is given the beginning and the end of what it printed.

import type { CommandEnd, RunningCommand } from '../client.ts';
import { keepEnds } from './bounded.ts';
import { absolute } from './place.ts';
import { countIn, notAllowed, objectOf, textIn, type Tool, type ToolInput, type ToolUsing } from './tool.ts';

const usualSeconds = 120;
const mostSeconds = 3600;

/** `after` runs something later and can take it back. */
export function runCommand(after: (milliseconds: number, run: () => void) => () => void): Tool {
  return {
    name: 'run_command',
    description:
      'Runs a command line in a shell, in a folder of the workspace, and gives what it printed. It gets no input, so it ' +
      `must not ask for any. The person is asked. It is ended after ${usualSeconds} seconds unless you say otherwise.`,
    changes: true,
    required: ['command'],
    input: objectOf(
      {
        command: { type: 'string', description: 'The whole line.' },
        cwd: { type: 'string', description: 'The folder; without it, that of the workspace.' },
        seconds: { type: 'integer', description: 'How long it may take.' },
      },
      ['command'],
    ),
    show: (input, place) => ({
      title: textIn(input, 'command').split('\n')[0]?.slice(0, 200) ?? '',
      kind: 'execute',
      input: { command: textIn(input, 'command'), cwd: folderOf(input, place) },
    }),
    async use(input, using) {
      if (!(await using.ask())) return { text: notAllowed, failed: true };
      const { client, place, update } = using;
      const command = await client.startCommand(textIn(input, 'command'), folderOf(input, place));
      await update({ content: [{ type: 'terminal', terminalId: command.terminalId }] });
      const seconds = Math.min(countIn(input, 'seconds') ?? usualSeconds, mostSeconds);
      let isLate = false;
      const forget = after(seconds * 1000, () => {
        isLate = true;
        void command.kill().catch(gone);
      });
      const stop = () => void command.kill().catch(gone);
      client.signal.addEventListener('abort', stop, { once: true });
      try {
        const end = await command.ended();
        return await outcome(command, end, isLate ? seconds : null);
      } finally {
        forget();
        client.signal.removeEventListener('abort', stop);
        void command.release().catch(gone);
      }
    },
  };
}

async function outcome(command: RunningCommand, { code, signal }: CommandEnd, lateAfter: number | null) {
  const { text, isWhole } = await command.output();
  const printed = text.trim() === '' ? '[It printed nothing.]' : keepEnds(text, 'Print less, or into a file.');
  const cut = isWhole ? '' : '[The beginning of what it printed is left out.]\n';
  const how =
    lateAfter !== null
      ? `[It was ended after ${lateAfter} seconds.]`
      : code === 0
        ? ''
        : `[It ended with ${signal === null ? `exit code ${code ?? 'unknown'}` : signal}.]`;
  return {
    text: `${cut}${printed}${how === '' ? '' : `\n${how}`}`,
    content: [{ type: 'terminal' as const, terminalId: command.terminalId }],
    ...(code === 0 ? {} : { failed: true }),
  };
}

function folderOf(input: ToolInput, place: ToolUsing['place']): string {
  return absolute(textIn(input, 'cwd') || '.', place);
}

/** It has ended already, or its session is closed. */
function gone(): void {}
