// The public registry of agents: what is believed of it, when it is asked, and how an agent of it comes to this machine.
// Archives are real ones and npm is the real one, with a registry on loopback.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findOnPath } from '../../../src/node/acp/onPath.ts';
import { install, type InstallPorts } from '../../../src/node/registry/install.ts';
import { agentsIn, platformOf, type RegistryAgent, type Way } from '../../../src/node/registry/registry.ts';
import { registryOf, type RegistryPorts } from '../../../src/node/registry/registryFile.ts';
import { agentWith, folderFor, installStage, type Archive } from './registryStage.ts';

const never = new AbortController().signal;
const sha256 = 'a'.repeat(64);
const archive = { archive: 'https://example.com/a.tar.gz', cmd: './bin/agent', args: ['acp'], sha256 };

function entry(more: object = {}): object {
  return {
    id: 'an-agent',
    name: 'An Agent',
    version: '1.2.3',
    description: 'Does things',
    authors: ['Somebody'],
    license: 'MIT',
    distribution: { binary: { 'linux-x86_64': archive } },
    ...more,
  };
}

function read(...agents: unknown[]): readonly RegistryAgent[] {
  return agentsIn(JSON.stringify({ version: '1.0.0', agents }), 'linux-x86_64');
}

test('[A71] an entry that is understood has its ways, an archive for this machine first', () => {
  const [agent] = read(
    entry({
      distribution: {
        uvx: { package: 'an-agent==1.2.3' },
        npx: { package: '@some/agent@1.2.3', args: ['--acp'], env: { QUIET: '1', LOUD: 1 } },
        binary: { 'linux-x86_64': archive, 'windows-x86_64': { ...archive, cmd: '.\\agent.exe' } },
      },
    }),
  );
  assert.deepEqual(agent?.ways, [
    {
      kind: 'archive',
      url: 'https://example.com/a.tar.gz',
      sha256,
      run: { command: 'bin/agent', args: ['acp'], env: {} },
    },
    { kind: 'npm', package: '@some/agent@1.2.3', run: { args: ['--acp'], env: { QUIET: '1' } } },
    { kind: 'uv', package: 'an-agent==1.2.3', run: { args: [], env: {} } },
  ]);
});

for (const [what, broken] of [
  ['nothing', null],
  ['an id that leads out of its folder', entry({ id: '../x' })],
  ['a version that leads out of its folder', entry({ version: '../../1' })],
  ['no name', entry({ name: '\u202e \u0007' })],
  ['no way for this machine', entry({ distribution: { binary: { 'darwin-aarch64': archive } } })],
  [
    'an archive without https',
    entry({ distribution: { binary: { 'linux-x86_64': { ...archive, archive: 'http://a.b/c' } } } }),
  ],
  [
    'a name and a password in the address',
    entry({ distribution: { binary: { 'linux-x86_64': { ...archive, archive: 'https://a:b@c.d/e' } } } }),
  ],
  [
    'a program above its folder',
    entry({ distribution: { binary: { 'linux-x86_64': { ...archive, cmd: '../../bin/sh' } } } }),
  ],
  ['a program anywhere', entry({ distribution: { binary: { 'linux-x86_64': { ...archive, cmd: '/bin/sh' } } } })],
  ['a checksum that is none', entry({ distribution: { binary: { 'linux-x86_64': { ...archive, sha256: 'abc' } } } })],
  ['arguments that are no texts', entry({ distribution: { npx: { package: 'a', args: [1] } } })],
  ['a package that is an option', entry({ distribution: { npx: { package: '--global' } } })],
  ['a package that is an address', entry({ distribution: { npx: { package: 'https://example.com/a.tgz' } } })],
  ['a package that is a folder', entry({ distribution: { npx: { package: '../a' } } })],
] as const)
  test(`[A71] an entry with ${what} is passed over, and the others stay`, () => {
    const found = read(broken, entry({ id: 'other' }));
    assert.deepEqual(
      found.map(({ id }) => id),
      ['other'],
    );
  });

test('[A71] what is shown of an entry is one line, and an id counts once', () => {
  const long = `Does\nthings \u202eslliks\u0000 ${'x'.repeat(1000)}`;
  const [agent, ...more] = read(
    entry({ description: long, website: 'javascript:alert(1)' }),
    entry({ name: 'Another' }),
  );
  assert.equal(more.length, 0);
  assert.match(agent?.description ?? '', /^Does things slliks x+$/);
  assert.ok((agent?.description.length ?? 0) <= 300);
  assert.equal(agent?.website, null);
});

test('[A71] this machine has the name that the registry gives it, or none', () => {
  assert.equal(platformOf('darwin', 'arm64'), 'darwin-aarch64');
  assert.equal(platformOf('win32', 'x64'), 'windows-x86_64');
  assert.equal(platformOf('freebsd', 'x64'), null);
});

test('[A72] the registry is asked for once in an hour, and an old one serves where there is no other', async t => {
  let now = 1_000_000_000_000;
  let asked = 0;
  let answer = () => new Response(JSON.stringify({ agents: [entry()] }));
  const ports: RegistryPorts = {
    url: 'https://example.com/registry.json',
    file: join(folderFor(t), 'below', 'registry.json'),
    platform: 'linux-x86_64',
    async download() {
      asked++;
      return answer();
    },
    now: () => now,
  };
  const names = async () => (await registryOf(ports, never)).agents.map(({ id }) => id);
  answer = () => new Response('sorry', { status: 503 });
  await assert.rejects(registryOf(ports, never), /could not be read: its server answered 503/);
  answer = () => new Response(JSON.stringify({ agents: [entry()] }));
  assert.deepEqual(await names(), ['an-agent']);
  now += 59 * 60_000;
  assert.deepEqual(await names(), ['an-agent']);
  assert.equal(asked, 2);

  now += 60 * 60_000;
  for (const [broken, words] of [
    [() => new Response('<html>'), /^what came is not a registry/],
    [() => new Response('{"agents": 7}'), /no list of agents/],
    [() => new Response(new Uint8Array(9 * 1024 * 1024)), /far too long/],
    [failing(new Error('no route')), /^no route$/],
    [
      failing(Object.assign(new Error('getaddrinfo ENOTFOUND x'), { code: 'ENOTFOUND' })),
      /^its server was not found\. Is/,
    ],
    [failing(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), /^its server refused/],
    [failing(Object.assign(new Error('x'), { code: 'UND_ERR_CONNECT_TIMEOUT' })), /^its server did not answer in time/],
    [failing(Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' })), /does not trust the certificate/],
  ] as const) {
    answer = broken;
    const old = await registryOf(ports, never);
    assert.deepEqual(
      old.agents.map(({ id }) => id),
      ['an-agent'],
    );
    assert.match(old.trouble ?? '', words);
  }
  answer = () => new Response(JSON.stringify({ agents: [] }));
  assert.deepEqual(await registryOf(ports, never), { agents: [], since: now, trouble: null });
});

/** As `fetch` fails: it says only that it did, and why is one further down. */
function failing(cause: Error): () => never {
  return () => Promise.reject(new TypeError('fetch failed', { cause })) as never;
}

test('[A72] a kept registry that was damaged is fetched again', async t => {
  const file = join(folderFor(t), 'registry.json');
  writeFileSync(file, '{"since": 5');
  const download = async () => new Response(JSON.stringify({ agents: [entry()] }));
  const ports = { url: 'https://example.com/', file, platform: 'linux-x86_64', download, now: () => 5 };
  assert.equal((await registryOf(ports, never)).agents.length, 1);
});

test('[A73] an archive is unpacked into a folder of its own, and its program can be started', async t => {
  const stage = installStage(t);
  const way = stage.archiveWay('#!/bin/sh\necho "it runs: $1"\n');
  const installed = await install(agentWith(way), way, stage.ports, never);
  assert.equal(execFileSync(installed.command, installed.args, { encoding: 'utf8' }), 'it runs: acp\n');
  assert.match(stage.steps.join('\n'), /Downloading… .* MB[^]*Unpacking…/);
  const again = await install(agentWith(way), way, stage.ports, never);
  assert.deepEqual(again, installed);
  assert.equal(stage.downloads(), 1);
});

for (const [what, change, words] of [
  ['another checksum', (way: Archive) => ({ ...way, sha256: 'b'.repeat(64) }), /checksum differs/],
  ['no such program', (way: Archive) => ({ ...way, run: { ...way.run, command: 'bin/other' } }), /no such program/],
  ['a link that leads out', (way: Archive) => ({ ...way, run: { ...way.run, command: 'bin/out' } }), /no such program/],
  ['no archive behind it', (way: Archive) => ({ ...way, url: `${way.url}.missing` }), /answered 404/],
] as const)
  test(`[A73] an archive with ${what} leaves nothing behind`, async t => {
    const stage = installStage(t);
    const way = change(stage.archiveWay('#!/bin/sh\n'));
    await assert.rejects(install(agentWith(way), way, stage.ports, never), words);
    assert.deepEqual(stage.left(), []);
  });

test('[A73] an installation that is stopped leaves nothing behind', async t => {
  const stage = installStage(t);
  const way = stage.archiveWay('#!/bin/sh\n');
  const abort = new AbortController();
  const ports: InstallPorts = {
    ...stage.ports,
    onStep: words => words.startsWith('Unpacking') && abort.abort(),
  };
  await assert.rejects(install(agentWith(way), way, ports, abort.signal), { name: 'AbortError' });
  assert.deepEqual(stage.left(), []);
});

test('[A73] a package of npm is installed by npm, and its program is the one of its name', async t => {
  const stage = installStage(t);
  const way: Way = { kind: 'npm', package: '@some/agent@1.2.3', run: { args: ['--acp'], env: {} } };
  const env = await stage.npmRegistry(t);
  const ports: InstallPorts = {
    ...stage.ports,
    env,
    find: command => findOnPath(command, { env, notIn: [], platform: process.platform }),
  };
  const installed = await install(agentWith(way), way, ports, never);
  assert.equal(execFileSync(installed.command, installed.args, { encoding: 'utf8' }), 'agent --acp\n');
});

test('[A73] what its package manager is missing for is said', async t => {
  const { ports } = installStage(t);
  const nothing: InstallPorts = { ...ports, find: async () => undefined };
  for (const [kind, words] of [
    ['npm', /“npm” was not found/],
    ['uv', /“uvx” was not found/],
  ] as const) {
    const way: Way = { kind, package: 'a', run: { args: [], env: {} } };
    await assert.rejects(install(agentWith(way), way, nothing, never), words);
  }
});
