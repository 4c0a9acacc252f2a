// What the tree shows, and which of its rows have to be drawn again when that changes. Pure.

import type { SessionSummary } from '../../core/history/history.ts';
import type { SessionId } from '../../model/message.ts';
import type { Group, Section } from './sessionRows.ts';

export interface Shown {
  readonly sections: readonly Section[];
  readonly summaries: ReadonlyMap<SessionId, SessionSummary>;
  /** How each row was drawn, to know which ones are drawn otherwise now. */
  readonly rows: ReadonlyMap<SessionId, string>;
}

export interface DrawnAgain {
  /** With the rows in it. */
  readonly groups: readonly Group[];
  readonly sessions: readonly SessionId[];
}

/** The fewest rows; of a group only as many as it shows. */
export function drawnAgain(before: Shown, after: Shown, limitOf: (group: Group) => number): DrawnAgain | 'all' {
  const groups: Group[] = [];
  const found: SessionId[] = [];
  if (before.sections.length !== after.sections.length) return 'all';
  for (const [at, { group, sessions }] of after.sections.entries()) {
    const was = before.sections[at];
    if (was?.group !== group) return 'all';
    const members = new Set(was.sessions);
    // One that goes from group to group would be in both for a moment, which VS Code refuses.
    if (members.size !== sessions.length || sessions.some(id => !members.has(id))) return 'all';
    if (sessions.some((id, place) => was.sessions[place] !== id)) groups.push(group);
    else {
      const drawn = sessions.slice(0, limitOf(group));
      found.push(...drawn.filter(id => before.rows.get(id) !== after.rows.get(id)));
    }
  }
  return { groups, sessions: found };
}
