// Real agents from the npm registry, each in a folder of its own outside of this repository, at the version that is
// written here: an older Node.js would silently get an older agent otherwise. What is installed once is used again.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

export interface Installed {
  readonly command: string;
  readonly args: readonly string[];
}

const cache = process.env['THROUGHLINE_AGENTS'] ?? join(tmpdir(), 'throughline-agents');

/** The program itself, without the script in front of it, so that it can be killed. */
export function installOpencode(): Installed {
  const modules = install('opencode-ai', '1.18.33');
  const built = readdirSync(modules).filter(name => /^opencode-(linux|darwin|windows)-/.test(name));
  const files = built.flatMap(name => ['opencode', 'opencode.exe'].map(file => join(modules, name, 'bin', file)));
  const command = files.find(file => existsSync(file));
  if (!command) throw new Error(`There is no opencode for this machine among ${built.join(', ')}.`);
  return { command, args: ['acp'] };
}

export function installClaude(): Installed {
  const folder = join(
    install('@agentclientprotocol/claude-agent-acp', '0.99.1'),
    '@agentclientprotocol/claude-agent-acp',
  );
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: { readonly [name: string]: string };
  };
  return { command: process.execPath, args: [join(folder, Object.values(bin)[0] ?? '')] };
}

/** Gives the `node_modules` that it is in. */
function install(name: string, version: string): string {
  const folder = join(cache, `${name.replaceAll('/', '+')}@${version}`);
  if (!existsSync(folder)) {
    const half = `${folder}.half`;
    rmSync(half, { recursive: true, force: true });
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    const args = ['install', '--prefix', half, ...flags, `${name}@${version}`];
    const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
    const windows = process.platform === 'win32';
    const env = { ...process.env, PATH: path };
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', env, shell: windows, timeout: 600_000 });
    if (status !== 0) throw new Error(`${name}@${version} could not be installed: ${stderr}`);
    renameSync(half, folder);
  }
  return join(folder, 'node_modules');
}
