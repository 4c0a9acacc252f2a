// The terminals of one session: those that we run, and those of which the agent tells in `_meta`. Promises: both come to
// the tool calls of the running turn in the same way; before the end of the turn the last state of each is told, and after
// it nothing; what nobody may name any more is forgotten then. Leaves to others who runs the commands.

import type { AgentUpdate, ToolCallChanges } from '../../../core/agentTurn.ts';
import type { Clock } from '../../../core/ports.ts';
import { outputWith, ShownCalls } from './shownCalls.ts';
import { Terminal } from './terminal.ts';
import type { TerminalExit, TerminalNews } from './terminalNews.ts';

interface Running {
  end(): void;
}

export class SessionTerminals {
  private readonly calls: ShownCalls;
  private readonly terminals = new Map<string, Terminal>();
  /** Those that we run, until the agent releases them. */
  private readonly held = new Set<string>();
  private readonly running = new Set<Running>();
  private readonly over = new AbortController();
  private isTurn = false;

  constructor(clock: Clock, tell: (update: AgentUpdate) => void) {
    this.calls = new ShownCalls(clock, tell, id => this.terminal(id));
  }

  /** Aborted when the session is closed or its agent is gone: nothing may run on. */
  get closed(): AbortSignal {
    return this.over.signal;
  }

  close(): void {
    this.over.abort();
  }

  /** Until `ended` settles. */
  run(command: Running, ended: Promise<unknown>): void {
    this.running.add(command);
    const over = () => void this.running.delete(command);
    ended.then(over, over);
  }

  /** The commands that run end; the agent may go on to name their terminals. */
  endAll(): void {
    for (const command of this.running) command.end();
  }

  /** One that we run: what the agent says of it in `_meta` is not believed. */
  hold(id: string, command: string, cwd: string): Terminal {
    const terminal = this.terminal(id);
    terminal.describe(command, cwd);
    this.held.add(id);
    return terminal;
  }

  print(terminal: Terminal, text: string): void {
    terminal.print(text);
    this.calls.mark(terminal);
  }

  end(terminal: Terminal, exit: TerminalExit): void {
    terminal.end(exit);
    this.calls.mark(terminal);
    this.calls.tellDue();
  }

  /** What it printed stays until the turn ends, for the tool calls that show it. */
  release(terminal: Terminal): void {
    this.held.delete(terminal.id);
    if (!this.isTurn) this.terminals.delete(terminal.id);
  }

  beginTurn(): void {
    this.isTurn = true;
  }

  /** Whatever comes after a cancel may come too late. */
  tellAll(): void {
    this.calls.tellAll();
  }

  endTurn(): void {
    this.calls.tellAll();
    this.calls.clear();
    this.isTurn = false;
    for (const id of this.terminals.keys()) if (!this.held.has(id)) this.terminals.delete(id);
  }

  /** What an update of a tool call changes, as it is to be told; null where it changes nothing. */
  take(callId: string, changes: ToolCallChanges, news: readonly TerminalNews[]): ToolCallChanges | null {
    if (!this.isTurn) return news.length > 0 && Object.keys(changes).length === 0 ? null : this.inPlace(changes);
    const brought = news.filter(({ terminalId }) => !this.held.has(terminalId));
    for (const one of brought) this.hear(one);
    const told = this.calls.take(
      callId,
      changes,
      brought.map(({ terminalId }) => terminalId),
    );
    // Another call may show the same terminal.
    this.calls.tellDue();
    return told;
  }

  private hear(news: TerminalNews): void {
    const terminal = this.terminal(news.terminalId);
    if (news.type === 'info') terminal.describe(news.command, news.cwd);
    else if (news.type === 'output') terminal.print(news.data);
    else terminal.end(news.exit);
    this.calls.mark(terminal);
  }

  private terminal(id: string): Terminal {
    const known = this.terminals.get(id);
    if (known) return known;
    const made = new Terminal(id);
    this.terminals.set(id, made);
    return made;
  }

  private inPlace(changes: ToolCallChanges): ToolCallChanges {
    const { output } = changes;
    if (!output) return changes;
    const terminalOf = (id: string) => this.terminals.get(id) ?? new Terminal(id);
    return { ...changes, output: outputWith(output, terminalOf, true) };
  }
}
