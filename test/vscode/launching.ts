// The program that `runTests` of @vscode/test-electron starts where there is no desktop VS Code: launcher.ts, as one file.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { out, repository } from './places.ts';

/** A program that starts the launcher under this very Node.js: `runTests` can start nothing but one file. */
export function launcher(): string {
  const folder = join(out, 'test');
  const script = join(repository, 'test', 'vscode', 'launcher.ts');
  mkdirSync(folder, { recursive: true });
  if (process.platform === 'win32') {
    const file = join(folder, 'vscode.cmd');
    writeFileSync(file, `@"${process.execPath}" "${script}" %*\r\n`);
    return file;
  }
  const file = join(folder, 'vscode');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, { mode: 0o755 });
  return file;
}
