// The first commit of the repository that a folder lies in: the same in every clone, wherever it was moved to. Promises:
// an answer within two seconds, from the disk alone, and null wherever git has none, is missing, or would be guessing
// (a shallow clone). Nothing of the folder is run: git is not looked for in it.

import { execFile } from 'node:child_process';
import { dirname, isAbsolute } from 'node:path';

export async function gitRootOf(folderPath: string): Promise<string | null> {
  if (!isAbsolute(folderPath) || folderPath.includes('\0')) return null;
  const [shallow, roots] = await Promise.all([
    git(folderPath, ['rev-parse', '--is-shallow-repository']),
    git(folderPath, ['rev-list', '--max-parents=0', 'HEAD', '--']),
  ]);
  // The oldest commit of a shallow clone is only where it was cut.
  if (shallow?.trim() !== 'false' || roots === null) return null;
  // Histories that were merged have many; the smallest is as good as any and the same for everyone.
  const [root] = roots
    .split('\n')
    .filter(line => /^[0-9a-f]{40,64}$/.test(line))
    .toSorted();
  return root ?? null;
}

/** What git says, or null where it fails or takes too long. */
function git(folder: string, command: readonly string[]): Promise<string | null> {
  // Commits replaced locally are not everyone's, and a missing one is not worth a call to a server.
  const args = ['-C', folder, '--no-replace-objects', '-c', 'protocol.allow=never', ...command];
  // What git would take from outside points to the repository of whoever started the editor.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name)));
  return new Promise(resolve => {
    execFile(
      'git',
      args,
      {
        // Windows looks for a program in the working directory first, and the folder may hold anything.
        cwd: dirname(process.execPath),
        env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
        timeout: 2_000,
        killSignal: 'SIGKILL',
        windowsHide: true,
      },
      (failure, output) => resolve(failure ? null : output),
    );
  });
}
