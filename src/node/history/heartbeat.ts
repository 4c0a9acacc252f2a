// The sign of life of this process for the others on the same history: `writers/<writer>`, touched every few seconds.
// It is advisory: who is thought dead may go on writing and nothing is lost; who is thought alive is only looked at
// more often. A sign that cannot be written is therefore not an error.

import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const touchEvery = 5_000;
const freshFor = 15_000;
const forgottenAfter = 24 * 3600_000;

export class Heartbeat {
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly folder: string;
  private readonly file: string;
  private readonly now: () => number;

  constructor(folder: string, writer: string, now: () => number) {
    this.folder = join(folder, 'writers');
    this.file = join(this.folder, writer);
    this.now = now;
  }

  /** From the first record on; a window that only reads needs no sign. */
  start(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.touch(), touchEvery);
    this.touch();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    quietly(() => rmSync(this.file, { force: true }));
  }

  /** The writers that gave a sign lately, this process among them. */
  alive(): ReadonlySet<string> {
    const found = new Set<string>();
    quietly(() => {
      for (const writer of readdirSync(this.folder)) {
        const age = this.now() - statSync(join(this.folder, writer)).mtimeMs;
        if (age < freshFor) found.add(writer);
        else if (age > forgottenAfter) rmSync(join(this.folder, writer), { force: true });
      }
    });
    return found;
  }

  private touch(): void {
    quietly(() => {
      const seconds = this.now() / 1000;
      try {
        utimesSync(this.file, seconds, seconds);
      } catch {
        mkdirSync(this.folder, { recursive: true, mode: 0o700 });
        writeFileSync(this.file, '', { mode: 0o600 });
      }
    });
  }
}

function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // See above: a sign of life that fails costs nothing but a later look.
  }
}
