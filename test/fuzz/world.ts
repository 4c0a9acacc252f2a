// Two windows over one history, with their agents and their time, and one move after another. After each move nothing is
// left to do but what waits for a move: all of it is promise jobs, so a turn of the event loop is the end of them.

import type { SessionId } from '../../src/model/message.ts';
import type { CanResume } from './fakeAgent.ts';
import { FakeDisk } from './fakeDisk.ts';
import { checkStep, type Code } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { makeOf, type Move } from './moves.ts';
import { VirtualTime } from './virtualTime.ts';
import { agentIds, Window, type AgentId, type Surroundings } from './window.ts';

export interface Violation {
  readonly code: Code;
  readonly words: string;
  readonly step: number;
}

/** More rounds than this without an end are a violation of their own. */
const mostRounds = 40;

export class World {
  readonly session: SessionId = 'session1';
  readonly time = new VirtualTime();
  readonly ledger = new Ledger();
  readonly disk: FakeDisk;
  readonly violations: Violation[] = [];
  /** By their place on the screen. */
  readonly windows: (Window | null)[] = [null, null];
  /** Those that have been opened, in order. */
  readonly opened: Window[] = [];
  /** Windows are silent for a while, and live. */
  readonly hasStalls: boolean;
  step = 0;
  private isOver = false;
  private messages = 0;
  private readonly around: Surroundings;

  constructor(can: CanResume, hasStalls: boolean) {
    this.hasStalls = hasStalls;
    this.disk = new FakeDisk(this.session, this.time);
    this.disk.onWritten = (facts, writer) => this.ledger.written(facts, writer);
    this.around = {
      disk: this.disk,
      ledger: this.ledger,
      files: new Map(agentIds.map(id => [id, new Map()])),
      can,
      newMessage: () => `m${String(this.messages++).padStart(6, '0')}`,
      report: (code, words) => this.report(code, words),
    };
  }

  report(code: Code, words: string): void {
    if (this.isOver) return;
    if (!this.violations.some(one => one.code === code)) this.violations.push({ code, words, step: this.step });
  }

  get living(): readonly Window[] {
    return this.windows.flatMap(window => (window && !window.isGone ? [window] : []));
  }

  open(place: number, agent: AgentId, isEnd = false): void {
    if (!canOpen(this, place)) return;
    const window = new Window(this.opened.length, this.around);
    this.opened.push(window);
    this.windows[place] = window;
    window.open(!this.disk.truth.isThere, agent, isEnd);
  }

  /** A message and all below it, for ever, by whoever does that. */
  erase(id: string): void {
    for (const one of this.disk.truth.tree.subtree(id)) {
      const words = (this.disk.truth.message(one)?.blocks ?? []).map(block => ('text' in block ? block.text : ''));
      this.ledger.erased(words.join('\n'));
      for (const { transcript } of this.living.flatMap(({ conversation }) => conversation ?? [])) {
        const below = transcript.messages.slice(transcript.messages.findIndex(message => message.id === one));
        if (below.length < transcript.messages.length || transcript.messages[0]?.id === one) {
          for (const { blocks } of below)
            for (const block of blocks) if ('text' in block) this.ledger.erased(block.text);
        }
      }
    }
    this.disk.erase(id);
  }

  /** What still holds promises or signals lets go of them, so that a long run does not grow. */
  async forget(): Promise<void> {
    this.isOver = true;
    for (const window of this.opened) {
      if (!window.isGone) window.kill();
      for (const agent of window.agents.values()) agent.forget();
    }
    await turnOfLoop();
  }

  /** Until nothing more happens by itself. */
  async settle(): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      await turnOfLoop();
      let isQuiet = true;
      for (const { way, isGone } of this.opened) if (!isGone && !way.isBehind && way.deliver()) isQuiet = false;
      if (isQuiet) return;
    }
    this.report('never-quiet', `After ${mostRounds} rounds the windows still tell each other of appends.`);
  }

  async advance(milliseconds: number): Promise<void> {
    await this.time.advance(
      milliseconds,
      () => this.settle(),
      cause => this.report('thrown-in-timer', String(cause)),
    );
  }

  /** One move with all that comes of it; nothing where it finds nothing to do. */
  async play(move: Move): Promise<void> {
    this.step++;
    const run = makeOf(this, move);
    if (!run) return;
    await run();
    await this.settle();
    for (const window of this.opened) if (!window.isGone) checkStep(window);
  }
}

/** A session that is not in history yet is open in one window only. */
export function canOpen({ windows, living, disk }: World, place: number): boolean {
  const there = windows[place];
  if (there && !there.isGone) return false;
  return disk.truth.isThere || living.length === 0;
}

/** All promise jobs are done when the event loop comes round. */
function turnOfLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
