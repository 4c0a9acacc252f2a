// What a person types of an agent of their own: how it is started, and what it is called.

import { basename } from 'node:path';
import { window } from 'vscode';
import type { ConfiguredAgent } from '../configuredAgents.ts';
import { commandWords } from './commandWords.ts';

export async function askCommand(): Promise<ConfiguredAgent | undefined> {
  const typed = await window.showInputBox({
    title: 'How is the agent started?',
    prompt: 'As in a terminal: the program, then its arguments. It is started as it is, without a shell.',
    placeHolder: 'my-agent --acp',
    ignoreFocusOut: true,
    validateInput: value =>
      commandWords(value) ? undefined : 'Type a program and its arguments, and close every quote.',
  });
  const words = typed === undefined ? null : commandWords(typed);
  return words ? { ...words, env: {} } : undefined;
}

export function askName(command: string, taken: readonly string[]): Promise<string | undefined> {
  const usual = basename(command).replace(/\.(exe|cmd|bat|com|mjs|js|py)$/i, '');
  return Promise.resolve(
    window.showInputBox({
      title: 'What is it called?',
      prompt: 'Shown above its answers.',
      value: taken.includes(usual) ? '' : usual,
      ignoreFocusOut: true,
      validateInput(value) {
        if (value.trim() === '') return 'It needs a name.';
        return taken.includes(value.trim()) ? 'There is an agent of this name already.' : undefined;
      },
    }),
  ).then(name => name?.trim());
}
