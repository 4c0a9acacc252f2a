// The documents that are open in this window, for an agent that reads and writes files. Promises: a document is found by
// the file that it really is, whichever path it was opened by; a write changes only what differs, keeps the line breaks
// and is saved, or leaves the text as it was and says so; a save that was not ours is told as the person's.
// Leaves to the caller which files may be touched.

import { constants } from 'node:fs';
import { access, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EndOfLine, Range, workspace, WorkspaceEdit, type Disposable, type TextDocument } from 'vscode';
import type { OpenEditors } from '../../core/files.ts';
import { systemCodeOf } from '../../node/atomicWrite.ts';
import { changeBetween, withBreaks } from './textChange.ts';

/** A person may type while a write is on its way: VS Code refuses it then, and it is made for the new text. */
const tries = 3;

/** `savedByPerson` is told the real path of each file that was saved in an editor, and not by `writeOpen`. */
export function openEditors(savedByPerson: (path: string) => void): OpenEditors & Disposable {
  return new Editors(savedByPerson);
}

class Editors implements OpenEditors, Disposable {
  private readonly reals = new WeakMap<TextDocument, Promise<string | null>>();
  private readonly saving = new Set<TextDocument>();
  private readonly listening: Disposable;

  constructor(savedByPerson: (path: string) => void) {
    this.listening = workspace.onDidSaveTextDocument(document => {
      if (document.uri.scheme !== 'file' || this.saving.has(document)) return;
      void realOf(document).then(real => {
        if (real !== null) savedByPerson(real);
      });
    });
  }

  async openText(path: string): Promise<string | null> {
    return (await this.documentOf(path))?.getText() ?? null;
  }

  async writeOpen(path: string, content: string): Promise<boolean> {
    for (let left = tries; left > 0; left--) {
      const document = await this.documentOf(path);
      if (!document) return false;
      // An edit that cannot be saved afterwards would only have to be taken back.
      await checkWritable(path);
      const before = document.getText();
      const after = withBreaks(content, document.eol === EndOfLine.CRLF ? '\r\n' : '\n');
      if (!(await makeText(document, after))) continue;
      if (await this.save(document)) return true;
      // What a person wrote into it meanwhile is not ours to take back.
      const isBack = document.getText() === after && (await makeText(document, before));
      const now = isBack ? 'and shows what it showed before' : 'and shows the new text, not saved';
      throw new Error(`the editor that has it open did not save it, ${now}`);
    }
    return false;
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Where several have the same file open, the one with unsaved text. */
  private async documentOf(path: string): Promise<TextDocument | undefined> {
    const open = workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
    const found = (
      await Promise.all(open.map(async one => ((await this.cachedReal(one)) === path ? [one] : [])))
    ).flat();
    // A link may lead elsewhere by now, and an editor saves by the path that it has.
    const still = (await Promise.all(found.map(async one => ((await realOf(one)) === path ? [one] : [])))).flat();
    const unsaved = still.find(({ isDirty }) => isDirty);
    if (unsaved) return unsaved;
    const [document] = still;
    return document && !(await isBehind(document)) ? document : undefined;
  }

  private cachedReal(document: TextDocument): Promise<string | null> {
    const known = this.reals.get(document);
    if (known) return known;
    const asked = realOf(document);
    this.reals.set(document, asked);
    void asked.then(real => {
      if (real === null) this.reals.delete(document);
    });
    return asked;
  }

  private async save(document: TextDocument): Promise<boolean> {
    this.saving.add(document);
    try {
      return await document.save();
    } finally {
      this.saving.delete(document);
    }
  }
}

/** Of a file that is not there any more: where it would be. Null where not even its folder is there. */
async function realOf({ uri: { fsPath } }: TextDocument): Promise<string | null> {
  try {
    return await realpath(fsPath);
  } catch {
    // It was deleted, or may not be looked at: then the folder says the same or nothing.
  }
  try {
    return join(await realpath(dirname(fsPath)), basename(fsPath));
  } catch {
    return null;
  }
}

/**
 * Without unsaved text the disk is what counts, and VS Code may not have heard yet that something else wrote to it. Only
 * UTF-8 is compared; of another encoding the editor knows more than we do.
 */
async function isBehind(document: TextDocument): Promise<boolean> {
  try {
    if (!/^utf8(bom)?$/.test(document.encoding)) return false;
    const text = new TextDecoder('utf-8').decode(await readFile(document.uri.fsPath));
    return !document.isDirty && document.getText() !== text;
  } catch (cause) {
    // One that was deleted is not what the editor still shows of it.
    return systemCodeOf(cause) === 'ENOENT';
  }
}

async function checkWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (cause) {
    // A file that was deleted is made again by saving.
    if (systemCodeOf(cause) !== 'ENOENT') throw new Error('it is read-only', { cause });
  }
}

/** False where VS Code refused, as it does when the text was changed in between. */
async function makeText(document: TextDocument, text: string): Promise<boolean> {
  const change = changeBetween(document.getText(), text);
  if (!change) return true;
  const edit = new WorkspaceEdit();
  const range = new Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  return workspace.applyEdit(edit);
}
