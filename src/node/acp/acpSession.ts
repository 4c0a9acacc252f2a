// One session of an agent as the rules see it. Promises: one prompt is answered at a time, the next waits for the agent's
// own answer to the one before; updates reach the turn's desk in wire order and all before its answer; a replay reaches
// nobody; what belongs to no turn goes to the listeners.

import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentAbilities, AgentSession, AgentSessionChange, ReplayedPart } from '../../core/agents.ts';
import type { AgentAnswer, AgentPrompt, AgentUpdate, TurnDesk } from '../../core/agentTurn.ts';
import { AgentError } from '../../core/agentError.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentCommand, AgentOption } from '../../model/agentState.ts';
import { nextTurn } from './breath.ts';
import { contentBlocks } from './content.ts';
import { agentErrorOf, kindOf } from './errors.ts';
import type { Fields } from './fields.ts';
import type { Peer } from './peer.ts';
import { outcomeOf, type PermissionRequest } from './permission.ts';
import { answerOf, failureOf } from './promptAnswer.ts';
import { PromptTurn } from './promptTurn.ts';
import type { Patience } from './quiet.ts';
import { Replay } from './replay.ts';
import { SessionState } from './sessionState.ts';
import { newsOf, type News } from './sessionUpdate.ts';
import { SessionTerminals } from './terminals/sessionTerminals.ts';
import type { Standing } from './turnRule.ts';

/** Words that an agent sends after it said that the turn is over still belong to it, if they come so soon. */
const afterAnswer: Patience = { quiet: 40, most: 400 };

export interface SessionContext {
  readonly agentName: string;
  readonly abilities: AgentAbilities;
  readonly takesPath: boolean;
  readonly clock: Clock;
  readonly newPermissionId: () => string;
  readonly onWarning: (words: string) => void;
  readonly peer: Peer;
  /** The session is not to be known any more. */
  readonly onClose: (session: AcpSession) => void;
}

export class AcpSession implements AgentSession {
  readonly id: string;
  readonly terminals: SessionTerminals;
  private readonly context: SessionContext;
  private readonly state: SessionState;
  private turn: PromptTurn | null = null;
  private earlier: ReadonlySet<string> = new Set();
  private replay: Replay | null = null;
  private closed = false;
  private prompted = false;

  /** `fresh` is one that has said nothing yet. */
  constructor(id: string, context: SessionContext, fresh: boolean) {
    this.id = id;
    this.context = context;
    this.state = new SessionState(fresh, context.onWarning);
    this.terminals = new SessionTerminals(context.clock, update => this.say(update));
    void context.peer.ended.then(() => {
      this.terminals.close();
      this.state.tell({ type: 'gone' });
    });
  }

  get options(): readonly AgentOption[] {
    return this.state.options;
  }

  get commands(): readonly AgentCommand[] {
    return this.state.commands;
  }

  get contextWindow(): number | null {
    return this.state.contextWindow;
  }

  /** While what was said before is played back, it is nobody's. */
  get isOpen(): boolean {
    return this.replay === null;
  }

  /** It knows something that the agent may not be able to find again. */
  get wasPrompted(): boolean {
    return this.prompted;
  }

  /** For a request that arrives now. */
  get standing(): Standing {
    return { isKnown: true, turn: this.turn?.standing ?? 'none' };
  }

  /** The one that a prompt began and that is not over; it may be stopped. */
  get running(): PromptTurn | null {
    return this.turn;
  }

  onDidChange(listener: (change: AgentSessionChange) => void): () => void {
    return this.state.onDidChange(listener);
  }

  async setOption(option: string, value: string | boolean, signal: AbortSignal): Promise<void> {
    const { method, params, after } = this.state.setting(option, value);
    const answer = await this.context.peer.request(method, { sessionId: this.id, ...params }, signal);
    this.state.set(now => after(answer, now));
  }

  async prompt(prompt: AgentPrompt, desk: TurnDesk, signal: AbortSignal): Promise<AgentAnswer> {
    const { peer, agentName, newPermissionId } = this.context;
    while (this.turn && !signal.aborted) await overOrAborted(this.turn.over, signal);
    // The agent has not heard of this prompt, and does not know it.
    if (signal.aborted) return { reason: 'cancelled', agreed: false };
    if (this.closed) return { reason: 'failed', detail: `This session of ${agentName} is closed.`, agreed: false };
    const onTrouble = (cause: unknown) =>
      this.context.onWarning(`What the agent said or asked could not be taken: ${kindOf(cause)}.`);
    const { terminals, earlier } = this;
    const turn = new PromptTurn({ desk, terminals, newPermissionId, onTrouble, earlier });
    const cancel = () => {
      peer.notify('session/cancel', { sessionId: this.id });
      turn.stop();
      // The turn may end before the agent answers.
      this.terminals.tellAll();
    };
    this.turn = turn;
    this.terminals.beginTurn();
    this.prompted = true;
    this.state.cost.begin();
    try {
      const params = this.paramsOf(prompt);
      signal.addEventListener('abort', cancel, { once: true });
      // Not withdrawn with the signal: a turn is over when the agent says so, and until then it takes no other prompt.
      const result = await peer.request('session/prompt', params, null).finally(() => turn.answered());
      signal.removeEventListener('abort', cancel);
      await nextTurn();
      // Whoever cancelled is waiting.
      if (!signal.aborted) await overOrAborted(turn.settled(), signal);
      if (!signal.aborted) await turn.quiet.come(this.context.clock, afterAnswer, signal);
      return answerOf(result, this.state.cost.spent(), peer.redact);
    } catch (cause) {
      return failureOf(agentErrorOf(cause), signal.aborted);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.terminals.endTurn();
      this.earlier = turn.callIds;
      turn.close();
      // Whoever cancelled does not wait for an agent that goes on speaking; the next prompt does.
      if (signal.aborted) void turn.quiet.come(this.context.clock, afterAnswer).then(() => this.finish(turn));
      else this.finish(turn);
    }
  }

  private finish(turn: PromptTurn): void {
    this.turn = null;
    turn.finish();
  }

  endTerminals(): void {
    this.terminals.endAll();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.end();
    const { peer, abilities } = this.context;
    if (!abilities.close) return;
    await peer.request('session/close', { sessionId: this.id }, null).catch((cause: unknown) => {
      // It is closed here in any case; an agent that is gone has closed it too.
      if (agentErrorOf(cause).code !== 'ended') this.context.onWarning(`session/close failed: ${kindOf(cause)}.`);
    });
  }

  /** It is not known here any more, and what runs in it ends; the agent is not told. */
  end(): void {
    if (this.closed) return;
    this.closed = true;
    this.context.onClose(this);
    if (this.turn) this.context.peer.notify('session/cancel', { sessionId: this.id });
    this.turn?.stop();
  }

  /** From now on, what the agent says is what was said before. */
  beginReplay(onPart?: (part: ReplayedPart) => void): Replay {
    this.replay = new Replay(onPart);
    return this.replay;
  }

  endReplay(): void {
    this.replay = null;
  }

  /** The answer with which the agent opened the session. */
  opened(answer: Fields): void {
    this.state.opened(answer);
  }

  takeQuestion(request: PermissionRequest): void {
    const { callId, changes } = request;
    const told = callId === null ? changes : this.terminals.take(callId, changes, []);
    this.turn?.takeQuestion({ ...request, changes: told ?? {} });
  }

  async answer(request: PermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse> {
    return (await this.turn?.permit(request, withdrawn)) ?? outcomeOf(request, null);
  }

  take(raw: unknown): void {
    const news = this.isOpen ? this.withTerminals(newsOf(raw)) : newsOf(raw);
    this.replay?.take(news);
    const heard = this.state.take(news);
    if (heard) this.say(heard.update, heard.begins);
  }

  say(update: AgentUpdate, begins = false): void {
    if (!this.turn?.take(update, begins)) this.state.tell({ type: 'aside', update });
  }

  /** Tool calls with what their terminals printed. */
  private withTerminals(news: News): News {
    if (news.type !== 'update' || news.update.type !== 'toolCall') return news;
    this.turn?.quiet.heard();
    const { callId, changes } = news.update;
    const told = this.terminals.take(callId, changes, news.terminals ?? []);
    return told ? { ...news, update: { ...news.update, changes: told } } : { type: 'nothing' };
  }

  private paramsOf({ parts, path }: AgentPrompt): object {
    const { abilities, agentName, takesPath } = this.context;
    if (parts.length === 0) throw new AgentError('invalid', 'There is nothing to say.');
    const prompt = contentBlocks(parts, abilities, agentName);
    return { sessionId: this.id, prompt, ...(takesPath ? { _meta: { throughline: { path } } } : {}) };
  }
}

function overOrAborted(over: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    void over.then(done);
  });
}
