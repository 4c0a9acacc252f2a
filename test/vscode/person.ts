// What a VS Code finds of the person who uses it: settings that keep it calm, so that a test or a picture shows the
// extension and not VS Code's own news, and, where wanted, a second extension that brings a view to the front.
// It only writes files, before VS Code starts: the same for the server and for a desktop VS Code.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Theme = 'dark' | 'light' | 'hc-dark' | 'hc-light';
export const themes: Record<Theme, string> = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

const calm = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.banner': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.experimentalOnboarding': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** The agent that answers does not depend on what else is on the machine. */
const builtIn = { 'throughline.agent': 'scout' };

/** Writes the settings of a person who wants it calm, for a server and for a desktop VS Code alike. */
export function writeSettings(
  userData: string,
  options: { theme?: Theme; settings?: Record<string, unknown> } = {},
): void {
  const settings = {
    ...calm,
    ...builtIn,
    'workbench.colorTheme': themes[options.theme ?? 'dark'],
    ...options.settings,
  };
  writeOnce(join(userData, 'User', 'settings.json'), settings);
  // On a server, what belongs to one machine is read from that machine's own settings only.
  writeOnce(join(userData, 'Machine', 'settings.json'), { ...builtIn, ...options.settings });
}

function writeOnce(file: string, settings: object): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings, null, 2));
}

/** A second, tiny extension that brings a view to the front. */
export function addOpener(extensions: string, view: string): void {
  const command = JSON.stringify(`${view}.focus`);
  const code = `exports.activate = () => require('vscode').commands.executeCommand(${command});`;
  addExtension(extensions, { name: 'opener', code });
}

/** An extension of one file, in CommonJS, that starts with the window. */
export interface SmallExtension {
  readonly name: string;
  readonly code: string;
  /** What its manifest says that it adds to VS Code. */
  readonly contributes?: object;
}

/** It is listed as VS Code itself would list it. */
export function addExtension(extensions: string, { name, code, contributes = {} }: SmallExtension): void {
  const id = { name, publisher: 'throughline-test', version: '0.0.1' };
  const folder = join(extensions, folderOf(id));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      ...id,
      engines: { vscode: '^1.106.0' },
      main: './main.js',
      activationEvents: ['onStartupFinished'],
      extensionKind: ['workspace'],
      capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
      contributes,
    }),
  );
  writeFileSync(join(folder, 'main.js'), `${code}\n`);
  list(extensions, id);
}

export interface ExtensionId {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
}

/** Where an extension of this id lies below the folder of extensions. */
export function folderOf({ publisher, name, version }: ExtensionId): string {
  return `${publisher}.${name}-${version}`;
}

/** As VS Code itself lists what it installed. */
export function list(extensions: string, id: ExtensionId): void {
  const file = join(extensions, 'extensions.json');
  const listed: unknown[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  listed.push({
    identifier: { id: `${id.publisher}.${id.name}` },
    version: id.version,
    location: { $mid: 1, path: join(extensions, folderOf(id)), scheme: 'file' },
    relativeLocation: folderOf(id),
  });
  writeFileSync(file, JSON.stringify(listed));
}
