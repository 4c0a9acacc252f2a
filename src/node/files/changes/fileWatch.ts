// The port `FileWatch` on the disk of this machine: takes stock of the workspace, hears of changes while a turn runs, and
// says at its end which files it changed. Promises: beginning a turn waits for nothing; its end takes less than a second;
// nothing is watched when no turn runs and none was prepared for within the last minute.

import type { FileWatch, TurnFiles, WatchedTurn } from '../../../core/changes.ts';
import type { OpenEditors } from '../../../core/files.ts';
import type { Clock } from '../../../core/ports.ts';
import type { FileChange } from '../../../model/changes.ts';
import { ChangeList } from './changeList.ts';
import { Live } from './live.ts';
import { Claims } from './claims.ts';
import { putBack } from './putBack.ts';
import { Turn } from './turn.ts';
import { Workspace, type WorkspaceOptions } from './workspace.ts';

export interface FileWatchOptions extends WorkspaceOptions {
  readonly editors: OpenEditors;
}

export interface DiskWatch extends FileWatch {
  /** A person saved this file in an editor; not for what was written through the client. */
  savedByPerson(path: string): void;
  /** All that was begun to be looked at was looked at, so far as it is known that something happened. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Of the second that the end of a turn may take, the last look has this much, and the contents have until the second. */
const lastLookMs = 600;
const contentsMs = 850;
const endMs = 950;

export function fileWatch(options: FileWatchOptions): DiskWatch {
  const { clock, editors, onWarning } = options;
  const workspace = new Workspace(options);
  const claims = new Claims(workspace, options.folders);
  return {
    prepare: unkept => workspace.prepare(unkept),
    begin: listener => begin(workspace, claims, listener, clock, onWarning),
    savedByPerson: path => claims.savedByPerson(path),
    async putBack(path, is, becomes, signal) {
      await workspace.places.find(workspace.turns.size > 0);
      const isInside = (one: string) => workspace.places.topOf(one) !== null && !workspace.places.isOwn(one);
      const whySensitive = (one: string) => workspace.places.whySensitive(one, 'write');
      const answer = await putBack({ editors, isInside, whySensitive }, path, is, becomes, signal);
      // A turn that runs did not do this.
      if (answer.done) await claims.changedByPerson(path);
      return answer;
    },
    async settled() {
      await claims.settled();
      await workspace.settled();
    },
    async close() {
      await workspace.close();
      await claims.settled();
    },
  };
}

function begin(
  workspace: Workspace,
  claims: Claims,
  listener: WatchedTurn,
  clock: Clock,
  onWarning: (words: string) => void,
): TurnFiles {
  const { turns, stock } = workspace;
  const turn = new Turn(listener, stock, clock, turns, workspace.pendingPaths(), () => live.touch());
  const list = new ChangeList({
    contentOf: (path, sha256) => workspace.contentOf(path, sha256),
    isSecret: path => workspace.places.isSecret(path),
    onWarning,
  });
  const make = async (): Promise<readonly FileChange[]> => {
    turn.tellClashes();
    return list.make(turn.changed(), () => turn.hasEnded);
  };
  const live = new Live(clock, make, listener.onChange);
  let ended: Promise<readonly FileChange[]> | null = null;
  const end = async (): Promise<readonly FileChange[]> => {
    const beganAt = clock.now();
    live.stop();
    const isAfter = (milliseconds: number) => () => clock.now() - beganAt > milliseconds;
    const looked = (async () => {
      await claims.settled();
      const isWhole = await workspace.lastLook(turn.named, isAfter(lastLookMs));
      turn.tellClashes();
      await list.make(turn.changed(), isAfter(contentsMs));
      return isWhole;
    })().catch(() => false);
    let inTime = () => {};
    const late = new Promise<boolean>(resolve => {
      inTime = clock.after(endMs, () => resolve(false));
    });
    const isWhole = await Promise.race([looked, late]);
    inTime();
    if (!isWhole) onWarning('There was not enough time to look at all files: this turn may have changed more of them.');
    const changes = list.asMade(turn.changed());
    turn.hasEnded = true;
    workspace.leave(turn);
    return changes;
  };
  workspace.join(turn, listener.unkept ?? false);
  return {
    wrote: write => {
      if (!ended) claims.wrote(turn, write);
    },
    told: paths => {
      if (!ended) claims.told(turn, paths);
    },
    end: () => (ended ??= end()),
  };
}
