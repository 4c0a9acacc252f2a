// The panel for people who use a keyboard, a screen reader, large type or no motion: in the installed extension, in each of
// its key states.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playScene } from '../vscode/stage.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { keepsRules, more, states, walksThrough } from './accessible.ts';
import { articles, ask, composer, installed } from './panel.ts';
import { frameOf } from './tabWalk.ts';

const patience = { timeout: 200_000 };
const full = { width: 1280, height: 800 };

test('[W82] [W83] [W84] [W86] [W87] [W88] [W89] the panel by keyboard, by ear and in every size', patience, async t => {
  const window = await installed(t);
  await window.showChat();
  await composer(window).waitFor();
  await t.test('[W87] what happens is said in one line, and what streams is in none', async () => {
    const frame = await frameOf(window);
    await frame.evaluate(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      const line = document.querySelector('[role="status"]');
      if (line)
        new MutationObserver(() => said.push(line.textContent)).observe(line, {
          subtree: true,
          childList: true,
          characterData: true,
        });
    });
    await ask(window, 'Where is Retry used?');
    const line = window.chat().getByRole('status', { includeHidden: true });
    await line.filter({ hasText: 'Answer complete' }).waitFor({ state: 'attached' });
    const { said, live, around } = await frame.evaluate(() => ({
      said: (globalThis as unknown as { said: string[] }).said,
      live: [...document.querySelectorAll('[aria-live], [role="status"], [role="alert"], [role="log"]')].map(
        one => one.className,
      ),
      around: document.querySelectorAll(':is([aria-live], [role="status"], [role="log"]) article').length,
    }));
    assert.deepEqual(live, ['hidden']);
    assert.equal(around, 0);
    // What is over before it could be drawn is not told.
    const all = ['Reaching Offline scout', 'Offline scout is answering', 'Answer complete'];
    assert.deepEqual(
      said,
      all.filter(words => said.includes(words)),
    );
  });
  await t.test('[W87] the last message is gone to by a command', async () => {
    await window.runCommand('Throughline: Focus Last Message');
    await articles(window).last().and(window.chat().locator(':focus')).waitFor();
  });
  for (const name of [...states, ...more]) {
    await t.test(`[W83] "${name}" keeps the rules`, () => keepsRules(window, name, 'all'));
  }
  for (const name of [
    'conversation',
    'permission',
    'question',
    'changes',
    'branches',
    'find',
    'firstRun',
    'attached',
    'queue',
    'failed',
  ]) {
    await t.test(`[W84] every action of "${name}" by Tab, and back`, () => walksThrough(window, name));
  }
  await t.test('[W84] Tab goes on from “Jump to latest” when the conversation reaches its end by itself', async () => {
    await window.page.setViewportSize({ ...full, height: 500 });
    await playScene(window, 'attached');
    const chat = window.chat();
    const scroller = chat.getByRole('region', { name: 'Conversation' });
    const jump = chat.getByRole('button', { name: 'Jump to latest' });
    const distance = () => scroller.evaluate(one => one.scrollHeight - one.clientHeight - one.scrollTop);
    await scroller.evaluate(one => (one.scrollTop = 0));
    await jump.focus();
    assert.ok((await distance()) > 100, 'the conversation does not fit');
    await scroller.evaluate(
      one =>
        new Promise(resolve => {
          one.scrollTop = one.scrollHeight;
          // The event comes with the frame in which it is drawn; what follows from it, with the next one.
          one.addEventListener('scroll', () => requestAnimationFrame(resolve), { once: true });
        }),
    );
    assert.ok((await distance()) < 2);
    assert.equal(await jump.evaluate(one => one === document.activeElement), true, 'it keeps the focus');
    await window.page.keyboard.press('Tab');
    await chat.getByRole('button', { name: 'Remove processor.go' }).and(chat.locator(':focus')).waitFor();
    await jump.waitFor({ state: 'detached' });
    await scroller.evaluate(one => (one.scrollTop = 0));
    await jump.click();
    await composer(window).and(chat.locator(':focus')).waitFor();
    await jump.waitFor({ state: 'detached' });
    await window.page.setViewportSize(full);
  });
  await t.test('[W86] what waits for a person is read from its beginning', async () => {
    await playScene(window, 'question');
    const frame = await frameOf(window);
    const [top, edge] = await frame.evaluate(() => [
      document.querySelector('.ask')?.getBoundingClientRect().top ?? NaN,
      document.querySelector('.scroller')?.getBoundingClientRect().top ?? NaN,
    ]);
    assert.ok(top >= edge && top < edge + 40, `${top} below ${edge}`);
  });
  await t.test('[W89] nothing moves where motion is not wanted', async () => {
    await playScene(window, 'queue');
    const frame = await frameOf(window);
    const moving = () =>
      frame.evaluate(() => document.getAnimations().filter(one => one.playState === 'running').length);
    assert.ok((await moving()) > 0, 'there is something that moves');
    await window.page.emulateMedia({ reducedMotion: 'reduce' });
    await frame.waitForFunction(() => document.getAnimations().every(one => one.playState !== 'running'));
    await window.page.emulateMedia({ reducedMotion: null });
  });
  for (const name of [...states, 'attached', 'notSaved', 'signInFailed']) {
    await t.test(`[W88] "${name}" at 200%`, () => fitsIn(window, name));
  }
  await t.test('[W82] a person without an agent is led to where one is named', async () => {
    await playScene(window, 'firstRun');
    await window.chat().getByRole('button', { name: 'Connect an agent…' }).click();
    await window.page.locator('.quick-input-widget').getByText('Add an agent').waitFor();
    await window.page.keyboard.press('Escape');
  });
});

/** Half as many pixels in each direction are what 200% leaves. */
async function fitsIn(window: Workbench, name: string): Promise<void> {
  await window.page.setViewportSize({ width: full.width / 2, height: full.height / 2 });
  try {
    await playScene(window, name);
    const frame = await frameOf(window);
    const { wide, hidden, share } = await frame.evaluate(() => {
      const { scrollWidth, clientWidth, clientHeight } = document.documentElement;
      const cut = [...document.querySelectorAll<HTMLElement>('button, textarea, input, select')].filter(one => {
        const { left, right, width } = one.getBoundingClientRect();
        const isRoom = one.closest('pre, .tableFrame, .agentLine, .chips') !== null;
        // What comes with the pointer or the focus takes no room before.
        const isAway = one.closest('.actions')?.clientWidth === 0;
        return !isRoom && !isAway && one.checkVisibility() && width > 0 && (left < -1 || right > clientWidth + 1);
      });
      const scroller = document.querySelector('.scroller')?.clientHeight ?? 0;
      return {
        wide: scrollWidth - clientWidth,
        hidden: cut.map(one => one.getAttribute('aria-label') ?? one.textContent),
        share: scroller / clientHeight,
      };
    });
    assert.ok(wide <= 0, `${wide} too wide`);
    assert.deepEqual(hidden, []);
    assert.ok(share >= 0.25, `the conversation has ${Math.round(share * 100)}% of the height`);
  } finally {
    await window.page.setViewportSize(full);
  }
}
