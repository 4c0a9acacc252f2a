// What ends a group of processes when this process is gone, in whatever way. A SIGKILL cannot be caught, so somebody else
// has to notice it: a shell of a megabyte that waits at a pipe which only this process holds. When the pipe closes, the
// group gets TERM, and a second later KILL. The script is constant, and its only argument is a number. On Windows there
// is no need: Node.js puts every child that is not detached into a job, which the system ends together with us (but
// not what that child started, unless it is a Node.js too).

import { spawn } from 'node:child_process';

const script =
  'read -r word; kill -s TERM -- "-$0" 2>/dev/null || exit 0; sleep 1; kill -s KILL -- "-$0" 2>/dev/null; exit 0';

/** Letting go of the leash ends the group too. */
export function leash(group: number, onWarning: (words: string) => void): () => void {
  const shell = spawn('/bin/sh', ['-c', script, String(group)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  shell.on('error', cause => onWarning(`Nothing watches over process ${group}: ${cause.message}`));
  shell.stdin.on('error', () => {
    // The shell was ended by somebody; there is no second one.
  });
  shell.unref();
  const pipe = shell.stdin as typeof shell.stdin & { unref?: () => void };
  pipe.unref?.();
  return () => shell.stdin.end();
}
