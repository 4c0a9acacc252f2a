// Notifications and modal questions. This folder is the only code that may hand text to VS Code's user interface, and it
// cleans all of it: a title, a path or an agent's error in a sentence stays text.

import { window } from 'vscode';
import { cleanLine, exactLine, limits } from './outsideText.ts';

/** Resolves with the button that was chosen, undefined when the notification was closed without one. */
export function showInfo<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return show('info', text, buttons);
}

export function showWarning<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return show('warning', text, buttons);
}

export function showError<Button extends string>(text: string, ...buttons: readonly Button[]) {
  return show('error', text, buttons);
}

export interface Question<Button extends string> {
  readonly severity: Severity;
  readonly text: string;
  /** One entry for each line, so that nothing from outside can begin a line of its own. */
  readonly detail: readonly string[];
  readonly buttons: readonly Button[];
}

/** Asks in a modal dialog, which shows what cannot be seen by its number. Undefined is “Cancel”. */
export async function ask<Button extends string>(question: Question<Button>): Promise<Button | undefined> {
  const { severity, text, detail, buttons } = question;
  const lines = detail.map(line => exactLine(line)).join('\n');
  const items = buttons.map(button => ({ title: exactLine(button, limits.label), button }));
  const chosen = await functions[severity](
    exactLine(text, limits.line),
    { modal: true, detail: lines.trim() },
    ...items,
  );
  return chosen?.button;
}

type Severity = 'info' | 'warning' | 'error';

const functions = {
  info: window.showInformationMessage,
  warning: window.showWarningMessage,
  error: window.showErrorMessage,
} as const;

async function show<Button extends string>(
  severity: Severity,
  text: string,
  buttons: readonly Button[],
): Promise<Button | undefined> {
  const items = buttons.map(button => ({ title: cleanLine(button, limits.label), button }));
  return (await functions[severity](cleanLine(text), ...items))?.button;
}
