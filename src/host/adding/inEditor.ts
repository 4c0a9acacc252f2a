// What the editor has that may go with a prompt: what is selected, and what is wrong with the files. Promises: a text is
// the one of the open editor, unsaved words included; lines are counted as people count them.

import { DiagnosticSeverity, languages, window, workspace, type Diagnostic, type TextEditor, type Uri } from 'vscode';
import type { ResourceBlock } from '../../model/message.ts';
import { problemOf, selectionOf, type Problem } from './chosenText.ts';

export interface FoundProblem {
  readonly uri: Uri;
  readonly problem: Problem;
  readonly block: ResourceBlock;
}

const around = 3;
const mostProblems = 500;
const severities = {
  [DiagnosticSeverity.Error]: 'Error',
  [DiagnosticSeverity.Warning]: 'Warning',
  [DiagnosticSeverity.Information]: 'Information',
  [DiagnosticSeverity.Hint]: 'Hint',
} as const;

/** The editor that a person works in; while the chat has the focus in an editor, one beside it. */
export function editorInUse(): TextEditor | undefined {
  return window.activeTextEditor ?? window.visibleTextEditors.find(({ selection }) => !selection.isEmpty);
}

/** Each piece that is selected; none where nothing but blanks is. */
export function selectedIn({ document, selections }: TextEditor): readonly ResourceBlock[] {
  return selections.flatMap(selection => {
    const text = document.getText(selection);
    if (text.trim() === '') return [];
    const { start, end } = selection;
    // A selection of whole lines ends before the first letter of the next one.
    const to = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    const uri = document.uri.toString();
    return [selectionOf(uri, nameOf(document.uri), { from: start.line + 1, to }, text)];
  });
}

/** A text that lies in no file, as a whole. */
export function wholeText({ document }: TextEditor): ResourceBlock {
  const lines = { from: 1, to: document.lineCount };
  return selectionOf(document.uri.toString(), nameOf(document.uri), lines, document.getText());
}

/** The worst first, and those of the open editor before the others. */
export function allProblems(most = mostProblems): readonly FoundProblem[] {
  const here = window.activeTextEditor?.document.uri.toString();
  const found = languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) => diagnostics.map(diagnostic => ({ uri, diagnostic })));
  const rank = ({ uri, diagnostic }: (typeof found)[number]) =>
    diagnostic.severity * 2 + (uri.toString() === here ? 0 : 1);
  return found
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, most)
    .map(({ uri, diagnostic }) => problemAt(uri, diagnostic));
}

export function problemAt(uri: Uri, { range, severity, message, source = '', code }: Diagnostic): FoundProblem {
  const line = range.start.line;
  const document = workspace.textDocuments.find(open => open.uri.toString() === uri.toString());
  const from = Math.max(0, line - around);
  const to = Math.min(document?.lineCount ?? 0, range.end.line + around + 1, line + 40);
  const lines = document
    ? Array.from({ length: Math.max(0, to - from) }, (_, at) => document.lineAt(from + at).text)
    : [];
  const value = typeof code === 'object' ? code.value : (code ?? '');
  const problem: Problem = {
    path: workspace.asRelativePath(uri),
    name: nameOf(uri),
    line: line + 1,
    severity: severities[severity],
    message,
    source,
    code: String(value),
    around: { from: from + 1, lines },
  };
  return { uri, problem, block: problemOf(problem) };
}

export function nameOf(uri: Uri): string {
  return uri.path.split('/').findLast(part => part !== '') ?? uri.toString();
}
