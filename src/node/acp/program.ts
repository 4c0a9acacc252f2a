// An agent that speaks ACP, as a program that is started when it is needed. Promises: however many ask at the same time,
// it is started once; it is stopped when nothing was asked of it for a while, unless it would forget what it was told, and
// never while a person signs in; one that is gone is started again by the next who asks, until it is retired. How it is
// reached is the transport's matter.

import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { AgentError } from '../../core/agentError.ts';
import type { AgentProgram, AskPerson, AuthMethod, RunningAgent } from '../../core/agents.ts';
import { usualNewest } from '../../core/conversation/fitting.ts';
import type { Clock } from '../../core/ports.ts';
import type { AboutAgent, AgentRef } from '../../model/message.ts';
import { AcpAgent } from './acpAgent.ts';
import type { HandlersFor } from './clientHandlers.ts';
import { agentErrorOf, deathWords, redactNothing, type Redact } from './errors.ts';
import type { ClientInfo, Handshake } from './handshake.ts';
import type { McpServer } from './mcpServers.ts';
import { SharedStart } from './sharedStart.ts';
import type { Transport } from './transport.ts';
import { cancelled, waitFor } from './waitFor.ts';

export interface AcpProgramOptions {
  readonly ref: AgentRef;
  /** Where these are not given, they are what the agent says of itself once it was started. */
  readonly about?: AboutAgent;
  readonly takesPath?: boolean;
  readonly hasWindow?: boolean;
  /** As it is set now. */
  readonly newestKept?: () => number;
  /** Starts it. Throws AgentError; the signal says that nobody waits any more. */
  readonly open: (signal: AbortSignal) => Promise<Transport>;
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  readonly handlers?: HandlersFor;
  readonly capabilities?: ClientCapabilities;
  /** Where it works when no folder is open. */
  readonly homeFolder: string;
  /** Signs the person in at its command line, and resolves when that ended with 0. Else throws AgentError with words. */
  readonly inTerminal?: (method: AuthMethod, signal: AbortSignal) => Promise<void>;
  /** What each session is opened with; asked anew for each. */
  readonly mcpServers?: () => Promise<readonly McpServer[]>;
  readonly newPermissionId: () => string;
  /** Milliseconds without a request; absent for an agent that runs on. */
  readonly idleAfter?: number;
  readonly onWarning: (words: string) => void;
  /** Absent for an agent that is given no secrets. */
  readonly redact?: Redact;
  /** As `AgentProgram` has them. */
  readonly asksFirst?: () => Promise<boolean>;
  readonly isAsking?: () => boolean;
}

export interface RetirableProgram extends AgentProgram {
  /** It is stopped, and whoever still holds it cannot start it again. */
  retire(): Promise<void>;
}

class AcpProgram implements RetirableProgram {
  private readonly options: AcpProgramOptions;
  private handshake: Handshake | null = null;
  // The next start waits until the last stop is over.
  private readonly starting = new SharedStart(signal => this.stopping.then(() => this.open(signal)));
  private running: AcpAgent | null = null;
  private stopping: Promise<void> = Promise.resolve();
  private retired = false;
  /** A request is under way. */
  private busy = false;
  private signingIn = 0;
  private forgetIdle: () => void = () => {};

  constructor(options: AcpProgramOptions) {
    this.options = options;
  }

  get ref(): AgentRef {
    return this.options.ref;
  }

  get about(): AboutAgent | null {
    return this.options.about ?? this.handshake?.about ?? null;
  }

  get takesPath(): boolean {
    return this.options.takesPath ?? this.handshake?.takesPath ?? false;
  }

  get hasWindow(): boolean {
    return this.options.hasWindow ?? false;
  }

  get newestKept(): number {
    return this.options.newestKept?.() ?? usualNewest;
  }

  asksFirst(): Promise<boolean> {
    return this.options.asksFirst?.() ?? Promise.resolve(false);
  }

  isAsking(): boolean {
    return this.options.isAsking?.() ?? false;
  }

  start(signal: AbortSignal): Promise<RunningAgent> {
    return this.startAgent(signal);
  }

  async signIn(id: string, ask: AskPerson, signal: AbortSignal): Promise<void> {
    const agent = await this.startAgent(signal);
    const method = agent.abilities.authMethods.find(one => one.id === id);
    if (!method) throw new AgentError('invalid', `${this.ref.name} knows no such way to sign in.`);
    this.signingIn++;
    this.rest();
    try {
      if (method.kind === 'agent') await agent.authenticate(id, ask, signal);
      else await this.signInAtTerminal(method, signal);
    } finally {
      this.signingIn--;
      this.rest();
    }
  }

  async stop(): Promise<void> {
    const { running } = this;
    const givenUp = this.starting.giveUp();
    this.gone();
    if (running) this.end(running);
    await givenUp;
    await this.stopping;
  }

  retire(): Promise<void> {
    this.retired = true;
    return this.stop();
  }

  private async signInAtTerminal(method: AuthMethod, signal: AbortSignal): Promise<void> {
    const { inTerminal } = this.options;
    if (!inTerminal) throw new AgentError('not-supported', `${this.ref.name} has no terminal to sign in at.`);
    await waitFor(inTerminal(method, signal), signal);
    // It reads who the person is when it starts.
    await this.stop();
  }

  private async startAgent(signal: AbortSignal): Promise<AcpAgent> {
    if (signal.aborted) throw cancelled();
    const { name } = this.ref;
    if (this.retired) throw new AgentError('cannot-start', `${name} is not among the agents of the settings any more.`);
    if (this.running) {
      this.rest();
      return this.running;
    }
    return this.starting.join(signal);
  }

  private end(agent: AcpAgent): void {
    this.stopping = Promise.all([this.stopping, agent.stop()]).then(() => {});
  }

  private async open(signal: AbortSignal): Promise<AcpAgent> {
    if (signal.aborted) throw cancelled();
    const { ref, open, clock, clientInfo, homeFolder, newPermissionId, onWarning } = this.options;
    const transport = await open(signal);
    const agent: AcpAgent = new AcpAgent(transport, {
      name: ref.name,
      clock,
      clientInfo,
      handlers: this.options.handlers ?? (() => ({})),
      capabilities: this.options.capabilities ?? {},
      homeFolder,
      mcpServers: this.options.mcpServers ?? (() => Promise.resolve([])),
      signInTerminal: this.options.inTerminal !== undefined,
      newPermissionId,
      onWarning,
      redact: this.options.redact ?? redactNothing,
      onBusy: busy => {
        if (this.running !== agent) return;
        this.busy = busy;
        this.rest();
      },
    });
    try {
      this.handshake = await agent.greet(signal);
    } catch (cause) {
      const error = agentErrorOf(cause);
      const early = error.code === 'ended' ? await agent.ended : null;
      this.end(agent);
      if (error.code === 'cancelled' || error.code === 'cannot-start' || error.code === 'sign-in') throw error;
      const words = early ? deathWords(ref.name, early) : error.message;
      throw new AgentError('cannot-start', `${ref.name} could not be started. ${words}`);
    }
    if (signal.aborted) {
      this.end(agent);
      throw cancelled();
    }
    this.running = agent;
    void agent.ended.then(() => {
      if (this.running === agent) this.gone();
    });
    this.rest();
    return agent;
  }

  private gone(): void {
    this.running = null;
    this.busy = false;
    this.rest();
  }

  /** From now on the time counts, where nothing is under way. */
  private rest(): void {
    this.forgetIdle();
    this.forgetIdle = () => {};
    const { idleAfter, clock } = this.options;
    if (!this.running || this.busy || this.signingIn > 0 || idleAfter === undefined) return;
    this.forgetIdle = clock.after(idleAfter, () => {
      if (this.running?.mayForget) void this.stop();
    });
  }
}

export function acpProgram(options: AcpProgramOptions): RetirableProgram {
  return new AcpProgram(options);
}
