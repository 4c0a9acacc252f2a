// The tool calls of a turn as they were told, with the terminals that they show. Promises: what is told of a call has in
// the place of a terminal's id what it printed; while a command runs that is told four times a second at most, and when it
// ends at once and whole; an update that changes nothing is not told.

import { isDeepStrictEqual } from 'node:util';
import type { AgentUpdate, ToolCallChanges } from '../../../core/agentTurn.ts';
import type { Clock } from '../../../core/ports.ts';
import type { Json } from '../../../model/message.ts';
import { fieldsOf, textOf } from '../fields.ts';
import { mergedExtra } from '../toolCall.ts';
import type { Terminal } from './terminal.ts';

const pauseBetween = 250;

interface Call {
  /** As the agent gave it, or as we made it where it gave none. */
  content: readonly Json[];
  isGiven: boolean;
  shows: ReadonlySet<string>;
  extra: NonNullable<ToolCallChanges['extra']>;
  isOver: boolean;
  /** Since it was told, a terminal of it printed or ended. */
  isNew: boolean;
  /** Since it was told, a terminal of it ended. */
  isDue: boolean;
  /** What was told last leaves out what a running command printed before. */
  isCut: boolean;
}

export class ShownCalls {
  private readonly clock: Clock;
  private readonly tell: (update: AgentUpdate) => void;
  private readonly terminalOf: (id: string) => Terminal;
  private readonly calls = new Map<string, Call>();
  private forgetTimer: (() => void) | null = null;

  constructor(clock: Clock, tell: (update: AgentUpdate) => void, terminalOf: (id: string) => Terminal) {
    this.clock = clock;
    this.tell = tell;
    this.terminalOf = terminalOf;
  }

  /** What an update changes, as it is to be told; null where it changes nothing. `brought` are terminals of the update. */
  take(callId: string, changes: ToolCallChanges, brought: readonly string[]): ToolCallChanges | null {
    const known = this.calls.get(callId);
    const call = known ?? newCall();
    this.calls.set(callId, call);
    const { output, extra: added, ...rest } = changes;
    const content = output ?? contentWith(call, brought);
    if (content) show(call, content);
    if (output) call.isGiven = true;
    if (rest.status) call.isOver = rest.status === 'completed' || rest.status === 'failed';
    const extra = added && mergedExtra(call.extra, added);
    const extraIsNew = extra !== undefined && !isDeepStrictEqual(extra, call.extra);
    if (extraIsNew) call.extra = extra;
    const told = {
      ...rest,
      ...(extraIsNew ? { extra } : {}),
      ...(content || call.isDue ? { output: this.outputOf(call, false) } : {}),
    };
    return known && Object.keys(told).length === 0 ? null : told;
  }

  /** The terminal printed something, or ended. */
  mark(terminal: Terminal): void {
    for (const call of this.calls.values()) {
      if (!call.shows.has(terminal.id)) continue;
      call.isNew = true;
      call.isDue ||= terminal.exit !== null;
      // What is told of a call that is over goes to the disk each time.
      if (!call.isOver) this.forgetTimer ??= this.clock.after(pauseBetween, () => this.tellRunning());
    }
  }

  /** The calls with a terminal that ended. */
  tellDue(): void {
    this.tellThose(call => call.isDue, false);
  }

  /** Everything, also of what still runs. */
  tellAll(): void {
    this.tellThose(call => call.isNew || call.isCut, true);
  }

  clear(): void {
    this.forgetTimer?.();
    this.forgetTimer = null;
    this.calls.clear();
  }

  private tellRunning(): void {
    this.forgetTimer = null;
    this.tellThose(call => call.isNew && !call.isOver, false);
  }

  private tellThose(isMeant: (call: Call) => boolean, whole: boolean): void {
    for (const [callId, call] of this.calls)
      if (isMeant(call)) this.tell({ type: 'toolCall', callId, changes: { output: this.outputOf(call, whole) } });
  }

  private outputOf(call: Call, whole: boolean): readonly Json[] {
    const terminals = [...call.shows].map(this.terminalOf);
    call.isNew = false;
    call.isDue = false;
    call.isCut = !whole && terminals.some(terminal => terminal.isCut);
    return outputWith(call.content, this.terminalOf, whole);
  }
}

export function outputWith(
  content: readonly Json[],
  terminalOf: (id: string) => Terminal,
  whole: boolean,
): readonly Json[] {
  return content.map(item => {
    const id = terminalIn(item);
    if (id === undefined) return item;
    const meta = fieldsOf(item)?.['_meta'] ?? null;
    return { ...terminalOf(id).shown(whole), ...(meta === null ? {} : { _meta: meta }) };
  });
}

function newCall(): Call {
  return {
    content: [],
    isGiven: false,
    shows: new Set(),
    extra: {},
    isOver: false,
    isNew: false,
    isDue: false,
    isCut: false,
  };
}

function show(call: Call, content: readonly Json[]): void {
  call.content = content;
  call.shows = new Set(content.flatMap(item => terminalIn(item) ?? []));
}

/** A call to which the agent gave no content shows the terminals of which the agent tells with it. */
function contentWith(call: Call, brought: readonly string[]): readonly Json[] | undefined {
  const missing = [...new Set(brought)].filter(id => !call.shows.has(id));
  if (call.isGiven || missing.length === 0) return undefined;
  return [...call.content, ...missing.map(terminalId => ({ type: 'terminal', terminalId }))];
}

function terminalIn(item: Json): string | undefined {
  const { type, terminalId } = fieldsOf(item) ?? {};
  return type === 'terminal' ? textOf(terminalId) : undefined;
}
