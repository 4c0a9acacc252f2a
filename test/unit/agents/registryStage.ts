// A folder for agents of the registry, archives to install in it, and a real npm that knows one package and no network.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { findOnPath } from '../../../src/node/acp/onPath.ts';
import type { InstallPorts } from '../../../src/node/registry/install.ts';
import type { RegistryAgent, Way } from '../../../src/node/registry/registry.ts';

export type Archive = Extract<Way, { kind: 'archive' }>;

export function agentWith(way: Way): RegistryAgent {
  return {
    id: 'an-agent',
    name: 'An Agent',
    version: '1.2.3',
    description: '',
    authors: [],
    license: '',
    website: null,
    ways: [way],
  };
}

export function installStage(t: TestContext) {
  const home = folderFor(t);
  const folder = join(home, 'agents');
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const steps: string[] = [];
  let downloads = 0;
  const ports: InstallPorts = {
    folder,
    env: process.env,
    platform: process.platform,
    async download(url) {
      downloads++;
      const bytes = files.get(url);
      return bytes ? new Response(bytes) : new Response('', { status: 404 });
    },
    find: command => findOnPath(command, { env: process.env, notIn: [], platform: process.platform }),
    onStep: words => steps.push(words),
  };
  return {
    home,
    ports,
    steps,
    downloads: () => downloads,
    /** Every file that is left of it. */
    left: () =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
            .filter(file => !file.isDirectory())
            .map(({ name }) => name)
        : [],
    archiveWay(program: string): Archive {
      const content = join(home, 'content');
      mkdirSync(join(content, 'bin'), { recursive: true });
      writeFileSync(join(content, 'bin', 'agent'), program);
      execFileSync('ln', ['-s', '/bin/sh', join(content, 'bin', 'out')]);
      const packed = join(home, 'packed.tar.gz');
      execFileSync('tar', ['-czf', packed, '-C', content, 'bin']);
      const bytes = new Uint8Array(readFileSync(packed));
      const url = 'https://example.com/packed.tar.gz';
      files.set(url, bytes);
      const hash = createHash('sha256').update(bytes).digest('hex');
      return { kind: 'archive', url, sha256: hash, run: { command: 'bin/agent', args: ['acp'], env: {} } };
    },
    /** An environment in which npm knows one package and no network. */
    async npmRegistry(context: TestContext, more: object = {}): Promise<NodeJS.ProcessEnv> {
      const content = join(home, 'package');
      mkdirSync(content);
      const manifest = {
        name: '@some/agent',
        version: '1.2.3',
        bin: { other: 'other.js', agent: 'agent.js' },
        ...more,
      };
      writeFileSync(join(content, 'package.json'), JSON.stringify(manifest));
      writeFileSync(
        join(content, 'agent.js'),
        '#!/usr/bin/env node\nconsole.log("agent", ...process.argv.slice(2));\n',
      );
      writeFileSync(join(content, 'other.js'), '#!/usr/bin/env node\n');
      chmodSync(join(content, 'agent.js'), 0o755);
      const packed = join(home, 'package.tgz');
      execFileSync('tar', ['-czf', packed, '-C', home, 'package']);
      const tarball = readFileSync(packed);
      const server = createServer(({ url = '' }, response) => {
        if (url.endsWith('.tgz')) return void response.end(tarball);
        const { port } = server.address() as AddressInfo;
        const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
        const dist = { tarball: `http://127.0.0.1:${port}/agent.tgz`, integrity };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            name: manifest.name,
            'dist-tags': { latest: '1.2.3' },
            versions: { '1.2.3': { ...manifest, dist } },
          }),
        );
      });
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      context.after(() => server.close());
      const { port } = server.address() as AddressInfo;
      return {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: join(home, 'cache'),
        npm_config_userconfig: join(home, 'npmrc'),
        npm_config_globalconfig: join(home, 'globalnpmrc'),
        npm_config_prefix: undefined,
      };
    },
  };
}

export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-registry-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
