// The commands that an agent runs through its client: ACP's five terminal methods. Promises: a command runs in a folder of
// the workspace, is started only in a running turn, and runs only while its session is open and its agent is there; a terminal is known to the session that made
// it and to no other; a refusal is an answer in words. What a command does to files and networks is not watched over: an
// agent asks the person before it runs one.

import {
  RequestError,
  type CreateTerminalRequest,
  type CreateTerminalResponse,
  type TerminalOutputResponse,
  type WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';
import type { Clock } from '../../../core/ports.ts';
import type { AgentTurn } from '../agentDesk.ts';
import type { ClientHandlers } from '../clientHandlers.ts';
import { environmentFor, type CommandLine } from '../commandLine.ts';
import { startCommand, type Command } from './command.ts';
import { wordsOf } from './commandFor.ts';
import { folderFor } from './folderFor.ts';
import { refusal } from '../turnRule.ts';
import type { SessionTerminals } from './sessionTerminals.ts';
import type { Terminal } from './terminal.ts';
import type { TerminalExit } from './terminalNews.ts';

const mostOpen = 64;
const mostAnswered = 1024 * 1024;

export interface AgentTerminalsOptions {
  /** Of the workspace, absolute; the first is where a command runs that names none. */
  readonly folders: () => readonly string[];
  /** Ours, of which a command gets what does not belong to the editor. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly newTerminalId: () => string;
  readonly clock: Clock;
  readonly onWarning: (words: string) => void;
}

type TerminalHandlers = Required<
  Pick<ClientHandlers, 'createTerminal' | 'terminalOutput' | 'waitForTerminalExit' | 'killTerminal' | 'releaseTerminal'>
>;

export interface AgentTerminals extends TerminalHandlers {
  /** Ends every command, also those of sessions that stay open. */
  close(): void;
}

/** Lives as long as the agent's program, for all its sessions. */
export function agentTerminals(options: AgentTerminalsOptions): AgentTerminals {
  const terminals = new Terminals(options);
  return {
    createTerminal: (request, turn, signal) => terminals.create(request, turn, signal),
    terminalOutput: async request => terminals.output(request),
    waitForTerminalExit: (request, signal) => terminals.wait(request, signal),
    killTerminal: request => terminals.kill(request),
    releaseTerminal: async request => terminals.release(request),
    close: () => terminals.close(),
  };
}

interface Open {
  readonly session: string;
  readonly terminal: Terminal;
  readonly command: Command;
  /** Once all that it printed is in the terminal. */
  readonly ended: Promise<TerminalExit>;
  /** In bytes. */
  readonly answered: number;
  /** The agent may not name it any more; what runs is ended. */
  readonly forget: () => void;
}

interface Named {
  readonly sessionId: string;
  readonly terminalId: string;
}

class Terminals {
  private readonly options: AgentTerminalsOptions;
  private readonly all = new Map<string, Open>();
  private isClosed = false;

  constructor(options: AgentTerminalsOptions) {
    this.options = options;
  }

  async create(request: CreateTerminalRequest, turn: AgentTurn, signal: AbortSignal): Promise<CreateTerminalResponse> {
    const { sessionId: session, command, args = [] } = request;
    if (command.trim() === '') throw refusal('There is no command to run.');
    const cwd = await folderFor(request.cwd ?? null, this.options.folders());
    const { terminals: shown } = turn;
    if (shown.closed.aborted || this.isClosed) throw refusal(`There is no session “${session}”.`);
    if (signal.aborted) throw RequestError.requestCancelled();
    if ([...this.all.values()].filter(one => one.session === session).length >= mostOpen)
      throw refusal(`This session has ${mostOpen} terminals open: one of them must be released first.`);
    const own = Object.fromEntries((request.env ?? []).map(({ name, value }) => [name, value]));
    const line = { command, args, cwd, env: environmentFor(this.options.env, { PWD: cwd, ...own }) };
    turn.expectRunning();
    const terminal = shown.hold(this.options.newTerminalId(), wordsOf(command, args), cwd);
    try {
      const open = this.start(line, session, shown, terminal, request.outputByteLimit ?? mostAnswered);
      await open.command.started;
    } catch (cause) {
      this.all.get(terminal.id)?.forget();
      shown.release(terminal);
      throw cause;
    }
    return { terminalId: terminal.id };
  }

  output(request: Named): TerminalOutputResponse {
    const { terminal, answered } = this.named(request);
    const { text, isWhole } = terminal.newest(answered);
    const exitStatus = terminal.exit && statusOf(terminal.exit);
    return { output: text, truncated: !isWhole, ...(exitStatus ? { exitStatus } : {}) };
  }

  async wait(request: Named, signal: AbortSignal): Promise<WaitForTerminalExitResponse> {
    const { ended } = this.named(request);
    let stop = () => {};
    const withdrawn = new Promise<never>((_resolve, reject) => {
      stop = () => reject(RequestError.requestCancelled());
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      return statusOf(await Promise.race([ended, withdrawn]));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Answered when it is over. */
  async kill(request: Named): Promise<object> {
    const { command, ended } = this.named(request);
    command.end();
    await ended;
    return {};
  }

  release(request: Named): object {
    this.named(request).forget();
    return {};
  }

  close(): void {
    this.isClosed = true;
    for (const { forget } of this.all.values()) forget();
  }

  private start(
    line: CommandLine,
    session: string,
    shown: SessionTerminals,
    terminal: Terminal,
    answered: number,
  ): Open {
    const { clock, onWarning } = this.options;
    const command = startCommand(line, { onPrint: text => shown.print(terminal, text), onWarning, clock });
    const ended = command.ended.then(exit => {
      shown.end(terminal, exit);
      return exit;
    });
    // One that did not start is over too, which its request is told.
    shown.run(command, ended);
    const forget = () => {
      shown.closed.removeEventListener('abort', forget);
      this.all.delete(terminal.id);
      shown.release(terminal);
      command.end();
    };
    shown.closed.addEventListener('abort', forget);
    const open = { session, terminal, command, ended, answered, forget };
    this.all.set(terminal.id, open);
    return open;
  }

  private named({ sessionId, terminalId }: Named): Open {
    const open = this.all.get(terminalId);
    if (open?.session === sessionId) return open;
    throw new RequestError(-32002, `There is no terminal “${terminalId}” in this session.`);
  }
}

function statusOf({ code, signal }: TerminalExit): WaitForTerminalExitResponse {
  return { exitCode: code, signal };
}
