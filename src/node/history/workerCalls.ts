// What the supervisor has to know of each call to the history's worker: when it is answered, and what becomes of it when
// the worker ends before the answer.

import type { Calls } from './workerMessages.ts';

interface CallRule {
  /** Calls are answered one after another, but for those that take long: they are answered when they are done. */
  readonly answered: 'in order' | 'when done';
  /**
   * A call that only reads, or that changes nothing the second time, is asked again. An append is looked up first. A
   * part of a long text is gone with the answer that it belongs to, which is asked for again itself. An import counts
   * what it added, so its second run would say too little.
   */
  readonly afterCrash: 'ask again' | 'look up' | 'forget' | 'refuse';
  /** With so many crashes in the middle of it, the call is taken for their cause. */
  readonly mostCrashes: number;
}

const read: CallRule = { answered: 'in order', afterCrash: 'ask again', mostCrashes: 3 };
const long: CallRule = { answered: 'when done', afterCrash: 'ask again', mostCrashes: 3 };
const change: CallRule = { answered: 'in order', afterCrash: 'ask again', mostCrashes: 5 };

export const callRules = {
  append: { answered: 'in order', afterCrash: 'look up', mostCrashes: 5 },
  openByKey: change,
  resetKey: change,
  trash: change,
  restore: change,
  erase: change,
  join: change,
  trashedSince: read,
  sessions: read,
  open: read,
  fields: read,
  erased: read,
  openEnd: read,
  branches: read,
  messages: read,
  list: read,
  tree: read,
  bound: read,
  audit: read,
  blob: read,
  alive: read,
  statistics: read,
  stop: read,
  stopScan: read,
  close: read,
  textPart: { answered: 'in order', afterCrash: 'forget', mostCrashes: 1 },
  search: long,
  scan: long,
  check: long,
  repair: long,
  exportSqlite: long,
  exportJson: long,
  importJson: { answered: 'when done', afterCrash: 'refuse', mostCrashes: 1 },
} satisfies Record<keyof Calls, CallRule>;
