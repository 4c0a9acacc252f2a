// From a conversation into the editor: a place of a file, and code at the cursor. Promises: only what really lies in a
// folder of the workspace is opened, however a conversation spells it; nothing is run and nothing is saved; what was not
// done is said in words.

import { Position, Range, Selection, TextEditorRevealType, Uri, window, workspace } from 'vscode';
import type { Location } from '../../model/message.ts';
import type { Guard } from '../../node/files/guard.ts';

/** Null where it is open now. `line` is counted from one. */
export async function openLocation({ path, line }: Location, guard: Guard): Promise<string | null> {
  const found = await guard.resolve(path, 'read');
  if (found.kind === 'refused') return `“${path}” is not opened: it is no file in the folders of this workspace.`;
  const uri = Uri.file(found.real);
  try {
    await workspace.fs.stat(uri);
  } catch {
    return `“${path}” is not there any more.`;
  }
  try {
    const editor = await window.showTextDocument(uri, { preview: true });
    if (line === undefined || line < 1) return null;
    const at = new Position(Math.min(line, editor.document.lineCount) - 1, 0);
    editor.selection = new Selection(at, at);
    editor.revealRange(new Range(at, at), TextEditorRevealType.InCenterIfOutsideViewport);
    return null;
  } catch {
    // A folder, or no text.
    return `“${path}” cannot be shown as text.`;
  }
}

/** In place of what is selected; the editor has the focus afterwards, so that one undo takes it back. */
export async function insertCode(text: string): Promise<string | null> {
  const editor = window.activeTextEditor;
  if (!editor) return 'No editor is open to insert the code into.';
  const done = await editor.edit(edit => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done) return 'The code was not inserted: the text in the editor cannot be changed.';
  const { document, viewColumn } = editor;
  await window.showTextDocument(document, viewColumn === undefined ? {} : { viewColumn });
  return null;
}
