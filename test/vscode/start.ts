// `npm start`: the extension in a real VS Code, with a copy of the sample workspace, until Ctrl+C. Where `code` is on
// the path it is the desktop VS Code, running the extension from this folder; elsewhere, or with
// THROUGHLINE_SERVER=1, it is the VS Code server with the packaged extension installed, and its address is printed.
// It promises that nothing it started outlives it.

import './leashed.ts';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { repository, vsixFile } from './places.ts';
import { startServer } from './server.ts';
import { copyOfSample } from './workspace.ts';

const windows = process.platform === 'win32';
const desktop = !process.env.THROUGHLINE_SERVER && spawnSync('code', ['--version'], { shell: windows }).status === 0;

try {
  await (desktop ? onTheDesktop() : served());
} catch (error) {
  console.error(`✖ ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function onTheDesktop(): Promise<void> {
  console.log('Building the extension…');
  await run([join(repository, 'esbuild.mjs')]);
  console.log('Opening VS Code with the extension and a sample workspace. Closing its window, or Ctrl+C, ends this.');
  const args = ['--new-window', '--wait', `--extensionDevelopmentPath=${repository}`, copyOfSample()];
  await ended(spawn('code', args, { stdio: 'inherit', shell: windows }), 'code');
}

async function served(): Promise<void> {
  console.log('Building and packing the extension…');
  await run([join(repository, 'test', 'vscode', 'package.ts')]);
  const server = await startServer({
    vsix: vsixFile,
    view: 'throughline.chat',
    settings: {
      'window.autoDetectColorScheme': true,
      'workbench.preferredDarkColorTheme': 'Dark Modern',
      'workbench.preferredLightColorTheme': 'Light Modern',
    },
  });
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    // Ctrl+C reaches this twice, from the terminal and through bootstrap.mjs. Stopping twice is stopping once.
    void server.stop().finally(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  console.log(
    `\nThroughline is running in a VS Code server, with a sample workspace. Open\n\n  ${server.url(copyOfSample())}\n\n` +
      'The address is for this machine only and holds a key to it. Ctrl+C ends everything.',
  );
  await server.ended;
  if (!stopping) {
    throw new Error(`The VS Code server ended by itself.\n${server.log()}`);
  }
}

async function run(args: string[]): Promise<void> {
  await ended(spawn(process.execPath, args, { cwd: repository, stdio: 'inherit' }), args.join(' '));
}

async function ended(child: ChildProcess, what: string): Promise<void> {
  const code = await new Promise<number | string | null>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('close', resolve);
  });
  if (code !== 0) {
    throw new Error(`${what} ended with ${code}.`);
  }
}
