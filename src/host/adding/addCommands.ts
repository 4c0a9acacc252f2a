// The commands that add something to the chat. What they do is loaded when the first of them is used.

import type { CommandTable } from '../contributed.ts';
import type { Report } from '../report.ts';
import type { AddCommand } from './addToChat.ts';
import type { Adding } from './adding.ts';

/** What is said where it did not work. */
const failures: { readonly [command in AddCommand]: string } = {
  addToChat: 'It could not be added to the chat.',
  addFileToChat: 'The file could not be added to the chat.',
  addProblemToChat: 'The problem could not be added to the chat.',
  addTerminalToChat: 'The text of the terminal could not be added to the chat.',
  addChangesToChat: 'The changes could not be added to the chat.',
};

export function addCommands(adding: () => Promise<Adding>, report: Report): CommandTable {
  const names = Object.keys(failures) as AddCommand[];
  const entries = names.map(name => {
    const run = async (...given: readonly unknown[]) => {
      try {
        await (await adding()).addToChat(name, given);
      } catch (cause) {
        report.failure(failures[name], cause);
      }
    };
    return [`throughline.${name}`, run] as const;
  });
  return Object.fromEntries(entries);
}
