// The files of the workspace by a few typed letters, as VS Code finds them: without what its search leaves out.

import { CancellationTokenSource, workspace } from 'vscode';
import { wordsIn } from '../../model/fuzzy.ts';
import type { FoundFiles } from './completionList.ts';
import { excludeFrom, globFor } from './fileGlob.ts';

const mostFound = 200;

/** Of files on a disk only: nothing else has a path that an agent could open. */
export async function findInWorkspace(typed: string, signal: AbortSignal): Promise<FoundFiles> {
  const cancel = new CancellationTokenSource();
  const onAbort = () => cancel.cancel();
  signal.addEventListener('abort', onAbort);
  try {
    const exclude = excludeFrom(
      workspace.getConfiguration('files').get('exclude'),
      workspace.getConfiguration('search').get('exclude'),
    );
    const found = await workspace.findFiles(globFor(wordsIn(typed)), exclude, mostFound, cancel.token);
    const files = found
      .filter(({ scheme }) => scheme === 'file')
      .map(uri => ({ path: uri.fsPath, shown: workspace.asRelativePath(uri) }));
    return { files, isWhole: found.length < mostFound };
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancel.dispose();
  }
}
