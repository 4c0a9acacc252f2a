// The history engine against its targets, part by part, on histories of three sizes.

import { measureAmplification } from './amplification.ts';
import { measureCommits, measureFirstCommits, measureHop, measureWholeSaves } from './commit.ts';
import { makeFixture, type Fixture } from './fixture.ts';
import { measureOpen } from './open.ts';
import { measurePath } from './path.ts';
import { measureSearch } from './search.ts';
import { measureGigabyte, measureSnapshot } from './snapshot.ts';
import { measureStall } from './stall.ts';
import { measureWindows } from './window.ts';
import { sizeName, type Row } from './measure.ts';

interface Rounds {
  readonly commits: number;
  readonly few: number;
  readonly whole: number;
  readonly opens: number;
  readonly paths: number;
  readonly streamed: number;
  readonly windows: number;
}
const full: Rounds = { commits: 1500, few: 150, whole: 10, opens: 7, paths: 30, streamed: 2500, windows: 300 };
const quick: Rounds = { commits: 400, few: 60, whole: 5, opens: 3, paths: 15, streamed: 300, windows: 60 };

interface Stage {
  readonly parent: string;
  readonly fixtures: readonly Fixture[];
  readonly largest: Fixture;
  readonly rounds: Rounds;
}

/** In this order: what only reads comes first, what makes the histories grow comes last. */
export const parts: { readonly [name: string]: (stage: Stage) => Promise<readonly Row[]> } = {
  open: ({ largest, rounds }) => measureOpen(largest, rounds.opens),
  path: ({ largest, rounds }) => measurePath(largest, rounds.paths),
  search: ({ largest, rounds }) => measureSearch(largest, rounds.paths),
  commit: async ({ parent, fixtures, rounds }) => [
    ...(await measureCommits(parent, fixtures, rounds.commits)),
    ...(await measureHop(parent, rounds.commits)),
    ...(await measureFirstCommits(parent, rounds.few)),
    ...(await inOrder(fixtures, fixture => measureWholeSaves(fixture, rounds.whole))),
  ],
  window: ({ parent, rounds }) => measureWindows(parent, rounds.windows),
  amplification: ({ parent, rounds }) => measureAmplification(parent, rounds.streamed),
  snapshot: ({ largest, rounds }) => measureSnapshot(largest, rounds.opens),
  gigabyte: ({ parent }) => measureGigabyte(parent),
  stall: ({ largest }) => measureStall(largest, largest.messages),
};

async function inOrder<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const item of items) rows.push(...(await run(item)));
  return rows;
}

export async function measureHistory(
  isQuick: boolean,
  names: readonly string[],
  parent: string,
): Promise<readonly Row[]> {
  const rounds = isQuick ? quick : full;
  const fixtures: Fixture[] = [];
  for (const messages of isQuick ? [1000, 10_000] : [1000, 10_000, 100_000]) {
    process.stderr.write(`filling ${sizeName(messages)}\n`);
    fixtures.push(await makeFixture(parent, messages));
  }
  const largest = fixtures.at(-1) as Fixture;
  return inOrder(names, async name => {
    process.stderr.write(`measuring ${name}\n`);
    return (await parts[name]?.({ parent, fixtures, largest, rounds })) ?? [];
  });
}
