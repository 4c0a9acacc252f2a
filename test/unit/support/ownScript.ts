// Starts a script of the tests as an agent's program.

import type { CommandLine, Environment } from '../../../src/node/acp/commandLine.ts';

/** A script of our own, on the very program that runs us: it may be Electron, which is Node.js only when it is told so. */
export function ownScript(
  program: string,
  file: string,
  args: readonly string[],
  env: Environment,
  cwd: string,
): CommandLine {
  return { command: program, args: [file, ...args], env: { ...env, ELECTRON_RUN_AS_NODE: '1' }, cwd };
}
