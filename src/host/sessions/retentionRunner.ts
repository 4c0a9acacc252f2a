// Applies one rule of core/retentionRules.ts when the history is first used and every hour: finds what is due, asks the user
// where the rule says so, and does what was agreed to. One window of a history does it at a time, and what changed or was
// opened while the user looked stays. Failures are logged, and the next hour comes all the same.

import type { History } from '../../core/history/history.ts';
import type { Clock } from '../../core/ports.ts';
import {
  afterAnswer,
  findDue,
  nextStep,
  retentionRules,
  stateAt,
  type Check,
  type Due,
  type RetentionAction,
  type RetentionSettings,
  type Rule,
  type RuleName,
} from '../../core/retentionRules.ts';
import type { SessionId } from '../../model/message.ts';
import { retentionFile, type RetentionFile } from '../../node/history/retentionFile.ts';
import type { Report } from '../report.ts';
import { putAwayMessage, retentionStrings, type ListStrings, type RuleStrings } from './retentionStrings.ts';

type RetentionHistory = Pick<History, 'sessions' | 'trashedSince' | 'fields' | 'append' | 'trash' | 'restore'>;

export interface RetentionPorts {
  readonly history: () => Promise<RetentionHistory>;
  /** Of the history. */
  readonly folder: string;
  readonly settings: () => RetentionSettings;
  /** It is open in this window, whether it runs or not. */
  readonly isOpen: (session: SessionId) => boolean;
  /** Deletes permanently; gives how many files hold something of it still. */
  readonly erase: (session: SessionId) => Promise<number>;
  readonly clock: Clock;
  readonly report: Report;
  readonly asking: RetentionAsking;
}

/** How the user is asked and told. */
export interface RetentionAsking {
  /** True where they want to see what is due. */
  readonly offer: (message: string) => Promise<boolean>;
  /** What they leave checked; undefined where they closed the list. */
  readonly choose: (due: readonly Due[], strings: ListStrings, now: number) => Promise<readonly Due[] | undefined>;
  /** Null unless they read what will be gone permanently, and want that. */
  readonly confirm: (chosen: readonly Due[]) => Promise<Finish | null>;
  /** True where they want it undone. */
  readonly tell: (message: string) => Promise<boolean>;
}

/** To be called once sessions are erased here: deletes agents' copies where the user chose that, and says so. */
export type Finish = (done: readonly Due[], remaining: number) => Promise<void>;

interface Agreed {
  readonly chosen: readonly Due[];
  readonly finish?: Finish;
}

const interval = 3_600_000;
const longestTurn = 86_400_000;

export class RetentionRunner {
  /** The settings that the user didn't agree to in this window. */
  private declined: string | null = null;
  private stopWaiting = () => {};
  private isDisposed = false;
  private readonly rule: Rule;
  private readonly strings: RuleStrings;
  private readonly ports: RetentionPorts;
  private readonly file: RetentionFile;

  constructor(name: RuleName, ports: RetentionPorts) {
    this.rule = retentionRules[name];
    this.strings = retentionStrings[name];
    this.ports = ports;
    this.file = retentionFile(ports.folder, name);
  }

  /** Checks now, and from then on every hour. */
  async begin(): Promise<void> {
    const { clock, report } = this.ports;
    this.isDisposed = false;
    await this.file.lock(() => this.check()).catch((cause: unknown) => report.warn(this.strings.checkFailed, cause));
    this.stopWaiting();
    if (!this.isDisposed) this.stopWaiting = clock.after(interval, () => void this.begin());
  }

  dispose(): void {
    this.isDisposed = true;
    this.stopWaiting();
  }

  private async check(): Promise<void> {
    const { ports, rule, file } = this;
    const settings = ports.settings();
    const key = rule.key(settings);
    if (key === null) return;
    const check: Check = { settings, state: await file.read(), now: ports.clock.now() };
    const { due, of } = await this.find(check);
    const checked = rule.checked(check.state, key, check.now, due.length > 0);
    if (checked) await file.write(checked);
    const step = nextStep(rule, due, of, check);
    if (step === 'nothing' || (step === 'ask' && this.declined === key)) return;
    const asked: Agreed | null = step === 'ask' ? await this.ask(due, of, check) : { chosen: due };
    const agreed = rule.key(ports.settings()) === key ? asked : null;
    // Before the agreement is stored: otherwise what was unchecked could go unasked.
    for (const one of due) if (agreed && !agreed.chosen.includes(one)) await this.keep(one);
    const answer = step === 'act' ? 'unasked' : agreed ? 'agreed' : 'declined';
    if (answer === 'declined' && !rule.asksEachTime) this.declined = key;
    const before = checked ?? check.state ?? stateAt(null, check.now);
    await file.write(afterAnswer(rule, before, key, ports.clock.now(), answer));
    if (agreed) await this.act(await this.stillDue(agreed.chosen, check), rule.action(settings), agreed.finish);
  }

  private async find(check: Check): Promise<{ readonly due: readonly Due[]; readonly of: number }> {
    const { inTrash } = this.rule;
    const history = await this.ports.history();
    const since = inTrash ? await history.trashedSince() : new Map<SessionId, number>();
    const sessions = await history.sessions({ trashed: inTrash });
    const due: Due[] = [];
    for (const one of findDue(this.rule, sessions, check, since, this.ports.isOpen)) {
      const { id, active } = one.summary;
      // After a day no window is still having it answered; and there may be thousands.
      const mayRun = !inTrash && check.now - active <= longestTurn;
      if (!mayRun || (await history.fields(id))?.writing === null) due.push(one);
    }
    return { due, of: sessions.length };
  }

  /** Null where they declined. */
  private async ask(due: readonly Due[], of: number, { settings, now }: Check): Promise<Agreed | null> {
    const { rule, strings } = this;
    const { asking } = this.ports;
    const isWanted = await asking.offer(strings.offer(due.length, of, settings));
    const chosen = isWanted ? await asking.choose(due, strings.list(settings), now) : undefined;
    if (!chosen) return null;
    if (rule.action(settings) !== 'erase' || chosen.length === 0) return { chosen };
    const finish = await asking.confirm(chosen);
    return finish && { chosen, finish };
  }

  /** Meanwhile another window may have restored or changed one, or this one opened it. */
  private async stillDue(chosen: readonly Due[], check: Check): Promise<readonly Due[]> {
    const { due } = await this.find(check);
    const byId = new Map(due.map(one => [one.summary.id, one]));
    return chosen.filter(({ summary: { id, active }, since }) => {
      const now = byId.get(id);
      return now?.summary.active === active && now.since === since;
    });
  }

  private async act(due: readonly Due[], action: RetentionAction, finish?: Finish): Promise<void> {
    const { report } = this.ports;
    const done: Due[] = [];
    let remaining = 0;
    for (const one of due) {
      try {
        remaining += await this.actions[action](one.summary.id, true);
        done.push(one);
      } catch (cause) {
        report.warn(this.strings.actFailed, cause);
      }
    }
    if (done.length === 0) return;
    report.info(this.strings.logged(done.length, action));
    if (action === 'erase') return finish?.(done, remaining);
    // Not awaited: the notification may stay for hours.
    void this.offerUndo(done, action).catch((cause: unknown) =>
      report.failure('Not everything could be brought back.', cause),
    );
  }

  private async offerUndo(done: readonly Due[], action: RetentionSettings['action']): Promise<void> {
    if (!(await this.ports.asking.tell(putAwayMessage(done, action)))) return;
    for (const one of done) {
      await this.keep(one);
      await this.actions[action](one.summary.id, false);
    }
  }

  private async keep(one: Due): Promise<void> {
    const history = await this.ports.history();
    await history.append(one.summary.id, this.rule.keep(one));
  }

  /** Does it or, with false, undoes it; gives how many files hold something of what was erased. */
  private readonly actions = {
    trash: async (id, on) => {
      const history = await this.ports.history();
      await (on ? history.trash(id) : history.restore(id));
      return 0;
    },
    archive: async (id, on) => {
      const history = await this.ports.history();
      await history.append(id, [{ type: 'set', session: id, name: 'archived', value: on }]);
      return 0;
    },
    erase: id => this.ports.erase(id),
  } satisfies Record<RetentionAction, (session: SessionId, on: boolean) => Promise<number>>;
}
