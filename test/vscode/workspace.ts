// A copy of the sample workspace, for one test or picture: what happens in it stays out of the repository. And what can
// happen to the history of such a workspace behind the back of the extension.

import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { sampleWorkspace, temporaryFolder } from './places.ts';

/** The folder is named `orders`: its name is what the title of the window says. */
export function copyOfSample(): string {
  const folder = join(temporaryFolder('workspace'), 'orders');
  cpSync(sampleWorkspace, folder, { recursive: true });
  return folder;
}

/** Takes the journal of the only workspace away, as a disk that is unplugged does; the answer puts it back. */
export function takeHistoryAway(home: string): () => void {
  const journal = readdirSync(home, { recursive: true, encoding: 'utf8' }).find(file =>
    file.endsWith('history/journal'),
  );
  if (!journal) throw new Error('There is no journal yet.');
  const folder = join(home, journal);
  renameSync(folder, `${folder}-away`);
  return () => renameSync(`${folder}-away`, folder);
}
