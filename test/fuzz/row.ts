// What every table of moves is made of.

import type { Window } from './window.ts';
import type { World } from './world.ts';

export interface Row {
  /** How often, beside the others. */
  readonly weight: number;
  /** Null where there is nothing to do. */
  readonly make: (world: World, place: number, n: number, m: number) => (() => void | Promise<void>) | null;
}

export type Rows = { readonly [name: string]: Row };

/** The window at a place, where it has a conversation and lives. */
export function windowAt({ windows }: World, place: number): Window | null {
  const window = windows[place];
  return window && !window.isGone && !window.isLeaving && window.conversation ? window : null;
}

export function nth<Item>(items: readonly Item[], n: number): Item | undefined {
  return items[n % items.length];
}
