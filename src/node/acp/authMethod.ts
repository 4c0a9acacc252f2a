// The ways in which a person can sign in to an agent, as it names them, and what has to run in a terminal for one of
// them. Promises: a way that is described so badly that it could not work is left out; what an agent says to run is
// taken as it is, and runs only when the person chose that way.

import { AgentError } from '../../core/agentError.ts';
import type { AuthMethod, TerminalSignIn } from '../../core/agents.ts';
import type { Json } from '../../model/message.ts';
import type { CommandLine, Environment } from './commandLine.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';
import { plainText } from './plainText.ts';

export function authMethodOf(value: Json): readonly AuthMethod[] {
  const fields = fieldsOf(value) ?? {};
  const { id, type } = fields;
  if (typeof id !== 'string' || id === '') return [];
  const name = plainText(textOf(fields['name']) ?? '') || id;
  const about = { id, name, description: plainText(textOf(fields['description']) ?? '') };
  if (type === 'terminal') {
    const terminal = terminalOf(fields, name, null);
    // With other arguments than those that it means, anything might happen.
    return terminal ? [{ ...about, kind: 'terminal', terminal }] : [];
  }
  // Before ACP had a type for it, agents said so in `_meta`, and still do.
  const legacy = fieldsOf(fieldsOf(fields['_meta'])?.['terminal-auth']);
  const command = textOf(legacy?.['command']) ?? '';
  const terminal = legacy && command !== '' && isClean(command) ? terminalOf(legacy, name, command) : null;
  return [terminal ? { ...about, kind: 'terminal', terminal } : { ...about, kind: 'agent' }];
}

/** What runs in the terminal; `own` is what the agent itself is started with. Throws AgentError where nothing should. */
export function terminalLine(own: CommandLine, { name, terminal }: AuthMethod): CommandLine {
  if (!terminal) throw new AgentError('invalid', `“${name}” is no sign-in at a terminal.`);
  const { command, args, env } = terminal;
  return {
    command: command ?? own.command,
    args: command === null ? [...own.args, ...args] : args,
    env: { ...own.env, ...env },
    cwd: own.cwd,
  };
}

function terminalOf(fields: Fields, name: string, command: string | null): TerminalSignIn | null {
  const args = argsOf(fields['args'] ?? []);
  const env = environmentOf(fields['env'] ?? {});
  const label = plainText(textOf(fields['label']) ?? '') || name;
  return args && env ? { command, args, env, label } : null;
}

function argsOf(value: Json): readonly string[] | null {
  const isList = Array.isArray(value) && value.every(one => typeof one === 'string' && isClean(one));
  return isList ? (value as readonly string[]) : null;
}

function environmentOf(value: Json): Environment | null {
  const entries = Object.entries(fieldsOf(value) ?? { broken: null });
  const isText = entries.every(([name, one]) => name !== '' && !name.includes('=') && isClean(name) && isClean(one));
  return isText ? (Object.fromEntries(entries) as Environment) : null;
}

/** No program can be given a text with a zero in it. */
function isClean(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}
