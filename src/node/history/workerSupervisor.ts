// Keeps a history worker running for a window. When the worker ends unexpectedly, another one is started, under a new
// writer's name, and whatever waited for an answer is asked again as `callRules` says; an append is looked up first, so
// that it is neither lost nor doubled. While no worker runs for longer than `patience`, calls fail with the reason, and
// the next start goes on being tried. Nothing is acknowledged that isn't durable.

import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { HistoryError, stackOf } from '../../core/history/historyError.ts';
import type { HistoryChange } from '../../core/history/historyChange.ts';
import type { ExchangeProgress } from '../../core/exchange/exchange.ts';
import type { ScanProgress } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import type { Fact } from '../../model/record.ts';
import { writerOf } from '../ids.ts';
import type { Recovery } from './intake.ts';
import { putBack } from './longTexts.ts';
import { callRules } from './workerCalls.ts';
import type { AppendAttempt, Calls, Failure, FromWorker, ToWorker, WorkerData, WorkerStart } from './workerMessages.ts';

export interface SupervisorStart extends WorkerStart {
  readonly workerFile: string | URL;
  /** In milliseconds: for so long a call waits for a worker that is restarted. */
  readonly patience?: number;
}

export interface SupervisorEvents {
  readonly onAppended: (change: HistoryChange) => void;
  readonly onWarning: (warning: HistoryError) => void;
  /** The worker ended unexpectedly; another one is started. */
  readonly onCrash: (cause: HistoryError) => void;
}

type Progress = ScanProgress | ExchangeProgress;

interface PendingCall {
  readonly id: number;
  readonly message: ToWorker;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** The worker that has it; null while it waits for one. */
  sentTo: Worker | null;
  /** It was answered, and the long texts of the answer are on their way. */
  isAssembling: boolean;
  crashes: number;
}

type State =
  | { readonly kind: 'opening'; readonly worker: Worker }
  | { readonly kind: 'running'; readonly worker: Worker }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly kind: 'closed' };

const usualPatience = 5000;
/** So many restarts in this time happen at once; each further one waits. */
const freeRestarts = 5;
const freeWithin = 10_000;
const restartDelay = 1000;
const longestDelay = 15_000;

export class WorkerSupervisor {
  readonly opened: Promise<Recovery>;
  private state: State = { kind: 'closed' };
  private settleOpened: { resolve: (recovery: Recovery) => void; reject: (cause: unknown) => void } | null = null;
  private isClosing = false;
  private readonly pending = new Map<number, PendingCall>();
  private nextId = 0;
  /** The appends that may have been written without being acknowledged, by their facts. */
  private readonly attempts = new WeakMap<
    readonly Fact[],
    { readonly number: number; readonly writers: Set<string> }
  >();
  private nextAppend = 0;
  private readonly assembling = new Set<Promise<void>>();
  /** Where the clock was when the window was told of something last. */
  private tick = '';
  private starts = 0;
  private failedStarts = 0;
  private readonly crashTimes: number[] = [];
  private patience: ReturnType<typeof setTimeout> | null = null;
  /** Why there is no worker, once that has taken too long. */
  private missing: HistoryError | null = null;
  private readonly start: SupervisorStart;
  private readonly events: SupervisorEvents;

  constructor(start: SupervisorStart, events: SupervisorEvents) {
    this.start = start;
    this.events = events;
    this.opened = new Promise((resolve, reject) => (this.settleOpened = { resolve, reject }));
    this.startWorker();
  }

  ask<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): Promise<ReturnType<Calls[Name]>> {
    return this.askAs(this.nextId++, undefined, name, ...args);
  }

  append(session: SessionId, facts: readonly Fact[]): Promise<undefined> {
    let attempt = this.attempts.get(facts);
    if (!attempt) this.attempts.set(facts, (attempt = { number: this.nextAppend++, writers: new Set() }));
    return this.ask('append', session, facts, { number: attempt.number, writers: [] });
  }

  /** A call that tells of its progress. The signal makes the worker answer it early, by the call of that name. */
  async askWithProgress<Name extends 'scan' | 'exportJson' | 'importJson'>(
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    signal.throwIfAborted();
    const id = this.nextId++;
    const stop = () => void (name === 'scan' ? this.ask('stopScan') : this.ask('stop', id)).catch(() => {});
    signal.addEventListener('abort', stop);
    try {
      return await this.askAs(id, onProgress, name, ...args);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Whatever was asked before is answered first. Never fails. */
  async close(): Promise<void> {
    if (this.isClosing || this.state.kind === 'closed') return;
    const closed = this.ask('close');
    this.isClosing = true;
    // Without a worker there is nothing to close.
    await closed.catch(() => {});
    this.end(new HistoryError('closed'));
  }

  private askAs<Name extends keyof Calls>(
    id: number,
    onProgress: ((progress: Progress) => void) | undefined,
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    return new Promise((resolve, reject) => {
      const refusal = this.isClosing || this.state.kind === 'closed' ? new HistoryError('closed') : this.missing;
      if (refusal) return reject(refusal);
      // The compiler doesn't follow which arguments belong to which name.
      const message = { name, args, id } as unknown as ToWorker;
      const call: PendingCall = {
        id,
        message,
        resolve: value => resolve(value as ReturnType<Calls[Name]>),
        reject,
        onProgress,
        sentTo: null,
        isAssembling: false,
        crashes: 0,
      };
      this.pending.set(id, call);
      if (this.state.kind === 'running') this.send(call, this.state.worker);
    });
  }

  private get writer(): string {
    return writerOf(this.start.writer, this.starts - 1);
  }

  private startWorker(): void {
    const { folder, wasmFile } = this.start;
    const workerFile = fileOf(this.start.workerFile);
    const resumeAfter = this.settleOpened ? null : this.tick;
    this.starts++;
    const worker = new Worker(workerFile, {
      name: `history ${this.writer}`,
      workerData: { folder, wasmFile, workerFile, writer: this.writer, resumeAfter } satisfies WorkerData,
      // Building the full-text index makes much garbage: without a limit the heap grows by 100 MB to hold it.
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    });
    this.state = { kind: 'opening', worker };
    let failure: HistoryError | null = null;
    const ended = (cause: unknown) => {
      if ('worker' in this.state && this.state.worker === worker) this.workerEnded(failure ?? errorOfEnd(cause));
    };
    worker.on('error', ended);
    worker.on('exit', code => ended(Object.assign(new Error('The worker exited.'), { code })));
    worker.on('messageerror', () => this.askForText(worker));
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'failed') failure = errorOf(message.failure);
      else if ('worker' in this.state && this.state.worker === worker) this.receive(message, worker);
    });
  }

  private receive(message: Exclude<FromWorker, { type: 'failed' }>, worker: Worker): void {
    switch (message.type) {
      case 'opened':
        this.workerOpened(worker, message.recovery, message.tick);
        break;
      case 'answer':
        this.answered(message, worker);
        break;
      case 'answerText':
        this.take(message.id)?.resolve(JSON.parse(message.json));
        break;
      case 'progress':
        this.pending.get(message.id)?.onProgress?.(message.progress);
        break;
      case 'refused':
        this.settle(message.id, call => call.reject(errorOf(message.failure)));
        break;
      case 'appended': {
        this.tick = message.tick;
        const tell = () => this.events.onAppended(message.change);
        // Whoever waits for an answer has it before they hear of what came after it.
        if (this.assembling.size === 0) tell();
        else void Promise.all(this.assembling).then(tell);
        break;
      }
      case 'warned':
        this.events.onWarning(errorOf(message.failure));
        break;
      default:
        message satisfies never;
    }
  }

  private workerOpened(worker: Worker, recovery: Recovery, tick: string): void {
    this.state = { kind: 'running', worker };
    this.failedStarts = 0;
    if (this.patience) clearTimeout(this.patience);
    this.patience = this.missing = null;
    if (this.settleOpened) {
      this.tick = tick;
      this.settleOpened.resolve(recovery);
      this.settleOpened = null;
    }
    for (const call of this.pending.values()) this.send(call, worker);
  }

  private workerEnded(cause: HistoryError): void {
    const wasRunning = this.state.kind === 'running';
    if (this.settleOpened) {
      this.settleOpened.reject(cause);
      return this.end(cause);
    }
    this.settleCallsOfCrash();
    if (!wasRunning) this.failedStarts++;
    // A worker that ended before it was open has said so already, or will again.
    else this.events.onCrash(cause);
    this.state = { kind: 'waiting', timer: setTimeout(() => this.startWorker(), this.delay()) };
    this.patience ??= setTimeout(() => this.giveUpWaiting(cause), this.start.patience ?? usualPatience);
    if (this.missing) this.missing = asMissing(cause);
  }

  /** What the worker was at when it ended: that call may be the reason, so it isn't asked again for ever. */
  private settleCallsOfCrash(): void {
    const sent = [...this.pending.values()].filter(call => call.sentTo !== null && !call.isAssembling);
    const current = sent.find(({ message }) => callRules[message.name].answered === 'in order');
    for (const call of this.pending.values()) {
      const rule = callRules[call.message.name];
      const wasSent = call.sentTo !== null;
      if (call === current || (wasSent && rule.answered === 'when done')) call.crashes++;
      call.sentTo = null;
      call.isAssembling = false;
      if (rule.afterCrash === 'forget') this.take(call.id);
      else if (rule.afterCrash === 'refuse' && wasSent) this.take(call.id)?.reject(new HistoryError('restarting'));
      else if (call.crashes >= rule.mostCrashes) this.take(call.id)?.reject(new HistoryError('crashed'));
    }
  }

  private delay(): number {
    const now = performance.now();
    this.crashTimes.push(now);
    while ((this.crashTimes[0] ?? now) < now - freeWithin) this.crashTimes.shift();
    if (this.failedStarts > 0) return Math.min(longestDelay, 250 * 2 ** this.failedStarts);
    return this.crashTimes.length <= freeRestarts ? 0 : restartDelay;
  }

  private giveUpWaiting(cause: HistoryError): void {
    const missing = (this.missing = asMissing(cause));
    for (const { id } of [...this.pending.values()]) this.take(id)?.reject(missing);
  }

  private send(call: PendingCall, worker: Worker): void {
    call.sentTo = worker;
    worker.postMessage(this.withAttempt(call.message));
  }

  /** Of an append: which writers may have written it before this one. */
  private withAttempt(message: ToWorker): ToWorker {
    if (message.name !== 'append') return message;
    const [session, facts, { number }] = message.args;
    const written = this.attempts.get(facts)?.writers ?? new Set<string>();
    const writers = [...written].filter(writer => writer !== this.writer);
    written.add(this.writer);
    const attempt: AppendAttempt = { number, writers };
    return { ...message, args: [session, facts, attempt] };
  }

  /** The call has its answer. */
  private take(id: number): PendingCall | undefined {
    const call = this.pending.get(id);
    this.pending.delete(id);
    return call;
  }

  private settle(id: number, settle: (call: PendingCall) => void): void {
    const call = this.take(id);
    if (!call) return;
    settle(call);
    // At once: the exit of the worker may be reported in the same turn of the event loop.
    if (call.message.name === 'close') this.end(new HistoryError('closed'));
  }

  private answered({ id, value, texts = [] }: Extract<FromWorker, { type: 'answer' }>, worker: Worker): void {
    const call = this.pending.get(id);
    if (call?.message.name === 'append') this.attempts.delete(call.message.args[1]);
    if (!call || texts.length === 0) return this.settle(id, one => one.resolve(value));
    call.isAssembling = true;
    const whole = putBack(value, texts, (text, offset) => this.ask('textPart', id, text, offset)).then(
      () => void (call.sentTo === worker && this.take(id)?.resolve(value)),
      (cause: unknown) => void (call.sentTo === worker && this.take(id)?.reject(cause)),
    );
    this.assembling.add(whole);
    void whole.finally(() => this.assembling.delete(whole));
  }

  /**
   * Something in an answer is nested deeper than this thread can take from another; as text it can be read. It is the
   * answer to the oldest of the calls that are answered in order.
   */
  private askForText(worker: Worker): void {
    const unread = [...this.pending.values()].find(
      ({ message, sentTo, isAssembling }) =>
        sentTo === worker && !isAssembling && callRules[message.name].answered === 'in order',
    );
    if (!unread) return;
    // It is answered after those that were asked meanwhile.
    this.pending.delete(unread.id);
    this.pending.set(unread.id, unread);
    worker.postMessage({ ...unread.message, asText: true } satisfies ToWorker);
  }

  private end(cause: HistoryError): void {
    const { state } = this;
    this.state = { kind: 'closed' };
    if (state.kind === 'waiting') clearTimeout(state.timer);
    // One that was asked to close has ended by itself; one that didn't open has nothing to save.
    if (state.kind === 'opening') void state.worker.terminate();
    if (this.patience) clearTimeout(this.patience);
    for (const { id } of [...this.pending.values()]) this.take(id)?.reject(cause);
  }
}

function asMissing(cause: HistoryError): HistoryError {
  // Why it can't be opened says more than that it is being opened.
  return cause.code === 'internal' ? new HistoryError('restarting', cause) : cause;
}

function errorOfEnd(cause: unknown): HistoryError {
  return new HistoryError('internal', new Error(stackOf(cause)));
}

export function errorOf({ code, detail }: Failure): HistoryError {
  return new HistoryError(code, detail === '' ? undefined : new Error(detail));
}

function fileOf(file: string | URL): string {
  return typeof file === 'string' ? file : fileURLToPath(file);
}
