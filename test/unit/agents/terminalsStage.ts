// An agent in a process of its own that runs commands through its client, in a folder of its own.

import { realpathSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSession, RunningAgent } from '../../../src/core/agents.ts';
import type { AgentUpdate } from '../../../src/core/agentTurn.ts';
import type { TerminalOutput } from '../../../src/model/message.ts';
import { agentTerminals, type AgentTerminals } from '../../../src/node/acp/terminals/agentTerminals.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { runs, type Step } from '../../agents/plays.ts';
import { processes } from '../../processes.mjs';
import { temporaryFolder } from '../support/history.ts';
import { never, play, scripted, type Played, type Scripted } from '../support/scriptedProgram.ts';

export interface Stage {
  readonly folder: string;
  readonly program: Scripted;
  readonly agent: RunningAgent;
  readonly session: AgentSession;
  readonly terminals: AgentTerminals;
  readonly run: (
    steps: readonly Step[],
    signal?: AbortSignal,
    onUpdate?: (update: AgentUpdate) => void,
  ) => Promise<Played>;
  /** One request about a terminal, and what comes back. */
  readonly ask: (method: string, params: object, session?: AgentSession) => Promise<Answered>;
  /** The id of a terminal in which the script runs. */
  readonly start: (script: string, more?: object) => Promise<string>;
}

export interface Answered {
  readonly terminalId?: string;
  readonly output?: string;
  readonly truncated?: boolean;
  readonly exitStatus?: { readonly exitCode: number | null; readonly signal: string | null };
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly code?: number;
  readonly message?: string;
}

export async function stage(
  t: TestContext,
  env: { readonly [name: string]: string } = {},
  flags: readonly string[] = [],
): Promise<Stage> {
  const folder = realpathSync(temporaryFolder(t));
  let terminals: AgentTerminals | null = null;
  let made = 0;
  const program = scripted(t, {
    flags,
    program: {
      handlers: () =>
        (terminals = agentTerminals({
          folders: () => [folder],
          env: { ...process.env, ...env },
          newTerminalId: () => `terminal${++made}`,
          clock: systemClock,
          onWarning: words => t.diagnostic(words),
        })),
    },
  });
  const agent = await program.start(never);
  const session = await agent.newSession({ cwd: folder, alsoIn: [] }, never);
  if (!terminals) throw new Error('The agent has no handlers.');
  const ask: Stage['ask'] = async (method, params, asking = session) => {
    const { text } = await play(asking, JSON.stringify([{ call: { method: `terminal/${method}`, params } }]));
    return JSON.parse(text) as Answered;
  };
  return {
    folder,
    program,
    agent,
    session,
    terminals,
    run: (steps, signal = never, onUpdate = () => {}) =>
      play(session, JSON.stringify(steps), signal, undefined, onUpdate),
    ask,
    start: async (script, more = {}) => {
      const { terminalId } = await ask('create', runs(script, more).call.params);
      if (terminalId === undefined) throw new Error('There is no terminal.');
      return terminalId;
    },
  };
}

/** What the update says that terminals printed. */
export function shownIn(update: AgentUpdate): readonly TerminalOutput[] {
  const output = update.type === 'toolCall' ? (update.changes.output ?? []) : [];
  return output.flatMap(item => {
    const shown = item as unknown as TerminalOutput;
    return shown.type === 'terminal' ? [shown] : [];
  });
}

/** Says its process id, and that of a child, and ends for nothing but KILL. */
export const deafFamily = (() => {
  const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('pid ' + process.pid);`;
  return `${deaf} require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], { stdio: 'inherit' });`;
})();

/** Each once: output that grows is told from its beginning again. */
export function pidsIn(text: string): readonly number[] {
  return [...new Set([...text.matchAll(/^pid (\d+)\n/gm)].map(([, pid]) => Number(pid)))];
}

export async function gone(pids: readonly number[], within: number): Promise<boolean> {
  for (let waited = 0; waited < within; waited += 50) {
    const running = new Set(processes().map(({ pid }) => pid));
    if (!pids.some(pid => running.has(pid))) return true;
    await delay(50);
  }
  return false;
}

/** Asks until it is so. */
export async function until<Value>(ask: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isSo(value)) return value;
    await delay(20);
  }
}
