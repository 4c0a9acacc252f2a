// A person who types: one key every hundred milliseconds, whatever the panel does, sent without waiting for it. Promises:
// a key's time goes from before it is sent to the frame in which its letter stands, told by the page; keys that a busy
// page keeps waiting are not kept back, as hands do not wait either; a letter that never comes fails. The page draws on a
// beat all the while, as a screen does: a browser without a screen draws at once where nothing else is to be drawn, and on
// its beat where something is, so that without this the silence would be faster than any screen can show it.

import type { CDPSession, Frame, Page } from 'playwright-core';

const every = 100;
const letters = 'abcdefghijklmnopqrstuvwxyz';

interface Typed {
  /** When each letter was painted, on the clock of the machine. */
  readonly painted: readonly number[];
}

export interface Typist {
  /** Types until `until` is over, and gives the time that each key took, in milliseconds. */
  type(until: Promise<unknown>): Promise<readonly number[]>;
}

export async function typist(page: Page, frame: () => Frame): Promise<Typist> {
  const session = await page.context().newCDPSession(page);
  return {
    async type(until) {
      const inside = frame();
      await inside.evaluate(listen);
      const sent: number[] = [];
      let over = false;
      void until.then(
        () => (over = true),
        () => (over = true),
      );
      const began = clock();
      while (!over) {
        await new Promise(resolve => setTimeout(resolve, Math.max(0, began + (sent.length + 1) * every - clock())));
        sent.push(clock());
        press(session, letters.charAt(sent.length % letters.length));
      }
      await inside.waitForFunction(arrived, sent.length, { polling: 50, timeout: 60_000 }).catch(() => {});
      const { painted } = await inside.evaluate(result);
      if (painted.length !== sent.length) {
        throw new Error(`${sent.length} keys were pressed, and ${painted.length} letters came.`);
      }
      return painted.map((at, key) => at - (sent[key] ?? 0));
    },
  };
}

function press(session: CDPSession, key: string): void {
  const code = `Key${key.toUpperCase()}`;
  const windowsVirtualKeyCode = key.toUpperCase().charCodeAt(0);
  const which = { key, code, windowsVirtualKeyCode };
  // Not awaited: the answer comes when the page has taken it.
  void session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...which }).catch(() => {});
  void session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...which }).catch(() => {});
}

export function clock(): number {
  return performance.timeOrigin + performance.now();
}

interface Listening {
  typed?: { painted: number[]; stop: () => void };
}

/** In the page. */
function listen(): void {
  const page = globalThis as Listening;
  page.typed?.stop();
  const painted: number[] = [];
  let over = false;
  const beat = () => {
    if (!over) requestAnimationFrame(beat);
  };
  beat();
  const onKey = () => {
    requestAnimationFrame(() => {
      // The frame is painted when the next task runs.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => painted.push(performance.timeOrigin + performance.now()));
      port1.start();
      port2.postMessage(null);
    });
  };
  addEventListener('input', onKey, true);
  const stop = () => {
    over = true;
    removeEventListener('input', onKey, true);
  };
  page.typed = { painted, stop };
}

/** In the page. */
function arrived(count: number): boolean {
  return ((globalThis as Listening).typed?.painted.length ?? 0) >= count;
}

/** In the page. */
function result(): Typed {
  const { typed } = globalThis as Listening;
  typed?.stop();
  return { painted: typed?.painted ?? [] };
}
