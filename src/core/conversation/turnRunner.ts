// Runs one turn behind the gate, from the reaching of the agent to its end. Whatever throws on the way, the turn ends, the
// gate opens and the person is told: nothing rejects that nobody waits for.

import { agentErrorIn } from '../agentError.ts';
import type { MessageEnd, SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import type { Clock } from '../ports.ts';
import { busy } from './branching.ts';
import type { Delivered, Ended } from './delivery.ts';
import type { Sent } from './terms.ts';
import type { RunningTurn, TurnGate } from './turnGate.ts';

export interface TurnRunnerPorts {
  readonly gate: TurnGate;
  readonly session: SessionId;
  readonly clock: Clock;
  readonly state: () => Transcript;
  readonly show: (event: TranscriptEvent) => void;
  readonly save: (facts: readonly Fact[]) => void;
  /** Aborted when the window closes: nothing begins from then on. */
  readonly leaving: AbortSignal;
  /** Nothing runs any more. */
  readonly onOver: () => void;
  /** The turn came to an end; not where the window closed before it, or nothing was sent. */
  readonly onEnded: (end: Ended) => void;
}

export class TurnRunner {
  private readonly ports: TurnRunnerPorts;

  constructor(ports: TurnRunnerPorts) {
    this.ports = ports;
  }

  /** Only where no change is under way. Resolves when the prompt is on its way, or is not to be sent. */
  async run(start: (signal: AbortSignal) => Promise<Delivered>): Promise<Sent> {
    const { gate, show, state, leaving } = this.ports;
    if (leaving.aborted) return { sent: false, words: 'It wasn’t sent: the window is closing.' };
    const turn = gate.begin();
    if (!turn) return busy;
    try {
      if (state().warnings) show({ type: 'warningsChanged', warnings: [] });
      show({ type: 'turnChanged', turn: { message: null, cancelling: false } });
      const delivered = await start(turn.signal);
      if ('ended' in delivered) {
        void this.finish(turn, delivered.ended);
        return { sent: true };
      }
      this.end(turn);
      return { sent: false, words: delivered.words };
    } catch (cause) {
      this.end(turn);
      const noAgent = agentErrorIn(cause)?.code === 'cannot-start' ? ({ noAgent: true } as const) : {};
      return { sent: false, words: wordsOf(cause), ...noAgent };
    }
  }

  private async finish(turn: RunningTurn, ended: Promise<Ended | null>): Promise<void> {
    const end = await ended.catch((cause: unknown) => this.breakOff(wordsOf(cause)));
    this.end(turn);
    if (end) this.ports.onEnded(end);
  }

  private end(turn: RunningTurn): void {
    turn.end(() => {
      this.ports.show({ type: 'turnChanged', turn: null });
      try {
        this.ports.onOver();
      } catch (cause) {
        this.warn(wordsOf(cause));
      }
    });
  }

  /** Something of ours threw while the agent answered: the message ends with it, in history too. */
  private breakOff(words: string): MessageEnd {
    const { session, clock, state, show, save } = this.ports;
    const end: MessageEnd = { reason: 'failed', at: clock.now(), detail: words };
    const id = state().turn?.message ?? null;
    if (id !== null && state().messages.some(message => message.id === id && !message.end)) {
      save([{ type: 'end', session, message: id, end }]);
      show({ type: 'messageEnded', message: id, end });
    } else this.warn(words);
    return end;
  }

  private warn(words: string): void {
    const { state, show } = this.ports;
    show({ type: 'warningsChanged', warnings: [...(state().warnings ?? []), words] });
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
