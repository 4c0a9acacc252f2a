// What the registry of agents may not bring about: names that lead away from npm, downloads that leave https or never end,
// scripts that run before the person sees the agent, and downloads that nothing verifies without a warning.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installQuestion } from '../../../src/host/agents/adding/installQuestion.ts';
import { findOnPath } from '../../../src/node/acp/onPath.ts';
import { httpClient, httpLimits } from '../../../src/node/http/client.ts';
import { install, type InstallPorts } from '../../../src/node/registry/install.ts';
import { agentsIn, type Way } from '../../../src/node/registry/registry.ts';
import { registryOf } from '../../../src/node/registry/registryFile.ts';
import { loopback, secureLoopback } from '../support/loopback.ts';
import { agentWith, folderFor, installStage } from './registryStage.ts';

const never = new AbortController().signal;

function isTaken(distribution: object): boolean {
  const entry = { id: 'an-agent', name: 'An Agent', version: '1.2.3', distribution };
  return agentsIn(JSON.stringify({ agents: [entry] }), 'linux-x86_64').length === 1;
}

for (const [name, npm, uv] of [
  ['agent', true, true],
  ['an.agent_x-y', true, true],
  ['agent@1.2.3', true, true],
  ['agent@1.2.3-beta.1+build', true, true],
  ['@scope/agent', true, false],
  ['@scope/agent@1.2.3', true, false],
  ['agent==1.2.3', false, true],
  ['evil/repo', false, false],
  ['evil/repo@1.2.3', false, false],
  ['a/b/c', false, false],
  ['@a/b/c', false, false],
  ['@scope/../agent', false, false],
  ['../agent', false, false],
  ['./agent', false, false],
  ['/agent', false, false],
  ['~/agent', false, false],
  ['.agent', false, false],
  ['x.tgz', false, false],
  ['agent@1.tgz', false, false],
  ['@scope/agent@1.0.0-x.tar.gz', false, false],
  ['x.tar', false, false],
  ['x.whl', false, false],
  ['agent.py', false, false],
  ['agent@evil/repo', false, false],
  ['agent@npm:other', false, false],
  ['agent@file:x', false, false],
  ['agent@latest', false, false],
  ['github:evil/repo', false, false],
  ['git+https://example.com/a', false, false],
  ['https://example.com/a.tgz', false, false],
  ['git@example.com:a/b', false, false],
  ['C:\\agent', false, false],
  ['--global', false, false],
  ['agent --global', false, false],
  ['agent\n', false, false],
  ['', false, false],
] as const)
  test(`[A71] the package ${JSON.stringify(name)} is ${npm ? 'one' : 'none'} of npm and ${uv ? 'one' : 'none'} of uv`, () => {
    assert.deepEqual([isTaken({ npx: { package: name } }), isTaken({ uvx: { package: name } })], [npm, uv]);
  });

test('[A78] nothing that npm installs runs a script, and neither does what it depends on', async t => {
  const stage = installStage(t);
  const [ran, repository] = [join(stage.home, 'ran'), join(stage.home, 'repository')];
  const script = `node -e "require('fs').writeFileSync(${JSON.stringify(ran).replaceAll('"', "'")}, '')"`;
  const scripts = { preinstall: script, install: script, postinstall: script, prepare: script };
  mkdirSync(repository);
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ name: 'below', version: '1.0.0', scripts }));
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'x'],
  ])
    execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' });
  for (const more of [{ scripts }, { dependencies: { below: `git+file://${repository}` } }]) {
    const own = installStage(t);
    const env = await own.npmRegistry(t, more);
    const find: InstallPorts['find'] = command => findOnPath(command, { env, notIn: [], platform: process.platform });
    const way: Way = { kind: 'npm', package: '@some/agent@1.2.3', run: { args: [], env: {} } };
    // A newer npm refuses what comes from git by itself.
    const installed = await install(agentWith(way), way, { ...own.ports, env, find }, never).catch(() => null);
    if ('scripts' in more) assert.ok(installed);
    assert.equal(existsSync(ran), false, JSON.stringify(more));
  }
});

test('[A78] an archive comes over https on every hop, or not at all', async t => {
  const stage = installStage(t);
  const way = stage.archiveWay('#!/bin/sh\n');
  const bytes = readFileSync(join(stage.home, 'packed.tar.gz'));
  const plain = await loopback(t, (_, response) => response.end(bytes));
  const storage = await secureLoopback(t, (_, response) => response.end(bytes));
  const host = await secureLoopback(t, ({ url }, response) => {
    const { origin } = url === '/good.tar.gz' ? storage : plain;
    response.writeHead(302, { location: `${origin}/packed.tar.gz` }).end();
  });
  const http = httpClient(httpLimits.archive);
  const ports: InstallPorts = { ...stage.ports, download: (url, signal) => http(url, { signal }) };
  const bad = { ...way, url: `${host.origin}/bad.tar.gz`, sha256: null };
  await assert.rejects(install(agentWith(bad), bad, ports, never), { name: 'HttpError', code: 'insecure' });
  assert.deepEqual(plain.heard, []);
  assert.deepEqual(stage.left(), []);
  const good = { ...way, url: `${host.origin}/good.tar.gz` };
  assert.ok(existsSync((await install(agentWith(good), good, ports, never)).command));
});

test('[A78] an archive that is larger than it may be leaves nothing behind', async t => {
  const stage = installStage(t);
  const way = stage.archiveWay('#!/bin/sh\n');
  const host = await secureLoopback(t, (_, response) => {
    const write = () => void (response.write(Buffer.alloc(65_536)) && setImmediate(write));
    response.on('drain', write);
    write();
  });
  const http = httpClient({ ...httpLimits.archive, mostBytes: 1024 * 1024 });
  const ports: InstallPorts = { ...stage.ports, download: (url, signal) => http(url, { signal }) };
  const large = { ...way, url: `${host.origin}/large.tar.gz` };
  await assert.rejects(install(agentWith(large), large, ports, never), { name: 'HttpError', code: 'too-large' });
  assert.deepEqual(stage.left(), []);
});

test('[A78] the registry itself comes over https on every hop, or not at all', async t => {
  const list = JSON.stringify({ agents: [] });
  const plain = await loopback(t, (_, response) => response.end(list));
  const host = await secureLoopback(t, (_, response) => response.writeHead(301, { location: plain.origin }).end());
  const http = httpClient(httpLimits.registry);
  const ports = {
    url: `${host.origin}/registry.json`,
    file: join(folderFor(t), 'registry.json'),
    platform: 'linux-x86_64',
    download: (url: string, signal: AbortSignal) => http(url, { signal }),
    now: () => 0,
  };
  await assert.rejects(registryOf(ports, never), /isn’t an https address/);
  assert.deepEqual(plain.heard, []);
});

const archive = { kind: 'archive', url: 'https://example.com/a', run: { command: 'a', args: [], env: {} } } as const;
const run = { args: ['acp'], env: {} };

for (const [way, warning] of [
  [{ ...archive, sha256: 'a'.repeat(64) }, null],
  [{ ...archive, sha256: null }, /no checksum/],
  [{ kind: 'npm', package: '@some/agent@1.2.3', run }, null],
  [{ kind: 'npm', package: '@some/agent', run }, /names no version/],
  [{ kind: 'uv', package: 'agent==1.2.3', run }, null],
  [{ kind: 'uv', package: 'agent', run }, /names no version/],
] as const satisfies readonly (readonly [Way, RegExp | null])[])
  test(`[A78] before ${JSON.stringify(way)} is installed, the person ${warning ? 'accepts a warning' : 'agrees'}`, () => {
    const { text, detail: lines, button, isWarning } = installQuestion(agentWith(way), way);
    const detail = lines.join('\n');
    assert.equal(isWarning, warning !== null);
    assert.equal(button, warning ? 'Install Anyway' : 'Install');
    if (warning) {
      assert.match(text, /without verifying it/);
      assert.match(detail, warning);
    }
    assert.ok(detail.includes(way.kind === 'archive' ? way.url : way.package));
  });
