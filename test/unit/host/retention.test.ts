// Sessions that a person's own rules put away: which are due and when the person is asked, as tables; and over a real
// history, with two windows, that only what was agreed to goes, once, and comes back.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { SessionSummary } from '../../../src/core/history/history.ts';
import {
  findDue,
  keptKey,
  nextStep,
  retentionRules,
  type RetentionSettings,
  type RuleState,
} from '../../../src/core/retentionRules.ts';
import { RetentionRunner, type RetentionAsking } from '../../../src/host/sessions/retentionRunner.ts';
import { dayIn } from '../../../src/host/sessions/retentionStrings.ts';
import { FixedClock } from '../support/clock.ts';
import { sessionFact, setFact, userFact } from '../support/facts.ts';
import { ids, openTestHistory, temporaryFolder } from '../support/history.ts';

const day = 86_400_000;
const now = 1_800_000_000_000;
const rule = retentionRules.putAway;
const off: RetentionSettings = { days: 0, messages: 0, keepPinned: true, action: 'trash', trashDays: 0 };
const month: RetentionSettings = { ...off, days: 30 };
const old = {
  id: 'session2',
  active: now - 31 * day,
  expires: null,
  messages: 4,
  trashed: false,
  archived: false,
  pinned: false,
  metadata: {},
} as unknown as SessionSummary;

const dueRows: { readonly [what: string]: readonly [Partial<SessionSummary>, RetentionSettings, string | null] } = {
  'nothing without a rule': [{}, off, null],
  'what is older than the rule': [{}, month, 'old'],
  'not what is younger': [{ active: now - 29 * day }, month, null],
  'not what was active in the future': [{ active: now + 400 * day }, month, null],
  'not what is pinned': [{ pinned: true }, month, null],
  'what is pinned, where that is not kept': [{ pinned: true }, { ...month, keepPinned: false }, 'old'],
  'not what is in the trash': [{ trashed: true }, month, null],
  'what is archived': [{ archived: true }, month, 'old'],
  'not what is archived, where it would be archived': [{ archived: true }, { ...month, action: 'archive' }, null],
  'not what the person kept': [{ metadata: { [keptKey]: true } }, month, null],
  'not what is incognito': [{ id: 'incognito~session2' }, month, null],
  'not what is open': [{ id: 'open' }, month, null],
  'what has more messages': [{ active: now, messages: 5 }, { ...off, messages: 4 }, 'long'],
  'not what has as many': [{ active: now }, { ...off, messages: 4 }, null],
  'what has its date, without a rule': [{ expires: now }, off, 'expired'],
  'what has its date, though it was kept once': [{ expires: now, metadata: { [keptKey]: true } }, off, 'expired'],
  'not before its date, whatever the rule': [{ expires: now + 1 }, month, null],
};
for (const [what, [summary, settings, why]] of Object.entries(dueRows))
  test(`[H110] due is ${what}`, () => {
    const check = { settings, state: null, now };
    const due = findDue(rule, [{ ...old, ...summary }], check, new Map(), id => id === 'open');
    assert.equal(due[0]?.why ?? null, why);
  });

const agreed: RuleState = { at: now - day, agreed: rule.key(month) ?? '', gaps: [] };
const askRows: { readonly [what: string]: readonly [RuleState | null, number, number, boolean] } = {
  'where the rule is new': [null, 1, 100, true],
  'where another rule was agreed to': [{ ...agreed, agreed: rule.key(off) ?? '' }, 1, 100, true],
  'not where it was agreed to': [agreed, 1, 100, false],
  'after a long break': [{ ...agreed, at: now - 15 * day }, 1, 100, true],
  'where the clock was set forward by years': [{ ...agreed, at: now - 900 * day }, 1, 100, true],
  'where the clock was set back': [{ ...agreed, at: now + day }, 1, 100, true],
  'where much would go': [agreed, 6, 20, true],
  'not where a few of few would go': [agreed, 5, 6, false],
  'not where nothing is due': [null, 0, 100, false],
};
for (const [what, [state, count, of, asks]] of Object.entries(askRows))
  test(`[H110] a person is asked ${what}`, () => {
    const due = Array.from({ length: count }, () => ({ summary: old, why: 'old', since: 0 }) as const);
    const step = nextStep(rule, due, of, { settings: month, state, now });
    assert.equal(step, asks ? 'ask' : count > 0 ? 'act' : 'nothing');
  });

test('[H110] a date of a session needs no other agreement, unless the clock jumped', () => {
  const due = [{ summary: old, why: 'expired', since: 0 }] as const;
  assert.equal(nextStep(rule, due, 10, { settings: off, state: null, now }), 'act');
  assert.equal(nextStep(rule, due, 10, { settings: off, state: { ...agreed, at: now + day }, now }), 'ask');
});

async function scene(t: TestContext) {
  const folder = temporaryFolder(t);
  const clock = new FixedClock();
  const first = await openTestHistory(folder);
  const begin = async (title: string, daysAgo: number) => {
    const id = ids.session();
    const at = clock.now() - daysAgo * day;
    const facts = [sessionFact(id, at), setFact(id, 'title', title), userFact(id, ids.message(), null, title, at)];
    await first.append(id, facts);
    return id;
  };
  const lines: string[] = [];
  const expected: { failure?: (what: string) => void } = {};
  const report = {
    failure: (what: string) => (expected.failure ?? assert.fail)(what),
    warn: (what: string, cause: unknown) => assert.fail(`${what} ${String(cause)}`),
    info: (line: string) => void lines.push(line),
  };
  const said: string[] = [];
  let settings = month;
  const window = (history: typeof first, asking: Partial<RetentionAsking> = {}) => {
    const made = new RetentionRunner('putAway', {
      history: () => Promise.resolve(history),
      folder,
      settings: () => settings,
      isOpen: () => false,
      erase: () => assert.fail('Nothing is deleted permanently.'),
      clock,
      report,
      asking: {
        offer: words => Promise.resolve((said.push(words), true)),
        choose: due => Promise.resolve(due),
        confirm: () => assert.fail('Nothing is deleted permanently.'),
        tell: words => Promise.resolve((said.push(words), false)),
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
  const put = async (field: 'trashed' | 'archived' = 'trashed') =>
    (await first.sessions())
      .filter(one => one[field])
      .map(({ title }) => title)
      .toSorted();
  return {
    folder,
    clock,
    first,
    begin,
    window,
    put,
    said,
    lines,
    expected,
    setSettings: (next: RetentionSettings) => (settings = next),
  };
}

test('[H111] what is agreed to goes, what is unchecked never does, and later ones go with one word and one line', async t => {
  const { first, begin, window, put, said, lines, clock } = await scene(t);
  for (const title of ['old', 'kept']) await begin(title, 40);
  await begin('young', 29);
  const retention = window(first, {
    choose: due => Promise.resolve(due.filter(({ summary }) => summary.title === 'old')),
  });
  await retention.begin();
  assert.deepEqual(await put(), ['old']);
  assert.match(said.join('\n'), /^By your settings 2 sessions of 3[^]*\nBy your settings “old” went to the trash\.$/);
  assert.deepEqual(lines, ['Put away by the settings of retention: 1, to the trash.']);
  clock.advance(2 * day);
  await retention.begin();
  assert.deepEqual(await put(), ['old', 'young']);
  assert.equal(said.length, 3);
});

test('[H111] a person who does not agree keeps everything, and is not asked again until another day', async t => {
  const { first, begin, window, put, said, clock } = await scene(t);
  await begin('old', 40);
  const asking = { choose: () => Promise.resolve(undefined) };
  await window(first, asking).begin();
  await window(first, asking).begin();
  assert.equal(said.length, 1);
  clock.advance(25 * 3_600_000);
  await window(first, asking).begin();
  assert.deepEqual([await put(), said.length], [[], 2]);
});

test('[H111] what another window goes on with while the list is looked at stays', async t => {
  const { first, begin, window, put, clock } = await scene(t);
  const id = await begin('goes on', 40);
  await begin('old', 40);
  const choose: RetentionAsking['choose'] = async due => {
    await first.append(id, [userFact(id, ids.message(), null, 'more', clock.now())]);
    return due;
  };
  await window(first, { choose }).begin();
  assert.deepEqual(await put(), ['old']);
});

test('[H110] a session that goes at its date is no agreement to the rules', async t => {
  const { first, begin, window, put, said, clock } = await scene(t);
  const dated = await begin('dated', 1);
  await first.append(dated, [setFact(dated, 'expires', clock.now())]);
  await begin('young', 29);
  await window(first).begin();
  assert.deepEqual([await put(), said], [['dated'], ['By your settings “dated” went to the trash.']]);
  clock.advance(2 * day);
  await window(first, { offer: words => Promise.resolve((said.push(words), false)) }).begin();
  assert.deepEqual(await put(), ['dated']);
  assert.match(said.at(-1) ?? '', /1 session of 1 would be moved/);
});

test('[H111] an Undo brings back what went, and it is not due again', async t => {
  const { first, begin, window, put, clock, setSettings } = await scene(t);
  const id = await begin('old', 40);
  await first.append(id, [setFact(id, 'expires', clock.now())]);
  setSettings({ ...month, action: 'archive' });
  let undone = () => {};
  const over = new Promise<void>(resolve => (undone = resolve));
  const history = {
    ...first,
    append: async (...args: Parameters<typeof first.append>) => {
      await first.append(...args);
      if (args[1].some(fact => fact.type === 'set' && fact.name === 'archived' && fact.value === false)) undone();
    },
  };
  const retention = window(history, { tell: () => Promise.resolve(true) });
  await retention.begin();
  await over;
  await retention.begin();
  assert.deepEqual(await put('archived'), []);
});

test('[H111] an Undo that fails is said', async t => {
  const { first, begin, window, expected } = await scene(t);
  await begin('old', 40);
  const history = { ...first, restore: () => Promise.reject(new Error('disk')) };
  const failure = new Promise<string>(resolve => (expected.failure = resolve));
  await window(history, { tell: () => Promise.resolve(true) }).begin();
  assert.equal(await failure, 'Not everything could be brought back.');
});

test('[H110] a window in which the person declined does not ask about the same rules again', async t => {
  const { first, begin, window, put, said, clock, setSettings } = await scene(t);
  await begin('old', 40);
  const declining = window(first, { choose: () => Promise.resolve(undefined) });
  await declining.begin();
  clock.advance(2 * day);
  await declining.begin();
  assert.equal(said.length, 1);
  setSettings({ ...month, days: 20 });
  await declining.begin();
  assert.deepEqual([await put(), said.length], [[], 2]);
});

test('[H110] a clock that was set forward by years puts nothing away unasked, and one window of two does it', async t => {
  const { folder, first, begin, window, put, said, clock } = await scene(t);
  await begin('old', 40);
  await window(first).begin();
  for (const title of ['a', 'b']) await begin(title, 0);
  clock.advance(3000 * day);
  const refusing = window(first, { offer: words => Promise.resolve((said.push(words), false)) });
  await refusing.begin();
  assert.deepEqual(await put(), ['old']);
  const second = await openTestHistory(folder);
  let choosing = () => {};
  const held = new Promise<void>(resolve => (choosing = resolve));
  clock.advance(25 * 3_600_000);
  let reached = () => {};
  const asking = new Promise<void>(resolve => (reached = resolve));
  const choose = async <Due>(due: Due) => {
    reached();
    await held;
    return due;
  };
  const one = window(first, { choose }).begin();
  await asking;
  const before = said.length;
  await window(second).begin();
  assert.equal(said.length, before, 'the second window asks nothing while the first one does');
  choosing();
  await one;
  assert.deepEqual(await put(), ['a', 'b', 'old']);
});

test('[H111] what a window that was killed left behind holds nobody up, and what cannot be read asks again', async t => {
  const { folder, first, begin, window, put, said } = await scene(t);
  await begin('old', 40);
  writeFileSync(join(folder, 'retention.lock'), '999999999');
  writeFileSync(join(folder, 'retention.json'), '{"at":');
  await window(first).begin();
  assert.deepEqual([await put(), said.length], [['old'], 2]);
});

const morning = new Date(2027, 0, 15, 9).getTime();
for (const [text, date] of [
  ['2027-01-16', new Date(2027, 0, 16)],
  [' 2028-2-29 ', new Date(2028, 1, 29)],
  ['2027-02-30', 'There is no such day.'],
  ['2027-01-15', 'That day has begun already.'],
  ['tomorrow', 'Write it as year-month-day.'],
] as const)
  test(`[H111] the date of a session: “${text}”`, () => {
    assert.deepEqual(dayIn(text, morning), typeof date === 'string' ? { words: date } : { at: date.getTime() });
  });
