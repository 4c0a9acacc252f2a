// Waits for something, but not forever.

import type { Clock } from '../ports.ts';

/** A disk that does not answer must not keep a window from closing. */
export const closePatience = 4000;

/** Resolves when `done` is settled, or after so many milliseconds. Rejects as `done` does. */
export async function within(clock: Clock, milliseconds: number, done: Promise<unknown>): Promise<void> {
  let forget = () => {};
  const patience = new Promise<void>(resolve => (forget = clock.after(milliseconds, resolve)));
  try {
    await Promise.race([done, patience]);
  } finally {
    forget();
  }
}
