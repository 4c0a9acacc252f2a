// What is typed into the search of the history, and the rows that it shows, without VS Code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchHit, SessionSummary } from '../../../src/core/history/history.ts';
import { FullScan } from '../../../src/host/search/fullScan.ts';
import { queryOf, toggled } from '../../../src/host/search/searchQuery.ts';
import { hintRows, hitRows, offerRows, titleRows } from '../../../src/host/search/searchRows.ts';

const now = new Date(2026, 10, 18, 12).getTime();
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime();

test('[H75] what is typed is words and filters, and what only looks like a filter is words', () => {
  const rows: readonly (readonly [text: string, words: string, filter: object])[] = [
    ['', '', {}],
    ['retry delay', 'retry delay', {}],
    ['retry ', 'retry ', {}],
    ['agent:scout retry', ' retry', { agent: 'scout' }],
    ['retry agent:"Claude Code"', 'retry', { agent: 'Claude Code' }],
    ['label:work label:"next week" a', '  a', { labels: ['work', 'next week'] }],
    ['has:changes', '', { changes: true }],
    ['HAS:Changes', '', { changes: true }],
    ['has:cha', '', {}],
    ['has:nothing', 'has:nothing', {}],
    ['with:trash without:archive x', '  x', { trash: true, noArchive: true }],
    ['after:2026-11-01', '', { after: day(2026, 11, 1) }],
    ['after:2026-11', '', {}],
    ['after:2026-02-31', 'after:2026-02-31', {}],
    ['after:yesterday before:today', '', { after: day(2026, 11, 17), before: day(2026, 11, 18) }],
    ['after:7d', '', { after: day(2026, 11, 11) }],
    ['after:2w', '', { after: day(2026, 11, 4) }],
    ['after:all of it', 'after:all of it', {}],
    ['see:agent:one', 'see:agent:one', {}],
    ['"agent:one says"', '"agent:one says"', {}],
    ['https://a/b?c=d#e', 'https://a/b?c=d#e', {}],
    ['C:\\x ::: "" ( * ', 'C:\\x ::: "" ( * ', {}],
    ['label:"', '', {}],
  ];
  for (const [text, words, filter] of rows) {
    const query = queryOf(text, now);
    assert.deepEqual([query.words, query.filter], [words, filter], text);
  }
  assert.deepEqual(queryOf('retry agent:cl', now).typing, { name: 'agent', value: 'cl', at: 6 });
  assert.equal(queryOf('agent:cl retry', now).typing, null);
});

test('[H75] a button puts its filter into the text and takes it out again', () => {
  assert.equal(toggled('', 'with:trash'), 'with:trash ');
  assert.equal(toggled('retry', 'with:trash'), 'retry with:trash ');
  assert.equal(toggled('retry with:trash ', 'with:trash'), 'retry ');
  assert.equal(toggled('with:trash', 'with:trash'), '');
  for (const text of ['', 'a', 'a b', 'label:x a']) {
    const once = toggled(text, 'without:archive');
    assert.deepEqual(queryOf(once, now).filter.noArchive, true, once);
    assert.equal(toggled(once, 'without:archive').trim(), text);
  }
});

function summary(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  const none = { model: null, mode: null, cwd: null, key: null, origin: null, expires: null };
  const flags = { forked: false, trashed: false, archived: false, pinned: false };
  const agent = { id: 'one', name: 'One' };
  const times = { created: now, active: now };
  return { id, title: id, agent, ...none, ...flags, ...times, messages: 2, labels: [], metadata: {}, ...more };
}

test('[H75] titles answer at once, narrowed like the rest, and say where they were put', () => {
  const sessions = [
    summary('Retry with a delay', { labels: ['work'] }),
    summary('Delay the retry', { archived: true, agent: { id: 'cc', name: 'Claude Code' } }),
    summary('A retry in the trash', { trashed: true }),
    summary('Retry of long ago', { active: day(2026, 1, 1) }),
  ];
  const titles = (text: string) => titleRows(sessions, queryOf(text, now), now).map(({ label }) => label);
  const [with_, delay, trash, old] = sessions.map(({ title }) => title);
  assert.deepEqual(titles(''), [with_, delay, old]);
  assert.deepEqual(titles('retry with:trash'), [with_, delay, trash, old]);
  assert.deepEqual(titles('retry without:archive'), [with_, old]);
  assert.deepEqual(titles('agent:claude'), [delay]);
  assert.deepEqual(titles('label:WOR retry'), [with_]);
  assert.deepEqual(titles('retry before:2026-02-01'), [old]);
  assert.deepEqual(titles('rétry del'), [with_, delay]);
  assert.deepEqual(titles('has:changes'), [], 'only the engine knows');
  const [row] = titleRows(sessions, queryOf('delay the', now), now);
  assert.equal(row?.description, 'Claude Code · 2 messages · now · archived');
});

test('[H75] a hit says who, where, on which branch, and what of it was found', () => {
  const where = { agent: 'One', archived: false, trashed: false, dormant: false, branch: null, label: null };
  const snippet = 'how long Retry waits';
  const marks = [
    { at: 9, length: 5 },
    { at: 15, length: 5 },
  ];
  const base = { session: 's', title: 'T', role: 'user', message: 'm', leaf: 'l', block: 0, position: 0 } as const;
  const hit: SearchHit = { ...base, where, created: now, snippet, marks };
  const say = (more: Partial<SearchHit['where']>, typed = 'retry waits', rest: Partial<SearchHit> = {}) => {
    const [row] = hitRows([{ ...hit, ...rest, where: { ...where, ...more } }], typed, now);
    return [row?.label, row?.description, row?.detail];
  };
  assert.deepEqual(say({}), ['You', 'now · T', snippet], 'VS Code marks it');
  assert.deepEqual(say({}, 'waits retry')[2], 'how long «Retry» «waits»');
  assert.deepEqual(say({ dormant: true })[1], 'now · another branch · T');
  assert.deepEqual(say({ dormant: true, branch: 'Plan B', archived: true })[1], 'now · branch “Plan B” · archived · T');
  assert.deepEqual(say({ trashed: true }, 'x', { role: 'assistant' }).slice(0, 2), ['One', 'now · in the trash · T']);
  assert.deepEqual(say({ label: 'subagent:reader:7' })[0], 'Subagent reader 7');
});

test('[H75] what can narrow the search is offered where nothing is typed, and while it is', () => {
  assert.deepEqual(
    hintRows('').map(({ label }) => label),
    ['agent:', 'label:', 'after:', 'before:', 'has:changes', 'without:archive', 'with:trash'],
  );
  assert.equal(hintRows('retry')[0]?.typed, 'retry agent:');
  for (const { typed = '' } of hintRows('retry')) assert.equal(queryOf(typed, now).words.trim(), 'retry', typed);
  const sessions = [
    summary('a', { agent: { id: 'c', name: 'Claude Code' }, labels: ['work'] }),
    summary('b', { agent: { id: 'c', name: 'Claude Code' } }),
    summary('c'),
  ];
  const offers = (text: string) => offerRows(text, queryOf(text, now), sessions).map(({ typed }) => typed);
  assert.deepEqual(offers('retry agent:'), ['retry agent:"Claude Code" ', 'retry agent:One ']);
  assert.deepEqual(offers('retry agent:cl'), ['retry agent:"Claude Code" ']);
  assert.deepEqual(offers('label:w'), ['label:work ']);
  assert.deepEqual(offers('has:'), ['has:changes ']);
  assert.deepEqual(offers('agent:One '), []);
});

test('[H76] everything is looked through one at a time, and what was found before a stop stays', async () => {
  const begun: string[] = [];
  const hit = { message: 'm' } as SearchHit;
  const scan = new FullScan(
    (text, onProgress, signal) =>
      new Promise(resolve => {
        begun.push(text);
        onProgress({ hits: [hit], bytesRead: 1, bytes: 2 });
        const end = () => resolve({ hits: [hit, hit], bytesRead: 2, bytes: 2 });
        if (text === 'short') end();
        else signal.addEventListener('abort', () => resolve({ hits: [hit], bytesRead: 1, bytes: 2 }));
      }),
  );
  let told = 0;
  const changed = () => void told++;
  const first = scan.start('long', {}, changed);
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual([scan.state, scan.hits.length, scan.bytesRead, told], ['runs', 1, 1, 1]);
  scan.stop();
  await first;
  assert.deepEqual([scan.state, scan.hits.length, told], ['stopped', 1, 2]);
  const second = scan.start('long', {}, changed);
  await new Promise(resolve => setImmediate(resolve));
  const third = scan.start('short', {}, changed);
  await Promise.all([second, third]);
  assert.deepEqual([scan.state, scan.hits.length, begun], ['done', 2, ['long', 'long', 'short']]);
});
