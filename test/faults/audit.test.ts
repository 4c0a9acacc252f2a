// What the audit of a kill run takes for lost, on journals and ledgers of a few records.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Fact } from '../../src/model/record.ts';
import { writerOf } from '../../src/node/ids.ts';
import { sessionFact, userFact } from '../unit/support/facts.ts';
import { ids, temporaryFolder } from '../unit/support/history.ts';
import { audit } from './audit.ts';
import type { StoredRecord } from './engine.ts';
import { noFindings } from './findings.ts';
import { Gone } from './gone.ts';
import { keyOfWriter, saidOf, stateOf, type Ledger } from './ledger.ts';

const [session, owner] = [ids.session(), ids.writer()];
const prompts = ['root', 'erased1', 'erased2', 'erased3', 'kept'] as const;

/** One window appended all prompts, its worker ended after the fourth, and the branch of the first erased one is gone. */
function auditOf(t: TestContext, there: readonly { prompt: number; restarts: number; n: number }[]): readonly string[] {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'erased'));
  writeFileSync(join(folder, 'erased', `${session}~erased1`), 'erased2\nerased3\n');
  const facts = prompts.map((id, at): readonly Fact[] => [
    ...(at === 0 ? [sessionFact(session)] : []),
    userFact(session, id, parentOf(at), id),
  ]);
  const said = facts.map((some, at) => ({
    session,
    facts: some.map(saidOf),
    states: Object.fromEntries(
      some.flatMap(fact => (fact.type === 'message' ? [[prompts[at], stateOf({ ...fact.message, session })]] : [])),
    ),
    outcome: 'acknowledged' as const,
  }));
  const ledger: Ledger = {
    said: new Map([
      [keyOfWriter(ids.writer(), session), said.slice(0, 1)],
      [keyOfWriter(owner, session), said.slice(1)],
    ]),
    erases: [{ session, message: 'erased1', messages: 3, remaining: 2 }],
    joins: 0,
    workerKills: 1,
    writers: 2,
    acknowledged: 5,
    failed: [],
  };
  const rootWriter = [...ledger.said.keys()][0]?.split('~')[1] ?? '';
  const record = (at: number, w: string, n: number): StoredRecord => ({
    record: { v: 1, w, n, h: String(at).padStart(20, '0'), facts: facts[at] ?? [] },
    place: { segment: `${session}~${w}.0.seg`, offset: 0, length: 1 },
  });
  const stored = there.map(({ prompt, restarts, n }) => record(prompt, writerOf(owner, restarts), n));
  const findings = noFindings();
  audit([record(0, rootWriter, 0), ...stored], ledger, new Gone(folder, ledger), findings);
  return findings.words;
}

function parentOf(at: number): string | null {
  if (at === 0) return null;
  return prompts[at === 4 ? 0 : at - 1] ?? null;
}

test('[J36] what a worker wrote may be erased whole, and the next one begins to count anew', t => {
  assert.deepEqual(auditOf(t, [{ prompt: 4, restarts: 1, n: 0 }]), []);
  assert.deepEqual(auditOf(t, [{ prompt: 4, restarts: 2, n: 0 }]), []);
  assert.deepEqual(auditOf(t, [{ prompt: 4, restarts: 0, n: 3 }]), []);
});

test('[J7] numbers that are missing without a restart, and appends that are missing, are lost', t => {
  const key = keyOfWriter(owner, session);
  assert.deepEqual(auditOf(t, [{ prompt: 4, restarts: 0, n: 1 }]), [
    `lost: 1 numbers of ${key} for 3 appends, 3 of them acknowledged`,
  ]);
  assert.ok(auditOf(t, []).includes(`lost: append 3 of ${key}`));
  assert.ok(auditOf(t, [{ prompt: 1, restarts: 0, n: 0 }]).includes(`lost: append 3 of ${key}`));
});
