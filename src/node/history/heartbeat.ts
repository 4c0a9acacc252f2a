// The signs of life of this window for the others on the same history: `writers/<id>`, touched every few seconds. There is
// one for the window's own id, by which bindings and queues know it, and one for the writer of the segments that it
// writes now, which is another one after its worker was restarted.
// Signs are advisory: a window that is thought dead may go on writing and nothing is lost; one that is thought alive is
// only looked at more often. A sign that can't be written is therefore not an error.

import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOf } from '../ids.ts';

const touchEvery = 5_000;
const freshFor = 15_000;
const forgottenAfter = 24 * 3600_000;

export class Heartbeat {
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly folder: string;
  private readonly own: ReadonlySet<string>;
  private readonly now: () => number;

  constructor(folder: string, writer: string, now: () => number) {
    this.folder = join(folder, 'writers');
    this.own = new Set([ownerOf(writer), writer]);
    this.now = now;
  }

  /** Also where a window only reads: the others say that it is there. */
  start(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.touchAll(), touchEvery);
    this.touchAll();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    for (const id of this.own) ignoreErrors(() => rmSync(this.file(id), { force: true }));
  }

  /** The windows and writers that gave a sign lately, this window's among them. */
  alive(): ReadonlySet<string> {
    const found = new Set<string>();
    ignoreErrors(() => {
      for (const id of readdirSync(this.folder)) {
        const age = this.now() - statSync(this.file(id)).mtimeMs;
        if (age < freshFor) found.add(id);
        else if (age > forgottenAfter) rmSync(this.file(id), { force: true });
      }
    });
    return found;
  }

  /** The windows that gave a sign lately. */
  windows(): ReadonlySet<string> {
    return new Set([...this.alive()].map(ownerOf));
  }

  private touchAll(): void {
    for (const id of this.own) this.touch(id);
  }

  private touch(id: string): void {
    ignoreErrors(() => {
      const seconds = this.now() / 1000;
      try {
        utimesSync(this.file(id), seconds, seconds);
      } catch {
        mkdirSync(this.folder, { recursive: true, mode: 0o700 });
        writeFileSync(this.file(id), '', { mode: 0o600 });
      }
    });
  }

  private file(id: string): string {
    return join(this.folder, id);
  }
}

function ignoreErrors(run: () => void): void {
  try {
    run();
  } catch {
    // A sign of life that fails costs nothing but a later look.
  }
}
