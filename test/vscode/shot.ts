// `npm run shot -- <scenario|all> [theme|all]`: pictures of the workbench in named states, for looking at, with the
// packaged extension as it stands in `out/` (made first where it is not there). A new state is a new row of the table.

import './leashed.ts';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { out, repository, vsixFile } from './places.ts';
import { themes } from './person.ts';
import type { Theme } from './person.ts';
import { openWorkbench } from './workbench.ts';
import type { Window, Workbench } from './workbench.ts';
import { dragChatTo, playScene, sceneNames } from './stage.ts';
import { agents } from './tours/agents.ts';
import { damage } from './tours/damage.ts';
import { panel } from './tours/panel.ts';
import { search } from './tours/search.ts';
import { sessions } from './tours/sessions.ts';
import { window } from './tours/window.ts';
import { walkThrough, type Tour } from './tours/tour.ts';
import { copyOfSample, takeHistoryAway } from './workspace.ts';

/** Many states of one window, each with pictures of its own below `out/shots/<tour>/`. */
const tours: Record<string, Tour> = {
  sessionList: sessions,
  search,
  agents,
  damage,
  panel,
  window,
};

const scenarios: Record<string, (workbench: Workbench) => Promise<void>> = {
  // What needs a host is below, and outranks a scene of the same name.
  ...Object.fromEntries(sceneNames.map(name => [name, (workbench: Workbench) => stand(workbench, name)])),
  async empty(workbench) {
    await workbench.showChat();
    await workbench.chat().getByRole('textbox', { name: 'Message' }).waitFor();
  },
  async conversation(workbench) {
    await workbench.showChat();
    await ask(workbench, 'Where are orders kept, and what happens when the warehouse does not answer?');
  },
  async sessions(workbench) {
    await workbench.showChat();
    const questions = ['Where are orders kept?', 'What does Retry do?', 'Which tests are there for the store?'];
    for (const [index, question] of questions.entries()) {
      if (index > 0) {
        await workbench.runCommand('Throughline: New Session');
        await workbench.chat().getByRole('article').first().waitFor({ state: 'detached' });
      }
      await ask(workbench, question);
    }
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: 'Throughline' }).click();
    await workbench.page.locator('.part.sidebar .monaco-list-row').nth(2).waitFor();
  },
  /** The picture of README.md: work in the editor, sessions to the left, the conversation about it to the right. */
  async readme(workbench) {
    await workbench.page.getByRole('treeitem', { name: 'orders', exact: true }).last().click();
    await workbench.page.getByRole('treeitem', { name: 'retry.go' }).dblclick();
    await workbench.page.locator('.editor-instance .view-line').first().waitFor();
    await scenarios['sessions']?.(workbench);
    await workbench.runCommand('Throughline: New Session');
    await workbench.chat().getByRole('article').first().waitFor({ state: 'detached' });
    await ask(workbench, 'How long does Retry wait between attempts?');
    await workbench.page.locator('.part.sidebar .codicon-loading').waitFor({ state: 'detached' });
  },
  /** The history folder is taken away: the prompt is held, and the panel says why. */
  async unsaved(workbench) {
    await workbench.showChat();
    await ask(workbench, 'Where are orders kept?');
    takeHistoryAway(workbench.server.home);
    await workbench.chat().getByRole('textbox', { name: 'Message' }).fill('And what is not saved?');
    await workbench.chat().getByRole('button', { name: 'Send', exact: true }).click();
    await workbench.chat().getByRole('group', { name: 'Not saved' }).waitFor();
  },
  async trash(workbench) {
    await workbench.showChat();
    await ask(workbench, 'Where are orders kept?');
    await workbench.runCommand('Throughline: Delete Session');
    await workbench.page.locator('.quick-input-list .monaco-list-row').first().click();
    await workbench.chat().getByRole('group', { name: 'In the trash' }).waitFor();
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: 'Throughline' }).click();
    await workbench.page.locator('.part.sidebar .monaco-list-row', { hasText: 'Trash' }).click();
    await workbench.page.locator('.part.sidebar .monaco-list-row').nth(1).waitFor();
  },
  /** A conversation in the middle of the window, where lines could be too long. */
  async wide(workbench) {
    await workbench.showChat();
    await ask(workbench, 'Where are orders kept, and what happens when the warehouse does not answer?');
    await workbench.runCommand('Throughline: Open in Editor');
    await workbench.chat(1).getByRole('article').nth(1).waitFor();
  },
  async narrow(workbench) {
    await stand(workbench, 'permission');
    await dragChatTo(workbench, 250);
  },
  /** Half the pixels in each direction are what 200% leaves. */
  async zoomed(workbench) {
    await workbench.page.setViewportSize({ width: 640, height: 400 });
    await stand(workbench, 'conversation');
  },
  /** Files are found by the host. */
  async files(workbench) {
    await workbench.showChat();
    await workbench.chat().getByRole('textbox', { name: 'Message' }).pressSequentially('Look at @re');
    await workbench.chat().getByRole('listbox', { name: 'Files' }).waitFor();
  },
  async reload(workbench) {
    await workbench.showChat();
    await ask(workbench, 'Where are orders kept?');
    await workbench.reload();
    await workbench.chat().getByRole('article').nth(1).waitFor();
  },
};

/** Shows the panel a conversation that no host has. */
async function stand(workbench: Workbench, name: string): Promise<void> {
  await workbench.showChat();
  await playScene(workbench, name);
  await workbench.chat().locator('.conversation').waitFor();
}

/** Sends a message as a person does, and waits until the answer has ended. */
async function ask(window: Window, question: string): Promise<void> {
  const before = await window.chat().getByRole('article').count();
  await window.chat().getByRole('textbox', { name: 'Message' }).fill(question);
  await window.chat().getByRole('button', { name: 'Send', exact: true }).click();
  await window
    .chat()
    .getByRole('article')
    .nth(before + 1)
    .waitFor();
  await window.chat().getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
}

function choose<Name extends string>(wanted: string, all: Name[]): Name[] {
  const chosen = wanted === 'all' ? all : all.filter(name => name === wanted);
  if (chosen.length === 0) {
    console.error(`✖ There is no "${wanted}". There are: all, ${all.join(', ')}.`);
    process.exit(2);
  }
  return chosen;
}

const [scenario = '', theme = 'dark'] = process.argv.slice(2);
const chosenScenarios = choose(scenario, [...Object.keys(scenarios), ...Object.keys(tours)]);
const chosenThemes = choose(theme, Object.keys(themes) as Theme[]);
if (!existsSync(vsixFile)) {
  const { status } = spawnSync(process.execPath, [join(repository, 'test', 'vscode', 'package.ts')], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.exit(1);
  }
}
for (const name of chosenScenarios) {
  const tour = tours[name];
  for (const inTheme of tour ? chosenThemes : []) {
    const workbench = await openWorkbench({ folder: copyOfSample(), theme: inTheme, vsix: vsixFile, ...tour?.options });
    const missed = tour ? await walkThrough(name, tour, workbench, inTheme) : [];
    await workbench.close();
    for (const one of missed) console.error(`✖ ${name}/${one}`);
    process.exitCode = missed.length > 0 ? 1 : process.exitCode;
  }
  if (tour) continue;
  for (const inTheme of chosenThemes) {
    const file = join(out, 'shots', `${name}-${inTheme}.png`);
    const workbench = await openWorkbench({ folder: copyOfSample(), theme: inTheme, vsix: vsixFile, scale: 2 });
    try {
      await scenarios[name]?.(workbench);
    } finally {
      // Also where the state was not reached: the picture then shows why.
      await workbench.screenshot(file);
      await workbench.close();
    }
    console.log(relative(process.cwd(), file));
  }
}
