// The scripted agent (test/agents/scripted.ts) as a real child process behind the port, and what a test needs around it.

import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AgentSession, AskPerson } from '../../../src/core/agents.ts';
import type { AgentAnswer, AgentUpdate, PromptPart, TurnDesk } from '../../../src/core/agentTurn.ts';
import type { Permission } from '../../../src/model/agentState.ts';
import { openChild } from '../../../src/node/acp/childProcess.ts';
import { environmentFor, type CommandLine } from '../../../src/node/acp/commandLine.ts';
import { ownScript } from './ownScript.ts';
import { acpProgram, type AcpProgramOptions, type RetirableProgram } from '../../../src/node/acp/program.ts';
import { systemClock } from '../../../src/node/clock.ts';

export const scriptedFile = fileURLToPath(new URL('../../agents/scripted.ts', import.meta.url));
export const never = new AbortController().signal;
export const here = { cwd: import.meta.dirname, alsoIn: [] };
/** Where the agent asks and nobody answers. */
export const nobody: AskPerson = () => Promise.resolve({ action: 'cancel' });
/** A turn where nobody is asked and nobody listens. */
export const quietDesk: TurnDesk = {
  onUpdate: () => {},
  ask: () => Promise.resolve(null),
  elicit: nobody,
  onWrite: () => {},
  onWriting: () => {},
};

export interface ScriptedOptions {
  readonly flags?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly program?: Partial<AcpProgramOptions>;
}

export interface Scripted extends RetirableProgram {
  readonly warnings: readonly string[];
  /** How often it was started. */
  readonly starts: () => number;
}

export function commandLine(flags: readonly string[] = [], env: { readonly [name: string]: string } = {}): CommandLine {
  return ownScript(process.execPath, scriptedFile, flags, environmentFor(process.env, env), import.meta.dirname);
}

/** Stopped when the test is over. */
export function scripted(t: TestContext, { flags = [], env = {}, program = {} }: ScriptedOptions = {}): Scripted {
  const warnings: string[] = [];
  const onWarning = (words: string) => void warnings.push(words);
  let starts = 0;
  let permissions = 0;
  const made = acpProgram({
    ref: { id: 'scripted', name: 'Scripted' },
    open: () => {
      starts++;
      return openChild(commandLine(flags, env), systemClock, onWarning);
    },
    clock: systemClock,
    clientInfo: { name: 'throughline', title: 'Throughline', version: '0' },
    homeFolder: import.meta.dirname,
    newPermissionId: () => `permission${++permissions}`,
    onWarning,
    ...program,
  });
  t.after(() => made.stop());
  return Object.assign(made, { warnings, starts: () => starts });
}

export interface Played {
  readonly answer: AgentAnswer;
  readonly updates: readonly AgentUpdate[];
  /** All the text of the answer. */
  readonly text: string;
  readonly asked: readonly Permission[];
}

export type Choose = (permission: Permission, signal: AbortSignal) => Promise<string | null>;

/** One turn of a session: the play of that name, or, with `say: `, the words as they are. */
export async function play(
  session: AgentSession,
  name: string,
  signal: AbortSignal = never,
  choose: Choose = () => Promise.resolve(null),
  onUpdate: (update: AgentUpdate) => void = () => {},
): Promise<Played> {
  const updates: AgentUpdate[] = [];
  const asked: Permission[] = [];
  const desk: TurnDesk = {
    ...quietDesk,
    onUpdate(update) {
      updates.push(update);
      onUpdate(update);
    },
    ask(permission, until) {
      asked.push(permission);
      return choose(permission, until);
    },
  };
  const said = name.startsWith('say: ') ? name.slice(5) : `play: ${name}`;
  const parts: readonly PromptPart[] = [{ type: 'text', text: said }];
  const answer = await session.prompt({ parts, path: [] }, desk, signal);
  return { answer, updates: [...updates], text: textOf(updates), asked };
}

export function textOf(updates: readonly AgentUpdate[]): string {
  return updates.flatMap(update => (update.type === 'text' ? [update.text] : [])).join('');
}
