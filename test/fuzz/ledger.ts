// What persons wrote, and what became of it. Every text of a person begins with a mark of its own (`p7v0` is the seventh
// prompt as it was first written), so that it is known again at an agent, in history and in a queue.

import type { AgentPrompt } from '../../src/core/agentTurn.ts';
import type { Queued } from '../../src/model/agentState.ts';
import type { Fact } from '../../src/model/record.ts';
import { wordsIn } from './fakeDisk.ts';
import type { Code } from './invariants.ts';
import type { Window } from './window.ts';

const marks = /p\d+v\d+/g;

interface Given {
  readonly mark: string;
  readonly window: Window;
  /** How many windows had been opened by then. */
  readonly windows: number;
  /** What became of the windows that gave it before, if any. */
  readonly after: 'nothing' | 'crash' | 'stall' | 'none of these';
}

export interface Prompt {
  /** That the panel gave it. */
  readonly id: string;
  /** As it was written, and as it was changed later; the last one counts. */
  readonly versions: { readonly mark: string; readonly window: Window }[];
  fate: 'asked' | 'sent' | 'refused';
  /** It waited in a queue at some time. */
  hasWaited: boolean;
  takenBack: boolean;
  /** It was deleted together with what it answers. */
  isErased: boolean;
  readonly given: Given[];
  /** The windows that showed it as waiting. */
  readonly shownIn: Set<Window>;
}

export class Ledger {
  private readonly prompts = new Map<string, Prompt>();
  private readonly byMark = new Map<string, Prompt>();
  /** What was durable at some time. */
  private readonly durable = new Set<string>();
  /** Where a prompt was last written as waiting, and where each window last wrote what waits in it. */
  private readonly waitedAt = new Map<Prompt, { readonly at: number; readonly writer: string }>();
  private readonly queueWritten = new Map<string, number>();
  private records = 0;
  private readonly wellLeft = new Set<Window>();
  /** Those of them that left before the session was in history. */
  private readonly leftUnstored = new Set<Window>();

  get size(): number {
    return this.prompts.size;
  }

  get all(): readonly Prompt[] {
    return [...this.prompts.values()];
  }

  /** The mark with which the words of a new prompt begin. */
  ask(window: Window): { readonly id: string; readonly mark: string } {
    const id = `q${this.prompts.size}`;
    const mark = `p${this.prompts.size}v0`;
    const prompt: Prompt = {
      id,
      versions: [{ mark, window }],
      fate: 'asked',
      hasWaited: false,
      takenBack: false,
      isErased: false,
      given: [],
      shownIn: new Set(),
    };
    this.prompts.set(id, prompt);
    this.byMark.set(mark, prompt);
    return { id, mark };
  }

  /** False for one that has another id than it was given, because two windows changed it. */
  knows(id: string): boolean {
    return this.prompts.has(id);
  }

  /** Whether its words are those that were written in this window. */
  isFrom(window: Window, id: string): boolean {
    return this.prompts.get(id)?.versions.at(-1)?.window === window;
  }

  answered(id: string, isSent: boolean): void {
    const prompt = this.prompts.get(id);
    if (prompt) prompt.fate = isSent ? 'sent' : 'refused';
  }

  /** The mark of the new words of a prompt that waits in this window. */
  change(window: Window, id: string): string | null {
    const prompt = this.prompts.get(id);
    if (!prompt) return null;
    const mark = `${prompt.versions[0]?.mark.replace(/v0$/, '')}v${prompt.versions.length}`;
    prompt.versions.push({ mark, window });
    this.byMark.set(mark, prompt);
    return mark;
  }

  takeBack(id: string): void {
    const prompt = this.prompts.get(id);
    if (prompt) prompt.takenBack = true;
  }

  /** What this window shows as waiting. */
  shown(window: Window, queue: readonly Queued[]): void {
    for (const { id } of queue) {
      const prompt = this.prompts.get(id);
      if (!prompt) continue;
      prompt.hasWaited = true;
      prompt.shownIn.add(window);
    }
  }

  /** A prompt reached an agent. */
  given({ parts }: AgentPrompt, window: Window, windows: number): void {
    const said = parts.findLast(part => part.type === 'text');
    const mark = said?.type === 'text' ? said.text.slice(0, 40).match(marks)?.[0] : undefined;
    const prompt = mark === undefined ? undefined : this.byMark.get(mark);
    if (!prompt || mark === undefined) return;
    // What can't be saved may be sent once more by the next window: the person agreed to that.
    if (window.hasAcceptedUnsaved) return;
    const before = prompt.given.findLast(one => one.mark === mark);
    // The next window knew of it from the one that died.
    const hasCrashed = before?.window.wasKilled && window.order >= before.windows;
    const wasStalled = [...prompt.shownIn].some(({ way }) => way.stalledUntil > 0);
    const after = before === undefined ? 'nothing' : hasCrashed ? 'crash' : wasStalled ? 'stall' : 'none of these';
    prompt.given.push({ mark, window, windows, after });
  }

  written(facts: readonly Fact[], writer: string): void {
    const at = this.records++;
    for (const fact of facts) {
      const isQueue = fact.type === 'set' && (fact.name === 'queue' || fact.name === 'queued');
      if (isQueue) this.queueWritten.set(writer, at);
      for (const mark of wordsIn(fact).match(marks) ?? []) {
        this.durable.add(mark);
        const prompt = this.byMark.get(mark);
        if (isQueue && prompt) this.waitedAt.set(prompt, { at, writer });
      }
    }
  }

  erased(words: string): void {
    for (const mark of words.match(marks) ?? []) {
      const prompt = this.byMark.get(mark);
      if (prompt) prompt.isErased = true;
    }
  }

  left(window: Window, isStored: boolean): void {
    this.wellLeft.add(window);
    if (!isStored) this.leftUnstored.add(window);
  }

  /**
   * At the end: `inHistory` are the marks in messages that are kept or shown, `waiting` those that the next window shows as
   * waiting, and `unsaved` those of which history refused something.
   */
  check(
    inHistory: ReadonlySet<string>,
    waiting: ReadonlySet<string>,
    unsaved: ReadonlySet<string>,
    report: (code: Code, words: string) => void,
  ): void {
    for (const prompt of this.all) {
      this.checkGiven(prompt, report);
      const { fate, takenBack, isErased, hasWaited, versions, shownIn } = prompt;
      if (fate !== 'sent' && shownIn.size === 0) continue;
      if (takenBack || isErased) continue;
      const marksOf = versions.map(({ mark }) => mark);
      const isThere = (mark: string) => inHistory.has(mark) || waiting.has(mark);
      const last = versions.at(-1);
      if (!last) continue;
      if (!marksOf.some(isThere)) {
        if (marksOf.some(mark => unsaved.has(mark)) || !this.mustBeKept(marksOf, [...shownIn, last.window])) continue;
        report(hasWaited ? this.howLost(prompt) : 'accepted-prompt-lost', `${last.mark} is nowhere.`);
      } else if (!isThere(last.mark) && this.mustBeKept([last.mark], [last.window])) {
        const writers = new Set(versions.slice(1).map(({ window }) => window));
        if (writers.size === 1)
          report('changed-words-lost', `${last.mark} is nowhere, and older words of it are there.`);
      }
    }
  }

  /** In other words it is another prompt: two windows may send both. */
  private checkGiven({ given: all, hasWaited, id }: Prompt, report: (code: Code, words: string) => void): void {
    const given = all.filter(({ mark }) => all.filter(one => one.mark === mark).length > 1);
    if (given.length < 2) return;
    const words = `${id} was given as ${given.map(({ mark, window }) => `${mark} by ${window.writer}`).join(' and ')}.`;
    if (!hasWaited) return report('prompt-sent-twice', words);
    const whys = given.map(({ after }) => after);
    if (whys.includes('none of these')) report('queued-sent-twice', words);
    else report(whys.includes('crash') ? 'sent-again-after-crash' : 'sent-twice-after-stall', words);
  }

  private howLost(prompt: Prompt): Code {
    if ([...prompt.shownIn].some(window => this.leftUnstored.has(window))) return 'queued-before-saved-lost';
    const { at = Infinity, writer = '' } = this.waitedAt.get(prompt) ?? {};
    const isBeside = [...this.queueWritten].some(([other, last]) => other !== writer && last > at);
    return isBeside ? 'queued-prompt-lost-beside' : 'queued-prompt-lost';
  }

  /** It was on the disk once, or a window that had it lives or has left in order. */
  private mustBeKept(marksOf: readonly string[], windows: readonly Window[]): boolean {
    return marksOf.some(mark => this.durable.has(mark)) || windows.some(one => this.wellLeft.has(one) || !one.isGone);
  }
}

export function marksIn(text: string): readonly string[] {
  return text.match(marks) ?? [];
}
