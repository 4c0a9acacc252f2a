// What an agent may ask of this client besides permission: files, terminals, questions in a form. Each is there or not,
// and what is there is told to the agent in the handshake; the SDK validates what an agent asks with, except a question
// to the person, of which more can be shown than it would let through. What writes, runs or asks is given the turn in
// which it was asked for. What a handler throws is the agent's answer: a RequestError as it is, anything else as an
// internal error with its words.

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
import type { AgentDesk, AgentTurn } from './agentDesk.ts';
import { elicitationRequestOf, type ElicitationRequest } from './elicitationRequest.ts';
import { noTurn, refusal } from './turnRule.ts';

type Handler<Request, Response> = (request: Request, signal: AbortSignal) => Promise<Response>;
type TurnHandler<Request, Response, Turn = AgentTurn> = (
  request: Request,
  turn: Turn,
  signal: AbortSignal,
) => Promise<Response>;

export interface ClientHandlers {
  /** Null: no turn runs. */
  readonly readTextFile?: TurnHandler<ReadTextFileRequest, ReadTextFileResponse, AgentTurn | null>;
  readonly writeTextFile?: TurnHandler<WriteTextFileRequest, WriteTextFileResponse>;
  /** Terminals are offered only with all five. */
  readonly createTerminal?: TurnHandler<CreateTerminalRequest, CreateTerminalResponse>;
  readonly terminalOutput?: Handler<TerminalOutputRequest, TerminalOutputResponse>;
  readonly waitForTerminalExit?: Handler<WaitForTerminalExitRequest, WaitForTerminalExitResponse>;
  readonly killTerminal?: Handler<KillTerminalRequest, KillTerminalResponse>;
  readonly releaseTerminal?: Handler<ReleaseTerminalRequest, ReleaseTerminalResponse>;
  /** Null: it is about the agent as a whole. */
  readonly createElicitation?: TurnHandler<ElicitationRequest, CreateElicitationResponse, AgentTurn | null>;
  readonly completeElicitation?: (notification: CompleteElicitationNotification) => void;
}

/** Those of one running agent, with what they may reach of its sessions. */
export type HandlersFor = (desk: AgentDesk) => ClientHandlers;

/** A turn that is not over before what the agent asked for in it is done. */
interface LastingTurn extends AgentTurn {
  during<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** The turn of an agent's session that a request belongs to which arrived just now. */
export type TurnOf = (session: string) => LastingTurn | null;

export function addHandlers(app: ClientApp, handlers: ClientHandlers, turnOf: TurnOf): ClientApp {
  const { fs, terminal, elicitation } = methods.client;
  const { readTextFile, writeTextFile, createTerminal, terminalOutput, waitForTerminalExit } = handlers;
  const { killTerminal, releaseTerminal, createElicitation, completeElicitation } = handlers;
  if (readTextFile)
    app.onRequest(fs.readTextFile, ({ params, signal }) => readTextFile(params, turnOf(params.sessionId), signal));
  if (writeTextFile)
    app.onRequest(fs.writeTextFile, ({ params, signal }) => {
      const turn = expected(turnOf(params.sessionId));
      return turn.during(() => writeTextFile(params, turn, signal));
    });
  if (createTerminal)
    app.onRequest(terminal.create, ({ params, signal }) => {
      const turn = expected(turnOf(params.sessionId));
      return turn.during(() => createTerminal(params, turn, signal));
    });
  if (terminalOutput) app.onRequest(terminal.output, ({ params, signal }) => terminalOutput(params, signal));
  if (waitForTerminalExit)
    app.onRequest(terminal.waitForExit, ({ params, signal }) => waitForTerminalExit(params, signal));
  if (killTerminal) app.onRequest(terminal.kill, ({ params, signal }) => killTerminal(params, signal));
  if (releaseTerminal) app.onRequest(terminal.release, ({ params, signal }) => releaseTerminal(params, signal));
  if (createElicitation)
    app.onRequest(elicitation.create, elicitationRequestOf, ({ params, signal }) => {
      const { sessionId } = params;
      return createElicitation(params, sessionId === null ? null : expected(turnOf(sessionId)), signal);
    });
  if (completeElicitation) app.onNotification(elicitation.complete, ({ params }) => completeElicitation(params));
  return app;
}

/** The rule lets a request through only where there is one. */
function expected(turn: LastingTurn | null): LastingTurn {
  if (!turn) throw refusal(noTurn);
  return turn;
}
