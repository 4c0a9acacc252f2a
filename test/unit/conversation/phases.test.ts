// The phases of a conversation: each follows only on one that leads to it, and every way out of every phase ends.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stateAtOpening } from '../../../src/core/conversation/opening.ts';
import { leadsTo, type Phase, type PhaseName } from '../../../src/core/conversation/state.ts';
import { Transition, type Given } from '../../../src/core/conversation/transition.ts';
import { ScriptedAgent } from '../support/scriptedAgent.ts';

const given: Given = {
  now: 1,
  newMessage: () => 'm1',
  writer: 'window22',
  place: () => ({ cwd: null, alsoIn: [] }),
  rules: () => [],
  hasFiles: false,
  unavailable: undefined,
};

const names = Object.keys(leadsTo) as readonly PhaseName[];

test('[T42] a phase follows only on one that leads to it', () => {
  const opened = stateAtOpening(new ScriptedAgent(), { id: 'session2' }, given);
  for (const before of names)
    for (const after of names) {
      // Whatever belongs to a phase, its name decides.
      const phase = { name: after } as Phase;
      const step = new Transition({ ...opened, phase: { name: before } as Phase }, given);
      const allowed: readonly PhaseName[] = leadsTo[before];
      if (after === before || allowed.includes(after)) step.enter(phase);
      else assert.throws(() => step.enter(phase), /can't go from/, `${before} to ${after}`);
      assert.equal(step.phase.name === after, after === before || allowed.includes(after));
    }
});

test('[T4] every phase leads to the end of the window, and each turn to rest', () => {
  const reached = (from: PhaseName, found = new Set<PhaseName>()): ReadonlySet<PhaseName> => {
    for (const next of leadsTo[from])
      if (!found.has(next)) {
        found.add(next);
        reached(next, found);
      }
    return found;
  };
  for (const name of names) {
    if (name === 'closed') continue;
    assert.ok(reached(name).has('closed'), name);
    if (name !== 'closing') assert.ok(reached(name).has('idle'), name);
  }
});

test('[T42] the map has each way from one phase to another, and no other', () => {
  const map = readFileSync(new URL('../../../src/README.md', import.meta.url), 'utf8');
  const drawn = [...map.matchAll(/^ {4}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} ${to}`);
  const led = names.flatMap(from => leadsTo[from].map(to => `${from} ${to}`));
  assert.deepEqual(drawn.toSorted(), led.toSorted());
});
