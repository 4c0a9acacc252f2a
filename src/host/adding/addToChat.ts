// “Add to Chat”: what a person points at goes to the composer of the chat, by a menu, a key or the palette. Promises:
// nothing is added that nobody asked for; what may be a secret or is outside of the workspace is asked about; what is not
// added is said in words, and why.

import {
  env,
  commands,
  TabInputNotebook,
  TabInputText,
  TabInputTextDiff,
  TabInputCustom,
  ThemeIcon,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { ResourceBlock } from '../../model/message.ts';
import type { Attachment } from '../../model/attachment.ts';
import { plainText } from '../../node/acp/plainText.ts';
import type { Guard } from '../../node/files/guard.ts';
import type { Attachments } from '../files/attachments.ts';
import { terminalOf, tooMuch } from './chosenText.ts';
import { allProblems, editorInUse, nameOf, problemAt, selectedIn, wholeText, type FoundProblem } from './inEditor.ts';
import { mayBeAdded } from './mayBeAdded.ts';
import { chosenChanges } from './chosenChanges.ts';
import { askForFiles } from '../notify/inputs.ts';
import { pickOne } from '../notify/pickers.ts';

export interface AddPorts {
  readonly attachments: Attachments;
  readonly guard: Guard;
  /** To the composer of the chat that is shown; it is opened where none is. */
  readonly add: (attachments: readonly Attachment[]) => Promise<void>;
  /** Something was not added, and the words say why. */
  readonly tell: (words: string) => void;
}

export type AddCommand = 'addToChat' | 'addFileToChat' | 'addProblemToChat' | 'addTerminalToChat' | 'addChangesToChat';

export async function addToChat(command: AddCommand, args: readonly unknown[], ports: AddPorts): Promise<void> {
  switch (command) {
    case 'addToChat':
      return addFromEditor(args, ports);
    case 'addFileToChat':
      return addFiles(args, ports);
    case 'addProblemToChat':
      return addProblem(args, ports);
    case 'addTerminalToChat':
      return addTerminal(ports);
    case 'addChangesToChat':
      return addBlocks(await chosenChanges(args, ports), ports);
  }
}

/** What is selected, else the file of the editor; without an editor the person says what. */
async function addFromEditor(args: readonly unknown[], ports: AddPorts): Promise<void> {
  const editor = editorInUse();
  const [given] = args;
  const isOther = given instanceof Uri && given.toString() !== editor?.document.uri.toString();
  if (isOther) return addFiles(args, ports);
  if (!editor) return addAnything(ports);
  const blocks = selectedIn(editor);
  const { uri } = editor.document;
  if (blocks.length === 0 && uri.scheme === 'file') return addFiles([uri], ports);
  const shown = blocks.length === 0 ? [wholeText(editor)] : blocks;
  if (shown.every(({ text = '' }) => text.trim() === '')) return ports.tell('There is no text to add.');
  if (await mayBeAdded(uri, `what is selected in “${nameOf(uri)}”`, ports.guard)) await addBlocks(shown, ports);
}

async function addAnything(ports: AddPorts): Promise<void> {
  const row = (icon: string, label: string, command: AddCommand) => ({ label, command, iconPath: new ThemeIcon(icon) });
  const items = [
    row('file', 'File…', 'addFileToChat'),
    row('warning', 'Problem…', 'addProblemToChat'),
    row('terminal', 'What is selected in the terminal', 'addTerminalToChat'),
    row('diff', 'Changes…', 'addChangesToChat'),
  ];
  const picked = await pickOne(items, { title: 'Add to Chat', placeHolder: 'What do you want to add?' });
  if (picked) await addToChat(picked.command, [], ports);
}

async function addFiles(args: readonly unknown[], ports: AddPorts): Promise<void> {
  const [one, more] = args;
  const given = Array.isArray(more) ? (more as readonly unknown[]) : [one];
  const named = given.filter(uri => uri instanceof Uri);
  const here = uriOfTab();
  const uris = named.length > 0 ? named : here ? [here] : await chosenFiles();
  const added: Attachment[] = [];
  for (const uri of uris) {
    const taken = await ports.attachments.takeUri(uri.toString());
    if ('attachment' in taken) added.push(taken.attachment);
    else ports.tell(taken.words);
  }
  if (added.length > 0) await ports.add(added);
}

function uriOfTab(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook)
    return input.uri.scheme === 'file' ? input.uri : undefined;
  return input instanceof TabInputTextDiff && input.modified.scheme === 'file' ? input.modified : undefined;
}

async function chosenFiles(): Promise<readonly Uri[]> {
  const defaultUri = workspace.workspaceFolders?.[0]?.uri;
  return askForFiles({
    title: 'Add to Chat',
    openLabel: 'Add',
    canSelectMany: true,
    ...(defaultUri ? { defaultUri } : {}),
  });
}

/** With the file and the problem where a menu of VS Code knows them. */
async function addProblem([uri, diagnostic]: readonly unknown[], ports: AddPorts): Promise<void> {
  const found =
    uri instanceof Uri && isDiagnostic(diagnostic) ? problemAt(uri, diagnostic) : await chosenProblem(ports);
  if (!found) return;
  const { problem, block } = found;
  if (await mayBeAdded(found.uri, `the problem in “${problem.name}” with the lines around it`, ports.guard))
    await addBlocks([block], ports);
}

type Diagnosed = Parameters<typeof problemAt>[1];

function isDiagnostic(value: unknown): value is Diagnosed {
  return typeof value === 'object' && value !== null && 'range' in value && 'message' in value && 'severity' in value;
}

const icons: { readonly [severity: string]: string } = { Error: 'error', Warning: 'warning' };

async function chosenProblem({ tell }: AddPorts): Promise<FoundProblem | undefined> {
  const items = allProblems().map(found => ({
    found,
    label: found.problem.message.split('\n')[0] ?? '',
    iconPath: new ThemeIcon(icons[found.problem.severity] ?? 'info'),
    description: `${found.problem.path}:${found.problem.line}`,
  }));
  if (items.length === 0) {
    tell('VS Code knows of no problem in this workspace.');
    return undefined;
  }
  const options = { title: 'Add Problem to Chat', placeHolder: 'Type to search', matchOnDescription: true };
  return (await pickOne(items, options))?.found;
}

/**
 * No API gives what is selected in a terminal, so it goes over the clipboard, which has its text again afterwards; only a
 * picture in it is lost.
 */
async function addTerminal(ports: AddPorts): Promise<void> {
  const terminal = window.activeTerminal;
  if (!terminal) return ports.tell('No terminal is open.');
  const before = await env.clipboard.readText();
  let text = '';
  try {
    await env.clipboard.writeText('');
    await commands.executeCommand('workbench.action.terminal.copySelection');
    text = plainText(await env.clipboard.readText());
  } finally {
    await env.clipboard.writeText(before);
  }
  if (text === '') return ports.tell('Nothing is selected in the terminal. Select what the agent should see first.');
  await addBlocks([terminalOf(terminal.name, text)], ports);
}

async function addBlocks(blocks: readonly ResourceBlock[], { attachments, add, tell }: AddPorts): Promise<void> {
  const refused = blocks.flatMap(({ name = '', text = '' }) => tooMuch(name, text) ?? []);
  for (const words of refused) tell(words);
  const fitting = blocks.filter(({ name = '', text = '' }) => tooMuch(name, text) === null);
  if (fitting.length > 0) await add(fitting.map(block => attachments.takeText(block)));
}
