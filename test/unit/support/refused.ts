// What a test expects of a history that says no, and of one that will hear of something in a moment.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { HistoryError, type HistoryErrorCode } from '../../../src/core/history/historyError.ts';

/** For `assert.rejects` and `assert.throws`. */
export function refused(code: HistoryErrorCode): (cause: unknown) => true {
  return cause => {
    assert.ok(cause instanceof HistoryError, String(cause));
    assert.equal(cause.code, code);
    return true;
  };
}

/** Waits for what another window does; it is generous, because it only ends a test that would fail. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let end = Date.now() + 15_000; !(await isSo()); await delay(10)) {
    if (Date.now() > end) assert.fail(`not so after fifteen seconds: ${isSo.toString()}`);
  }
}
