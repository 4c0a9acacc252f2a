// Agents as programs: who may start one, what it is given, how much it may say, and that it ends.

import type { Row } from './row.ts';

const childProcess = 'test/unit/agents/childProcess.test.ts';
const program = 'test/unit/agents/program.test.ts';
const safety = 'test/house/safety.test.ts';

export const agents: readonly Row[] = [
  {
    defence: 'No workspace can write which agents there are',
    attacks: [1, 3],
    file: 'package.json',
    text: `"throughline.agents": {
          "type": "object",
          "default": {},
          "scope": "machine",`,
    replacement: `"throughline.agents": {
          "type": "object",
          "default": {},
          "scope": "window",`,
    tests: [safety],
  },
  {
    defence: 'Of a setting only the value of the person counts',
    attacks: [1, 3],
    file: 'src/host/personSettings.ts',
    text: ".getConfiguration('throughline').inspect(name)?.globalValue;",
    replacement: ".getConfiguration('throughline').get(name);",
    tests: [safety],
  },
  {
    defence: 'In Restricted Mode no agent but the built-in one is started',
    attacks: [2, 3],
    file: 'src/host/agents/agents.ts',
    text: '(workspace.isTrusted ? (configuredAgents().get(one) ?? found.get(one)) : undefined);',
    replacement: 'configuredAgents().get(one) ?? found.get(one);',
    tests: ['test/e2e/safety.test.ts'],
    only: 'in Restricted Mode',
  },
  {
    defence: 'Nothing in the sources can listen on a port',
    attacks: [16],
    file: 'src/node/ids.ts',
    text: 'export function isSessionId',
    replacement: `import { createServer } from 'node:http';
export const server = createServer;
export function isSessionId`,
    tests: [safety],
  },
  {
    defence: 'Nothing in the sources can listen on a port by a module that is imported late',
    attacks: [16],
    file: 'src/node/ids.ts',
    text: 'export function isSessionId',
    replacement: `export const http = () => import('node:http');
export function isSessionId`,
    tests: [safety],
  },
  {
    defence: 'An agent is started without a shell',
    attacks: [9],
    file: 'src/node/acp/childProcess.ts',
    text: 'shell: false,',
    replacement: 'shell: true,',
    tests: [childProcess],
    only: 'arguments arrive as they are',
  },
  {
    defence: 'What belongs to the editor is not in the environment of an agent',
    attacks: [12],
    file: 'src/node/acp/commandLine.ts',
    text: 'entry[1] !== undefined && !/^(ELECTRON_|VSCODE_|NODE_OPTIONS$)/i.test(entry[0]),',
    replacement: 'entry[1] !== undefined,',
    tests: [childProcess],
    only: 'an environment is passed on',
  },
  {
    defence: 'An agent ends with the process that started it',
    attacks: [18],
    file: 'src/node/acp/leash.ts',
    text: `'read -r word; kill -s TERM -- "-$0" 2>/dev/null || exit 0;`,
    replacement: `'read -r word; exit 0;`,
    tests: [childProcess],
    only: 'SIGKILL to the owner of an agent',
  },
  {
    defence: 'A command of an agent ends with the process that started it',
    attacks: [18],
    file: 'src/node/acp/terminals/command.ts',
    text: 'child.pid === undefined ? () => {} : leash(child.pid, onWarning);',
    replacement: 'child.pid === undefined || onWarning ? () => {} : leash(child.pid, onWarning);',
    tests: ['test/unit/agents/terminalsEnd.test.ts'],
    only: 'SIGKILL to the owner of an agent',
  },
  {
    defence: 'An agent that doesn’t want to end is killed with what it started',
    attacks: [18],
    file: 'src/node/acp/childProcess.ts',
    text: "['SIGKILL', afterTerm],",
    replacement: "['SIGTERM', afterTerm],",
    tests: [childProcess],
    only: 'does not want to end',
    shows: 'hang',
    seconds: 15,
  },
  {
    defence: 'A line of an agent that never ends takes no more memory than a bound',
    attacks: [14],
    file: 'src/node/acp/wire.ts',
    text: 'if (this.length > longestLine) {',
    replacement: 'if (this.length > longestLine * 100) {',
    tests: [program],
    only: 'noise and lines that are too long',
  },
  {
    defence: 'A flood of messages leaves room for everybody else on the event loop while lines are read',
    attacks: [14],
    file: 'src/node/acp/wire.ts',
    text: `          if (done) return controller.close();
          if (breath.isDue) await breath.breathe();
        }
      },
      async cancel() {`,
    replacement: `          if (done) return controller.close();
        }
      },
      async cancel() {`,
    tests: ['test/unit/agents/wire.test.ts'],
  },
  {
    defence: 'A flood of updates leaves room for everybody else on the event loop while they are dealt with',
    attacks: [14],
    file: 'src/node/acp/wire.ts',
    text: `          if (breath.isDue) await breath.breathe();
          const taken = take(value);`,
    replacement: '          const taken = take(value);',
    tests: ['test/unit/agents/wire.test.ts'],
  },
  {
    defence: 'What an agent writes that is no message is in no warning',
    attacks: [12],
    file: 'src/node/acp/wire.ts',
    text: '`A line that is no message was passed over: ${Buffer.byteLength(line)} bytes.`',
    replacement: '`A line that is no message was passed over: ${line}`',
    tests: [program],
    only: 'noise and lines that are too long',
  },
  {
    defence: 'Of what an agent writes to its standard error a bounded tail is kept in memory',
    attacks: [10, 14],
    file: 'src/node/acp/lastWords.ts',
    text: '.slice(-2 * mostCharacters);',
    replacement: ';',
    tests: [childProcess],
    only: 'the last words are bounded',
  },
  {
    defence: 'No agent is looked for in a folder of the workspace that is on the PATH',
    attacks: [3],
    file: 'src/node/acp/onPath.ts',
    text: 'if (isWithin(folder, untrusted) || isWithin(await realOf(folder), untrusted)) continue;',
    replacement: '',
    tests: ['test/unit/agents/onPath.test.ts'],
  },
  {
    defence: 'No link on the PATH that leads into the workspace is an agent',
    attacks: [3],
    file: 'src/node/acp/onPath.ts',
    text: 'if (file !== undefined && !isWithin(await realOf(file), untrusted)) return file;',
    replacement: 'if (file !== undefined) return file;',
    tests: ['test/unit/agents/onPath.test.ts'],
  },
];
