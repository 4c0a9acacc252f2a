// An agent's program with all that it may reach of this window: files through the guard and the editors, terminals, and
// questions to the person. The same for the person's own agents, each a process, and for the built-in one, which is at the
// other end of a stream in this process. Promises: what an agent started through its client ends with it.

import type { AuthMethod } from '../core/agents.ts';
import type { OpenEditors } from '../core/files.ts';
import type { Clock } from '../core/ports.ts';
import type { AboutAgent, AgentRef } from '../model/message.ts';
import type { HandlersFor } from './acp/clientHandlers.ts';
import { terminalLine } from './acp/authMethod.ts';
import { openChild } from './acp/childProcess.ts';
import { environmentFor, type CommandLine } from './acp/commandLine.ts';
import type { Redact } from './acp/errors.ts';
import { elicitations } from './acp/elicitation.ts';
import type { ClientInfo } from './acp/handshake.ts';
import type { McpServer } from './acp/mcpServers.ts';
import { acpProgram, type RetirableProgram } from './acp/program.ts';
import { agentTerminals } from './acp/terminals/agentTerminals.ts';
import type { Transport } from './acp/transport.ts';
import { agentFiles } from './files/agentFiles.ts';
import { askThrough } from './files/fileQuestion.ts';
import { guardIn } from './files/guard.ts';

/** What is the same for every agent of this window. */
export interface AgentWindow {
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  readonly homeFolder: string;
  /** Unique in this window: of permissions, of questions, of terminals. */
  readonly newId: () => string;
  /** Of the workspace, absolute. */
  readonly folders: () => readonly string[];
  /** Folders of the extension itself. */
  readonly own: readonly string[];
  readonly editors: OpenEditors;
  readonly mcpServers: () => Promise<readonly McpServer[]>;
  /** Takes the values of secrets out of what an agent, or what was started for it, says. */
  readonly redact: Redact;
  /** Whether the person is asked something for which an agent may wait. */
  readonly isAsking?: () => boolean;
}

export interface ProgramOptions {
  readonly ref: AgentRef;
  /** Whether the person would be asked something before it is used. Where absent, never. */
  readonly asksFirst?: () => Promise<boolean>;
  readonly onWarning: (words: string) => void;
}

export interface ChildOptions extends ProgramOptions {
  /** Asked for at each start. Throws AgentError where it cannot be made. */
  readonly line: () => Promise<Pick<CommandLine, 'command' | 'args' | 'env'>>;
  readonly inTerminal: (line: CommandLine, signal: AbortSignal) => Promise<void>;
  /** Milliseconds without a request. */
  readonly idleAfter: number;
}

export function childProgram(options: ChildOptions, of: AgentWindow): RetirableProgram {
  const { ref, idleAfter } = options;
  const { clock, homeFolder, mcpServers, redact } = of;
  const onWarning = (words: string) => options.onWarning(redact(words));
  const line = async (): Promise<CommandLine> => {
    const { command, args, env } = await options.line();
    return { command, args, env: environmentFor(process.env, env), cwd: homeFolder };
  };
  const inTerminal = async (method: AuthMethod, signal: AbortSignal) =>
    options.inTerminal(terminalLine(await line(), method), signal);
  const open = async () => openChild(await line(), clock, onWarning, redact);
  return acpProgram({ ...common(of, options, open), ref, inTerminal, mcpServers, idleAfter, takesPath: false });
}

export interface BuiltInOptions extends ProgramOptions {
  readonly about: AboutAgent;
  /** Its models take only so much at once. */
  readonly hasWindow?: boolean;
  /** Of the newest messages, as it is set now. */
  readonly newestKept?: () => number;
  readonly open: () => Transport;
}

export function builtInProgram(options: BuiltInOptions, of: AgentWindow): RetirableProgram {
  const { ref, about, hasWindow = false, newestKept } = options;
  const open = () => Promise.resolve(options.open());
  return acpProgram({
    ...common(of, options, open),
    ref,
    about,
    hasWindow,
    takesPath: true,
    ...(newestKept ? { newestKept } : {}),
  });
}

function common(of: AgentWindow, options: ProgramOptions, open: () => Promise<Transport>) {
  const { clock, clientInfo, homeFolder, newId, folders, own, editors, redact, isAsking } = of;
  const { asksFirst } = options;
  const onWarning = (words: string) => options.onWarning(redact(words));
  const guard = guardIn(folders, own);
  const handlers: HandlersFor = desk => {
    const files = agentFiles(guard, { editors, ask: askThrough(newId) });
    const terminals = agentTerminals({ folders, env: process.env, newTerminalId: newId, clock, onWarning });
    return { ...files, ...terminals, ...elicitations(desk, { newId }) };
  };
  return {
    handlers,
    clock,
    clientInfo,
    homeFolder,
    newPermissionId: newId,
    onWarning,
    redact,
    open,
    ...(asksFirst ? { asksFirst } : {}),
    ...(isAsking ? { isAsking } : {}),
  };
}
