// What somebody says about a file: the client wrote it, a tool call names it, the person saved it. Promises: such a file is
// looked at at once, also where a walk would pass it over; a path that leads out of the workspace is not looked at. Leaves
// to the turn what it means.

import type { FileWrite } from '../../../core/files.ts';
import { guardIn, type Guard } from '../guard.ts';
import { hashOf } from './kept.ts';
import type { Turn } from './turn.ts';
import type { Workspace } from './workspace.ts';

const mark = '\ufeff';
const noFigures = { mtime: 0, ctime: 0, ino: 0, isYoung: false, seenAt: 0 };

export class Claims {
  private readonly workspace: Workspace;
  private readonly guard: Guard;
  private readonly work = new Set<Promise<void>>();

  constructor(workspace: Workspace, folders: () => readonly string[]) {
    this.workspace = workspace;
    this.guard = guardIn(folders);
  }

  wrote(turn: Turn, write: FileWrite): void {
    const isFirst = !turn.hasWritten(write.path);
    turn.claim(write.path, 'written');
    this.track(async () => {
      await this.workspace.lookAtNamed([write.path]);
      if (isFirst) await this.wroteFirst(turn, write);
    });
  }

  told(turn: Turn, paths: readonly string[]): void {
    this.track(async () => {
      const real: string[] = [];
      for (const path of paths) {
        const guarded = await this.guard.resolve(path, 'read');
        if (guarded.kind === 'refused') continue;
        turn.claim(guarded.real, 'told');
        real.push(guarded.real);
      }
      await this.workspace.lookAtNamed(real);
    });
  }

  savedByPerson(path: string): void {
    this.track(async () => {
      const guarded = await this.guard.resolve(path, 'read');
      if (guarded.kind !== 'refused') await this.changedByPerson(guarded.real);
    });
  }

  async changedByPerson(real: string): Promise<void> {
    if (this.workspace.turns.size === 0) return;
    await this.workspace.lookAtNamed([real]);
    for (const turn of this.workspace.turns) turn.savedByPerson(real);
  }

  async settled(): Promise<void> {
    while (this.work.size > 0) await Promise.all(this.work);
  }

  private async wroteFirst(turn: Turn, { path, before, after }: FileWrite): Promise<void> {
    const { stock, kept, places } = this.workspace;
    if (before === null) {
      turn.wroteFirst(path, null);
      return;
    }
    // A text comes without the mark that the file may have, and keeps.
    const hasMark = stock.fileAt(path)?.sha256 === hashOf(Buffer.from(mark + after));
    const bytes = Buffer.from(hasMark ? mark + before : before);
    const sha256 = hashOf(bytes);
    if (!places.isSecret(path)) await kept.put(sha256, bytes);
    turn.wroteFirst(path, { ...noFigures, size: bytes.length, sha256 });
  }

  private track(run: () => Promise<void>): void {
    const done = run().catch(() => {
      // The last look at the end of the turn sees what this one did not.
    });
    this.work.add(done);
    void done.then(() => this.work.delete(done));
  }
}
