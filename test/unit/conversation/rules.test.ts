// "Always", as a rule of the workspace's.

import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  covers,
  isInUse,
  isSameRule,
  ruleFor,
  type AllowRule,
  type AllowRules,
} from '../../../src/core/conversation/allowRules.ts';
import { pathsIn } from '../../../src/core/conversation/askedPaths.ts';
import { alwaysByRule, type Permission } from '../../../src/model/agentState.ts';
import type { Json } from '../../../src/model/message.ts';
import { temporaryFolder } from '../support/history.ts';
import { judgeIn } from '../support/judge.ts';
import { settled, stage } from './stage.ts';

const once = { id: 'yes', name: 'Allow', kind: 'allow_once' } as const;
const always = { id: 'ever', name: 'Always allow', kind: 'allow_always' } as const;
const no = { id: 'no', name: 'Reject', kind: 'reject_once' } as const;

function asking(id: string, tool: string, input?: Json, choices: Permission['choices'] = [once, no]): Permission {
  const question = { id, callId: 'c1', title: 'Do it', tool, locations: [], output: [], choices };
  return input === undefined ? question : { ...question, input };
}

function remembered(): AllowRules & { readonly kept: AllowRule[] } {
  const kept: AllowRule[] = [];
  return { kept, all: () => kept, add: rule => void kept.push(rule) };
}

test('[T15] a rule never allows more than its words say', () => {
  const here = { path: 'a.ts' };
  const rows: readonly (readonly [string, Json | undefined, string | null])[] = [
    ['read', here, 'allow reading files'],
    ['search', here, 'allow searching'],
    ['edit', here, 'allow editing files'],
    ['move', { from: 'a.ts', to: 'b.ts' }, 'allow moving files'],
    ['think', undefined, 'allow thinking'],
    ['execute', { command: 'npm test' }, 'allow “npm test”'],
    ['execute', { command: 'npm test', cwd: '/a', description: 'Runs' }, 'allow “npm test” in “/a”'],
    ['execute', { command: ['npm', 'a test'] }, 'allow running "npm" "a test"'],
    ['execute', { command: 'make” in “/a' }, 'allow "make” in “/a"'],
    ['execute', { command: '' }, null],
    ['execute', { command: [] }, null],
    ['execute', { command: ['npm', 1] }, null],
    ['execute', { command: 'npm test', env: { A: '1' } }, null],
    ['execute', { command: 'npm', args: ['test'] }, null],
    ['execute', { command: 'npm test', cwd: 3 }, null],
    ['execute', { script: 'npm test' }, null],
    ['execute', undefined, null],
    ['execute', ['npm test'], null],
    ['delete', here, null],
    ['switch_mode', undefined, null],
    ['other', undefined, null],
    ['constructor', undefined, null],
  ];
  for (const [tool, input, words] of rows) {
    const rule = ruleFor('a', asking('p', tool, input));
    assert.equal(rule === null ? null : rule.words, words, JSON.stringify([tool, input]));
  }
  assert.equal(ruleFor('a', asking('p', 'read', here, [always, no])), null);
  assert.equal(ruleFor('a', { ...asking('p', 'read', here), why: 'it holds secrets' }), null);
  const changing = (tool: string, input: Json) =>
    ruleFor('a', { ...asking('p', tool, input), output: [{ type: 'diff', path: 'a.ts', newText: 'x' }] })?.words;
  assert.equal(changing('edit', here), 'allow editing files');
  for (const tool of ['read', 'search', 'think']) assert.equal(changing(tool, here), undefined, tool);
  assert.equal(changing('execute', { command: 'npm test' }), undefined);
  assert.equal(changing('fetch', { url: 'https://a.example/' }), undefined);
  const [one, other] = [ruleFor('a', asking('p', 'read', here)), ruleFor('b', asking('p', 'read', here))];
  assert.ok(one && other && !isSameRule(one, other) && !covers(one, other));
});

test('[T50] a question about files gets a rule only where it says which files', () => {
  const located: Permission = { ...asking('p', 'edit'), locations: [{ path: '/ws/a.ts' }] };
  const changed: Permission = { ...asking('p', 'edit'), output: [{ type: 'diff', path: '/ws/b.ts', newText: '' }] };
  assert.ok(ruleFor('a', located) && ruleFor('a', changed));
  for (const tool of ['read', 'search', 'edit', 'move'])
    for (const input of [undefined, null, {}, { path: '' }, { content: 'x', line: 3 }] as const)
      assert.equal(ruleFor('a', asking('p', tool, input)), null, JSON.stringify([tool, input]));
});

test('[T50] the paths of a question are those of its places, its changes and its input', () => {
  const question: Permission = {
    ...asking('p', 'edit', {
      file_path: 'a.ts',
      targetFile: 'b.ts',
      paths: ['c.ts', { path: 'd.ts' }],
      source: 'e.ts',
      anything: '/etc/k',
      changes: { '/ws/f.ts': { content: 'text' }, './g.ts': null },
      new_source: 'print(1)',
      new_string: '// a comment',
      old_string: '/ws/\nnot a path',
      fromLine: 3,
      url: 'https://example.com/a',
    }),
    locations: [{ path: '/ws/h.ts', line: 3 }],
    output: [
      { type: 'diff', path: '/ws/i.ts', newText: 'x' },
      { type: 'content', content: { type: 'text', text: '/ws/j.ts' } },
    ],
  };
  const letters = pathsIn(question).map(path => /(\w)(\.ts)?$/.exec(path)?.[1]);
  assert.deepEqual(new Set(letters), new Set('abcdefghik'));
  let deep: Json = 'a.ts';
  for (let depth = 0; depth < 100; depth++) deep = { in: deep };
  assert.notDeepEqual(pathsIn(asking('p', 'edit', deep)), [], 'what is too deep to look through is no file of anybody');
  assert.deepEqual(pathsIn(asking('p', 'execute', { command: '/bin/ls /etc', cwd: '/ws' })), ['/ws']);
});

test('[T51] fetching is allowed for the one host that all addresses are on', () => {
  const rows: readonly (readonly [Json | undefined, string | null])[] = [
    [{ url: 'https://docs.example.com/a?b', prompt: 'Read https://evil.example/' }, 'docs.example.com'],
    [{ url: 'https://docs.example.com:8443/' }, 'docs.example.com:8443'],
    [{ url: 'http://docs.example.com/' }, 'http://docs.example.com'],
    [{ urls: ['https://a.example/1', 'https://a.example/2'] }, 'a.example'],
    [{ urls: ['https://a.example/1', 'https://b.example/2'] }, null],
    [{ url: 'https://docs.example.com@evil.example/' }, null],
    [{ url: 'file:///etc/passwd' }, null],
    [{ url: 'docs.example.com' }, null],
    [{ query: 'how to' }, null],
    [{}, null],
    [undefined, null],
  ];
  for (const [input, host] of rows) {
    const words = host === null ? null : `allow fetching from ${host}`;
    assert.equal(ruleFor('a', asking('p', 'fetch', input))?.words ?? null, words, JSON.stringify(input));
  }
  const [one, other] = ['https://a.example/1', 'https://b.example/1'].map(url =>
    ruleFor('a', asking('p', 'fetch', { url })),
  );
  assert.ok(one && other && !covers(one, other));
  const located = (path: string, input: Json) =>
    ruleFor('a', { ...asking('p', 'fetch', input), locations: [{ path }] })?.words ?? null;
  assert.equal(located('https://b.example/', { url: 'https://a.example/1' }), null);
  let deep: Json = 'https://b.example/';
  for (let depth = 0; depth < 100; depth++) deep = { in: deep };
  assert.equal(located('https://a.example/', deep), null);
});

test('[T52] two different commands are never one rule', () => {
  const inputs: readonly Json[] = [
    { command: 'make' },
    { command: 'make', cwd: '/ws/a' },
    { command: 'make (in /ws/a)' },
    { command: 'make” in “/ws/a' },
    { command: ['make'] },
    { command: '["make"]' },
    { command: ['make'], cwd: '/ws/a' },
    { command: ['make', '/ws/a'] },
    { command: '["make","/ws/a"]' },
    { command: '"make" "/ws/a"' },
    { command: ['make', 'null'] },
    { command: 'make ' },
  ];
  const rules = inputs.map(input => ruleFor('a', asking('p', 'execute', input)));
  for (const [at, one] of rules.entries())
    for (const [of, other] of rules.entries()) {
      assert.ok(one && other);
      assert.equal(covers(one, other), at === of, JSON.stringify([inputs[at], inputs[of]]));
    }
  const words = rules.map(rule => rule?.words);
  assert.equal(new Set(words).size, words.length, 'nor are they called the same');
});

/** As f23b1dd stored it. */
function old(tool: string, command: string | null): AllowRule {
  return { agent: 'a', tool, command, words: 'allow it' };
}

test('[T53] a rule of f23b1dd answers only what a rule of today would, and is not in use where it allowed more', () => {
  const here = { path: 'a.ts' };
  const rows: readonly (readonly [AllowRule, Permission, boolean])[] = [
    [old('edit', null), asking('p', 'edit', here), true],
    [old('read', null), asking('p', 'read', here), true],
    [old('edit', null), asking('p', 'read', here), false],
    [old('think', null), asking('p', 'think'), true],
    [old('execute', 'npm test'), asking('p', 'execute', { command: 'npm test' }), true],
    [old('execute', 'npm test'), asking('p', 'execute', { command: 'npm test', cwd: '/ws' }), false],
    [old('execute', 'make (in /ws/a)'), asking('p', 'execute', { command: 'make', cwd: '/ws/a' }), false],
    [old('execute', 'make (in /ws/a)'), asking('p', 'execute', { command: 'make (in /ws/a)' }), false],
    [old('execute', '["npm","test"]'), asking('p', 'execute', { command: ['npm', 'test'] }), false],
    [old('execute', '["npm","test"]'), asking('p', 'execute', { command: '["npm","test"]' }), false],
    [old('fetch', null), asking('p', 'fetch', { url: 'https://a.example/' }), false],
    [old('delete', null), asking('p', 'edit', here), false],
  ];
  for (const [stored, question, answers] of rows) {
    const rule = ruleFor('a', question);
    assert.ok(rule);
    assert.equal(covers(stored, rule), answers, JSON.stringify([stored, question.input]));
  }
  const inUse = rows.map(([stored]) => stored).filter(isInUse);
  assert.deepEqual(
    new Set(inUse.map(({ tool, command }) => `${tool} ${command}`)),
    new Set(['edit null', 'read null', 'think null', 'execute npm test']),
  );
});

test('[T53] a window of f23b1dd makes no wider rule of a rule of today', () => {
  // It compared the agent, the kind of tool and the command, and had rules for these kinds only.
  const kindsOfOld = new Set(['read', 'search', 'edit', 'move', 'fetch', 'think', 'execute']);
  const questions = [
    asking('p', 'edit', { path: 'a.ts' }),
    asking('p', 'fetch', { url: 'https://a.example/' }),
    asking('p', 'execute', { command: 'npm test' }),
    asking('p', 'think'),
  ];
  for (const question of questions) {
    const rule = ruleFor('a', question);
    assert.ok(rule && !kindsOfOld.has(rule.tool));
    // It keeps a rule of exactly this shape when it writes the list.
    assert.deepEqual([typeof rule.agent, typeof rule.command, typeof rule.words], ['string', 'string', 'string']);
  }
});

test('[T50] no rule answers for what is sensitive, outside or not named, and the question says why', async t => {
  const folder = realpathSync(temporaryFolder(t));
  mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
  symlinkSync('/etc', join(folder, 'link'));
  const rules = remembered();
  const place = () => ({ cwd: folder, alsoIn: [] });
  const { conversation, agent } = await stage(t, undefined, { rules, place, judgePaths: judgeIn(folder) });
  for (const tool of ['read', 'edit', 'search', 'move'])
    rules.kept.push({ agent: agent.ref.id, tool, command: null, words: 'allow it' });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  let count = 0;
  const ask = async (tool: string, more: Partial<Permission>) => {
    const id = `p${++count}`;
    const answered = turn.ask({ ...asking(id, tool), ...more });
    const shown = () => conversation.transcript.permissions.find(permission => permission.id === id);
    const asked = new Promise<Permission>(resolve => {
      const stop = conversation.onDidChange(() => {
        const found = shown();
        if (found === undefined) return;
        stop();
        resolve(found);
      });
      const found = shown();
      if (found) resolve(found);
    });
    const first = await Promise.race([answered, asked]);
    if (typeof first !== 'object' || first === null) return first;
    conversation.answerPermission(id, 'no');
    await answered;
    return [first.rule, first.why] as const;
  };
  const at = (path: string) => ({ locations: [{ path: join(folder, path) }] });
  const diff = (path: string, newText = '') => ({ output: [{ type: 'diff', path: join(folder, path), newText }] });
  const withOld = ({ output: [one] }: ReturnType<typeof diff>) => ({
    output: [{ ...one, oldText: '{ "$schema": "https://known.example/" }' }],
  });
  const outside = (path: string) => `“${path}” is not in a folder of this workspace`;
  const rows: readonly (readonly [string, Partial<Permission>, string | undefined])[] = [
    ['edit', at('src/a.ts'), 'yes'],
    ['read', { input: { path: 'src/a.ts' } }, 'yes'],
    ['search', { input: { path: folder, pattern: 'x' } }, 'yes'],
    ['edit', at('.vscode/tasks.json'), 'it sets up the editor, which can run programs'],
    ['edit', { ...at('src/a.ts'), ...diff('.git/hooks/pre-commit') }, 'it belongs to version control'],
    ['edit', { ...at('src/a.ts'), input: { file_path: '.git/config' } }, 'it belongs to version control'],
    ['read', at('.env'), 'it may hold secrets'],
    ['read', at('.vscode/tasks.json'), 'yes'],
    ['edit', { locations: [{ path: '/etc/hosts' }] }, outside('/etc/hosts')],
    ['read', { input: { path: '~/.ssh/id_rsa' } }, outside('~/.ssh/id_rsa')],
    ['read', { input: { path: 'file:///etc/hosts' } }, outside('file:///etc/hosts')],
    ['edit', { input: { path: '../other/a.ts' } }, outside('../other/a.ts')],
    ['edit', at('link/hosts'), outside(join(folder, 'link/hosts'))],
    ['search', { input: { pattern: 'x' } }, undefined],
    ['edit', {}, undefined],
    [
      'edit',
      diff('src/a.json', '{ "\\u0024schema": "https:\\/\\/evil.example/?q" }'),
      'it names a schema on evil.example, which the editor would download',
    ],
    [
      'read',
      diff('src/a.json', '{ "$schema": "https://evil.example/" }'),
      'it names a schema on evil.example, which the editor would download',
    ],
    [
      'edit',
      { input: { path: 'src/a.json', content: '{ "$schema": "//evil.example/" }' } },
      'it names a schema on evil.example, which the editor would download',
    ],
    ['edit', withOld(diff('src/a.json', '{ "$schema": "https://known.example/", "a": 1 }')), 'yes'],
    ['read', { ...at('src/a.ts'), ...diff('.vscode/tasks.json') }, 'it sets up the editor, which can run programs'],
    [
      'edit',
      { locations: Array.from({ length: 257 }, (_, number) => ({ path: join(folder, `${number}.ts`) })) },
      'it names 257 files, too many to check',
    ],
  ];
  for (const [tool, more, expected] of rows) {
    const found = await ask(tool, more);
    assert.deepEqual(found, expected === 'yes' ? 'yes' : [undefined, expected], JSON.stringify([tool, more]));
  }
  turn.end({ reason: 'end_turn' });
});

test('[T50] a rule does not answer a question that was withdrawn while its paths were checked', async t => {
  const rules = remembered();
  rules.kept.push({ agent: 'scripted', tool: 'edit', command: null, words: 'allow it' });
  const answers: ((why: string | null) => void)[] = [];
  const judgePaths = () => new Promise<string | null>(resolve => answers.push(resolve));
  const { conversation, agent } = await stage(t, undefined, { rules, judgePaths });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const over = new AbortController();
  const question = asking('p', 'edit', { path: 'a.ts' });
  const withdrawn = turn.ask(question, over.signal);
  over.abort();
  assert.equal(answers.length, 1, 'its paths are being checked');
  answers[0]?.(null);
  assert.equal(await withdrawn, null);
  const later = turn.ask(question);
  assert.equal(answers.length, 2);
  answers[1]?.(null);
  assert.equal(await later, 'yes');
});

test('[T50] paths that cannot be checked are for the person, whatever rule there is', async t => {
  const rules = remembered();
  rules.kept.push({ agent: 'scripted', tool: 'edit', command: null, words: 'allow it' });
  const judgePaths = () => Promise.reject(new Error('EIO'));
  const { conversation, agent } = await stage(t, undefined, { rules, judgePaths });
  const shown: Permission[] = [];
  conversation.onDidChange(event => {
    if (event.type !== 'permissionsChanged') return;
    shown.push(...event.permissions);
    for (const { id } of event.permissions) conversation.answerPermission(id, 'no');
  });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  assert.equal(await turn.ask(asking('p', 'edit', { path: 'a.ts' })), 'no');
  assert.deepEqual([shown[0]?.why, shown[0]?.rule], ['the files could not be checked', undefined]);
});

test('[T15] a rule answers in the person’s place, says so, and no longer when it is taken back', async t => {
  const rules = remembered();
  const { conversation, agent, reopen } = await stage(t, undefined, { rules });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  for (const callId of ['c1', 'c2', 'c3'])
    turn.update({ type: 'toolCall', callId, changes: { title: callId, status: 'pending' } });
  const run = (id: string, callId: string, command: string) =>
    turn.ask({ ...asking(id, 'execute', { command }), callId });
  const first = run('p1', 'c1', 'npm test');
  assert.equal(conversation.transcript.permissions[0]?.rule, 'allow “npm test”');
  assert.equal(conversation.answerPermission('p1', alwaysByRule), true);
  assert.equal(await first, 'yes');
  assert.equal(await run('p2', 'c2', 'npm test'), 'yes');
  const another = run('p3', 'c3', 'npm test && rm -r /');
  assert.equal(conversation.transcript.permissions.length, 1);
  conversation.answerPermission('p3', 'no');
  assert.equal(await another, 'no');
  rules.kept.length = 0;
  const asked = run('p4', 'c3', 'npm test');
  assert.equal(conversation.answerPermission('p4', 'no'), true);
  assert.equal(await asked, 'no');
  turn.end({ reason: 'end_turn' });
  await settled(conversation);
  const blocks = (await (await reopen()).open(conversation.session))?.path[1]?.blocks ?? [];
  assert.deepEqual(
    blocks.map(block => block.kind === 'toolCall' && block.permission),
    [
      { choice: 'Always allow “npm test”', allowed: true },
      { choice: 'Always allow “npm test”', allowed: true, byRule: true },
      { choice: 'Reject', allowed: false },
    ],
  );
});

test('[T15] an agent with an “always” of its own is offered ours only when it forgot', async t => {
  const rules = remembered();
  const { conversation, agent } = await stage(t, undefined, { rules });
  await conversation.send('go');
  const turn = await agent.nextTurn();
  const first = turn.ask(asking('p1', 'execute', { command: 'npm test' }, [once, always, no]));
  assert.equal(conversation.transcript.permissions[0]?.rule, undefined);
  assert.equal(conversation.answerPermission('p1', alwaysByRule), false);
  conversation.answerPermission('p1', 'ever');
  assert.equal(await first, 'ever');
  const again = turn.ask(asking('p2', 'execute', { command: 'npm test' }, [once, always, no]));
  assert.equal(conversation.transcript.permissions[0]?.rule, 'allow “npm test”');
  conversation.answerPermission('p2', 'no');
  await again;
  assert.deepEqual(rules.kept, []);
  turn.end({ reason: 'end_turn' });
});
