// Puts a scene on the panel of a window: what no host says is posted to the page as if it had, and then a person does
// what the scene says. Promises: the scene is drawn when this is over; every time it is a session of its own, so that
// nothing of the one before stays. And the themes and the widths in which it is looked at.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { incognitoId } from '../../src/model/incognito.ts';
import type { HostEvent } from '../../src/model/wire.ts';
import { scenes } from './standIns/scenes.ts';
import { themes, type Theme } from './person.ts';
import type { Window, Workbench } from './workbench.ts';

let shown = 0;

/** The names of all of them. */
export const sceneNames: readonly string[] = Object.keys(scenes);

export async function playScene(on: Window, name: string): Promise<void> {
  const scene = scenes[name];
  if (!scene) throw new Error(`There is no scene "${name}".`);
  const chat = on.chat();
  await chat.getByRole('textbox', { name: 'Message' }).waitFor();
  const id = `${name}${shown++}`;
  const session = scene.isIncognito ? incognitoId(id) : id;
  const place = { folder: 'orders', trusted: true, ...scene.place };
  const { transcript, attached = [], draft = '' } = scene;
  let seq = 0;
  const say = (event: HostEvent) => post(chat, { v: 1, seq: seq++, event });
  const panel = chat.locator(`.panel[data-session="${session}"]`);
  const isDrawn = () =>
    panel.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  // VS Code may replace the page after it was loaded, and a panel that took long to draw rests before it draws again.
  do await say({ type: 'snapshot', transcript: { ...transcript, session }, place, draft, attached });
  while (!(await isDrawn()));
  await framesPassed(chat);
  // What was not asked for yet is not heard.
  if (scene.then)
    do await say(scene.then.event);
    while (!(await scene.then.drawn(chat).isVisible()));
  await scene.act?.(chat, on.page);
}

/** Says to the panel what a host would. */
async function post(chat: ReturnType<Window['chat']>, message: object): Promise<void> {
  await chat.locator('body').evaluate((body, data) => {
    // The real host knows nothing of the scene: what it says meanwhile would put its own session in its place.
    if (!body.dataset['staged']) {
      body.dataset['staged'] = 'yes';
      const onlyFromHere = (event: MessageEvent) => {
        if (event.source !== window) event.stopImmediatePropagation();
      };
      globalThis.addEventListener('message', onlyFromHere, { capture: true });
    }
    const focused = document.activeElement;
    if (focused instanceof HTMLElement) focused.blur();
    globalThis.postMessage(JSON.parse(data), '*');
  }, JSON.stringify(message));
  await framesPassed(chat);
}

/** What is drawn has its place, and what follows from that is drawn, too. */
async function framesPassed(chat: ReturnType<Window['chat']>): Promise<void> {
  await chat
    .locator('body')
    .evaluate(() => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
}

/** The same window in another theme, with the chat in front again. */
export async function wearTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const file = join(workbench.server.home, 'user-data', 'User', 'settings.json');
  const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
  // VS Code reads the file while it changes, and must not find it empty.
  const next = `${file}.next`;
  writeFileSync(next, JSON.stringify(Object.assign({}, settings, { 'workbench.colorTheme': themes[theme] })));
  renameSync(next, file);
  await workbench.reload();
  await workbench.showChat();
  await workbench.chat().locator(`body[data-vscode-theme-id="${themes[theme]}"] textarea`).first().waitFor();
}

/** Makes the side bar with the chat so wide, by its edge. */
export async function dragChatTo({ page }: Window, width: number): Promise<void> {
  const bar = page.locator('.part.auxiliarybar');
  const box = await bar.boundingBox();
  const sashes = await page.locator('.monaco-sash.vertical').all();
  const edges = await Promise.all(sashes.map(sash => sash.boundingBox()));
  const edge = edges.find(one => one && box && one.height > 300 && Math.abs(one.x + one.width / 2 - box.x) < 12);
  if (!box || !edge) throw new Error('The side bar with the chat has no edge.');
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - (width - box.width), y, { steps: 5 });
  await page.mouse.up();
  const now = await bar.boundingBox();
  if (!now || Math.abs(now.width - width) > 12) throw new Error(`The side bar with the chat is ${now?.width} wide.`);
}
