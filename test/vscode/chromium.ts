// Finds a Chrome or Chromium, or installs one, and launches it so that it can reach nothing but this machine.
// It promises a browser with a fresh profile that is removed at the end, or one clear sentence. What the pages in it
// ask for is watched in workbench.ts.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    // Playwright makes the profile in the temp folder and removes it when the browser closes.
    args: [
      // Chromium's sandbox refuses to run as root, and containers rarely allow it.
      ...(process.getuid?.() === 0 || process.env.CI ? ['--no-sandbox'] : []),
      // Nothing outside this machine can be reached, whoever asks: pages, service workers, the browser itself.
      // Playwright's routes do not see what a service worker asks for, and webviews live on one.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      // For webviews in a process of their own: see webviewSite.ts.
      '--isolate-origins=http://[*.]vscode.localhost',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Light text on dark ground is otherwise smeared into colours that no screen shows.
      '--disable-lcd-text',
    ],
  });
}

/** The path of a browser; installs one first where that is allowed and none is found. */
export async function findChromium(say: (line: string) => void = console.log): Promise<string> {
  const found = installed() ?? installFromDebian(say) ?? installFromPlaywright(say);
  if (!found) {
    throw new Error(
      'No Chrome or Chromium was found and none could be installed here: install one, or name it in THROUGHLINE_CHROME.',
    );
  }
  return found;
}

function installed(): string | undefined {
  const named = process.env.THROUGHLINE_CHROME;
  if (named) {
    if (!executable(named)) {
      throw new Error(`THROUGHLINE_CHROME names ${named}, which is not a program.`);
    }
    return named;
  }
  return [...onPath(), ...usualPlaces(), chromium.executablePath()].find(executable);
}

function onPath(): string[] {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  return names.flatMap(name =>
    folders.map(folder => join(folder, process.platform === 'win32' ? `${name}.exe` : name)),
  );
}

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap(name =>
      ['', process.env.HOME ?? ''].map(root => `${root}/Applications/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return roots.flatMap(root =>
      root
        ? [`${root}\\Google\\Chrome\\Application\\chrome.exe`, `${root}\\Microsoft\\Edge\\Application\\msedge.exe`]
        : [],
    );
  }
  return [];
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's and Ubuntu's own package, where this process may install packages without being asked for a password. */
function installFromDebian(say: (line: string) => void): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) {
    return undefined;
  }
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (asRoot.length > 0 && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) {
    return undefined;
  }
  // Without any font Chromium draws boxes. One family is enough for a picture; a machine that has fonts keeps its own.
  const fonts = spawnSync('fc-list', { encoding: 'utf8' }).stdout?.trim()
    ? []
    : ['fontconfig', 'fonts-dejavu-core', 'fonts-liberation'];
  say(`Installing Chromium with apt-get (once, about a minute)…`);
  const steps = [
    // An earlier run that was killed half way leaves dpkg interrupted; this finishes its work, else it does nothing.
    ['dpkg', '--configure', '-a'],
    ['apt-get', 'update', '-qq'],
    [
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      '-o',
      'DPkg::Lock::Timeout=300',
      'chromium',
      ...fonts,
    ],
  ];
  for (const step of steps) {
    const [program = '', ...args] = [...asRoot, ...(asRoot.length > 0 ? ['env'] : []), ...step];
    const { status, stderr, stdout } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) {
      say(`\`${step.join(' ')}\` ended with ${status}.\n${(stderr || stdout).trim().split('\n').slice(-5).join('\n')}`);
    }
  }
  // On Ubuntu the package is only a pointer to a snap, which does not start in a container: then it is not executable.
  return onPath().find(executable);
}

/** Playwright's own build, which needs its download server. */
function installFromPlaywright(say: (line: string) => void): string | undefined {
  say('Downloading Chromium with Playwright (once)…');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium', '--no-shell'], { stdio: 'ignore', timeout: 300_000 });
  return installed();
}
