// What the built-in agent asks of its client, over ACP like any agent: to show something, to ask the person, to read and
// write files, to run commands. Nothing of the world is reached in another way. Promises: after the signal nothing is shown
// any more; what the client refuses is thrown in its words.

import {
  methods,
  type AgentContext,
  type SessionUpdate,
  type TerminalOutputResponse,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';

export interface Client {
  readonly signal: AbortSignal;
  say(update: SessionUpdate): Promise<void>;
  /** Whether the person allows it, this time. */
  ask(call: ToolCallUpdate, allow: string, reject: string): Promise<boolean>;
  /** A file that is not there is empty. */
  readFile(path: string): Promise<string>;
  writeFile(path: string, content: string): Promise<void>;
  startCommand(command: string, cwd: string): Promise<RunningCommand>;
}

export interface RunningCommand {
  readonly terminalId: string;
  ended(): Promise<CommandEnd>;
  output(): Promise<{ readonly text: string; readonly isWhole: boolean }>;
  kill(): Promise<void>;
  release(): Promise<void>;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Of the output of a command, so many bytes are kept for the model. */
const mostOutput = 64 * 1024;

export function clientFor(context: AgentContext, sessionId: string, signal: AbortSignal): Client {
  const { fs, terminal, session } = methods.client;
  const withdrawn = { cancellationSignal: signal };
  return {
    signal,
    async say(update) {
      if (!signal.aborted) await context.notify(session.update, { sessionId, update });
    },
    async ask(toolCall, allow, reject) {
      const options = [
        { optionId: 'allow', name: allow, kind: 'allow_once' as const },
        { optionId: 'reject', name: reject, kind: 'reject_once' as const },
      ];
      const { outcome } = await context.request(session.requestPermission, { sessionId, toolCall, options }, withdrawn);
      signal.throwIfAborted();
      return outcome.outcome === 'selected' && outcome.optionId === 'allow';
    },
    async readFile(path) {
      return (await context.request(fs.readTextFile, { sessionId, path }, withdrawn)).content;
    },
    async writeFile(path, content) {
      await context.request(fs.writeTextFile, { sessionId, path, content }, withdrawn);
    },
    async startCommand(command, cwd) {
      const wanted = { sessionId, command, cwd, outputByteLimit: mostOutput };
      const { terminalId } = await context.request(terminal.create, wanted, withdrawn);
      const named = { sessionId, terminalId };
      return {
        terminalId,
        async ended() {
          const { exitCode = null, signal: by = null } = await context.request(terminal.waitForExit, named, withdrawn);
          return { code: exitCode, signal: by };
        },
        async output() {
          const { output, truncated } = await context.request<TerminalOutputResponse, typeof named>(
            terminal.output,
            named,
          );
          return { text: output, isWhole: !truncated };
        },
        async kill() {
          await context.request(terminal.kill, named);
        },
        async release() {
          await context.request(terminal.release, named);
        },
      };
    },
  };
}
