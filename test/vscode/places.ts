// Where things are. All paths of the harness come from here, worked out from the place of this file, so that it does
// not matter from which folder a script is started. What is made by a run goes to `out/` or to a temp folder; what is
// fetched once goes to `.vscode-test/`. Both are git-ignored.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
export const out = join(repository, 'out');
export const cache = join(repository, '.vscode-test');
export const sampleWorkspace = join(repository, 'test', 'sample');
export const vsixFile = join(out, 'throughline.vsix');

export const extensionId = 'throughline.throughline';

/** A new empty folder. It lies inside the folder of the run, which the leash removes, even after a SIGKILL. */
export function temporaryFolder(purpose: string): string {
  return mkdtempSync(join(tmpdir(), `${purpose}-`));
}
