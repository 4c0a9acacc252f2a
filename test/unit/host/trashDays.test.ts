// What has been in the trash for as many days as a person set: what is due and when they are asked, as tables; and over a real
// history, with two windows, that nothing goes unasked, and that what was restored or opened while they looked stays.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import {
  findDue,
  leftInTrashKey,
  nextStep,
  retentionRules,
  stateAt,
  type RetentionSettings,
  type RuleState,
} from '../../../src/core/retentionRules.ts';
import { RetentionRunner, type Finish, type RetentionAsking } from '../../../src/host/sessions/retentionRunner.ts';
import { reasonFor, retentionStrings } from '../../../src/host/sessions/retentionStrings.ts';
import { FixedClock } from '../support/clock.ts';
import { sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

const day = 86_400_000;
const now = 1_800_000_000_000;
const rule = retentionRules.emptyTrash;
const settings: RetentionSettings = { days: 0, messages: 0, keepPinned: true, action: 'archive', trashDays: 30 };
const inTrash = { id: 'session2', trashed: true, active: now - 90 * day, metadata: {} } as unknown as SessionSummary;
const since = now - 30 * day;

interface Row {
  readonly summary?: Partial<SessionSummary>;
  readonly since?: number | null;
  readonly days?: number;
  readonly gaps?: RuleState['gaps'];
  readonly is: boolean;
}
const rows: { readonly [what: string]: Row } = {
  'what is in the trash for as long': { is: true },
  'not what is there for less': { since: since + 1, is: false },
  'nothing without a number': { days: 0, is: false },
  'not what is not in the trash': { summary: { trashed: false }, is: false },
  'not what nobody knows the beginning of': { since: null, is: false },
  'not what was trashed in the future': { since: now + 400 * day, is: false },
  'not what was active long ago and went to the trash today': { since: now, is: false },
  'not where something was said in it since': { summary: { active: now - day }, is: false },
  'not what is open': { summary: { id: 'open' }, is: false },
  'not what is incognito': { summary: { id: 'incognito~session2' }, is: false },
  'not what the person left there': { summary: { metadata: { [leftInTrashKey]: since } }, is: false },
  'what they left there, restored and trashed again': { summary: { metadata: { [leftInTrashKey]: 5 } }, is: true },
  'not where the clock jumped after it': {
    since: now - 900 * day,
    gaps: [{ from: now - 890 * day, to: now }],
    is: false,
  },
  'not more of a long break than two weeks': {
    since: now - 45 * day,
    gaps: [{ from: now - 45 * day, to: now - 15 * day }],
    days: 30,
    is: false,
  },
  'two weeks of a long break': {
    since: now - 45 * day,
    gaps: [{ from: now - 45 * day, to: now - 15 * day }],
    days: 29,
    is: true,
  },
  'what went to the trash after a jump, by its own days': { gaps: [{ from: now - 900 * day, to: since }], is: true },
};
for (const [what, { summary, since: from = since, days = 30, gaps = [], is }] of Object.entries(rows))
  test(`[H115] due in the trash is ${what}`, () => {
    const one = { ...inTrash, ...summary };
    const check = { settings: { ...settings, trashDays: days }, state: { at: now, agreed: '', gaps }, now };
    const trashedSince = new Map(from === null ? [] : [[one.id, from]]);
    const due = findDue(rule, [one], check, trashedSince, id => id === 'open');
    assert.equal(due.length === 1, is);
  });

test('[H115] a look after more than two weeks leaves a gap, and so does a clock that was set back and right again', () => {
  const first = stateAt(null, now);
  assert.deepEqual(first, { at: now, agreed: '', gaps: [] });
  assert.deepEqual(stateAt(first, now + 14 * day).gaps, []);
  assert.deepEqual(stateAt(first, now + 15 * day).gaps, [{ from: now, to: now + 15 * day }]);
  const back = stateAt(first, now - 900 * day);
  assert.deepEqual(stateAt(back, now).gaps, [{ from: now - 900 * day, to: now }]);
});

const answered = { key: '30', at: now - day / 2 };
for (const [what, state, may] of [
  ['where nobody was asked', {}, true],
  ['not twice a day', { answered }, false],
  ['a day later', { answered: { ...answered, at: now - day } }, true],
  ['at once where the number is another one', { answered: { ...answered, key: '7' } }, true],
  ['where the clock was set back', { answered: { ...answered, at: now + day } }, true],
] as const)
  test(`[H115] a person is asked about the trash ${what}`, () => {
    const due = [{ summary: inTrash, why: 'trashed', since }] as const;
    const step = nextStep(rule, due, 1, { settings, state: { at: now, agreed: '30', gaps: [], ...state }, now });
    assert.equal(step, may ? 'ask' : 'nothing');
  });

test('[H115] what a person reads says how many, how long, since when, and that it is for ever', () => {
  const { offer } = retentionStrings.emptyTrash;
  assert.match(
    offer(1, 9, settings),
    /^1 session has been in the trash for 30 days or longer\. .* delete it permanently\./,
  );
  assert.match(
    offer(2, 9, { ...settings, trashDays: 1 }),
    /^2 sessions have been in the trash for 1 day or longer\. .* them permanently\./,
  );
  const at = new Date(2026, 4, 3, 12);
  const words = reasonFor({ summary: { ...inTrash, messages: 1 }, why: 'trashed', since: at.getTime() }, now);
  assert.equal(words, `1 message · in the trash since ${at.toLocaleDateString()}`);
});

async function scene(t: TestContext) {
  const folder = temporaryFolder(t);
  const clock = new FixedClock();
  // What goes to the trash does so by the computer's own clock.
  clock.advance(Date.now() - clock.now());
  const first = await openTestHistory(folder);
  const begin = async (title: string) => {
    const id = ids.session();
    await first.append(id, [sessionFact(id), setFact(id, 'title', title), userFact(id, ids.message(), null, title)]);
    return id;
  };
  const lines: string[] = [];
  const report = {
    failure: (what: string) => assert.fail(what),
    warn: (what: string, cause: unknown) => assert.fail(`${what} ${String(cause)}`),
    info: (line: string) => void lines.push(line),
  };
  const said: string[] = [];
  let days = 30;
  const open = new Set<string>();
  const confirmed: Finish = async done =>
    void said.push(`gone: ${done.map(({ summary }) => summary.title).join(', ')}`);
  const window = (history: typeof first, asking: Partial<RetentionAsking> = {}) => {
    const made = new RetentionRunner('emptyTrash', {
      history: () => Promise.resolve(history),
      folder,
      settings: () => ({ ...settings, trashDays: days }),
      isOpen: id => open.has(id),
      erase: async id => (await history.erase(id)).remaining,
      clock,
      report,
      asking: {
        offer: words => Promise.resolve((said.push(words), true)),
        choose: due => Promise.resolve(due),
        confirm: () => Promise.resolve(confirmed),
        tell: () => assert.fail('What was deleted permanently can’t be undone.'),
        ...asking,
      },
    });
    /** As often as a test says, and not by the clock. */
    const begin = async () => {
      await made.begin();
      made.dispose();
    };
    return { begin };
  };
  const left = async () => (await first.sessions()).map(({ title }) => title).toSorted();
  return {
    folder,
    clock,
    first,
    begin,
    window,
    confirmed,
    left,
    said,
    lines,
    open,
    setDays: (next: number) => (days = next),
  };
}

test('[H115] what is due goes when the person agreed, the rest stays, and it is one line of the log', async t => {
  const { first, begin, window, left, said, lines, clock } = await scene(t);
  for (const title of ['gone', 'left']) await first.trash(await begin(title));
  await begin('alive');
  const choosing = {
    choose: <Due>(due: readonly Due[]) => Promise.resolve(due.filter(one => JSON.stringify(one).includes('gone'))),
  };
  await window(first, choosing).begin();
  clock.advance(29 * day);
  await window(first, choosing).begin();
  assert.deepEqual([await left(), said], [['alive', 'gone', 'left'], []]);
  // Nobody looked for longer than counts whole.
  clock.advance(2 * day);
  await window(first, choosing).begin();
  assert.deepEqual(said, []);
  clock.advance(14 * day);
  await window(first, choosing).begin();
  assert.deepEqual(await left(), ['alive', 'left']);
  assert.match(said.join('\n'), /^2 sessions have been[^]*\ngone: gone$/);
  assert.deepEqual(lines, ['Deleted permanently after its days in the trash, as the person agreed: 1.']);
  clock.advance(10 * day);
  await window(first).begin();
  assert.deepEqual([await left(), said.length], [['alive', 'left'], 2], 'what was left is not asked about again');
});

for (const [what, asking] of [
  ['does not want to see the list', { offer: () => Promise.resolve(false) }],
  ['leaves the list', { choose: () => Promise.resolve(undefined) }],
  ['does not confirm', { confirm: () => Promise.resolve(null) }],
  ['unchecks everything', { choose: () => Promise.resolve([]) }],
] as const)
  test(`[H115] nothing goes where the person ${what}, and they are not asked again on that day`, async t => {
    const { first, begin, window, left, clock, said } = await scene(t);
    await first.trash(await begin('kept'));
    for (let at = 0; at < 3; at++) {
      await window(first).begin();
      clock.advance(11 * day);
    }
    await window(first, asking).begin();
    const before = said.length;
    await window(first).begin();
    assert.deepEqual([await left(), said.length], [['kept'], before]);
    clock.advance(2 * day);
    await window(first, { choose: () => Promise.resolve(undefined) }).begin();
    const isAskedAgain = what !== 'unchecks everything';
    assert.deepEqual([await left(), said.length], [['kept'], before + (isAskedAgain ? 1 : 0)]);
  });

test('[H115] while the list is looked at another window may restore one, and this one open another: both stay', async t => {
  const { folder, first, begin, window, confirmed, left, clock, open } = await scene(t);
  const [restored, opened, again, gone] = [
    await begin('restored'),
    await begin('opened'),
    await begin('again'),
    await begin('gone'),
  ];
  for (const id of [restored, opened, again, gone]) await first.trash(id);
  const second = await openTestHistory(folder);
  for (let at = 0; at < 3; at++) {
    await window(first).begin();
    clock.advance(11 * day);
  }
  await window(first, {
    confirm: async () => {
      await second.restore(restored);
      await second.restore(again);
      await second.trash(again);
      open.add(opened);
      for (const end = Date.now() + 10_000; (await first.trashedSince()).has(restored);) assert.ok(Date.now() < end);
      return confirmed;
    },
  }).begin();
  assert.deepEqual(await left(), ['again', 'opened', 'restored']);
});

test('[H115] a clock that was set forward by years empties nothing, and neither does one that is set right again', async t => {
  const { first, begin, window, left, clock, said } = await scene(t);
  await first.trash(await begin('kept'));
  await window(first).begin();
  clock.advance(3000 * day);
  await window(first).begin();
  clock.advance(-3000 * day);
  await window(first).begin();
  assert.deepEqual([await left(), said], [['kept'], []]);
});

test('[H115] one window of two asks, a state that cannot be read is as if nobody had looked, and without a number nothing is kept', async t => {
  const { folder, first, begin, window, confirmed, left, clock, said, setDays } = await scene(t);
  await first.trash(await begin('due'));
  setDays(0);
  await window(first).begin();
  assert.throws(() => readFileSync(join(folder, 'trash.json')));
  setDays(30);
  writeFileSync(join(folder, 'trash.json'), '{"at":');
  clock.advance(31 * day);
  const second = await openTestHistory(folder);
  await window(first, {
    confirm: async () => {
      await window(second).begin();
      return confirmed;
    },
  }).begin();
  assert.deepEqual([await left(), said.length], [[], 2]);
});
