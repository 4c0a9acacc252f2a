// What an agent may ask of this client besides permission: files, terminals, questions in a form. Each is there or not,
// and what is there is told to the agent in the handshake; the SDK validates what an agent asks with, except a question
// to the person, of which more can be shown than it would let through. What a handler
// throws is the agent's answer: a RequestError as it is, anything else as an internal error with its words.

import {
  methods,
  type ClientApp,
  type CompleteElicitationNotification,
  type CreateElicitationResponse,
  type CreateTerminalRequest,
  type CreateTerminalResponse,
  type KillTerminalRequest,
  type KillTerminalResponse,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type ReleaseTerminalRequest,
  type ReleaseTerminalResponse,
  type TerminalOutputRequest,
  type TerminalOutputResponse,
  type WaitForTerminalExitRequest,
  type WaitForTerminalExitResponse,
  type WriteTextFileRequest,
  type WriteTextFileResponse,
} from '@agentclientprotocol/sdk';
import type { AgentDesk } from './agentDesk.ts';
import { elicitationRequestOf, type ElicitationRequest } from './elicitationRequest.ts';

type Handler<Request, Response> = (request: Request, signal: AbortSignal) => Promise<Response>;

export interface ClientHandlers {
  readonly readTextFile?: Handler<ReadTextFileRequest, ReadTextFileResponse>;
  readonly writeTextFile?: Handler<WriteTextFileRequest, WriteTextFileResponse>;
  /** Terminals are offered only with all five. */
  readonly createTerminal?: Handler<CreateTerminalRequest, CreateTerminalResponse>;
  readonly terminalOutput?: Handler<TerminalOutputRequest, TerminalOutputResponse>;
  readonly waitForTerminalExit?: Handler<WaitForTerminalExitRequest, WaitForTerminalExitResponse>;
  readonly killTerminal?: Handler<KillTerminalRequest, KillTerminalResponse>;
  readonly releaseTerminal?: Handler<ReleaseTerminalRequest, ReleaseTerminalResponse>;
  readonly createElicitation?: Handler<ElicitationRequest, CreateElicitationResponse>;
  readonly completeElicitation?: (notification: CompleteElicitationNotification) => void;
}

/** Those of one running agent, with what they may reach of its sessions. */
export type HandlersFor = (desk: AgentDesk) => ClientHandlers;

export function addHandlers(app: ClientApp, handlers: ClientHandlers): ClientApp {
  const { fs, terminal, elicitation } = methods.client;
  const { readTextFile, writeTextFile, createTerminal, terminalOutput, waitForTerminalExit } = handlers;
  const { killTerminal, releaseTerminal, createElicitation, completeElicitation } = handlers;
  if (readTextFile) app.onRequest(fs.readTextFile, ({ params, signal }) => readTextFile(params, signal));
  if (writeTextFile) app.onRequest(fs.writeTextFile, ({ params, signal }) => writeTextFile(params, signal));
  if (createTerminal) app.onRequest(terminal.create, ({ params, signal }) => createTerminal(params, signal));
  if (terminalOutput) app.onRequest(terminal.output, ({ params, signal }) => terminalOutput(params, signal));
  if (waitForTerminalExit)
    app.onRequest(terminal.waitForExit, ({ params, signal }) => waitForTerminalExit(params, signal));
  if (killTerminal) app.onRequest(terminal.kill, ({ params, signal }) => killTerminal(params, signal));
  if (releaseTerminal) app.onRequest(terminal.release, ({ params, signal }) => releaseTerminal(params, signal));
  if (createElicitation)
    app.onRequest(elicitation.create, elicitationRequestOf, ({ params, signal }) => createElicitation(params, signal));
  if (completeElicitation) app.onNotification(elicitation.complete, ({ params }) => completeElicitation(params));
  return app;
}
