// MCP servers: as they are written in settings, and as an agent is given them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mcpServersFrom, type McpServer } from '../../../src/node/acp/mcpServers.ts';
import { temporaryFolder } from '../support/history.ts';
import { here, never, scripted } from '../support/scriptedProgram.ts';

const written: readonly (readonly [value: unknown, server: McpServer | RegExp])[] = [
  [{ command: 'x' }, { kind: 'stdio', name: 'n', command: 'x', args: [], env: {} }],
  [
    { type: 'stdio', command: 'x', args: ['a'], env: { A: '1' }, note: 'mine' },
    { kind: 'stdio', name: 'n', command: 'x', args: ['a'], env: { A: '1' } },
  ],
  [{ url: 'https://x/mcp' }, { kind: 'http', name: 'n', url: 'https://x/mcp', headers: {} }],
  [
    { type: 'sse', url: 'http://x', headers: { A: 'b' } },
    { kind: 'sse', name: 'n', url: 'http://x', headers: { A: 'b' } },
  ],
  ['x', /^The MCP server “n” has to be an object/],
  [{}, /^The MCP server “n” has no command\.$/],
  [{ command: 7 }, /no command/],
  [{ command: ' ' }, /no command/],
  [{ command: 'x', args: 'a b' }, /arguments/],
  [{ command: 'x', args: ['a', 1] }, /arguments/],
  [{ command: 'x', env: { A: 1 } }, /environment/],
  [{ command: 'x', env: ['A=1'] }, /environment/],
  [{ type: 'http' }, /no URL/],
  [{ type: 'http', url: 'x' }, /no URL/],
  [{ url: 'file:///x' }, /no URL/],
  [{ url: 'https://' }, /no URL/],
  [{ url: 'https://x', headers: { A: null } }, /headers/],
  [{ type: 'smoke', url: 'https://x' }, /of the type “smoke”/],
  [{ type: 7, url: 'https://x' }, /of the type “7”/],
];

test('[A16] what a person writes is a server, or a problem that names it', () => {
  for (const [value, expected] of written) {
    const { servers, problems } = mcpServersFrom({ n: value, fine: { command: 'y' } });
    assert.equal(servers.at(-1)?.name, 'fine');
    if (expected instanceof RegExp) {
      assert.equal(servers.length, 1);
      assert.match(problems.join('\n'), expected);
    } else assert.deepEqual([servers[0], problems], [expected, []]);
  }
  for (const nothing of [undefined, null, {}]) assert.deepEqual(mcpServersFrom(nothing), { servers: [], problems: [] });
  for (const wrong of [7, 'x', []]) assert.equal(mcpServersFrom(wrong).problems.length, 1);
  assert.match(mcpServersFrom({ ' ': { command: 'x' } }).problems.join(), /has no name/);
});

const { servers } = mcpServersFrom({
  local: { command: 'x', args: ['a'], env: { A: '1' } },
  web: { url: 'https://x', headers: { B: '2' } },
  old: { type: 'sse', url: 'https://y' },
});
const local = { name: 'local', command: 'x', args: ['a'], env: [{ name: 'A', value: '1' }] };
const web = { type: 'http', name: 'web', url: 'https://x', headers: [{ name: 'B', value: '2' }] };
const old = { type: 'sse', name: 'old', url: 'https://y', headers: [] };

function given(log: string): readonly unknown[] {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map(line => (JSON.parse(line) as { readonly mcpServers: unknown }).mcpServers);
}

test('[A16] however a session is opened, its agent is given the servers of that moment', async t => {
  const log = join(temporaryFolder(t), 'log');
  const env = { SCRIPTED_LOG: log };
  let now: readonly McpServer[] = servers;
  const mcpServers = () => Promise.resolve(now);
  const flags = ['--resume', '--fork', '--close', '--mcp=http,sse'];
  const agent = await scripted(t, { flags, env, program: { mcpServers } }).start(never);
  const session = await agent.newSession(here, never);
  now = servers.slice(0, 1);
  await agent.forkSession(session.id, here, never);
  await session.close();
  await (await agent.resumeSession(session.id, here, never)).close();
  now = servers.slice(1, 2);
  await agent.loadSession(session.id, here, never);
  assert.deepEqual(given(log), [[local, web, old], [local], [local], [web]]);
});

const takers: readonly (readonly [flag: string, given: readonly object[], without: readonly string[]])[] = [
  ['--mcp=http,sse', [local, web, old], []],
  ['--mcp=http', [local, web], ['old']],
  ['--mcp=', [local], ['web', 'old']],
];

test('[A16] an agent is given what it takes; of the rest it is said once that it goes without', async group => {
  for (const [flag, expected, without] of takers)
    await group.test(flag, async t => {
      const log = join(temporaryFolder(t), 'log');
      const program = { mcpServers: () => Promise.resolve(servers) };
      const made = scripted(t, { flags: [flag], env: { SCRIPTED_LOG: log }, program });
      const agent = await made.start(never);
      await agent.newSession(here, never);
      await agent.newSession(here, never);
      assert.deepEqual(given(log), [expected, expected]);
      assert.deepEqual(
        made.warnings.map(
          words => /^Scripted takes no MCP servers over \w+, so it goes without “(\w+)”\.$/.exec(words)?.[1],
        ),
        without,
      );
    });
});

test('[A16] servers that cannot be read keep no session from being opened', async t => {
  const mcpServers = () => Promise.reject(new Error('the settings are broken'));
  const made = scripted(t, { program: { mcpServers } });
  assert.ok(await (await made.start(never)).newSession(here, never));
  assert.match(
    made.warnings.join(),
    /^The MCP servers could not be read, and Scripted goes without: the settings are broken$/,
  );
});

test('[A16] servers that never come hold a session only until its signal', async t => {
  const agent = await scripted(t, { program: { mcpServers: () => new Promise(() => {}) } }).start(never);
  await assert.rejects(agent.newSession(here, AbortSignal.timeout(50)), { code: 'cancelled' });
});
