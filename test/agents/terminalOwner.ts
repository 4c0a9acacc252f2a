// A program that has an agent with a command that does not want to end, and waits to be killed. It says the process ids
// of the command.

import { fileURLToPath } from 'node:url';
import { openChild } from '../../src/node/acp/childProcess.ts';
import { environmentFor } from '../../src/node/acp/commandLine.ts';
import { ownScript } from '../unit/support/ownScript.ts';
import { acpProgram } from '../../src/node/acp/program.ts';
import { agentTerminals } from '../../src/node/acp/terminals/agentTerminals.ts';
import { systemClock } from '../../src/node/clock.ts';
import { deafFamily, shownIn } from '../unit/agents/terminalsStage.ts';
import { play } from '../unit/support/scriptedProgram.ts';
import { runs, shows } from './plays.ts';

const here = import.meta.dirname;
const scripted = fileURLToPath(new URL('scripted.ts', import.meta.url));
const env = environmentFor(process.env, {});
const program = acpProgram({
  ref: { id: 'scripted', name: 'Scripted' },
  open: () => openChild(ownScript(process.execPath, scripted, [], env, here), systemClock, console.error),
  clock: systemClock,
  clientInfo: { name: 'owner', title: 'Owner', version: '0' },
  handlers: () =>
    agentTerminals({
      folders: () => [here],
      env,
      newTerminalId: () => 'terminal',
      clock: systemClock,
      onWarning: console.error,
    }),
  homeFolder: here,
  newPermissionId: () => 'p',
  onWarning: console.error,
});
const signal = new AbortController().signal;
const session = await (await program.start(signal)).newSession({ cwd: here, alsoIn: [] }, signal);
const steps = JSON.stringify([runs(deafFamily), shows(), { wait: 60_000 }]);
await play(session, steps, signal, undefined, update => {
  for (const { output } of shownIn(update)) process.stdout.write(`${output}\n`);
});
