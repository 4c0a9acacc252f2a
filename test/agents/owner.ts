// A program that has an agent and waits to be killed: `node owner.ts <flags of the scripted agent>`. It says `ready` once
// the agent answered.

import { openChild } from '../../src/node/acp/childProcess.ts';
import { environmentFor } from '../../src/node/acp/commandLine.ts';
import { ownScript } from '../unit/support/ownScript.ts';
import { acpProgram } from '../../src/node/acp/program.ts';
import { systemClock } from '../../src/node/clock.ts';

const [, , file = '', ...flags] = process.argv;
const env = environmentFor(process.env, {});
const program = acpProgram({
  ref: { id: 'scripted', name: 'Scripted' },
  open: () => openChild(ownScript(process.execPath, file, flags, env, import.meta.dirname), systemClock, console.error),
  clock: systemClock,
  clientInfo: { name: 'owner', title: 'Owner', version: '0' },
  homeFolder: import.meta.dirname,
  newPermissionId: () => 'p',
  onWarning: console.error,
});
const signal = new AbortController().signal;
await (await program.start(signal)).newSession({ cwd: null, alsoIn: [] }, signal);
process.stdout.write('ready\n');
setInterval(() => {}, 1000);
