// A walk through many states of one window, with a picture of each. Every theme has a window and a walk of its own: a list
// or a question does not stay open while a theme changes. Promises: a state that is not reached does not end the walk; it is
// told at the end, with a picture of what was there instead.

import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { Theme } from '../person.ts';
import { out } from '../places.ts';
import type { Workbench, WorkbenchOptions } from '../workbench.ts';

export interface Tour {
  readonly options?: WorkbenchOptions;
  readonly walk: (walk: Walk) => Promise<void>;
}

export interface Walk {
  readonly workbench: Workbench;
  /** A picture of a part of the window, else of all of it. */
  readonly shoot: (name: string, part?: Part) => Promise<void>;
  /** The next state: reached, looked at, and left by Escape. */
  readonly state: (name: string, reach: () => Promise<Part | void>) => Promise<void>;
}

export type Part = 'side bar' | 'list' | 'chat' | 'editor' | 'box' | 'notification';

const parts: Record<Part, string> = {
  'side bar': '.part.sidebar',
  list: '.quick-input-widget',
  chat: '.part.auxiliarybar',
  editor: '.part.editor',
  box: '.monaco-dialog-box',
  notification: '.notifications-toasts',
};

export async function walkThrough(
  name: string,
  tour: Tour,
  workbench: Workbench,
  theme: Theme,
): Promise<readonly string[]> {
  const failed: string[] = [];
  const { page } = workbench;
  const file = (state: string) => join(out, 'shots', name, `${state}-${theme}.png`);
  const shoot: Walk['shoot'] = async (state, part) => {
    await settled(workbench);
    if (part) await pictureOf(page.locator(parts[part]).first(), file(state));
    else await workbench.screenshot(file(state));
  };
  const state: Walk['state'] = async (called, reach) => {
    try {
      const part = await reach();
      await shoot(called, part ?? undefined);
    } catch (error) {
      failed.push(`${called}: ${String(error).split('\n').slice(0, 4).join(' ')}`);
      await workbench.screenshot(file(`${called}-FAILED`));
    }
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
  };
  page.setDefaultTimeout(8000);
  // Also where the walk itself ends early: what was seen stays.
  await tour.walk({ workbench, shoot, state }).catch(async (error: unknown) => {
    failed.push(String(error));
    await workbench.screenshot(file('FAILED'));
  });
  return failed;
}

async function pictureOf(part: Locator, file: string): Promise<void> {
  const box = await part.boundingBox();
  if (!box) throw new Error('What is to be looked at is not there.');
  const { x, y, width, height } = box;
  const clip = { x: Math.max(0, x - 8), y: Math.max(0, y - 8), width: width + 16, height: height + 16 };
  await part.page().screenshot({ path: file, clip });
}

/** What fades in or slides has done so. */
async function settled({ page }: Workbench): Promise<void> {
  await page.waitForTimeout(450);
}
