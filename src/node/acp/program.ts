// An agent that speaks ACP, as a program that is started when it is needed. Promises: however many ask at the same time,
// it is started once; it is stopped when nothing was asked of it for a while, unless it would forget what it was told;
// one that is gone is started again by the next who asks. How it is reached is the transport's matter.

import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { AgentError, type AgentProgram, type RunningAgent } from '../../core/agents.ts';
import type { Clock } from '../../core/ports.ts';
import type { AboutAgent, AgentRef } from '../../model/message.ts';
import { AcpAgent } from './acpAgent.ts';
import type { ClientHandlers } from './clientHandlers.ts';
import { agentErrorOf, deathWords } from './errors.ts';
import type { ClientInfo, Handshake } from './handshake.ts';
import type { Transport } from './transport.ts';

export interface AcpProgramOptions {
  readonly ref: AgentRef;
  /** Where these are not given, they are what the agent says of itself once it was started. */
  readonly about?: AboutAgent;
  readonly takesPath?: boolean;
  /** Starts it. Throws AgentError; the signal says that nobody waits any more. */
  readonly open: (signal: AbortSignal) => Promise<Transport>;
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  readonly handlers?: ClientHandlers;
  readonly capabilities?: ClientCapabilities;
  /** Where it works when no folder is open. */
  readonly homeFolder: string;
  readonly newPermissionId: () => string;
  /** Milliseconds without a request; absent for an agent that runs on. */
  readonly idleAfter?: number;
  readonly onWarning: (words: string) => void;
}

interface Start {
  readonly agent: Promise<AcpAgent>;
  readonly abort: AbortController;
  waiting: number;
}

class AcpProgram implements AgentProgram {
  private readonly options: AcpProgramOptions;
  private handshake: Handshake | null = null;
  private starting: Start | null = null;
  private running: AcpAgent | null = null;
  private stopping: Promise<void> = Promise.resolve();
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

  async start(signal: AbortSignal): Promise<RunningAgent> {
    if (signal.aborted) throw cancelled();
    if (this.running) {
      this.idle(false);
      this.idle(true);
      return this.running;
    }
    const start = (this.starting ??= this.begin());
    start.waiting++;
    try {
      return await waitFor(start.agent, signal);
    } finally {
      // Whoever goes last puts out the light.
      if (--start.waiting === 0 && this.starting === start) this.giveUp();
    }
  }

  async stop(): Promise<void> {
    this.idle(false);
    const { starting, running } = this;
    this.giveUp();
    this.running = null;
    // One that was just starting stops by itself.
    if (starting) await starting.agent.catch(() => {});
    if (running) this.end(running);
    await this.stopping;
  }

  private giveUp(): void {
    this.starting?.abort.abort();
    this.starting = null;
  }

  /** The next start waits until this is over. */
  private end(agent: AcpAgent): void {
    this.stopping = Promise.all([this.stopping, agent.stop()]).then(() => {});
  }

  private begin(): Start {
    const abort = new AbortController();
    const agent = this.stopping.then(() => this.open(abort.signal));
    const start: Start = { agent, abort, waiting: 0 };
    const over = () => {
      if (this.starting === start) this.starting = null;
    };
    agent.then(over, over);
    return start;
  }

  private async open(signal: AbortSignal): Promise<AcpAgent> {
    if (signal.aborted) throw cancelled();
    const { ref, open, clock, clientInfo, homeFolder, newPermissionId, onWarning } = this.options;
    const transport = await open(signal);
    const agent: AcpAgent = new AcpAgent(transport, {
      name: ref.name,
      clock,
      clientInfo,
      handlers: this.options.handlers ?? {},
      capabilities: this.options.capabilities ?? {},
      homeFolder,
      newPermissionId,
      onWarning,
      onBusy: busy => {
        if (this.running === agent) this.idle(!busy);
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
      throw new AgentError('cannot-start', `${ref.name} could not be started. ${words}`, cause);
    }
    if (signal.aborted) {
      this.end(agent);
      throw cancelled();
    }
    this.running = agent;
    void agent.ended.then(() => {
      if (this.running !== agent) return;
      this.idle(false);
      this.running = null;
    });
    this.idle(true);
    return agent;
  }

  private idle(isIdle: boolean): void {
    this.forgetIdle();
    this.forgetIdle = () => {};
    const { idleAfter, clock } = this.options;
    if (!isIdle || idleAfter === undefined) return;
    this.forgetIdle = clock.after(idleAfter, () => {
      if (this.running?.mayForget) void this.stop();
    });
  }
}

export function acpProgram(options: AcpProgramOptions): AgentProgram {
  return new AcpProgram(options);
}

/** The value, or `cancelled` as soon as the signal says so. */
function waitFor<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function cancelled(): AgentError {
  return new AgentError('cancelled', 'It was cancelled.');
}
