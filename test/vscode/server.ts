// Starts and ends one VS Code server: loopback only, behind a token, with all its folders in one temp folder of its
// own, and calm (no gallery, telemetry, updates, welcome pages or AI promotion). It promises that `stop` leaves no
// process and no folder behind. A server whose starter is killed is ended by the leash. Fetching is in fetch.ts.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { vscodeServer } from './fetch.ts';
import { addExtension, addOpener, writeSettings } from './person.ts';
import type { SmallExtension, Theme } from './person.ts';
import { temporaryFolder } from './places.ts';

export type ServerOptions = {
  /** Folders are trusted without asking. Otherwise they open in Restricted Mode, as they do for a new person. */
  trusted?: boolean;
  theme?: Theme;
  /** Added to, and stronger than, the calm settings below. */
  settings?: Record<string, unknown>;
  /** Folders to use instead of those in `home`. They are left alone at the end. */
  userData?: string;
  extensions?: string;
  /** Of the server and of everything that it starts, on top of what there is. */
  env?: Record<string, string>;
  /** A packaged extension that is installed before the server starts. */
  vsix?: string;
  /** A view that shows itself as the workbench starts, because an address of a workbench cannot ask for one. */
  view?: string;
  /** Another extension, in the same extension host. */
  beside?: SmallExtension;
  /** Only so does a built server read `payload` from its URL, which is how host tests start. It has side effects. */
  smokeTestDriver?: boolean;
};

export type Server = {
  /** `127.0.0.1:<port>`, which is also the remote authority of its workspaces. */
  readonly authority: string;
  /** The folder with everything that this server stores. */
  readonly home: string;
  /** The page of the workbench, with a folder or a `.code-workspace` file open where one is given. It holds the token: do not publish it. */
  url(folder?: string, payload?: [string, string][]): string;
  /** What the server and its extension hosts printed so far. */
  log(): string;
  /** Resolves when the server ended, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const program = join(await vscodeServer(), 'out', 'server-main.js');
  const home = temporaryFolder('vscode');
  const token = randomBytes(16).toString('hex');
  const tokenFile = join(home, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const userData = options.userData ?? join(home, 'user-data');
  const extensions = options.extensions ?? join(home, 'extensions');
  const serverData = join(home, 'server-data');
  writeSettings(userData, options);
  const folders = [`--user-data-dir=${userData}`, `--extensions-dir=${extensions}`, `--server-data-dir=${serverData}`];
  try {
    if (options.vsix) {
      await install(program, options.vsix, extensions);
    }
    if (options.view) {
      addOpener(extensions, options.view);
    }
    if (options.beside) {
      addExtension(extensions, options.beside);
    }
    return await start(program, home, token, options.env ?? {}, [
      ...folders,
      '--host=127.0.0.1',
      // The kernel chooses a free port and the server says which: no race for it.
      '--port=0',
      `--connection-token-file=${tokenFile}`,
      '--accept-server-license-terms',
      '--telemetry-level=off',
      ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
      // Else a login shell is asked for the environment, and its profile sets what was given here anew.
      ...(options.env ? ['--force-disable-user-env'] : []),
      ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
    ]);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

/**
 * VS Code itself installs the package, once per run and package, and every server gets a copy: the folder of extensions
 * lists what is in it relative to itself.
 */
async function install(program: string, vsix: string, extensions: string): Promise<void> {
  const { mtimeMs, size } = statSync(vsix);
  const installed = join(tmpdir(), `installed-${size}-${Math.round(mtimeMs)}`);
  if (!existsSync(installed)) {
    const making = temporaryFolder('installing');
    const folders = ['extensions', 'user-data', 'server-data'].map(name => `--${name}-dir=${join(making, name)}`);
    const child = launch(program, [...folders, `--install-extension=${vsix}`, '--force']);
    const printed = collect(child);
    const code = await new Promise(resolve => child.once('close', resolve));
    if (code !== 0 || !/successfully installed/.test(printed())) {
      throw new Error(`VS Code would not install ${vsix}.\n${printed()}`);
    }
    try {
      renameSync(join(making, 'extensions'), installed);
    } catch (error) {
      // Another process of this run was faster. Its folder is as good as ours.
      if (!existsSync(installed)) throw error;
    }
    rmSync(making, { recursive: true, force: true });
  }
  cpSync(installed, extensions, { recursive: true });
}

async function start(
  program: string,
  home: string,
  token: string,
  env: Record<string, string>,
  args: string[],
): Promise<Server> {
  const child = launch(program, args, env);
  const log = collect(child);
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const bound = /Extension host agent listening on (\d+)/.exec(log());
      if (bound?.[1]) {
        resolve(bound[1]);
      }
    });
    child.once('error', reject);
    child.once('close', code => reject(new Error(`The VS Code server ended with ${code} as it started.\n${log()}`)));
  });
  const authority = `127.0.0.1:${port}`;
  return {
    authority,
    home,
    log,
    ended,
    url(folder, payload) {
      const query = new URLSearchParams({ tkn: token });
      if (folder) {
        query.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
      } else {
        query.set('ew', 'true');
      }
      if (payload) {
        query.set('payload', JSON.stringify(payload));
      }
      return `http://${authority}/?${query}`;
    },
    async stop() {
      await endGroup(child, ended);
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function launch(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    // A process group of its own, so that its extension hosts and terminals are ended with it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    // An empty gallery: without it VS Code asks open-vsx.org as it starts.
    env: { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}', NODE_OPTIONS: '', NODE_TEST_CONTEXT: '', ...env },
  });
}

function collect(child: ChildProcess): () => string {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', data => (printed += String(data)));
  }
  return () => printed;
}

async function endGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  for (const [signal, patience] of [
    ['SIGTERM', 3000],
    ['SIGKILL', 3000],
  ] as const) {
    signalGroup(child, signal);
    const gone = await Promise.race([ended.then(() => true), delay(patience, false)]);
    if (gone) {
      // The leader is gone. Members of its group that did not listen to TERM are not, perhaps.
      signalGroup(child, 'SIGKILL');
      return;
    }
  }
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (child.pid && process.platform !== 'win32') {
      process.kill(-child.pid, signal);
    } else {
      child.kill(signal);
    }
  } catch {
    // ESRCH: nobody of the group is left.
  }
}
