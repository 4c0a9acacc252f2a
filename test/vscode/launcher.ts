// Stands in for the program of desktop VS Code where there is none: `runTests` of @vscode/test-electron starts it with
// the arguments it gives to VS Code, and it runs the same tests in the extension host of the VS Code server, with a
// headless Chromium as the window. It promises the exit code of the test run, what the extension host printed, and
// that nothing is left running. The environment passes through to the extension host.

import './leashed.ts';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { launchChromium } from './chromium.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';

// Everything that desktop VS Code knows and the server does not need is let through and ignored.
const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string', multiple: true },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'disable-workspace-trust': { type: 'boolean' },
  },
});

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const userData = text(values['user-data-dir']);
const extensions = text(values['extensions-dir']);
const testsPath = text(values.extensionTestsPath);
const developmentPaths = (values.extensionDevelopmentPath ?? []) as string[];

const server = await startServer({
  smokeTestDriver: true,
  trusted: values['disable-workspace-trust'] === true,
  ...(userData ? { userData } : {}),
  ...(extensions ? { extensions } : {}),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().finally(() => process.exit(1)));
}
let exitCode = 1;
try {
  exitCode = await runIn(server);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${server.log()}`);
} finally {
  await server.stop();
}
process.exit(exitCode);

async function runIn(server: Server): Promise<number> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on('console', message => {
      // In a test run the console of the extension host arrives as lines of VS Code's own log, styled for a browser:
      // `%c INFO color: #33f <text>`. The rest of that log comes with it.
      const printed = /^%c\s*\w+ color: #\w+ ([^]*)$/.exec(message.text());
      if (printed?.[1]) {
        console.log(stripVTControlCharacters(printed[1]));
      }
    });
    const remote = (path: string): string => `vscode-remote://${server.authority}${encodeURI(path)}`;
    const payload = developmentPaths.map((path): [string, string] => ['extensionDevelopmentPath', remote(path)]);
    if (testsPath) {
      payload.push(['extensionTestsPath', remote(testsPath)]);
    }
    const exit = new Promise<number>((resolve, reject) => {
      // The workbench of the web calls this, where the page has it, when the extension host of a test run ends.
      page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)).catch(reject);
      page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
      page.once('close', () => reject(new Error('The page of the workbench closed before the tests ended.')));
      void server.ended.then(() => reject(new Error('The VS Code server ended before the tests did.')));
    });
    exit.catch(() => undefined);
    await page.goto(server.url(positionals[0], payload));
    return await exit;
  } finally {
    await browser.close();
  }
}
