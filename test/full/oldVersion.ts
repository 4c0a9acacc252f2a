// The version that users have, out of this repository's own git history: its sources, unpacked beside today's packages, and
// its history engine. It needs the commit and nothing else; a shallow clone is told what to do.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HistoryEngine } from '../fixtures/profile-f23b1dd/answers.ts';
import { writtenBy } from '../fixtures/profile-f23b1dd/profile.ts';
import { wasmFile } from '../unit/support/history.ts';
import { repository } from '../vscode/places.ts';

export interface OldVersion {
  readonly folder: string;
  readonly remove: () => void;
}

/** The files of the commit, with `node_modules` of this checkout. */
export function unpackOldVersion(paths: readonly string[] = ['src', 'package.json']): OldVersion {
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-C', repository, ...args], { maxBuffer: 256 * 1024 * 1024 });
  if (git('cat-file', '-e', `${writtenBy}^{commit}`).status !== 0) {
    throw new Error(
      `Commit ${writtenBy} isn’t in this clone, and the test needs it to run the version that users have. Run “git fetch --unshallow” and try again.`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), `throughline-${writtenBy}-`));
  const archive = git('archive', '--format=tar', writtenBy, '--', ...paths);
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0) {
    throw new Error(`${writtenBy} could not be unpacked: ${String(archive.stderr)}${String(unpacked.stderr)}`);
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The engine of the old version, which has today's shape as far as tests use it. */
export async function oldEngine({ folder }: Pick<OldVersion, 'folder'>): Promise<HistoryEngine> {
  const source = (file: string) => pathToFileURL(join(folder, 'src', file));
  const load = async <Module>(file: string) => (await import(source(file).href)) as Module;
  const { openHistory } = await load<Pick<HistoryEngine, 'openHistory'>>('node/history/history.ts');
  const { draftsIn } = await load<Pick<HistoryEngine, 'draftsIn'>>('node/drafts.ts');
  return { openHistory, draftsIn, workerFile: source('node/history/worker.ts'), wasmFile };
}
