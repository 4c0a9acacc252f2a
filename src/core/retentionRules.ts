// The two rules by which sessions leave: `putAway` moves them to the trash or the archive by a date, their age or their
// length, and `emptyTrash` deletes permanently what has been in the trash for long. Pure. What runs or is open, is incognito or
// was kept by the user is never due. Permanent deletion always asks first; `putAway` asks when the settings are new, after a
// long break, where the clock jumped and where much would go.

import { isIncognito } from '../model/incognito.ts';
import type { SessionId } from '../model/message.ts';
import type { Fact } from '../model/record.ts';
import type { SessionSummary } from './history/history.ts';

export type RuleName = 'putAway' | 'emptyTrash';
export type RetentionAction = 'trash' | 'archive' | 'erase';

/** The user's settings; a number of 0 sets no limit. */
export interface RetentionSettings {
  /** Since a session was last active. */
  readonly days: number;
  readonly messages: number;
  readonly keepPinned: boolean;
  readonly action: 'trash' | 'archive';
  /** Since a session went to the trash. */
  readonly trashDays: number;
}

export interface Due {
  readonly summary: SessionSummary;
  readonly why: 'expired' | 'old' | 'long' | 'trashed';
  /** When it went to the trash; 0 where it isn't there. */
  readonly since: number;
}

/** What the windows of one history know of earlier checks. */
export interface RuleState {
  readonly at: number;
  /** The key of the settings that the user agreed to. */
  readonly agreed: string;
  /** Times without a check that were longer than those that count whole. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** A question that isn't asked again for a day. */
  readonly answered?: { readonly key: string; readonly at: number };
}

/** In the metadata of a session: the user kept it when it was due. */
export const keptKey = 'throughline.kept';
/** In the metadata of a session: since when it is in the trash in which the user left it. */
export const leftInTrashKey = 'throughline.leftInTrash';

const hour = 3_600_000;
const day = 24 * hour;
/** Longer times without a check don't count whole: the user was away, or the clock jumped. */
const longBreak = 14 * day;
const mostGaps = 50;
const fewSessions = 5;

export interface Rule {
  /** It checks the sessions in the trash, or all others. */
  readonly inTrash: boolean;
  /** It never acts by an earlier agreement. */
  readonly asksEachTime: boolean;
  readonly action: (settings: RetentionSettings) => RetentionAction;
  /** The same for the same settings; null where they turn the rule off. Keys are stored. */
  readonly key: (settings: RetentionSettings) => string | null;
  readonly why: (
    summary: SessionSummary,
    since: number | undefined,
    settings: RetentionSettings,
    state: RuleState,
  ) => Due['why'] | null;
  /** What the state becomes with a check, before anybody is asked; null where it stays. */
  readonly checked: (state: RuleState | null, key: string, now: number, isAnyDue: boolean) => RuleState | null;
  /** What keeps a session that the user unchecks from being due again. */
  readonly keep: (due: Due) => readonly Fact[];
}

export const retentionRules: Readonly<Record<RuleName, Rule>> = {
  putAway: {
    inTrash: false,
    asksEachTime: false,
    action: ({ action }) => action,
    key: ({ days, messages, keepPinned, action }) => JSON.stringify([days, messages, keepPinned, action]),
    why({ active, archived, expires, messages, metadata, pinned }, _since, settings, { at: now }) {
      if ((archived && settings.action === 'archive') || (pinned && settings.keepPinned)) return null;
      if (expires !== null && expires <= now) return 'expired';
      // A date of its own counts before any rule, also while it is in the future.
      if (expires !== null || metadata[keptKey] === true) return null;
      if (settings.days > 0 && active > 0 && now - active >= settings.days * day) return 'old';
      return settings.messages > 0 && messages > settings.messages ? 'long' : null;
    },
    // Otherwise what becomes due next would look like the first after a long break.
    checked: (state, key, now, isAnyDue) =>
      !isAnyDue && state?.agreed === key && now > state.at ? { ...state, at: now } : null,
    keep: ({ summary: { id, expires } }) => [
      { type: 'set', session: id, name: 'metadata', of: keptKey, value: true },
      ...(expires === null ? [] : [{ type: 'set', session: id, name: 'expires', value: null } as const]),
    ],
  },
  emptyTrash: {
    inTrash: true,
    asksEachTime: true,
    action: () => 'erase',
    key: ({ trashDays }) => (trashDays > 0 ? String(trashDays) : null),
    why({ active, metadata }, since, { trashDays }, { at: now, gaps }) {
      if (since === undefined || metadata[leftInTrashKey] === since) return null;
      const begin = Math.max(since, active);
      const uncounted = gaps.map(gap => Math.max(0, gap.to - Math.max(gap.from, begin) - longBreak));
      const age = now - begin - uncounted.reduce((sum, one) => sum + one, 0);
      return age >= trashDays * day ? 'trashed' : null;
    },
    checked: (state, _key, now) => stateAt(state, now),
    keep: ({ summary: { id }, since }) => [
      { type: 'set', session: id, name: 'metadata', of: leftInTrashKey, value: since },
    ],
  },
};

/** The state with the time since the last check in it. */
export function stateAt(state: RuleState | null, now: number): RuleState {
  if (!state) return { at: now, agreed: '', gaps: [] };
  const gap = now - state.at > longBreak ? [{ from: state.at, to: now }] : [];
  return { ...state, at: now, gaps: [...state.gaps, ...gap].slice(-mostGaps) };
}

export interface Check {
  readonly settings: RetentionSettings;
  /** Before this check. */
  readonly state: RuleState | null;
  readonly now: number;
}

export function findDue(
  rule: Rule,
  sessions: readonly SessionSummary[],
  { settings, state, now }: Check,
  trashedSince: ReadonlyMap<SessionId, number>,
  isOpen: (session: SessionId) => boolean,
): readonly Due[] {
  const current = stateAt(state, now);
  if (rule.key(settings) === null) return [];
  return sessions.flatMap((summary): readonly Due[] => {
    const { id, trashed } = summary;
    if (trashed !== rule.inTrash || isIncognito(id) || isOpen(id)) return [];
    const since = trashedSince.get(id);
    const why = rule.why(summary, since, settings, current);
    return why === null ? [] : [{ summary, why, since: since ?? 0 }];
  });
}

/** `of` is how many sessions were checked. */
export function nextStep(
  { asksEachTime, key: keyOf }: Rule,
  due: readonly Due[],
  of: number,
  { settings, state, now }: Check,
): 'nothing' | 'ask' | 'act' {
  const key = keyOf(settings);
  if (due.length === 0) return 'nothing';
  // A date that the user gave a session is an agreement of its own, as long as the clock can be believed.
  const isAgreed = due.every(({ why }) => why === 'expired') || state?.agreed === key;
  const hasJumped = state !== null && (now < state.at - hour || now > state.at + longBreak);
  const isMuch = due.length > fewSessions && due.length * 4 > of;
  if (!asksEachTime && isAgreed && !hasJumped && !isMuch) return 'act';
  const { answered } = state ?? {};
  return answered?.key === key && now >= answered.at && now < answered.at + day ? 'nothing' : 'ask';
}

/** What the state becomes with what the user said to the question, or where sessions go unasked. */
export function afterAnswer(
  { asksEachTime }: Rule,
  state: RuleState,
  key: string,
  now: number,
  answer: 'agreed' | 'declined' | 'unasked',
): RuleState {
  // Here the time stays: a break or a jump of the clock is still one at the next check.
  if (answer === 'declined' || asksEachTime) return { ...state, answered: { key, at: now } };
  return { at: now, agreed: answer === 'agreed' ? key : state.agreed, gaps: [] };
}
