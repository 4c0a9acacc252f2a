// Runs a program of this machine to its end, for what it does and not for what it says. Promises: it is started with its
// arguments as they are, never through a shell; it ends when the signal says so; where it fails, the last that it wrote is
// in the error.

import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { environmentFor } from '../acp/commandLine.ts';
import { redactNothing } from '../acp/errors.ts';
import { LastWords } from '../acp/lastWords.ts';

export interface ToolPlace {
  readonly env: { readonly [name: string]: string | undefined };
  readonly folder: string;
}

/** The program by its whole path. Throws in words. */
export async function runTool(
  program: string,
  args: readonly string[],
  { env, folder }: ToolPlace,
  signal: AbortSignal,
): Promise<void> {
  const lastWords = new LastWords(redactNothing);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: environmentFor(env, {}),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      signal,
    });
    child.stdout.on('data', (bytes: Buffer) => lastWords.add(bytes));
    child.stderr.on('data', (bytes: Buffer) => lastWords.add(bytes));
    child.once('error', reject);
    child.once('close', code => {
      if (code === 0) resolve();
      else reject(new Error(`“${basename(program)}” ended with ${code ?? 'a signal'}. ${lastWords.text()}`.trim()));
    });
  });
}
