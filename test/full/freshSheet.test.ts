// A long conversation through which a person paged, in the installed extension: it is drawn anew where that disturbs nobody.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Window } from '../vscode/workbench.ts';
import { historyOf, tell } from '../e2e/otherWindow.ts';
import { articles, composer, installed, pick } from '../e2e/panel.ts';

test(
  '[W77] a long conversation is drawn anew at its end, and only where nobody is at something',
  { timeout: 120_000 },
  async t => {
    const window = await installed(t);
    await window.showChat();
    const history = await historyOf(window.server.home);
    t.after(() => history.close());
    const prompts = Array.from({ length: 400 }, (_, n) => `Question ${n}: what does step ${n} do?`);
    await tell(history, { prompts });
    await window.runCommand('Throughline: Resume Session');
    await pick(window, 'Question 0');
    await articles(window).filter({ hasText: 'Question 399' }).first().waitFor();

    await t.test('not while something of it is selected', async () => {
      await pageThrough(window);
      await mark(window);
      await window
        .chat()
        .locator('body')
        .evaluate(body => {
          const last = [...body.querySelectorAll('article')].at(-1);
          if (last) getSelection()?.selectAllChildren(last);
        });
      await window.page.waitForTimeout(4000);
      assert.equal(await marked(window), true);
      assert.match(
        await window
          .chat()
          .locator('body')
          .evaluate(() => String(getSelection())),
        /Question 399/,
      );
    });

    await t.test('not while the keyboard is in it', async () => {
      await window
        .chat()
        .locator('body')
        .evaluate(() => getSelection()?.removeAllRanges());
      await articles(window).last().getByRole('button').first().focus();
      await window.page.waitForTimeout(4000);
      assert.equal(await marked(window), true);
    });

    await t.test('where its reader rests, with the same words in the same place', async () => {
      const before = await seen(window);
      assert.ok(before.isAtEnd);
      await watchFrames(window);
      await composer(window).focus();
      await composer(window).fill('half a thought');
      for (const end = Date.now() + 20_000; (await marked(window)) && Date.now() < end;)
        await window.page.waitForTimeout(100);
      assert.equal(await marked(window), false);
      assertSamePlaces(await seen(window), before);
      // What is out of sight is left out again a moment later.
      await window.page.waitForTimeout(1500);
      const moved = await window
        .chat()
        .locator('body')
        .evaluate(() => [...(globalThis as unknown as Watched).moved]);
      assert.deepEqual(moved, [], 'in no frame anything else');
      assert.equal(await composer(window).inputValue(), 'half a thought');
      assert.equal(await window.chat().getByRole('button', { name: 'Jump to latest' }).count(), 0);
      assert.equal(await composer(window).evaluate(one => one === document.activeElement), true);
    });

    await t.test('once', async () => {
      await mark(window);
      await window.page.waitForTimeout(4000);
      assert.equal(await marked(window), true);
    });
  },
);

/** Places of text are fractions of pixels, which depend on the font; so much is no other place. */
const samePlace = 1;

function assertSamePlaces(now: Seen, before: Seen): void {
  const shape = ({ isAtEnd, messages }: Seen) => ({ isAtEnd, words: messages.map(({ words }) => words) });
  assert.deepEqual(shape(now), shape(before));
  for (const [at, { words, top }] of now.messages.entries())
    assert.ok(Math.abs(top - (before.messages[at]?.top ?? NaN)) < samePlace, `${words} moved to ${top}`);
}

type Seen = Awaited<ReturnType<typeof seen>>;

/** As far up as it goes, and back. */
async function pageThrough(window: Window): Promise<void> {
  await window
    .chat()
    .locator('.scroller')
    .evaluate(async scroller => {
      for (const by of [-3, 3]) {
        for (let still = 0; still < 40;) {
          const before = scroller.scrollTop;
          scroller.dispatchEvent(new WheelEvent('wheel'));
          scroller.scrollTop += by * scroller.clientHeight;
          await new Promise(resolve => requestAnimationFrame(resolve));
          still = scroller.scrollTop === before ? still + 1 : 0;
        }
      }
    });
}

interface Watched {
  readonly moved: Set<string>;
}

/** Writes down of every frame in which the last messages stand elsewhere than now where they stand. */
async function watchFrames(window: Window): Promise<void> {
  await window
    .chat()
    .locator('body')
    .evaluate((body, same) => {
      const moved = new Set<string>();
      Object.assign(globalThis, { moved });
      const places = () => [...body.querySelectorAll('article')].slice(-4).map(one => one.getBoundingClientRect().top);
      const before = places();
      const look = () => {
        const now = places();
        const isSame =
          now.length === before.length && now.every((top, at) => Math.abs(top - (before[at] ?? NaN)) < same);
        if (!isSame) moved.add(now.join());
        requestAnimationFrame(look);
      };
      look();
    }, samePlace);
}

/** So that it is known again, as long as it stands. */
async function mark(window: Window): Promise<void> {
  await articles(window)
    .last()
    .evaluate(article => (article.dataset['mark'] = 'here'));
}

async function marked(window: Window): Promise<boolean> {
  return (await window.chat().locator('[data-mark]').count()) > 0;
}

/** What is on the screen, each message with its place. */
function seen(window: Window) {
  return window
    .chat()
    .locator('.scroller')
    .evaluate(async scroller => {
      // What was put there in this moment finds its height while it is drawn.
      for (let frame = 0; frame < 2; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
      return {
        isAtEnd: scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < 2,
        messages: [...scroller.querySelectorAll('article')]
          .map(article => ({ words: article.textContent, top: article.getBoundingClientRect().top }))
          .filter(({ top }) => top > -50 && top < innerHeight),
      };
    });
}
