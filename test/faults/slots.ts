// The sessions that all processes of a kill run work on: six places, each with a session at a time. Whoever is about to
// erase a session leaves it first, and the next one comes in its place for everybody. Promises: all processes name the
// same sessions; which one it is is kept as files, so that it outlives whoever is killed.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const places = 6;
const calm = 'calm';

export class Slots {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  pick(random: () => number): number {
    return Math.floor(random() * places);
  }

  session(place: number): string {
    return idOf(this.folder, place, this.left(place));
  }

  /** Gives the session that was there. */
  leave(place: number): string {
    const left = this.left(place);
    writeFileSync(join(this.folder, `${place}.${left}`), '');
    return idOf(this.folder, place, left);
  }

  /** While it is calm, there is little erasing and joining: otherwise no snapshot would ever live for long. */
  isCalm(): boolean {
    return existsSync(join(this.folder, calm));
  }

  setCalm(on: boolean): void {
    if (on) writeFileSync(join(this.folder, calm), '');
    else rmSync(join(this.folder, calm), { force: true });
  }

  private left(place: number): number {
    return readdirSync(this.folder).filter(name => name.startsWith(`${place}.`)).length;
  }
}

function idOf(folder: string, place: number, left: number): string {
  return `s${createHash('sha256').update(`${folder} ${place} ${left}`).digest('hex').slice(0, 11)}`;
}
