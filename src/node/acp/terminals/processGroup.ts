// A command with everything that it starts, as one group. On Windows a group is a tree of processes.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

export function endGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    spawn(taskkill, ['/F', '/T', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on('error', () => {
      // It cannot be ended in another way; it ends with us.
    });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
