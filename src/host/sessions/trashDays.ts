// Offers to delete for ever what has been in the trash for as many days as the person set. Promises: nothing goes before the
// person saw the list and confirmed it, every time; what they uncheck stays in the trash; what was restored, opened or
// trashed anew while they looked stays; of several windows one asks, at most once a day; what went is said, and in one line
// of the log. Which sessions are due is core/trashDays's.

import type { History } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import { dueInTrash, leftInTrashKey, mayAsk, watched, type InTrash, type TrashWatch } from '../../core/trashDays.ts';
import type { SessionId } from '../../model/message.ts';
import { trashFileIn, type RunFile } from '../../node/history/retentionFile.ts';
import type { Report } from '../report.ts';
import { Hourly } from './hourly.ts';
import { trashOfferWords } from './retentionWords.ts';

export interface TrashDaysPorts {
  readonly history: () => Promise<Pick<History, 'sessions' | 'trashedSince' | 'append'>>;
  /** Of the history. */
  readonly folder: string;
  /** 0 leaves the trash alone. */
  readonly days: () => number;
  readonly isOpen: (session: SessionId) => boolean;
  /** For ever; gives how many files hold something of it still. */
  readonly erase: (session: SessionId) => Promise<number>;
  readonly clock: Clock;
  readonly report: Report;
  readonly asking: TrashAsking;
}

/** How the person is asked and told. */
export interface TrashAsking {
  /** True where they want to see what would go. */
  readonly offer: (words: string) => Promise<boolean>;
  /** What they leave checked; undefined where they left it. */
  readonly choose: (due: readonly InTrash[]) => Promise<readonly InTrash[] | undefined>;
  /** Null unless they read what will be gone, and that it is for ever, and want that. */
  readonly confirm: (chosen: readonly InTrash[]) => Promise<Confirmed | null>;
}

export interface Confirmed {
  /** To be called when they are erased here: agents delete their copies where the person chose that, and it is told. */
  readonly finish: (done: readonly InTrash[], remaining: number) => Promise<void>;
}

export class TrashDays {
  private readonly ports: TrashDaysPorts;
  private readonly file: RunFile<TrashWatch>;
  private readonly hourly: Hourly;

  constructor(ports: TrashDaysPorts) {
    this.ports = ports;
    this.file = trashFileIn(ports.folder);
    this.hourly = new Hourly(
      ports.clock,
      this.file.alone,
      () => this.run(),
      cause => ports.report.warn('What is due in the trash could not be looked at.', cause),
    );
  }

  /** Now, and from then on every hour. */
  begin(): Promise<void> {
    return this.hourly.begin();
  }

  dispose(): void {
    this.hourly.dispose();
  }

  private async run(): Promise<void> {
    const { days: read, asking, clock } = this.ports;
    const days = read();
    if (days <= 0) return;
    const watch = watched(await this.file.read(), clock.now());
    await this.file.write(watch);
    const due = await this.due(days, watch);
    if (due.length === 0 || !mayAsk(watch, days)) return;
    const chosen = (await asking.offer(trashOfferWords(due.length, days))) ? await asking.choose(due) : undefined;
    const confirmed = chosen !== undefined && chosen.length > 0 ? await asking.confirm(chosen) : null;
    await this.file.write({ ...watched(watch, clock.now()), asked: { days, at: clock.now() } });
    if (!chosen || (chosen.length > 0 && !confirmed) || read() !== days) return;
    for (const one of due) if (!chosen.includes(one)) await this.leave(one);
    if (confirmed) await this.erase(await this.still(chosen), confirmed);
  }

  private async due(days: number, watch: TrashWatch): Promise<readonly InTrash[]> {
    const { history, isOpen } = this.ports;
    const opened = await history();
    const since = await opened.trashedSince();
    if (since.size === 0) return [];
    return dueInTrash(await opened.sessions({ trashed: true }), since, days, watch, isOpen);
  }

  /** Whoever looked at the list, or another window, may have restored, opened or changed one meanwhile. */
  private async still(chosen: readonly InTrash[]): Promise<readonly InTrash[]> {
    const { history, isOpen } = this.ports;
    const opened = await history();
    const since = await opened.trashedSince();
    const now = new Map((await opened.sessions({ trashed: true })).map(summary => [summary.id, summary]));
    return chosen.filter(({ summary: { id, active }, since: was }) => {
      return since.get(id) === was && now.get(id)?.active === active && !isOpen(id);
    });
  }

  private async erase(chosen: readonly InTrash[], { finish }: Confirmed): Promise<void> {
    const { report, erase } = this.ports;
    const done: InTrash[] = [];
    let remaining = 0;
    for (const one of chosen) {
      try {
        remaining += await erase(one.summary.id);
        done.push(one);
      } catch (cause) {
        report.warn('A session of the trash could not be deleted permanently.', cause);
      }
    }
    if (done.length === 0) return;
    report.info(`Deleted permanently after its days in the trash, as the person agreed: ${done.length}.`);
    await finish(done, remaining);
  }

  /** It stays in the trash until it is restored or deleted by hand. */
  private async leave({ summary: { id }, since }: InTrash): Promise<void> {
    const history = await this.ports.history();
    await history.append(id, [{ type: 'set', session: id, name: 'metadata', of: leftInTrashKey, value: since }]);
  }
}
