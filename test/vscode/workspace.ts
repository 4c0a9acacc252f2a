// A copy of the sample workspace, for one test or picture: what happens in it stays out of the repository.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { sampleWorkspace, temporaryFolder } from './places.ts';

/** The folder is named `orders`: its name is what the title of the window says. */
export function copyOfSample(): string {
  const folder = join(temporaryFolder('workspace'), 'orders');
  cpSync(sampleWorkspace, folder, { recursive: true });
  return folder;
}
