// Names of tabs, terminals and diff editors. VS Code lists them in pickers of its own, which make icons of `$(name)`.

import {
  commands,
  window,
  type Terminal,
  type TerminalOptions,
  type Uri,
  type ViewColumn,
  type WebviewPanel,
  type WebviewView,
} from 'vscode';
import { cleanLine, limits } from './outsideText.ts';

export function createPanel(type: string, title: string, column: ViewColumn): WebviewPanel {
  const options = { retainContextWhenHidden: false };
  return window.createWebviewPanel(type, cleanLine(title, limits.label), column, options);
}

export function setPanelTitle(panel: WebviewPanel, title: string): void {
  panel.title = cleanLine(title, limits.label);
}

export function setViewDescription(view: WebviewView, text: string): void {
  view.description = cleanLine(text, limits.label);
}

export function openTerminal(options: TerminalOptions & { readonly name: string }): Terminal {
  return window.createTerminal({ ...options, name: cleanLine(options.name, limits.label) });
}

export async function showDiff(left: Uri, right: Uri, title: string, isPreview = false): Promise<void> {
  const options = isPreview ? [{ preview: true }] : [];
  await commands.executeCommand('vscode.diff', left, right, cleanLine(title, limits.label), ...options);
}

/** Several files in one editor: of each what it is called, what it was and what it is. */
export async function showChanges(title: string, files: readonly (readonly [Uri, Uri, Uri])[]): Promise<void> {
  await commands.executeCommand('vscode.changes', cleanLine(title, limits.label), files);
}
