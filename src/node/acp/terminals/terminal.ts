// What is known of one terminal, whoever runs its command. Promises: what was printed is kept as it is, up to ten mebibytes
// of the newest.

import type { TerminalOutput } from '../../../model/message.ts';
import { NewestText, type Newest } from './newestText.ts';
import type { TerminalExit } from './terminalNews.ts';

const mostKept = 10 * 1024 * 1024;
/** A person who watches reads the last lines; the rest is told once it is over. */
const mostWhileRunning = 16 * 1024;

export class Terminal {
  readonly id: string;
  private readonly printed = new NewestText(mostKept);
  private about: { readonly command?: string; readonly cwd?: string } = {};
  private ended: TerminalExit | null = null;

  constructor(id: string) {
    this.id = id;
  }

  get exit(): TerminalExit | null {
    return this.ended;
  }

  /** Null leaves what is known. */
  describe(command: string | null, cwd: string | null): void {
    this.about = { ...this.about, ...(command === null ? {} : { command }), ...(cwd === null ? {} : { cwd }) };
  }

  print(text: string): void {
    this.printed.add(text);
  }

  end(exit: TerminalExit): void {
    this.ended = exit;
  }

  /** What is shown while it runs leaves something out. */
  get isCut(): boolean {
    return this.ended === null && !this.newest(mostWhileRunning).isWhole;
  }

  newest(bytes: number): Newest {
    return this.printed.newest(bytes);
  }

  /** While the command runs only its last words, unless all are asked for. */
  shown(all: boolean): TerminalOutput {
    const { text, isWhole } = this.newest(all || this.ended ? mostKept : mostWhileRunning);
    return {
      type: 'terminal',
      terminalId: this.id,
      ...this.about,
      output: text,
      ...(isWhole ? {} : { truncated: true }),
      ...(this.ended ? { exit: this.ended } : {}),
    };
  }
}
