// What an agent reads and writes where a file is open in an editor.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openEditors } from '../../../src/host/files/editors.ts';
import { test } from './index.ts';
import { until, withScratch } from './scratch.ts';

interface Scene {
  readonly folder: string;
  readonly editors: ReturnType<typeof openEditors>;
  /** Real paths, in the order in which they were told. */
  readonly saved: readonly string[];
}

function staged(run: (scene: Scene) => Promise<void>): () => Promise<void> {
  return () =>
    withScratch(async folder => {
      const saved: string[] = [];
      const editors = openEditors(path => saved.push(path));
      try {
        await run({ folder, editors, saved });
      } finally {
        editors.dispose();
      }
    });
}

async function open(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(path)), {
    preview: false,
  });
}

async function type(editor: vscode.TextEditor, at: [line: number, column: number], text: string): Promise<void> {
  assert.ok(await editor.edit(builder => builder.insert(new vscode.Position(...at), text)));
}

test(
  '[H9] unsaved text is read, and a file that is not open is nobody’s',
  staged(async ({ folder, editors }) => {
    const [file, other] = [join(folder, 'a.txt'), join(folder, 'b.txt')];
    writeFileSync(file, 'one\n');
    writeFileSync(other, 'other\n');
    assert.equal(await editors.openText(file), null);
    const editor = await open(file);
    assert.equal(await editors.openText(file), 'one\n');
    await type(editor, [1, 0], 'unsaved\n');
    assert.equal(await editors.openText(file), 'one\nunsaved\n');
    assert.equal(await editors.openText(other), null);
    assert.equal(await editors.writeOpen(other, 'written'), false);
    assert.equal(readFileSync(other, 'utf8'), 'other\n');
  }),
);

test(
  '[H9] a write goes through unsaved text, keeps the line breaks and the cursor, and is saved',
  staged(async ({ folder, editors }) => {
    const file = join(folder, 'crlf.txt');
    writeFileSync(file, 'one\r\ntwo\r\nthree\r\nfour\r\n');
    const editor = await open(file);
    await type(editor, [0, 3], ' and unsaved');
    editor.selection = new vscode.Selection(3, 2, 3, 2);
    assert.equal(await editors.writeOpen(file, 'one\n2\nTwo and a half\nthree\nfour\n'), true);
    assert.equal(readFileSync(file, 'utf8'), 'one\r\n2\r\nTwo and a half\r\nthree\r\nfour\r\n');
    assert.equal(editor.document.isDirty, false);
    await until('the cursor is where it was in its line', () =>
      editor.selection.active.isEqual(new vscode.Position(4, 2)),
    );
    assert.equal(await editors.writeOpen(file, 'one\n2\nTwo and a half\nthree\nfour\n'), true, 'the same again');
  }),
);

test(
  '[H9] a file is found by the path that it really has, and not by one that it had',
  staged(async ({ folder, editors }) => {
    const [real, link, elsewhere] = [join(folder, 'real'), join(folder, 'link'), join(folder, 'elsewhere')];
    for (const one of [real, elsewhere]) mkdirSync(one);
    writeFileSync(join(real, 'a.txt'), 'one');
    writeFileSync(join(elsewhere, 'a.txt'), 'elsewhere');
    symlinkSync(real, link);
    await open(join(link, 'a.txt'));
    assert.equal(await editors.openText(join(real, 'a.txt')), 'one');
    assert.equal(await editors.writeOpen(join(real, 'a.txt'), 'two'), true);
    assert.equal(readFileSync(join(real, 'a.txt'), 'utf8'), 'two');
    rmSync(link);
    symlinkSync(elsewhere, link);
    assert.equal(await editors.openText(join(real, 'a.txt')), null);
    assert.equal(await editors.writeOpen(join(real, 'a.txt'), 'three'), false);
    assert.equal(readFileSync(join(elsewhere, 'a.txt'), 'utf8'), 'elsewhere');
  }),
);

test(
  '[H9] a person’s save is told, and ours is not',
  staged(async ({ folder, editors, saved }) => {
    const [ours, theirs] = [join(folder, 'ours.txt'), join(folder, 'theirs.txt')];
    for (const file of [ours, theirs]) writeFileSync(file, 'one');
    await open(ours);
    assert.equal(await editors.writeOpen(ours, 'two'), true);
    const editor = await open(theirs);
    await type(editor, [0, 0], 'typed ');
    assert.ok(await editor.document.save());
    await until('the save is told', () => saved.length > 0);
    assert.deepEqual(saved, [theirs]);
    // And what was ours once may be the person's the next time.
    const again = await open(ours);
    await type(again, [0, 0], 'typed ');
    assert.ok(await again.document.save());
    await until('the save is told', () => saved.length > 1);
    assert.deepEqual(saved, [theirs, ours]);
  }),
);

test(
  '[H9] an editor without unsaved text that is behind the disk is not asked',
  staged(async ({ folder, editors }) => {
    const file = join(folder, 'behind.txt');
    writeFileSync(file, 'old\n');
    await open(file);
    writeFileSync(file, 'new\n');
    assert.notEqual(await editors.openText(file), 'old\n');
    rmSync(file);
    assert.equal(await editors.openText(file), null);
  }),
);

test(
  '[H9] what the editor does not save is taken back, and said',
  staged(async ({ folder, editors }) => {
    const file = join(folder, 'locked.txt');
    writeFileSync(file, 'one\n');
    const editor = await open(file);
    await type(editor, [1, 0], 'unsaved\n');
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    await assert.rejects(editors.writeOpen(file, 'two\n'), /^Error: the editor that has it open did not save it/);
    assert.equal(editor.document.getText(), 'one\nunsaved\n');
    assert.equal(readFileSync(file, 'utf8'), 'one\n');
    await vscode.commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
  }),
);
