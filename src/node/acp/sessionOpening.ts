// How the sessions of an agent that runs are opened: begun, copied, resumed, loaded. Promises: an update for a session
// that is just being opened waits until it is; a session that is loaded or resumed is known before the agent is asked, so
// that nothing of a replay is taken for something new; one that cannot be opened leaves nothing behind; MCP servers that
// cannot be had keep no session from being opened.

import { AgentError } from '../../core/agentError.ts';
import type { AgentPlace, AgentSession, LoadedSession, ReplayedPart } from '../../core/agents.ts';
import { AcpSession, type SessionContext } from './acpSession.ts';
import { agentErrorOf } from './errors.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';
import { wireServers, type McpAbilities, type McpServer } from './mcpServers.ts';
import type { OpenSessions } from './openSessions.ts';
import type { Patience } from './quiet.ts';
import { cancelled, waitFor } from './waitFor.ts';

/** Some agents send most of a replay after they answered that it is loaded. */
const afterLoad: Patience = { quiet: 80, most: 5000 };

type OnPart = (part: ReplayedPart) => void;

export interface SessionOpeningOptions {
  readonly context: Omit<SessionContext, 'onClose'>;
  readonly sessions: OpenSessions;
  readonly homeFolder: string;
  readonly moreFolders: boolean;
  readonly mcp: McpAbilities;
  readonly mcpServers: () => Promise<readonly McpServer[]>;
}

export class SessionOpening {
  private readonly options: SessionOpeningOptions;
  private readonly notTaken = new Set<string>();

  constructor(options: SessionOpeningOptions) {
    this.options = options;
  }

  begin(place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    return this.openUnknown('session/new', {}, place, true, signal);
  }

  fork(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    return this.openUnknown('session/fork', { sessionId: id }, place, false, signal);
  }

  async resume(id: string, place: AgentPlace, signal: AbortSignal): Promise<AgentSession> {
    return (await this.openKnown('session/resume', id, place, { patience: null }, signal)).session;
  }

  load(id: string, place: AgentPlace, signal: AbortSignal, onPart?: OnPart): Promise<LoadedSession> {
    const replay = { patience: afterLoad, ...(onPart ? { onPart } : {}) };
    return this.openKnown('session/load', id, place, replay, signal);
  }

  private async openUnknown(
    method: string,
    params: object,
    place: AgentPlace,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<AgentSession> {
    const { sessions, context } = this.options;
    const done = sessions.expectOne();
    try {
      const answer = await this.ask(method, params, place, signal);
      const id = textOf(answer['sessionId']);
      if (id === undefined || id === '')
        throw new AgentError('other', `${context.agentName} opened a session and did not say which.`);
      const session = this.newSession(id, fresh);
      session.opened(answer);
      sessions.catchUp(session);
      return session;
    } finally {
      done();
    }
  }

  /** Whatever is said before it is open, and until then is quiet, was said before. */
  private async openKnown(
    method: string,
    id: string,
    place: AgentPlace,
    { patience, onPart }: { readonly patience: Patience | null; readonly onPart?: OnPart },
    signal: AbortSignal,
  ): Promise<LoadedSession> {
    const { sessions, context } = this.options;
    if (sessions.get(id)) throw new AgentError('invalid', 'This session of the agent is open already.');
    const session = this.newSession(id, false);
    const replay = session.beginReplay(onPart);
    try {
      const answer = await this.ask(method, { sessionId: id }, place, signal);
      session.opened(answer);
      if (patience) await replay.quiet.come(context.clock, patience, signal);
      if (signal.aborted) throw cancelled();
    } catch (cause) {
      sessions.remove(session);
      throw cause;
    }
    session.endReplay();
    return { session, replayedPrompts: replay.prompts };
  }

  private newSession(id: string, fresh: boolean): AcpSession {
    const { sessions, context } = this.options;
    const session = new AcpSession(id, { ...context, onClose: closed => sessions.remove(closed) }, fresh);
    sessions.add(session);
    return session;
  }

  private async ask(method: string, params: object, place: AgentPlace, signal: AbortSignal): Promise<Fields> {
    const { context, homeFolder, moreFolders } = this.options;
    const circumstances = {
      cwd: place.cwd ?? homeFolder,
      mcpServers: await this.servers(signal),
      ...(moreFolders && place.alsoIn.length > 0 ? { additionalDirectories: place.alsoIn } : {}),
    };
    return fieldsOf(await context.peer.request(method, { ...params, ...circumstances }, signal)) ?? {};
  }

  private async servers(signal: AbortSignal): Promise<readonly object[]> {
    const { context, mcp, mcpServers } = this.options;
    try {
      const servers = await waitFor(mcpServers(), signal);
      return wireServers(servers, mcp, server => this.warnOf(server));
    } catch (cause) {
      if (signal.aborted) throw cause;
      context.onWarning(
        `The MCP servers could not be read, and ${context.agentName} goes without: ${agentErrorOf(cause).message}`,
      );
      return [];
    }
  }

  private warnOf({ name, kind }: McpServer): void {
    const key = `${kind} ${name}`;
    if (this.notTaken.has(key)) return;
    this.notTaken.add(key);
    const { agentName, onWarning } = this.options.context;
    onWarning(`${agentName} takes no MCP servers over ${kind.toUpperCase()}, so it goes without “${name}”.`);
  }
}
