// The changes of files that go with a prompt, as git tells them. Promises: of several files, those that a person would be
// asked about are left out, and it is said; a file that git does not know yet is new as a whole.

import { workspace, type Uri } from 'vscode';
import type { ResourceBlock } from '../../model/message.ts';
import type { Guard } from '../../node/files/guard.ts';
import { changesOf } from './chosenText.ts';
import { allChanges, changesIn, diffOf, git, type ChangedFile } from './gitChanges.ts';
import { nameOf } from './inEditor.ts';
import { doubtAbout, mayBeAdded } from './mayBeAdded.ts';
import { pickSeveral } from '../notify/pickers.ts';

export interface ChosenChangesPorts {
  readonly guard: Guard;
  readonly tell: (words: string) => void;
}

/** What a menu handed over, else what the person chooses; empty where nothing is to be added. */
export async function chosenChanges(
  args: readonly unknown[],
  { tell, guard }: ChosenChangesPorts,
): Promise<readonly ResourceBlock[]> {
  const api = await git();
  if (!api) {
    const why = workspace.isTrusted ? 'VS Code’s Git extension is turned off' : 'Git does not run in Restricted Mode';
    tell(`Changes cannot be added: ${why}.`);
    return [];
  }
  const given = changesIn(args);
  const files = given.length > 0 ? given : await picked(allChanges(api), tell);
  const [only, ...others] = files;
  if (!only) return [];
  if (others.length === 0 && !(await mayBeAdded(only.uri, `the changes in “${nameOf(only.uri)}”`, guard))) return [];
  const paths: string[] = [];
  const diffs: string[] = [];
  for (const file of files) {
    const path = workspace.asRelativePath(file.uri);
    const doubt = others.length === 0 ? null : await doubtAbout(file.uri, guard);
    if (doubt !== null) {
      tell(`The changes in “${path}” were left out, because ${doubt}. Add them by themselves if you want them.`);
      continue;
    }
    const diff = await diffOf(api, file);
    // What cannot be read as text is not told.
    const told = diff ?? (await asNew(path, file.uri).catch(() => ''));
    if (told === '') continue;
    paths.push(path);
    diffs.push(told);
  }
  if (paths.length > 0) return [changesOf(paths, diffs.map(diff => diff.trimEnd()).join('\n'))];
  tell('There are no changes in text to add.');
  return [];
}

/** Git does not know it yet: all of it is new. */
async function asNew(path: string, uri: Uri): Promise<string> {
  const document = await workspace.openTextDocument(uri);
  const lines = document.getText().split(/\r?\n/);
  return ['--- /dev/null', `+++ b/${path}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map(line => `+${line}`)].join(
    '\n',
  );
}

async function picked(changes: readonly ChangedFile[], tell: (words: string) => void): Promise<readonly ChangedFile[]> {
  if (changes.length === 0) {
    tell('Git knows of no changes in this workspace.');
    return [];
  }
  const items = changes.map(file => ({
    file,
    label: workspace.asRelativePath(file.uri),
    description: file.staged ? 'staged' : '',
  }));
  const options = {
    title: 'Add Changes to Chat',
    placeHolder: 'Choose the files whose changes you want to add',
  };
  return (await pickSeveral(items, options))?.map(({ file }) => file) ?? [];
}
