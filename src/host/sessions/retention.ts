// Puts sessions away by the person's own rules, when the history is first used and every hour. Promises: the person sees
// what would go and agrees before rules are first followed, after a long break, where the clock jumped and where much would
// go; nothing that is open or runs in any window goes; of several windows one does it; what went is said with an Undo, and
// in one line in the log. Which sessions are due is core/retention's.

import type { History } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import {
  dueOf,
  keptKey,
  mustAsk,
  rulesKey,
  type Due,
  type LastRun,
  type RetentionRules,
} from '../../core/retention.ts';
import type { SessionId } from '../../model/message.ts';
import { retentionFileIn, type RetentionFile } from '../../node/history/retentionFile.ts';
import type { Report } from '../report.ts';
import { Hourly } from './hourly.ts';
import { doneWords, offerWords } from './retentionWords.ts';

export interface RetentionPorts {
  readonly history: () => Promise<Pick<History, 'sessions' | 'open' | 'append' | 'trash' | 'restore'>>;
  /** Of the history. */
  readonly folder: string;
  readonly rules: () => RetentionRules;
  /** It is open in this window, whether it runs or not. */
  readonly isOpen: (session: SessionId) => boolean;
  readonly clock: Clock;
  readonly report: Report;
  readonly asking: RetentionAsking;
}

/** How the person is asked and told. */
export interface RetentionAsking {
  /** True where they want to see what would go. */
  readonly offer: (words: string) => Promise<boolean>;
  /** What they agreed to; undefined where they left it. */
  readonly choose: (due: readonly Due[], rules: RetentionRules, now: number) => Promise<readonly Due[] | undefined>;
  /** True where they want it back. */
  readonly told: (words: string) => Promise<boolean>;
}

const day = 86_400_000;
const askAgainAfter = day;
const longestTurn = day;

export class Retention {
  /** The rules that were not agreed to in this window: it does not ask again until they are others. */
  private declined: string | null = null;
  private readonly ports: RetentionPorts;
  private readonly file: RetentionFile;
  private readonly hourly: Hourly;

  constructor(ports: RetentionPorts) {
    this.ports = ports;
    this.file = retentionFileIn(ports.folder);
    this.hourly = new Hourly(
      ports.clock,
      this.file.alone,
      () => this.run(),
      cause => ports.report.warn('Sessions could not be put away by your settings.', cause),
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
    const { clock, rules: read, history } = this.ports;
    const [rules, now, opened] = [read(), clock.now(), await history()];
    const all = (await opened.sessions()).filter(({ trashed }) => !trashed);
    const due = await this.free(dueOf(all, rules, now, ({ id }) => this.ports.isOpen(id)));
    const last = await this.file.read();
    const key = rulesKey(rules);
    if (due.length === 0) {
      // So that the next time that something is due does not look like one after a long break.
      if (last?.agreed === key && now > last.at) await this.file.write({ ...last, at: now });
      return;
    }
    let wanted: readonly Due[] = due;
    // Who gave a session its date has not agreed to the rules by that.
    let agreedTo = last?.agreed ?? '';
    if (mustAsk(due, all.length, rules, last, now)) {
      if (this.declined === key || wasDeclined(last, key, now)) return;
      const agreed = (await this.ports.asking.offer(offerWords(due, all.length, rules.action)))
        ? await this.ports.asking.choose(due, rules, now)
        : undefined;
      if (!agreed || rulesKey(read()) !== key) {
        this.declined = key;
        await this.file.write({ at: last?.at ?? now, agreed: last?.agreed ?? '', declined: { key, at: now } });
        return;
      }
      for (const one of due) if (!agreed.includes(one)) await this.keep(one);
      wanted = agreed;
      agreedTo = key;
    }
    await this.file.write({ at: clock.now(), agreed: agreedTo });
    // Whoever looked at the list may have opened one meanwhile.
    await this.putAway(await this.free(wanted.filter(({ summary }) => !this.ports.isOpen(summary.id))), rules);
  }

  /** Those that no other window is having answered. */
  private async free(due: readonly Due[]): Promise<readonly Due[]> {
    const history = await this.ports.history();
    const free: Due[] = [];
    const now = this.ports.clock.now();
    for (const one of due) {
      // Its last prompt is as old, so nobody answers it; and there may be thousands.
      if (now - one.summary.active > longestTurn) {
        free.push(one);
        continue;
      }
      const stored = await history.open(one.summary.id);
      if (stored && stored.writing === null && !stored.trashed) free.push(one);
    }
    return free;
  }

  private async putAway(due: readonly Due[], { action }: RetentionRules): Promise<void> {
    const { report } = this.ports;
    const history = await this.ports.history();
    const done: Due[] = [];
    for (const one of due) {
      const { id } = one.summary;
      try {
        if (action === 'trash') await history.trash(id);
        else await history.append(id, [{ type: 'set', session: id, name: 'archived', value: true }]);
        done.push(one);
      } catch (cause) {
        report.warn('A session could not be put away by your settings.', cause);
      }
    }
    if (done.length === 0) return;
    report.info(`Put away by the settings of retention: ${done.length}, to the ${action}.`);
    // Not awaited: other windows may go on, and the notification stays for as long as it likes.
    void this.ports.asking.told(doneWords(done, action)).then(
      async isUndone => {
        if (isUndone) for (const one of done) await this.bringBack(one, action);
      },
      (cause: unknown) => report.failure('Not everything could be brought back.', cause),
    );
  }

  private async bringBack(one: Due, action: RetentionRules['action']): Promise<void> {
    const history = await this.ports.history();
    const { id } = one.summary;
    await this.keep(one);
    if (action === 'trash') await history.restore(id);
    else await history.append(id, [{ type: 'set', session: id, name: 'archived', value: false }]);
  }

  /** No rule is about it any more, and its date is taken away. */
  private async keep({ summary: { id, expires } }: Due): Promise<void> {
    const history = await this.ports.history();
    await history.append(id, [
      { type: 'set', session: id, name: 'metadata', of: keptKey, value: true },
      ...(expires === null ? [] : [{ type: 'set', session: id, name: 'expires', value: null } as const]),
    ]);
  }
}

/** In another window, or before this one was reloaded. */
function wasDeclined(last: LastRun | null, key: string, now: number): boolean {
  const { declined } = last ?? {};
  return declined?.key === key && now >= declined.at && now < declined.at + askAgainAfter;
}
