// What is asked before an entry of a remote's settings is used, and what comes of each answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfiguredAgent } from '../../../src/host/agents/configuredAgents.ts';
import { McpSetting } from '../../../src/host/agents/mcpSetting.ts';
import { entryHash, type SettingsEntry } from '../../../src/host/agents/settingsEntry.ts';
import { canary, evil, failure, openAi, windowOn } from './gateWindow.ts';

const agent: SettingsEntry = {
  kind: 'agent',
  name: 'Mine',
  value: { command: 'agent', args: ['--acp'], env: { TOKEN: '${secret:KEY}', LEVEL: '2' } },
};
const model: SettingsEntry = {
  kind: 'model',
  name: 'Work',
  value: {
    name: 'Work',
    speaks: 'openai',
    url: 'https://api.openai.com/v1',
    key: '${secret:KEY}',
    headers: { 'X-Team': 'a' },
    models: [],
  },
};
const files: SettingsEntry = {
  kind: 'mcpServer',
  name: 'files',
  value: { kind: 'stdio', name: 'files', command: 'files', args: ['--root', '/a b'], env: { TOKEN: '${secret:KEY}' } },
};
const web: SettingsEntry = {
  kind: 'mcpServer',
  name: 'web',
  value: {
    kind: 'http',
    name: 'web',
    url: 'https://mcp.example:8443/x?y',
    headers: { Authorization: '${secret:KEY}' },
  },
};
const entries = [agent, model, files, web];
test('[H133] the hash is of all that an entry is, whatever the order of its fields', () => {
  const line = { command: 'a', args: ['b'], env: { A: '1', B: '2' } };
  const hashOf = (value: ConfiguredAgent, name = 'n') => entryHash({ kind: 'agent', name, value });
  const same = hashOf({ env: { B: '2', A: '1' }, args: ['b'], command: 'a' });
  assert.match(same, /^[0-9a-f]{64}$/);
  assert.equal(hashOf(line), same);
  const others = [
    hashOf(line, 'm'),
    hashOf({ ...line, command: 'A' }),
    hashOf({ ...line, args: ['b', ''] }),
    hashOf({ ...line, env: { A: '1', B: '3' } }),
    hashOf({ ...line, env: { A: '1', B: '2', C: '' } }),
    entryHash({ kind: 'mcpServer', name: 'n', value: { kind: 'stdio', name: 'n', ...line } }),
  ];
  assert.equal(new Set([same, ...others]).size, 7);
});

const shown: { readonly [name: string]: readonly string[] } = {
  Mine: ['Use this agent?', 'Name: Mine', 'Runs: agent --acp', 'Variable: TOKEN=${secret:KEY}', 'Variable: LEVEL=2'],
  Work: [
    'Use this model server?',
    'Name: Work',
    'Address: https://api.openai.com/v1',
    'Server: https://api.openai.com',
    'Key: ${secret:KEY}',
    'Header: X-Team: a',
  ],
  files: ['Use this MCP server?', 'Name: files', 'Runs: files --root "/a b"', 'Variable: TOKEN=${secret:KEY}'],
  web: [
    'Use this MCP server?',
    'Name: web',
    'Address: https://mcp.example:8443/x?y',
    'Server: https://mcp.example:8443',
    'Header: Authorization: ${secret:KEY}',
  ],
};

for (const entry of entries) {
  const { name, kind } = entry;
  test(`[H133] “${name}” on a remote is used after a question with all of it, once`, async () => {
    const { gate, secrets, asked, disk } = windowOn({ presses: ['Use'] });
    await secrets.set('KEY', canary);
    assert.equal(await gate.asksAbout([entry]), true);
    assert.match((await gate.refusal(entry, false)) ?? '', /You haven’t agreed to use/);
    assert.equal(asked.length, 0);
    assert.deepEqual(await Promise.all([gate.refusal(entry, true), gate.refusal(entry, true)]), [null, null]);
    assert.equal(asked.length, 1);
    const [question] = asked;
    assert.deepEqual(question?.buttons, ['Use', 'Don’t Use']);
    const [title = '', ...lines] = shown[name] ?? [];
    const secret = 'Gets the secret “KEY”. You haven’t given it to anything yet.';
    assert.equal(question.text, title);
    assert.deepEqual(question.detail.split('\n').slice(0, -2), [...lines, secret]);
    assert.match(
      question.detail,
      /\n\nThe settings of this remote may come from a file in the container or repository/,
    );
    assert.equal(secrets.givenFor('KEY').length, 1, 'the question bound the secret that it named');
    assert.equal(await gate.asksAbout([entry]), false);
    assert.equal(await windowOn({ disk }).gate.refusal(entry, true), null, 'in the next window too');
    const changed = { ...entry, name: `${name}2` } as SettingsEntry;
    assert.match((await windowOn({ disk }).gate.refusal(changed, true)) ?? '', /until you agree/);
  });

  test(`[H133] “${name}” is not used after a no or Escape, and says what to do`, async () => {
    const { gate, asked, disk } = windowOn({ presses: [undefined, 'Don’t Use', 'Use'] });
    assert.match(
      (await gate.refusal(entry, true)) ?? '',
      /isn’t used until you agree\. To be asked again, .*send something/,
    );
    assert.match((await gate.refusal(entry, true)) ?? '', /because you chose “Don’t Use”\. To be asked again,/);
    const kept = kind !== 'agent';
    const last = await gate.refusal(entry, true);
    assert.equal(last === null, !kept, 'a no is remembered, but not for an agent');
    assert.equal(asked.length, kept ? 2 : 3);
    assert.deepEqual(Object.values((JSON.parse(disk.text) as { entryDecisions: object }).entryDecisions), [!kept]);
    const { gate: next } = windowOn({ disk });
    assert.equal(await next.asksAbout([entry]), false);
  });

  test(`[H133] “${name}” is used without a question here, and not asked about in Restricted Mode`, async () => {
    const { gate, asked, disk } = windowOn({ isRemote: false });
    assert.equal(await gate.refusal(entry, true), null);
    assert.equal(await gate.asksAbout([entry]), false);
    await gate.agree(entry);
    assert.equal(disk.text, '{}');
    const restricted = windowOn({ isTrusted: false, presses: ['Use'] });
    assert.match((await restricted.gate.refusal(entry, true)) ?? '', /isn’t used in Restricted Mode/);
    assert.equal(asked.length + restricted.asked.length, 0);
  });

  test(`[H133] “${name}” that the person wrote with us is agreed to, and its secret is bound`, async () => {
    const { gate, secrets, asked } = windowOn();
    await secrets.set('KEY', canary);
    await gate.agree(entry);
    assert.equal(await gate.refusal(entry, true), null);
    assert.equal(secrets.givenFor('KEY').length, 1);
    assert.equal(asked.length, 0);
  });
}

test('[H133] a secret that was given for something else is not bound by the question about an entry', async () => {
  const { gate, secrets, asked } = windowOn({ presses: ['Use'] });
  await secrets.set('KEY', canary, evil);
  assert.equal(await gate.refusal(model, true), null);
  assert.match(asked[0]?.detail ?? '', /Gets the secret “KEY”\. You gave it for: https:\/\/evil\.example/);
  assert.deepEqual(secrets.givenFor('KEY'), [evil]);
  assert.equal(await gate.asksAbout([model]), true);
  await failure(secrets.resolve('${secret:KEY}', openAi));
});

for (const [what, value] of [
  ['a megabyte in one argument', { command: 'a', args: ['x'.repeat(1_000_000)], env: {} }],
  ['an argument that is too long when it is spelled out', { command: 'a', args: ['\u200b'.repeat(600)], env: {} }],
  [
    'too many variables',
    { command: 'a', args: [], env: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`V${at}`, ''])) },
  ],
] as const)
  test(`[H133] an entry with ${what} can’t be agreed to, because it can’t be shown whole`, async () => {
    const { gate, asked } = windowOn({ presses: ['Use'] });
    const refusal = await gate.refusal({ kind: 'agent', name: 'Long', value }, true);
    assert.match(refusal ?? '', /too long to show you all of it\. Shorten it in the setting “throughline\.agents”/);
    assert.equal(asked.length, 0);
  });

test('[H133] what hides, or would be a link or an icon, stands there as text', async () => {
  const { gate, asked } = windowOn();
  const name = '[Use](command:evil) $(flame)\n\u202eName: safe';
  const args = ['a\nRuns: safe', '\u200b', '     '.repeat(20)];
  await gate.refusal({ kind: 'agent', name, value: { command: 'a', args, env: {} } }, true);
  assert.deepEqual(asked[0]?.detail.split('\n').slice(0, 2), [
    'Name: [Use]\u2060(command:evil) $\u2060(flame) ⏎ ⟦U+202E⟧Name: safe',
    'Runs: a "a ⏎ Runs: safe" ⟦U+200B⟧ " ⟦100 spaces⟧ "',
  ]);
});

test('[H133] MCP servers that the person didn’t agree to are not given to an agent, and said once', async () => {
  const { gate, secrets, asked } = windowOn({ presses: ['Don’t Use', 'Use'] });
  const told: string[] = [];
  const read = () => ({ one: { command: 'one' }, two: { url: 'https://two.example/mcp' } });
  const setting = new McpSetting({ read, secrets, gate, warn: words => told.push(words) });
  assert.equal(await setting.asksFirst(), true);
  assert.deepEqual(
    (await setting.servers()).map(({ name }) => name),
    ['two'],
  );
  assert.deepEqual(
    (await setting.servers()).map(({ name }) => name),
    ['two'],
  );
  assert.equal(await setting.asksFirst(), false);
  assert.equal(asked.length, 2);
  assert.equal(told.length, 1);
  assert.match(told.join(), /The MCP server “one” isn’t used, because you chose “Don’t Use”/);
});
