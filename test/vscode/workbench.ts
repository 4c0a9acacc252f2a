// A workbench that tests drive: a real VS Code in a real browser, with the packaged extension installed. It waits on
// what can be seen, never for a time. Frames of webviews are made anew whenever they were hidden, so everything in
// them is found anew too: `chat()` gives a way to look, not a handle. The server is server.ts, the browser chromium.ts.

import './leashed.ts';
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { agreedState, browserWith } from './agreements.ts';
import { launchChromium } from './chromium.ts';
import { extensionId } from './places.ts';
import { startServer } from './server.ts';
import type { Server, ServerOptions } from './server.ts';
import { authorityApart, serveWebviewsApart } from './webviewSite.ts';

export type WorkbenchOptions = ServerOptions & {
  /** The folder, or the `.code-workspace` file, that is open; none gives an empty window. */
  folder?: string;
  viewport?: { width: number; height: number };
  /** Webviews come from a site of their own, and so run in a process of their own, as they do on the desktop. */
  webviewsApart?: boolean;
  /** Pixels per CSS pixel: 2 for pictures that people look at. */
  scale?: number;
  /** The person never agreed to what the settings name; otherwise they did, before this VS Code was opened. */
  asksToUse?: boolean;
  /** What an earlier VS Code left: called before the first page opens, it puts files in place and gives the browser’s part, agreements included. */
  profile?: (server: Server) => BrowserContextOptions['storageState'];
};

export type Window = {
  readonly page: Page;
  /** Runs a command as a person does: through the command palette, by its title there, as `Throughline: New Session`. */
  runCommand(title: string): Promise<void>;
  /** Brings the chat to the front. A new window shows VS Code's own, empty one in its place: see README.md, traps. */
  showChat(): Promise<void>;
  /** The inside of the webview of the extension: of the first that fits, else of the given one. */
  chat(index?: number): FrameLocator;
  /** Runs "Developer: Reload Window" and waits until the workbench is there again. */
  reload(): Promise<void>;
  screenshot(file: string): Promise<void>;
};

export type LogLine = { type: 'error' | 'warning' | 'uncaught'; text: string; from: string };

export type Workbench = Window & {
  readonly server: Server;
  /** Another window of the same person: same server, same browser profile, same folder where none is given. */
  secondWindow(folder?: string): Promise<Window>;
  /** Errors and warnings of the console, of all windows, webviews included. VS Code itself has some on every start. */
  logs(): LogLine[];
  /** Addresses outside this machine that anything in the browser asked for. None was reached. */
  foreignRequests(): string[];
  close(): Promise<void>;
};

const webview = `iframe.webview[src*="extensionId=${extensionId}"]`;
/** A command of the extension; VS Code's own for the view has a title that nobody promised. */
const showChatTitle = 'Throughline: Focus Chat';

const viewport = { width: 1280, height: 800 };
const patience = 30_000;

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const server = await startServer(options);
  let browser: Browser | undefined;
  try {
    browser = await launchChromium();
    return await open(server, browser, options);
  } catch (error) {
    await browser?.close();
    await server.stop();
    throw error;
  }
}

async function open(server: Server, browser: Browser, options: WorkbenchOptions): Promise<Workbench> {
  const { asksToUse = false, profile, settings = {} } = options;
  const origins = [server.authority, authorityApart(server)].map(host => `http://${host}`);
  const agreed = asksToUse ? undefined : browserWith(agreedState(settings), origins);
  const storageState = profile?.(server) ?? agreed;
  const context = await browser.newContext({
    ...(storageState === undefined ? {} : { storageState }),
    viewport: options.viewport ?? viewport,
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en-GB',
  });
  context.setDefaultTimeout(patience);
  const { logs, foreignRequests } = watch(context);
  const apart = options.webviewsApart ? await serveWebviewsApart(context, server) : null;
  const at = (folder?: string) => {
    const address = new URL(server.url(folder));
    if (apart) address.host = apart.authority;
    return address.href;
  };
  const first = await openWindow(context, at(options.folder));
  return {
    ...first,
    server,
    logs: () => logs,
    foreignRequests: () => foreignRequests,
    secondWindow: (folder = options.folder) => openWindow(context, at(folder)),
    async close() {
      await browser.close();
      apart?.close();
      await server.stop();
    },
  };
}

function watch(context: BrowserContext): { logs: LogLine[]; foreignRequests: string[] } {
  const logs: LogLine[] = [];
  const foreignRequests: string[] = [];
  context.on('console', message => {
    const type = message.type();
    if (type === 'error' || type === 'warning') {
      logs.push({ type, text: message.text(), from: message.location().url });
    }
  });
  context.on('weberror', error => {
    logs.push({ type: 'uncaught', text: error.error().message, from: error.page()?.url() ?? '' });
  });
  context.on('request', request => {
    const { protocol, hostname } = new URL(request.url());
    const local = !/^(https?|wss?):$/.test(protocol) || hostname === '127.0.0.1' || /^(.*\.)?localhost$/.test(hostname);
    // The made-up host under which VS Code serves files to webviews: a service worker answers, nothing is sent.
    if (!local && !hostname.endsWith('.vscode-resource.vscode-cdn.net')) {
      foreignRequests.push(request.url());
    }
  });
  return { logs, foreignRequests };
}

async function openWindow(context: BrowserContext, address: string): Promise<Window> {
  const page = await context.newPage();
  await page.goto(address);
  await untilReady(page);
  return {
    page,
    runCommand: title => runCommand(page, title),
    async showChat() {
      await runCommand(page, showChatTitle);
      await page.locator(webview).first().waitFor();
    },
    chat: (index = 0) => page.locator(webview).nth(index).contentFrame().frameLocator('#active-frame'),
    async reload() {
      // A reload of the page itself does not wait until VS Code has stored what its views show, so what comes back is
      // sometimes what they showed before.
      const loaded = page.waitForEvent('load');
      await runCommand(page, 'Developer: Reload Window');
      await loaded;
      await untilReady(page);
    },
    async screenshot(file) {
      mkdirSync(dirname(file), { recursive: true });
      await page.screenshot({ path: file });
    },
  };
}

/** The workbench is drawn and the remote is connected: from then on commands of extensions can be run. */
async function untilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.activitybar .action-item').first().waitFor();
  await page.locator('.part.statusbar .statusbar-item').first().waitFor();
}

/** Opens the palette, finds the command, all again where that came too early; and then runs it, once. */
async function runCommand(page: Page, title: string): Promise<void> {
  // The palette's own input: the command may ask something in the same widget.
  const input = page.locator('.quick-input-widget input[placeholder^="Type the name of a command"]');
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  for (const end = Date.now() + patience; ;) {
    try {
      // Keys pressed while the workbench starts, or while a webview that has the focus is made anew, are lost.
      await page.keyboard.press('F1');
      await input.waitFor({ timeout: 2000 });
      await input.fill(`>${title}`, { timeout: 2000 });
      // A palette that was opened before an extension was there never learns of its commands.
      // And it closes when something else takes the focus, as a view that is being restored does.
      await row.click({ timeout: 2000 });
      break;
    } catch (error) {
      if (Date.now() > end) {
        throw new Error(`The command palette does not offer "${title}".`, { cause: error });
      }
      await page.keyboard.press('Escape');
    }
  }
  // The palette is gone, or is a picker of the command by now, in the same place.
  await page.waitForFunction(typed => {
    const shown = document.querySelector<HTMLInputElement>('.quick-input-widget input[type="text"]');
    return !shown?.checkVisibility() || shown.value !== typed;
  }, `>${title}`);
}
