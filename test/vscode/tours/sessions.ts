// The list of sessions as it is after two weeks, and everything that a person does in it.

import type { Locator } from 'playwright-core';
import { historyOf } from '../../e2e/otherWindow.ts';
import { composer, showSessions } from '../../e2e/panel.ts';
import type { Window } from '../workbench.ts';
import { tellPast } from './past.ts';
import type { Tour } from './tour.ts';

export const sessions: Tour = {
  async walk({ workbench, state }) {
    const { page } = workbench;
    await workbench.showChat();
    await composer(workbench).waitFor();
    const rows = await showSessions(workbench);
    await state('nothing', async () => {
      await page.locator('.part.sidebar .welcome-view-content').waitFor();
      return 'side bar';
    });
    const history = await historyOf(workbench.server.home);
    await tellPast(history);
    const row = (words: string) => rows.filter({ hasText: words });
    await row('Find the leak').waitFor();
    await state('twoWeeks', async () => 'side bar' as const);
    await state('branches', async () => {
      await row('Find the leak').click();
      await workbench.chat().getByRole('article').nth(1).waitFor();
      await row('Find the leak').locator('.monaco-tl-twistie').click();
      await row('cancel-context').waitFor();
      return undefined;
    });
    await state('branchMenu', async () => {
      await row('cancel-context').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Name Branch…' }).waitFor();
    });
    await state('sessionMenu', async () => {
      await row('Review the migration').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Pin Session' }).waitFor();
    });
    await state('hover', async () => {
      await row('Find the leak').hover();
      await page.locator('.monaco-hover:visible').first().waitFor();
    });
    await state('titleMenu', async () => {
      await page.locator('.part.sidebar').getByRole('button', { name: 'Views and More Actions...' }).click();
      await page.getByRole('menuitem', { name: 'Check History' }).waitFor();
    });
    await state('filterAsked', async () => {
      await workbench.runCommand('Throughline: Filter Sessions…');
      await page.locator('.quick-input-widget:visible').waitFor();
      return 'list';
    });
    await state('filtered', async () => {
      await workbench.runCommand('Throughline: Filter Sessions…');
      await page.locator('.quick-input-widget input:visible').fill('release');
      await page.keyboard.press('Enter');
      await row('Find the leak').waitFor({ state: 'detached' });
      return 'side bar';
    });
    await workbench.runCommand('Throughline: Clear Filter');
    await state('labels', async () => {
      await choose(workbench, row('Review the migration'), 'Edit Labels…');
      await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
      return 'list';
    });
    await state('deletePermanently', async () => {
      await row('Trash').click();
      await choose(workbench, row('Try out the agent'), 'Delete Permanently…');
      await page.locator('.monaco-dialog-box').waitFor();
      return 'box';
    });
    await state('emptyTrash', async () => {
      await workbench.runCommand('Throughline: Empty Trash…');
      await page.locator('.monaco-dialog-box').waitFor();
      return 'box';
    });
    await state('deleteBranch', async () => {
      await row('Find the leak').locator('.monaco-tl-twistie').click();
      await choose(workbench, row('Now run the tests'), 'Delete Branch');
      await page.locator('.notifications-toasts .notification-toast').first().waitFor();
    });
    await state('deleteBranchPermanently', async () => {
      await choose(workbench, row('Now run the tests'), 'Delete Branch Permanently…');
      await page.locator('.monaco-dialog-box').waitFor();
      return 'box';
    });
    await state('deleted', async () => {
      await row('Write the changelog').hover();
      await row('Write the changelog').getByRole('button', { name: 'Delete Session' }).click();
      await page
        .getByText(/^Moved/)
        .first()
        .waitFor();
    });
    await state('compared', async () => {
      await choose(workbench, row('Find the leak'), 'Compare with…');
      await page.locator('.editor-instance .view-line').first().waitFor();
    });
    await state('incognito', async () => {
      await workbench.runCommand('Throughline: New Incognito Session');
      await workbench
        .chat()
        .getByText(/incognito/i)
        .first()
        .waitFor();
      await composer(workbench).fill('Which key signs the release?');
      await workbench.chat().getByRole('button', { name: 'Send', exact: true }).click();
      await row('Incognito').first().waitFor();
    });
    await state('endIncognito', async () => {
      await workbench.runCommand('Throughline: End Incognito Session…');
      await page.locator('.monaco-dialog-box').waitFor();
      return 'box';
    });
    await state('narrow', async () => {
      await dragSideBarTo(workbench, 170);
      return 'side bar';
    });
    await state('wide', async () => {
      await dragSideBarTo(workbench, 520);
      return 'side bar';
    });
    await history.close();
  },
};

async function choose(window: Window, row: Locator, item: string): Promise<void> {
  const found = window.page.getByRole('menuitem', { name: item, exact: true });
  await row.first().click({ button: 'right' });
  await found.waitFor();
  // A menu that has just appeared does not answer: the press that opened it may end over it.
  await window.page.waitForTimeout(300);
  await found.click();
}

async function dragSideBarTo({ page }: Window, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) throw new Error('There is no side bar.');
  const [x, y] = [box.x + box.width, box.y + box.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(box.x + width, y, { steps: 5 });
  await page.mouse.up();
}
