// Which sessions a person's own rules put away, and when they are asked first. Pure. Promises: without a rule nothing is
// due; what runs, is incognito, was put away already or was kept by the person is never due, nor what is pinned where that
// is kept; nothing goes unasked under rules that were not agreed to, after a long break, where the clock jumped, or where
// much would go at once.

import { isIncognito } from '../model/incognito.ts';
import type { SessionSummary } from './history/history.ts';

export interface RetentionRules {
  /** Days since it was last active; 0 is for ever. */
  readonly days: number;
  /** The most messages that a session has; 0 is as many as it likes. */
  readonly messages: number;
  readonly keepPinned: boolean;
  readonly action: 'trash' | 'archive';
}

export interface Due {
  readonly summary: SessionSummary;
  readonly why: 'expired' | 'old' | 'long';
}

/** What is known of the last run, by whichever window of this history. */
export interface LastRun {
  readonly at: number;
  /** The rules that the person agreed to, as `rulesKey` calls them. */
  readonly agreed: string;
  /** The rules that they did not agree to, and when. */
  readonly declined?: { readonly key: string; readonly at: number };
}

/** In the metadata of a session: the person kept it when it was due. */
export const keptKey = 'throughline.kept';

const day = 86_400_000;
/** Who comes back after so long would find much gone that was there when they left. */
const longBreak = 14 * day;
const backwards = 3_600_000;
const fewSessions = 5;

export function dueOf(
  sessions: readonly SessionSummary[],
  rules: RetentionRules,
  now: number,
  isBusy: (summary: SessionSummary) => boolean,
): readonly Due[] {
  return sessions.flatMap((summary): readonly Due[] => {
    const { id, trashed, archived, pinned } = summary;
    if (isIncognito(id) || trashed || (archived && rules.action === 'archive')) return [];
    if ((pinned && rules.keepPinned) || isBusy(summary)) return [];
    const why = reason(summary, rules, now);
    return why === null ? [] : [{ summary, why }];
  });
}

export function mustAsk(
  due: readonly Due[],
  of: number,
  rules: RetentionRules,
  last: LastRun | null,
  now: number,
): boolean {
  // A date that the person gave a session is an agreement of its own, as long as the clock can be believed.
  const byRule = due.filter(({ why }) => why !== 'expired');
  const hasJumped = last !== null && (now < last.at - backwards || now > last.at + longBreak);
  const isMuch = due.length > fewSessions && due.length * 4 > of;
  if (due.length === 0) return false;
  return hasJumped || isMuch || (byRule.length > 0 && last?.agreed !== rulesKey(rules));
}

/** The same for the same rules. */
export function rulesKey({ days, messages, keepPinned, action }: RetentionRules): string {
  return JSON.stringify([days, messages, keepPinned, action]);
}

function reason(
  { expires, active, messages, metadata }: SessionSummary,
  rules: RetentionRules,
  now: number,
): Due['why'] | null {
  if (expires !== null && expires <= now) return 'expired';
  // Its own date counts, and until then no rule does.
  if (expires !== null || metadata[keptKey] === true) return null;
  if (rules.days > 0 && active > 0 && now - active >= rules.days * day) return 'old';
  return rules.messages > 0 && messages > rules.messages ? 'long' : null;
}
