// What the panel's bench works in: the packaged extension in a real VS Code, its panel in a process of its own as on the
// desktop, an agent that is a real process, and a hand in the extension host. Everything in the panel is done as a
// person does it; sessions are changed by the extension's own command.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { extensionId, temporaryFolder, vsixFile } from '../../vscode/places.ts';
import { openWorkbench, type Workbench } from '../../vscode/workbench.ts';
import { copyOfSample } from '../../vscode/workspace.ts';
import { handCode, reachHand, type Hand } from './hand.ts';
import { clock, typist, type Typist } from './keys.ts';
import { ending } from './textAgent.ts';

export interface Scene {
  readonly page: Page;
  readonly hand: Hand;
  readonly typist: Typist;
  /** The DevTools of the panel's own process. */
  readonly devTools: CDPSession;
  /** The panel's document, which is made anew when the view is hidden and shown. */
  frame(): Frame;
  /** Where the extension keeps the history of the open folder. */
  historyFolder(): string;
  /** Sends, without waiting. */
  send(words: string): Promise<void>;
  /** Sends and waits for the last words of the answer on the screen and the end of the turn; gives when each came. */
  ask(words: string): Promise<Answered>;
  answered(words: string): Promise<Answered>;
  newSession(): Promise<void>;
  /** The session that was written last, and its last message. */
  shown(): Promise<{ readonly session: string; readonly last: string }>;
  /** Gives the time to the frame in which the last message stands, in milliseconds. */
  open(session: string, last: string): Promise<number>;
  /** Nothing is drawn any more. */
  settled(): Promise<void>;
  emptyComposer(): Promise<void>;
  /** When the agent had said everything, each time. */
  saidAt(): readonly number[];
  close(): Promise<void>;
}

export interface Answered {
  readonly sent: number;
  readonly painted: number;
  readonly over: number;
}

const patience = 120_000;
const agentFile = fileURLToPath(new URL('./textAgent.ts', import.meta.url));

export async function openScene(): Promise<Scene> {
  assert.ok(existsSync(vsixFile), 'the extension is not packaged: `npm run package`');
  const home = temporaryFolder('panel');
  const socket = join(home, 'hand');
  const log = join(home, 'said');
  const env = { TEXT_AGENT_LOG: log };
  const workbench = await openWorkbench({
    vsix: vsixFile,
    folder: copyOfSample(),
    webviewsApart: true,
    beside: { name: 'hand', code: handCode(socket) },
    settings: {
      'throughline.agent': 'Texts',
      'throughline.agents': { Texts: { command: process.execPath, args: [agentFile], env } },
    },
  });
  try {
    return await set(workbench, socket, log);
  } catch (error) {
    await workbench.close();
    throw error;
  }
}

async function set(workbench: Workbench, socket: string, log: string): Promise<Scene> {
  const { page } = workbench;
  await workbench.showChat();
  const composer = () => workbench.chat().getByRole('textbox', { name: 'Message' });
  await composer().waitFor();
  const frame = () => {
    const found = page.frames().findLast(one => one.parentFrame()?.url().includes(`extensionId=${extensionId}`));
    if (!found) throw new Error('The panel is not there.');
    return found;
  };
  const outer = frame().parentFrame();
  if (!outer) throw new Error('The panel is not there.');
  // This fails where the panel shares the process of the workbench.
  const devTools = await page.context().newCDPSession(outer);
  const hand = await reachHand(socket);
  const answered = async (words: string): Promise<Answered> => {
    const { sent, painted, over } = await frame().evaluate(untilAnswered, { end: ending(words), patience });
    return { sent, painted, over };
  };
  const historyFolder = () => {
    const { home } = workbench.server;
    const journal = readdirSync(home, { recursive: true, encoding: 'utf8' }).find(file =>
      file.endsWith(join('history', 'journal')),
    );
    if (!journal) throw new Error('There is no history yet.');
    return join(home, journal, '..');
  };
  const send = async (words: string) => {
    await composer().fill(words);
    await frame().evaluate(markSending);
    await composer().press('Enter');
  };
  return {
    page,
    hand,
    devTools,
    frame,
    typist: await typist(page, frame),
    historyFolder,
    send,
    answered,
    async ask(words) {
      await send(words);
      return answered(words);
    },
    async newSession() {
      await hand.run('throughline.newSession');
      await frame().waitForFunction(() => document.querySelector('article') === null);
      await composer().focus();
    },
    async shown() {
      const journal = join(historyFolder(), 'journal');
      const newest = readdirSync(journal)
        .filter(name => name.endsWith('.seg'))
        .map(name => ({ name, at: statSync(join(journal, name)).mtimeMs }))
        .reduce((one, other) => (other.at > one.at ? other : one));
      const last = await frame().evaluate(
        () => [...document.querySelectorAll('article')].at(-1)?.dataset['message'] ?? '',
      );
      return { session: newest.name.split('~')[0] ?? '', last };
    },
    async open(session, last) {
      const shown = frame().evaluate(untilShown, { last, patience });
      const began = clock();
      await hand.run('throughline.resumeSession', session);
      return (await shown) - began;
    },
    settled: () => frame().evaluate(untilSettled),
    async emptyComposer() {
      await composer().fill('');
      await composer().focus();
    },
    saidAt: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : []),
    async close() {
      hand.close();
      await workbench.close();
    },
  };
}

interface Sending {
  sending?: { at: number; articles: number; last: string };
}

/** In the page: when Enter is pressed, and what is there then. */
function markSending(): void {
  const page = globalThis as Sending;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    removeEventListener('keydown', onKey, true);
    const last = [...document.querySelectorAll('article')].at(-1)?.dataset['message'] ?? '';
    page.sending = { at: performance.timeOrigin + event.timeStamp, articles: 0, last };
  };
  addEventListener('keydown', onKey, true);
}

/** In the page. Looked for once a frame, at the very end of the last article only, so that looking costs nothing. */
function untilAnswered(wanted: {
  end: string;
  patience: number;
}): Promise<{ sent: number; painted: number; over: number }> {
  const lastWords = (element: Element | undefined) => {
    let node: Node | null = element?.querySelector('.blocks') ?? null;
    while (node?.lastChild) node = node.lastChild;
    return (node?.textContent ?? '').trimEnd().slice(-200);
  };
  const afterFrame = (then: () => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', then);
    port1.start();
    port2.postMessage(null);
  };
  const { sending } = globalThis as Sending;
  return new Promise((resolve, reject) => {
    const before = performance.now();
    let painted = 0;
    const look = () => {
      const article = [...document.querySelectorAll('article')].at(-1);
      const isNew = article?.dataset['message'] !== sending?.last;
      const now = () => performance.timeOrigin + performance.now();
      if (painted === 0 && isNew && lastWords(article).endsWith(wanted.end)) afterFrame(() => (painted = now()));
      if (painted !== 0 && !article?.classList.contains('now')) {
        return afterFrame(() => resolve({ sent: sending?.at ?? 0, painted, over: now() }));
      }
      if (performance.now() - before > wanted.patience) {
        return reject(new Error(`"${wanted.end}" never came; there is "${lastWords(article).slice(-60)}".`));
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

/** In the page: the time of the frame in which the message stands and is on the screen. */
function untilShown(wanted: { last: string; patience: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const look = () => {
      const article = document.querySelector(`article[data-message="${wanted.last}"]`);
      const place = article?.querySelector('.blocks')?.getBoundingClientRect();
      if (place && place.bottom > 0 && place.top < innerHeight) {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve(performance.timeOrigin + performance.now()));
        port1.start();
        return port2.postMessage(null);
      }
      if (performance.now() - before > wanted.patience) return reject(new Error('The session never opened.'));
      requestAnimationFrame(look);
    };
    look();
  });
}

/** In the page: half a second without a change, and nothing to do. */
function untilSettled(): Promise<void> {
  return new Promise(resolve => {
    let last = performance.now();
    const watch = new MutationObserver(() => (last = performance.now()));
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    const began = performance.now();
    const look = () => {
      if (performance.now() - last > 500 || performance.now() - began > 60_000) {
        watch.disconnect();
        return resolve();
      }
      requestIdleCallback(() => setTimeout(look, 50));
    };
    look();
  });
}
