// A history that is not whole, and one of another folder that can be had: what is found, said and repaired.

import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyOf } from '../../e2e/otherWindow.ts';
import { composer, showSessions } from '../../e2e/panel.ts';
import { copyOfSample } from '../workspace.ts';
import { tellPast } from './past.ts';
import type { Tour } from './tour.ts';

export const damage: Tour = {
  async walk({ workbench, state }) {
    const { page } = workbench;
    await workbench.showChat();
    await composer(workbench).waitFor();
    const history = await historyOf(workbench.server.home);
    await tellPast(history);
    await history.close();
    const sessions = await showSessions(workbench);
    await sessions.filter({ hasText: 'Find the leak' }).waitFor();
    harm(workbench.server.home);
    await state('damaged', async () => {
      await workbench.runCommand('Throughline: Check History');
      await page
        .getByText(/not as they should be|Repair/)
        .first()
        .waitFor();
      return 'notification';
    });
    await state('findings', async () => {
      await workbench.runCommand('Throughline: Check History');
      await page.getByRole('button', { name: 'Show Findings' }).first().click();
      await page.locator('.editor-instance .view-line').first().waitFor();
    });
    await state('recover', async () => {
      const other = await workbench.secondWindow(copyOfSample());
      await other.showChat();
      await composer(other).waitFor();
      await other.runCommand('Throughline: Recover History…');
      await other.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
      await other.page.waitForTimeout(500);
      await other.screenshot('out/shots/damage/recoverList.png');
      await other.page.keyboard.press('Enter');
      await other.page
        .getByText(/came here/)
        .first()
        .waitFor();
      await other.page.waitForTimeout(500);
      await other.screenshot('out/shots/damage/recovered.png');
      await other.page.close();
    });
  },
};

/** One segment has lost its end, and in another a byte is another one. */
function harm(home: string): void {
  // The largest, which is the one with branches, and the next.
  const segments = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter(file => file.includes('history/journal/') && file.endsWith('.seg'))
    .map(file => join(home, file))
    .toSorted((one, other) => statSync(other).size - statSync(one).size);
  const [first, second] = segments;
  if (!first || !second) throw new Error('There is nothing to harm.');
  truncateSync(first, 300);
  const bytes = readFileSync(second);
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  writeFileSync(second, bytes);
}
