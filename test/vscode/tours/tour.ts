// A walk through many states of one window, with a picture of each in every theme that is asked for: a theme is changed
// where the state stands, so that a list stays open. Promises: a state that is not reached does not end the walk; it is
// told at the end, with a picture of what was there instead.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { themes, type Theme } from '../person.ts';
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

const marks: Record<Theme, string> = { dark: 'vs-dark', light: 'vs', 'hc-dark': 'hc-black', 'hc-light': 'hc-light' };

export async function walkThrough(
  name: string,
  tour: Tour,
  workbench: Workbench,
  worn: readonly Theme[],
): Promise<readonly string[]> {
  const failed: string[] = [];
  const { page } = workbench;
  const file = (state: string, theme: Theme) => join(out, 'shots', name, `${state}-${theme}.png`);
  const shoot: Walk['shoot'] = async (state, part) => {
    for (const theme of worn) {
      if (worn.length > 1) await wear(workbench, theme);
      await settled(workbench);
      if (part) await pictureOf(page.locator(parts[part]).first(), file(state, theme));
      else await workbench.screenshot(file(state, theme));
    }
  };
  const state: Walk['state'] = async (called, reach) => {
    try {
      const part = await reach();
      await shoot(called, part ?? undefined);
    } catch (error) {
      failed.push(`${called}: ${String(error).split('\n').slice(0, 4).join(' ')}`);
      await workbench.screenshot(file(`${called}-FAILED`, worn[0] ?? 'dark'));
    }
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
  };
  page.setDefaultTimeout(8000);
  // Also where the walk itself ends early: what was seen stays.
  await tour.walk({ workbench, shoot, state }).catch(async (error: unknown) => {
    failed.push(String(error));
    await workbench.screenshot(file('FAILED', worn[0] ?? 'dark'));
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

/** Where the window stands, without loading it again. */
async function wear({ page, server }: Workbench, theme: Theme): Promise<void> {
  const file = join(server.home, 'user-data', 'User', 'settings.json');
  const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(Object.assign({}, settings, { 'workbench.colorTheme': themes[theme] }), null, 2));
  await page.locator(`.monaco-workbench.${marks[theme]}`).first().waitFor();
}

/** What fades in or slides has done so. */
async function settled({ page }: Workbench): Promise<void> {
  await page.waitForTimeout(450);
}
