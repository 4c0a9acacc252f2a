// The commands that add something to the chat, and the action at a problem. What they do is loaded when the first of them
// is used.

import { CodeAction, CodeActionKind, commands, languages, type CodeActionProvider, type Disposable } from 'vscode';
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

export function registerAddCommands(adding: () => Promise<Adding>, report: Report): Disposable[] {
  const names = Object.keys(failures) as AddCommand[];
  return [
    ...names.map(name =>
      commands.registerCommand(`throughline.${name}`, async (...args: readonly unknown[]) => {
        try {
          await (await adding()).addToChat(name, args);
        } catch (cause) {
          report.failure(failures[name], cause);
        }
      }),
    ),
    languages.registerCodeActionsProvider('*', atProblems, { providedCodeActionKinds: [CodeActionKind.QuickFix] }),
  ];
}

/** The problems view has no menu for extensions; what it offers for a problem are the actions at its place. */
const atProblems: CodeActionProvider = {
  provideCodeActions({ uri }, _range, { diagnostics, only }) {
    if (only && !only.intersects(CodeActionKind.QuickFix)) return [];
    return diagnostics.map(diagnostic => {
      const action = new CodeAction('Add Problem to Chat', CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = {
        title: action.title,
        command: 'throughline.addProblemToChat',
        arguments: [uri, diagnostic],
      };
      return action;
    });
  },
};
