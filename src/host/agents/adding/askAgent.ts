// What a person types of an agent of their own: how it is started, and what it is called.

import { basename } from 'node:path';
import type { ConfiguredAgent } from '../configuredAgents.ts';
import { commandWords } from './commandWords.ts';
import { askForText } from '../../notify/inputs.ts';

export async function askCommand(): Promise<ConfiguredAgent | undefined> {
  const typed = await askForText({
    title: 'How is the agent started?',
    prompt: 'As in a terminal: the program, then its arguments. It is started as it is, without a shell.',
    placeHolder: 'my-agent --acp',
    ignoreFocusOut: true,
    validate: value => (commandWords(value) ? undefined : 'Type a program and its arguments, and close every quote.'),
  });
  const words = typed === undefined ? null : commandWords(typed);
  return words ? { ...words, env: {} } : undefined;
}

export async function askName(command: string, taken: readonly string[]): Promise<string | undefined> {
  const usual = basename(command).replace(/\.(exe|cmd|bat|com|mjs|js|py)$/i, '');
  const name = await askForText({
    title: 'What is it called?',
    prompt: 'Shown above its answers.',
    value: taken.includes(usual) ? '' : usual,
    ignoreFocusOut: true,
    validate(value) {
      if (value.trim() === '') return 'It needs a name.';
      return taken.includes(value.trim()) ? 'There is an agent of this name already.' : undefined;
    },
  });
  return name?.trim();
}
