// One step while it is made: the state so far, and what comes of the step. Handlers change nothing else, so a step stays a
// function of the state, the input and what is given.

import type { Fact } from '../../model/record.ts';
import type { Transcript, TranscriptEvent } from '../../model/transcript.ts';
import { spentOn } from '../../model/spent.ts';
import type { HistoryError } from '../history/historyError.ts';
import type { Act, CallId, Effect, Job, JobId, JobKind, Jobs } from './effect.ts';
import type { AllowRule } from './allowRules.ts';
import type { GrowingTranscript } from './growingTranscript.ts';
import { leadsTo, type EntryPurpose, type Phase, type PhaseName, type State } from './state.ts';

/** What a step takes from outside besides its input. */
export interface Given {
  readonly now: number;
  readonly newMessage: () => string;
  /** This window, as history knows it. */
  readonly writer: string;
  readonly place: (folder: string | null) => { readonly cwd: string | null; readonly alsoIn: readonly string[] };
  /** The person's rules as they are now. Only a question needs them. */
  readonly rules: () => readonly AllowRule[];
  readonly hasFiles: boolean;
  /** Why no history can be read or written in this window, where that is so. */
  readonly unavailable: HistoryError | undefined;
}

/** An event and the transcript that it makes. */
export interface Shown {
  readonly event: TranscriptEvent;
  readonly transcript: GrowingTranscript;
}

export interface Stepped {
  readonly state: State;
  /** In order. */
  readonly events: readonly Shown[];
  readonly effects: readonly Effect[];
}

type Ask<Kind extends JobKind> = Jobs[Kind]['ask'];

export class Transition {
  readonly given: Given;
  private readonly events: Shown[] = [];
  readonly effects: Effect[] = [];
  private current: State;

  constructor(state: State, given: Given) {
    this.current = state;
    this.given = given;
  }

  get state(): State {
    return this.current;
  }

  get phase(): Phase {
    return this.current.phase;
  }

  get transcript(): Transcript {
    return this.current.transcript.whole;
  }

  get result(): Stepped {
    return { state: this.current, events: this.events, effects: this.effects };
  }

  set(changes: Partial<State>): void {
    this.current = { ...this.current, ...changes };
  }

  link(changes: Partial<State['link']>): void {
    this.set({ link: { ...this.current.link, ...changes } });
  }

  /** Throws where the phase may not follow on the one that is: that is a fault of ours, which must not pass in silence. */
  enter(phase: Phase): void {
    const allowed: readonly PhaseName[] = leadsTo[this.phase.name];
    if (phase.name !== this.phase.name && !allowed.includes(phase.name))
      throw new Error(`The conversation can't go from “${this.phase.name}” to “${phase.name}”.`);
    // Named, because both this and `show` are on the way of every piece of text.
    this.current = { ...this.current, phase };
  }

  show(event: TranscriptEvent): void {
    const next = this.current.transcript.with(event);
    if (!next) throw new Error(`The event ${event.type} does not fit the transcript of ${this.state.session}.`);
    this.current = { ...this.current, transcript: next };
    this.events.push({ event, transcript: next });
    if (event.type === 'pathChanged' || (event.type === 'messageEnded' && event.end.usage)) this.showSpent();
  }

  /** A panel has only a part of a long path, so that it can't add this up. */
  private showSpent(): void {
    const { messages, spent: before = null } = this.transcript;
    const spent = spentOn(messages);
    if (JSON.stringify(spent) !== JSON.stringify(before)) this.show({ type: 'spentChanged', spent });
  }

  /** Shows an event that waited until it was saved; another branch may be shown by now. */
  showLate(event: TranscriptEvent): void {
    if (this.current.transcript.with(event)) this.show(event);
  }

  warn(words: string): void {
    this.show({ type: 'warningsChanged', warnings: [...new Set([...(this.transcript.warnings ?? []), words])] });
  }

  run<Kind extends JobKind>(kind: Kind, ask: Ask<Kind>): JobId {
    const id = this.newId();
    // The compiler doesn't follow which question belongs to which kind.
    this.effects.push({ kind, id, ...ask } as unknown as Job);
    return id;
  }

  act(act: Act): void {
    this.effects.push(act);
  }

  reply(call: CallId | null, value?: unknown): void {
    if (call !== null) this.act({ kind: 'reply', call, value });
  }

  fail(call: CallId | null, cause: unknown): void {
    if (call !== null) this.act({ kind: 'fail', call, cause });
  }

  newId(): number {
    const id = this.state.nextId;
    this.set({ nextId: id + 1 });
    return id;
  }

  private noteOwn(facts: readonly Fact[]): void {
    const { following } = this.state;
    const names = facts.flatMap(fact => (fact.type === 'set' ? [fact.name] : []));
    if (!following.looking || names.length === 0) return;
    const own = new Set([...following.looking.own, ...names]);
    this.set({ following: { ...following, looking: { ...following.looking, own } } });
  }

  /** The facts go to history after all that waits before them. */
  save(facts: readonly Fact[], more: SaveOptions = {}): void {
    if (facts.length === 0) return;
    this.noteOwn(facts);
    const { isNowOrNever = false, purpose = null, after = [] } = more;
    const { saving } = this.state;
    this.set({
      saving: { ...saving, waiting: [...saving.waiting, { facts, isNowOrNever, purpose, after }], isDue: true },
    });
  }
}

export interface SaveOptions {
  readonly isNowOrNever?: boolean;
  readonly purpose?: EntryPurpose;
  readonly after?: readonly TranscriptEvent[];
}
