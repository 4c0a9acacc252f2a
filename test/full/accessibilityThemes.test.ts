// The colors of the panel's key states in each theme, and that the focus is seen there.

import { test } from 'node:test';
import { wearTheme } from '../vscode/stage.ts';
import { keepsRules, more, states, walksThrough } from '../e2e/accessible.ts';
import { composer, installed } from '../e2e/panel.ts';

test('[W83] [W84] the panel in every theme', { timeout: 200_000 }, async t => {
  const window = await installed(t);
  await window.showChat();
  await composer(window).waitFor();
  // The dark theme has all rules, in accessibility.test.ts. What another one changes is colors.
  for (const theme of ['light', 'hc-dark', 'hc-light'] as const) {
    await t.test(`[W83] the theme ${theme}`, async themed => {
      await wearTheme(window, theme);
      for (const name of [...states, ...more]) await themed.test(name, () => keepsRules(window, name, 'colours'));
      await themed.test('[W84] the ring is seen', () => walksThrough(window, 'permission'));
    });
  }
});
