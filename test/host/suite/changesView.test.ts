// The changes of a turn in VS Code's own diff editor.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { schemes } from '../../../src/host/contributed.ts';
import { ChangesView } from '../../../src/host/files/changesView.ts';
import type { FileChange, FileState } from '../../../src/model/changes.ts';
import { test } from './index.ts';
import { until, withScratch } from './scratch.ts';

const session = '222222222222';
const message = '333333333333';
const absent: FileState = { kind: 'absent' };

class Stored {
  readonly blobs = new Map<string, Uint8Array>();
  changes: readonly FileChange[] = [];
  readonly view = new ChangesView({
    changes: (ofSession, ofMessage) =>
      Promise.resolve(ofSession === session && ofMessage === message ? this.changes : []),
    bytes: (_session, { sha256 }) => {
      const bytes = this.blobs.get(sha256);
      return bytes ? Promise.resolve(bytes) : Promise.reject(new Error('It is gone.'));
    },
  });

  file(content: string | Uint8Array): FileState {
    const bytes = Buffer.from(content);
    const is = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
    this.blobs.set(is.sha256, bytes);
    return { kind: 'file', is, content: is };
  }

  /** Opens it as a diff, and gives the two sides that VS Code shows. */
  async opened(
    change: FileChange,
  ): Promise<{ readonly left: vscode.TextDocument; readonly right: vscode.TextDocument }> {
    this.changes = [change];
    await this.view.open({ session, message, changes: [change] });
    const label = `${change.path.split('/').at(-1)} (what the turn changed)`;
    const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
    await until(`the diff of ${change.path}, and not ${tab()?.label}`, () => tab()?.label === label);
    const { input } = tab() ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff, `a diff: ${label}`);
    const sides = [input.original, input.modified].map(uri => vscode.workspace.openTextDocument(uri));
    const [left, right] = await Promise.all(sides);
    assert.ok(left && right);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    return { left, right };
  }
}

function staged(run: (stored: Stored, folder: string) => Promise<void>): () => Promise<void> {
  return () =>
    withScratch(async folder => {
      const stored = new Stored();
      const registered = vscode.workspace.registerTextDocumentContentProvider(schemes.change, stored.view);
      try {
        await run(stored, folder);
      } finally {
        registered.dispose();
      }
    });
}

test(
  '[H10] before is on the left, and the file itself on the right while it is what the turn left',
  staged(async (stored, folder) => {
    const path = join(folder, 'orders.ts');
    const change: FileChange = {
      path,
      before: stored.file('const a = 1;\n'),
      after: stored.file('const a = 2;\n'),
      seen: 'told',
    };
    writeFileSync(path, 'const a = 2;\n');
    const { left, right } = await stored.opened(change);
    assert.equal(left.uri.scheme, schemes.change);
    assert.equal(left.getText(), 'const a = 1;\n');
    assert.equal(left.languageId, 'typescript');
    assert.equal(right.uri.toString(), vscode.Uri.file(path).toString());

    writeFileSync(path, 'const a = 3;\n');
    const later = await stored.opened(change);
    assert.equal(later.right.uri.scheme, schemes.change);
    assert.equal(later.right.getText(), 'const a = 2;\n');
  }),
);

test(
  '[H10] a file that was added or deleted has an empty side, and one outside of the workspace is shown from history',
  staged(async (stored, folder) => {
    const path = join(folder, 'added.md');
    const after = stored.file('# Added\n');
    const added = await stored.opened({ path, before: absent, after, seen: 'written' });
    assert.deepEqual([added.left.getText(), added.right.getText()], ['', '# Added\n']);
    const deleted = await stored.opened({ path, before: after, after: absent, seen: 'disk' });
    assert.deepEqual([deleted.left.getText(), deleted.right.getText()], ['# Added\n', '']);
    const outside = join(vscode.env.appRoot, 'package.json');
    const content = await vscode.workspace.fs.readFile(vscode.Uri.file(outside));
    const foreign = await stored.opened({ path: outside, before: absent, after: stored.file(content), seen: 'told' });
    assert.equal(foreign.right.uri.scheme, schemes.change);
    assert.equal(foreign.right.getText(), Buffer.from(content).toString());
  }),
);

test(
  '[H10] what is no text, not kept, not known or gone is a sentence',
  staged(async (stored, folder) => {
    const text = stored.file('text');
    const gone: FileState = {
      kind: 'file',
      is: { sha256: 'a'.repeat(64), size: 1 },
      content: { sha256: 'a'.repeat(64), size: 1 },
    };
    const rows: readonly [name: string, before: FileState, words: RegExp][] = [
      ['program.bin', stored.file(new Uint8Array([0x89, 0x50, 0, 0])), /^This file is not text/],
      [
        'id_rsa.pem',
        { kind: 'file', is: { sha256: 'b'.repeat(64), size: 1 } },
        /^The content of this file was not kept/,
      ],
      ['new.py', { kind: 'unknown' }, /^What was here is not known/],
      ['gone.py', gone, /^It is gone\.$/],
    ];
    for (const [name, before, words] of rows) {
      const path = join(folder, name);
      const { left, right } = await stored.opened({ path, before, after: text, seen: 'disk' });
      assert.match(left.getText(), words, name);
      assert.equal(left.languageId, 'plaintext', name);
      assert.equal(right.getText(), 'text', name);
    }
    const picture = stored.file(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]));
    for (const [before, after] of [
      [picture, absent],
      [absent, picture],
      [picture, picture],
    ] as const) {
      const { left, right } = await stored.opened({ path: join(folder, 'picture.png'), before, after, seen: 'disk' });
      for (const [state, side] of [
        [before, left],
        [after, right],
      ] as const)
        assert.match(side.getText(), state === absent ? /^$/ : /^This file is not text/);
    }
  }),
);

test(
  '[H10] an address that names no change is a sentence as well',
  staged(async stored => {
    const path = '/somewhere/a.ts';
    stored.changes = [{ path, before: absent, after: stored.file('secret'), seen: 'told' }];
    const rows: readonly [query: string, words: RegExp][] = [
      ['', /does not name a change/],
      [`session=${session}&message=${message}&side=after`, /does not name a change/],
      [`session=${session}&message=${message}&side=both&is=absent`, /does not name a change/],
      [`session=other&message=${message}&side=before&is=absent`, /not in the history any more/],
      [`session=${session}&message=${message}&side=after&is=absent`, /not in the history any more/],
    ];
    for (const [query, words] of rows) {
      const uri = vscode.Uri.file(path).with({ scheme: schemes.change, query });
      assert.match((await vscode.workspace.openTextDocument(uri)).getText(), words, query);
    }
  }),
);

test(
  '[H10] all files of a turn are one list',
  staged(async (stored, folder) => {
    const changes = ['a.ts', 'b.ts'].map((name): FileChange => ({
      path: join(folder, name),
      before: absent,
      after: stored.file(name),
      seen: 'told',
    }));
    stored.changes = changes;
    await stored.view.open({ session, message, changes });
    const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
    await until(
      `the list, and not ${tab()?.label}`,
      () => tab()?.label.startsWith('2 files (what the turn changed)') === true,
    );
  }),
);
